#include "cairn/detour/tile_set.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "cairn/file.hpp"
#include "core/guarded.hpp"
#include "detour/checked_nav_mesh.hpp"
#include "detour/set_reader.hpp"

namespace cairn::detour {
namespace {

static_assert(std::endian::native == std::endian::little, "tile sets are little-endian");

constexpr std::size_t kMaxTileSetBytes = std::size_t{1} << 32;
constexpr std::uint32_t kMagic = 'M' << 24 | 'S' << 16 | 'E' << 8 | 'T';
constexpr std::uint32_t kCacheMagic = 'T' << 24 | 'S' << 16 | 'E' << 8 | 'T';
constexpr std::uint32_t kVersion = 1;

constexpr std::string_view kTooShort = "too short for a tile set";

/// What comes after magic and version.
struct SetHeader {
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

/// Reads a set after its magic and version.
class TileSetParser {
public:
    explicit TileSetParser(const SetReader& file) : file_(file), nav_mesh_(file.unread.size()) {}

    Result<NavMesh> parse() {
        if (!file_.take(header_))
            return tl::unexpected(file_.refuse(StatusCode::corrupt_file, kTooShort));
        format_ = format_of(file_.unread);
        if (other_refs() && header_.tiles <= header_.params.maxTiles) fit();
        Status s = nav_mesh_.start(header_.params, header_.tiles);
        s = s.ok() ? file_.for_each_tile(header_.tiles, [&] { return tile(); }) : file_.refuse(s);
        if (!s.ok()) return tl::unexpected(std::move(s));
        return nav_mesh_.take();
    }

private:
    /// Whether the set has references of another size than this program's Detour.
    [[nodiscard]] bool other_refs() const { return format_.ref != sizeof(dtTileRef); }

    /// Takes away room for tiles and polygons that are not there, as far as references need it.
    void fit() {
        dtNavMeshParams& p = header_.params;
        if (p.maxTiles > most_tiles(header_.tiles)) p.maxTiles = std::max(header_.tiles, 1);
        if (!can_be_named(p)) p.maxPolys = most_polygons();
        if (!can_be_named(p)) p.maxTiles = std::max(header_.tiles, 1);
    }

    /// The most polygons that a tile's header tells; at least 1.
    [[nodiscard]] int most_polygons() const {
        int most = 1;
        SetReader rest = file_;
        std::string_view bytes;
        for (int t = 0; t < header_.tiles; ++t) {
            if (rest.unread.size() < format_.tile_header ||
                !rest.take_bytes(take_size(rest), bytes).ok() ||
                bytes.size() < sizeof(dtMeshHeader))
                break;
            most = std::max(most, item_at<dtMeshHeader>(bytes, {}, 0).polyCount);
        }
        return most;
    }

    /// Reads the header of a tile, which must be there, and gives the size in it.
    [[nodiscard]] std::int32_t take_size(SetReader& file) const {
        std::int32_t size = 0;
        std::memcpy(&size, file.unread.data() + format_.ref, sizeof(size));
        file.unread.remove_prefix(format_.tile_header);
        return size;
    }

    Status tile() {
        if (file_.unread.size() < format_.tile_header) return corrupt("the file ends before it");
        dtTileRef ref = 0;  // Detour chooses one
        if (!other_refs()) std::memcpy(&ref, file_.unread.data(), sizeof(ref));
        std::string_view bytes;
        Status s = file_.take_bytes(take_size(file_), bytes);
        if (s.ok() && !other_refs()) s = nav_mesh_.check_ref(ref);
        return s.ok() ? nav_mesh_.add(ref, bytes, format_.link) : s;
    }

    SetReader file_;
    SetHeader header_;
    RefFormat format_;
    CheckedNavMesh nav_mesh_;
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

Result<NavMesh> parse_tile_set(std::string_view bytes, std::string_view name,
                               const TileCacheOptions& options) noexcept try {
    SetReader file{bytes, name};
    std::uint32_t magic = 0;
    std::uint32_t version = 0;
    const auto refuse = [&](StatusCode code, std::string_view message) {
        return tl::unexpected(file.refuse(code, message));
    };
    if (!file.take(magic) || !file.take(version))
        return refuse(StatusCode::corrupt_file, kTooShort);
    if (magic == __builtin_bswap32(kMagic) || magic == __builtin_bswap32(kCacheMagic))
        return refuse(StatusCode::wrong_version, "a tile set in big-endian order");
    if (magic != kMagic && magic != kCacheMagic)
        return refuse(StatusCode::corrupt_file, "a tile set begins with 'MSET' or 'TSET'");
    if (version != kVersion) {
        return refuse(StatusCode::wrong_version,
                      fmt::format("tile set version {}: only 1 is known", version));
    }
    return magic == kMagic ? TileSetParser(file).parse() : parse_tile_cache(file, options);
} catch (...) {
    return out_of_memory();
}

Result<NavMesh> read_tile_set(const std::string& path, const TileCacheOptions& options) noexcept
    try {
    const auto bytes = cairn::read_file(path, kMaxTileSetBytes);
    if (!bytes) return tl::unexpected(bytes.error());
    return parse_tile_set(*bytes, path, options);
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
    put(bytes, kMagic);
    put(bytes, kVersion);
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
