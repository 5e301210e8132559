#include "cairn/detour/tile_set.hpp"

#include <DetourAlloc.h>
#include <DetourCommon.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <new>
#include <utility>

#include "cairn/file.hpp"
#include "core/guarded.hpp"
#include "detour/detour_mesh.hpp"
#include "detour/tile_checker.hpp"

namespace cairn::detour {
namespace {

static_assert(std::endian::native == std::endian::little, "tile sets are little-endian");

constexpr std::size_t kMaxTileSetBytes = std::size_t{1} << 32;
constexpr std::uint32_t kMagic = 'M' << 24 | 'S' << 16 | 'E' << 8 | 'T';
constexpr std::uint32_t kVersion = 1;
// The most maxTiles: kFreeTiles, or kTilesPerTile for each tile of the file if that is more. Detour
// allocates them all at once.
constexpr std::int64_t kFreeTiles = 1 << 16;
constexpr std::int64_t kTilesPerTile = 64;
// The most pairs of edges that Detour may compare: kFreeWork, and kWorkPerByte more for each byte
// of the file. Real tiles need about ten per byte.
constexpr std::uint64_t kFreeWork = std::uint64_t{1} << 31;
constexpr std::uint64_t kWorkPerByte = 256;

struct SetHeader {
    std::uint32_t magic = kMagic;
    std::uint32_t version = kVersion;
    std::int32_t tiles = 0;
    dtNavMeshParams params{};
};

/// The sizes that depend on whether the program that wrote a set has references of 32 or 64 bits.
struct RefFormat {
    std::size_t ref = sizeof(dtTileRef);
    std::size_t tile_header = 2 * sizeof(dtTileRef);  ///< reference, size and padding
    std::size_t link = sizeof(dtLink);
};
/// 32 bits; 64 bits; 64 bits where the processor aligns them to 4 bytes.
constexpr std::array<RefFormat, 3> kRefFormats{{{4, 8, 12}, {8, 16, 16}, {8, 12, 16}}};

/// The format of a set by its tiles: the first one begins after its header.
RefFormat format_of(std::string_view tiles) {
    for (const RefFormat& format : kRefFormats) {
        std::int32_t magic = 0;
        if (tiles.size() < format.tile_header + sizeof(magic)) break;
        std::memcpy(&magic, tiles.data() + format.tile_header, sizeof(magic));
        if (magic == DT_NAVMESH_MAGIC) return format;
    }
    return {};
}

// The bits that the numbers 0 to `count` - 1 need.
unsigned bits_of_numbers(std::int64_t count) {
    return static_cast<unsigned>(std::bit_width(static_cast<std::uint64_t>(count - 1)));
}

/// Whether references have the bits for the tiles and polygons that there is room for.
bool can_be_named(const dtNavMeshParams& params) {
    const unsigned tile_bits = bits_of_numbers(params.maxTiles);
    const unsigned poly_bits = bits_of_numbers(params.maxPolys);
#ifdef DT_POLYREF64
    return tile_bits <= DT_TILE_BITS && poly_bits <= DT_POLY_BITS;
#else
    constexpr unsigned kLeastSaltBits = 10;  // dtNavMesh::init refuses fewer
    return tile_bits + poly_bits + kLeastSaltBits <= 32;
#endif
}

class TileSetParser {
public:
    TileSetParser(std::string_view bytes, std::string_view name)
        : size_(bytes.size()), unread_(bytes), name_(name) {}

    Result<NavMesh> parse() {
        Status s = header();
        if (s.ok()) s = counts();
        if (s.ok()) s = params();
        if (s.ok()) start();
        for (; s.ok() && tile_ < header_.tiles; ++tile_) s = tile();
        if (s.ok() && !unread_.empty())
            s = corrupt(fmt::format("{} bytes after the last tile", unread_.size()));
        if (!s.ok()) return tl::unexpected(std::move(s));
        return std::move(nav_mesh_);
    }

private:
    Status refuse(StatusCode code, std::string_view message) const {
        return {code, fmt::format("{}: {}", name_, message)};
    }
    Status corrupt(std::string_view message) const {
        return refuse(StatusCode::corrupt_file, message);
    }
    Status bad_tile(std::string_view message, StatusCode code = StatusCode::corrupt_file) const {
        return refuse(code, fmt::format("tile {}: {}", tile_, message));
    }

    template <class T>
    bool take(T& value) {
        if (unread_.size() < sizeof(T)) return false;
        std::memcpy(&value, unread_.data(), sizeof(T));
        unread_.remove_prefix(sizeof(T));
        return true;
    }

    Status header() {
        if (!take(header_)) return corrupt("too short for a tile set");
        if (header_.magic == __builtin_bswap32(kMagic))
            return refuse(StatusCode::wrong_version, "a tile set in big-endian order");
        if (header_.magic != kMagic) return corrupt("a tile set begins with 'MSET'");
        if (header_.version != kVersion) {
            return refuse(StatusCode::wrong_version,
                          fmt::format("tile set version {}: only 1 is known", header_.version));
        }
        format_ = format_of(unread_);
        return {};
    }

    /// Whether the set has references of another size than this program's Detour.
    bool other_refs() const { return format_.ref != sizeof(dtTileRef); }

    Status counts() {
        dtNavMeshParams& p = header_.params;
        if (header_.tiles < 0 || p.maxTiles < 1 || header_.tiles > p.maxTiles) {
            return corrupt(
                fmt::format("{} tiles where at most {} may be", header_.tiles, p.maxTiles));
        }
        if (p.maxPolys < 1) return corrupt("a tile may have no polygons");
        if (other_refs()) fit();
        const bool free = p.maxTiles <= most_tiles();
        if (free && can_be_named(p)) return {};
        return refuse(
            StatusCode::too_large,
            free ? fmt::format("{} tiles of {} polygons: references cannot name so many",
                               p.maxTiles, p.maxPolys)
                 : fmt::format("room for {} tiles, but there are {}", p.maxTiles, header_.tiles));
    }

    std::int64_t most_tiles() const { return std::max(kFreeTiles, kTilesPerTile * header_.tiles); }

    /// Takes away room for tiles and polygons that are not there, as far as references need it.
    void fit() {
        dtNavMeshParams& p = header_.params;
        if (p.maxTiles > most_tiles()) p.maxTiles = std::max(header_.tiles, 1);
        if (!can_be_named(p)) p.maxPolys = most_polygons();
        if (!can_be_named(p)) p.maxTiles = std::max(header_.tiles, 1);
    }

    /// The most polygons that a tile's header tells; at least 1.
    int most_polygons() const {
        int most = 1;
        std::string_view rest = unread_;
        for (int t = 0; t < header_.tiles; ++t) {
            const std::int64_t size = tile_size(rest);
            if (size < 0) break;
            rest.remove_prefix(format_.tile_header);
            if (rest.size() < sizeof(dtMeshHeader)) break;
            most = std::max(most, item_at<dtMeshHeader>(rest, {}, 0).polyCount);
            rest.remove_prefix(std::min(rest.size(), static_cast<std::size_t>(size)));
        }
        return most;
    }

    /// The bytes of the tile whose header comes next; -1 if the file ends before it.
    std::int64_t tile_size(std::string_view at) const {
        std::int32_t size = 0;
        if (at.size() < format_.tile_header) return -1;
        std::memcpy(&size, at.data() + format_.ref, sizeof(size));
        return size;
    }

    Status params() const {
        const dtNavMeshParams& p = header_.params;
        const auto extent = [](float length) { return usable(&length, 1) && length >= 1e-3F; };
        if (!usable(p.orig, 3)) return corrupt("its origin is not finite or beyond 1e7");
        if (!extent(p.tileWidth) || !extent(p.tileHeight))
            return corrupt("a tile's width and height must be 0.001 to 1e7");
        return {};
    }

    /// Detour accepts parameters without error, so it can only lack memory.
    void start() {
        nav_mesh_.reset(dtAllocNavMesh());
        if (nav_mesh_ == nullptr) throw std::bad_alloc();
        if (dtStatusSucceed(nav_mesh_->init(&header_.params))) return;
        dtFree(nav_mesh_.release());  // its destructor would read tiles that were not allocated
        throw std::bad_alloc();
    }

    Status tile() {
        if (unread_.size() < format_.tile_header) return bad_tile("the file ends before it");
        const std::int64_t size = tile_size(unread_);
        dtTileRef ref = 0;  // Detour chooses one
        if (!other_refs()) std::memcpy(&ref, unread_.data(), sizeof(ref));
        unread_.remove_prefix(format_.tile_header);
        if (size < 0 || static_cast<std::size_t>(size) > unread_.size())
            return bad_tile(fmt::format("{} bytes, but {} are left", size, unread_.size()));
        const std::string_view bytes = unread_.substr(0, static_cast<std::size_t>(size));
        unread_.remove_prefix(bytes.size());
        if (bytes.size() < sizeof(dtMeshHeader))
            return bad_tile(fmt::format("{} bytes are too few for its header", bytes.size()));
        TileChecker checker(bytes, format_.link);
        if (Status s = checker.check(); !s.ok()) return bad_tile(s.message, s.code);
        if (Status s = check_ref(ref); !s.ok()) return s;
        if (Status s = check_place(checker.header()); !s.ok()) return s;
        if (Status s = check_work(checker.header(), checker.work()); !s.ok()) return s;
        return add(ref, bytes, checker);
    }

    Status check_ref(dtTileRef ref) const {
        if (other_refs()) return {};
        unsigned salt = 0;
        unsigned index = 0;
        unsigned polygon = 0;
        nav_mesh_->decodePolyId(ref, salt, index, polygon);
        if (salt == 0 || nav_mesh_->encodePolyId(salt, index, 0) != ref ||
            index >= static_cast<unsigned>(nav_mesh_->getMaxTiles()))
            return bad_tile(fmt::format("no tile can have the reference {:#x}", ref));
        if (std::as_const(*nav_mesh_).getTile(static_cast<int>(index))->header != nullptr)
            return bad_tile(fmt::format("the reference {:#x} is taken", ref));
        return {};
    }

    Status check_place(const dtMeshHeader& tile) const {
        if (bits_of_numbers(tile.polyCount) > bits_of_numbers(header_.params.maxPolys)) {
            return bad_tile(fmt::format("{} polygons where at most {} may be", tile.polyCount,
                                        header_.params.maxPolys));
        }
        if (nav_mesh_->getTileAt(tile.x, tile.y, tile.layer) != nullptr) {
            return bad_tile(
                fmt::format("there is another at {}, {} in layer {}", tile.x, tile.y, tile.layer));
        }
        return {};
    }

    /// Limits the comparisons that Detour makes to join a tile to its neighbours and to the tiles
    /// of other layers.
    Status check_work(const dtMeshHeader& tile, const TileWork& work) {
        constexpr std::array<std::pair<int, int>, 4> kSides{{{1, 0}, {0, 1}, {-1, 0}, {0, -1}}};
        TileWork& here = work_of_[{tile.x, tile.y}];
        for (std::size_t side = 0; side < kSides.size(); ++side) {
            const std::uint64_t outer = work.outer_edges[side];
            work_done_ += outer * here.edges + here.outer_edges[side] * work.edges;
            const auto [dx, dy] = kSides[side];
            const auto beside = work_of_.find({tile.x + dx, tile.y + dy});
            if (beside == work_of_.end()) continue;
            work_done_ += outer * beside->second.edges +
                          beside->second.outer_edges[(side + 2) % 4] * work.edges;
        }
        here.edges += work.edges;
        for (std::size_t side = 0; side < kSides.size(); ++side)
            here.outer_edges[side] += work.outer_edges[side];
        if (work_done_ <= kFreeWork + kWorkPerByte * size_) return {};
        return bad_tile("too many edges at its borders and those of the tiles before",
                        StatusCode::too_large);
    }

    Status add(dtTileRef ref, std::string_view bytes, const TileChecker& checker) {
        const TilePart& links = checker.layout().links;
        const TileLayout ours(checker.header());
        if (ours.size() > std::numeric_limits<int>::max())
            return bad_tile("more than 2 GiB", StatusCode::too_large);
        auto* copy = static_cast<unsigned char*>(dtAlloc(ours.size(), DT_ALLOC_PERM));
        if (copy == nullptr) throw std::bad_alloc();
        std::memcpy(copy, bytes.data(), links.begin);
        std::memset(copy + links.begin, 0, ours.links.end() - links.begin);
        std::memcpy(copy + ours.links.end(), bytes.data() + links.end(),
                    bytes.size() - links.end());
        const dtStatus added = nav_mesh_->addTile(copy, static_cast<int>(ours.size()),
                                                  DT_TILE_FREE_DATA, ref, nullptr);
        if (!dtStatusFailed(added)) return {};
        dtFree(copy);
        if (dtStatusDetail(added, DT_OUT_OF_MEMORY)) return out_of_memory();
        return bad_tile(fmt::format("Detour refuses it (status {:#x})", added));
    }

    std::uint64_t size_;  // of the file, in bytes
    std::string_view unread_;
    std::string_view name_;
    SetHeader header_;
    RefFormat format_;
    int tile_ = 0;  // the number of the current tile in the file
    NavMesh nav_mesh_;
    std::map<std::pair<int, int>, TileWork> work_of_;  // of all layers at a position
    std::uint64_t work_done_ = 0;                      // pairs of edges compared
};

template <class T>
void put(std::string& bytes, const T& value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof(T));
}

/// The bytes of a tile, with 0 for its links and for each polygon's index of its first link.
std::string without_links(const dtMeshTile& tile) {
    std::string bytes(reinterpret_cast<const char*>(tile.data),
                      static_cast<std::size_t>(tile.dataSize));
    const TileLayout layout(*tile.header);
    std::memset(bytes.data() + layout.links.begin, 0, layout.links.end() - layout.links.begin);
    for (std::uint64_t p = 0; p < layout.polys.count; ++p) {
        constexpr std::size_t kFirstLink = offsetof(dtPoly, firstLink);
        std::memset(bytes.data() + layout.polys.begin + p * sizeof(dtPoly) + kFirstLink, 0,
                    sizeof(dtPoly::firstLink));
    }
    return bytes;
}

}  // namespace

Result<NavMesh> parse_tile_set(std::string_view bytes, std::string_view name) noexcept try {
    return TileSetParser(bytes, name).parse();
} catch (...) {
    return out_of_memory();
}

Result<NavMesh> read_tile_set(const std::string& path) noexcept try {
    const auto bytes = cairn::read_file(path, kMaxTileSetBytes);
    if (!bytes) return tl::unexpected(bytes.error());
    return parse_tile_set(*bytes, path);
} catch (...) {
    return out_of_memory();
}

Result<std::string> format_tile_set(const dtNavMesh& nav_mesh) noexcept try {
    SetHeader header;
    header.params = *nav_mesh.getParams();
    std::string tiles;
    for (int t = 0; t < nav_mesh.getMaxTiles(); ++t) {
        const dtMeshTile& tile = *nav_mesh.getTile(t);
        if (tile.header == nullptr) continue;
        ++header.tiles;
        put(tiles, nav_mesh.getTileRef(&tile));
        put(tiles, tile.dataSize);
        tiles.append(RefFormat().tile_header - sizeof(dtTileRef) - sizeof(int), '\0');
        tiles += without_links(tile);
    }
    std::string bytes;
    put(bytes, header);
    return bytes + tiles;
} catch (...) {
    return out_of_memory();
}

Status write_tile_set(const std::string& path, const dtNavMesh& nav_mesh) noexcept try {
    return cairn::write_file_atomically(path, value_of(format_tile_set(nav_mesh)));
} catch (...) {
    return out_of_memory();
}

}  // namespace cairn::detour
