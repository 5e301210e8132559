#include "cairn/detour/tile_set.hpp"

#include <DetourAlloc.h>
#include <DetourCommon.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <new>
#include <utility>

#include "cairn/file.hpp"
#include "core/guarded.hpp"
#include "detour/detour_mesh.hpp"
#include "detour/tile_layout.hpp"

namespace cairn::detour {
namespace {

static_assert(std::endian::native == std::endian::little, "tile sets are little-endian");

constexpr std::size_t kMaxTileSetBytes = std::size_t{1} << 32;
constexpr std::uint32_t kMagic = 'M' << 24 | 'S' << 16 | 'E' << 8 | 'T';
constexpr std::uint32_t kVersion = 1;
constexpr unsigned kLeastSaltBits = 10;  // dtNavMesh::init refuses fewer
// The most maxTiles: kFreeTiles, or kTilesPerTile for each tile of the file if that is more. Detour
// allocates them all at once.
constexpr std::int64_t kFreeTiles = 1 << 16;
constexpr std::int64_t kTilesPerTile = 64;
// The most pairs of edges that Detour may compare: kFreeWork, and kWorkPerByte more for each byte
// of the file. Real tiles need about ten per byte.
constexpr std::uint64_t kFreeWork = std::uint64_t{1} << 31;
constexpr std::uint64_t kWorkPerByte = 256;
// The flags of a detail triangle, one for each edge, that say that the edge is on the polygon's
// border.
constexpr std::uint32_t kBoundaryEdges = 1U << 0 | 1U << 2 | 1U << 4;

struct SetHeader {
    std::uint32_t magic = kMagic;
    std::uint32_t version = kVersion;
    std::int32_t tiles = 0;
    dtNavMeshParams params{};
};

struct TileHeader {
    dtTileRef ref = 0;
    std::int32_t size = 0;
};

// The bits that the numbers 0 to `count` - 1 need.
unsigned bits_of_numbers(std::int64_t count) {
    return static_cast<unsigned>(std::bit_width(static_cast<std::uint64_t>(count - 1)));
}

/// The edges of a tile, for an estimate of Detour's work: to join two tiles, it compares each edge
/// of one tile at their common border with all edges of the other.
struct TileWork {
    std::uint64_t edges = 0;  ///< of all its polygons
    /// The edges at the tile's border to x + 1, y + 1, x - 1 and y - 1.
    std::array<std::uint64_t, 4> outer_edges{};
};

/// Checks all bytes of a tile. Messages name neither the file nor the tile. Linear time.
class TileChecker {
public:
    /// The tile must have at least the bytes of a header.
    explicit TileChecker(std::string_view tile)
        : tile_(tile), header_(item<dtMeshHeader>({}, 0)), layout_(header_) {}

    Status check() {
        if (header_.magic != DT_NAVMESH_MAGIC) return corrupt("it does not begin with 'DNAV'");
        if (header_.version != DT_NAVMESH_VERSION) {
            return {StatusCode::wrong_version, fmt::format("version {}: only {} is known",
                                                           header_.version, DT_NAVMESH_VERSION)};
        }
        using Check = Status (TileChecker::*)();
        constexpr std::array<Check, 7> kChecks{&TileChecker::counts,     &TileChecker::measures,
                                               &TileChecker::vertices,   &TileChecker::polygons,
                                               &TileChecker::details,    &TileChecker::tree,
                                               &TileChecker::connections};
        for (const Check part : kChecks) {
            if (Status s = (this->*part)(); !s.ok()) return s;
        }
        return {};
    }
    [[nodiscard]] const dtMeshHeader& header() const noexcept { return header_; }
    /// Valid after a check without error.
    [[nodiscard]] const TileWork& work() const noexcept { return work_; }

private:
    static Status corrupt(std::string message) {
        return {StatusCode::corrupt_file, std::move(message)};
    }
    template <class T, class Number>
    T item(const TilePart& part, Number i) const noexcept {
        return item_at<T>(tile_, part, static_cast<std::uint64_t>(i));
    }
    int num_ground() const { return header_.offMeshBase; }

    Status counts() {
        const dtMeshHeader& h = header_;
        for (const int count :
             {h.polyCount, h.vertCount, h.maxLinkCount, h.detailMeshCount, h.detailVertCount,
              h.detailTriCount, h.bvNodeCount, h.offMeshConCount, h.offMeshBase}) {
            if (count < 0) return corrupt(fmt::format("a count of {} in its header", count));
        }
        if (layout_.size() != tile_.size()) {
            return corrupt(fmt::format("its counts make {} bytes, but it has {}", layout_.size(),
                                       tile_.size()));
        }
        if (h.polyCount == 0) return corrupt("it has no polygons");
        if (h.maxLinkCount == 0) return corrupt("it has no room for links");
        if (std::int64_t{h.offMeshBase} + h.offMeshConCount != h.polyCount) {
            return corrupt(fmt::format("{} polygons from {} on for {} off-mesh connections",
                                       h.polyCount, h.offMeshBase, h.offMeshConCount));
        }
        if (h.detailMeshCount != num_ground()) {
            return corrupt(
                fmt::format("{} detail meshes for {} polygons", h.detailMeshCount, num_ground()));
        }
        return place();
    }

    Status place() const {
        // Detour adds 1 to the position and subtracts 1 from it to find the neighbours.
        constexpr int kMost = 1 << 30;
        if (std::abs(std::int64_t{header_.x}) <= kMost &&
            std::abs(std::int64_t{header_.y}) <= kMost)
            return {};
        return corrupt(fmt::format("it lies at {}, {}", header_.x, header_.y));
    }

    Status measures() {
        const dtMeshHeader& h = header_;
        const bool valid = usable(h.bmin, 3) && usable(h.bmax, 3) && h.bmin[0] <= h.bmax[0] &&
                           h.bmin[1] <= h.bmax[1] && h.bmin[2] <= h.bmax[2];
        if (!valid)
            return corrupt("its bounds are not finite, beyond 1e7, or end before they begin");
        for (const float length : {h.walkableHeight, h.walkableRadius, h.walkableClimb}) {
            if (!usable(&length, 1) || length < 0)
                return corrupt("an agent's height, radius or climb is negative or not finite");
        }
        if (h.bvNodeCount == 0) return {};
        // Detour rounds lengths times bvQuantFactor to 16-bit integers.
        float longest = 0;
        for (int axis = 0; axis < 3; ++axis)
            longest = std::max(longest, h.bmax[axis] - h.bmin[axis]);
        if (h.bvQuantFactor >= 0 && h.bvQuantFactor * longest < 65535.0F) return {};
        return corrupt("its bounding volume tree does not span its bounds");
    }

    Status vertices() {
        for (const auto& [part, name] :
             {std::pair{&layout_.verts, "vertex"}, {&layout_.detail_verts, "detail vertex"}}) {
            for (std::uint64_t v = 0; v < part->count; ++v) {
                const auto point = item<std::array<float, 3>>(*part, v);
                if (usable(point.data(), 3)) continue;
                return corrupt(fmt::format("{} {} is not finite or lies beyond 1e7", name, v));
            }
        }
        return {};
    }

    Status polygons() {
        for (int p = 0; p < header_.polyCount; ++p) {
            if (Status s = polygon(p); !s.ok()) return s;
        }
        if (links_ <= static_cast<std::uint64_t>(header_.maxLinkCount)) return {};
        return corrupt(fmt::format("room for {} links, but {} edges with neighbours",
                                   header_.maxLinkCount, links_));
    }

    Status polygon(int p) {
        const auto poly = item<dtPoly>(layout_.polys, p);
        const bool ground = p < num_ground();
        if (poly.getType() != (ground ? DT_POLYTYPE_GROUND : DT_POLYTYPE_OFFMESH_CONNECTION))
            return corrupt(fmt::format("polygon {} is of type {}", p, poly.getType()));
        const unsigned least = ground ? 3 : 2;
        const unsigned most = ground ? DT_VERTS_PER_POLYGON : 2;
        if (poly.vertCount < least || poly.vertCount > most)
            return corrupt(fmt::format("polygon {} has {} corners", p, poly.vertCount));
        for (unsigned c = 0; c < poly.vertCount; ++c) {
            if (poly.verts[c] >= header_.vertCount)
                return corrupt(fmt::format("polygon {}: there is no vertex {}", p, poly.verts[c]));
            if (ground && !count_edge(p, poly.neis[c])) {
                return corrupt(
                    fmt::format("polygon {}: neighbour {:#x} does not exist", p, poly.neis[c]));
            }
        }
        if (!ground) links_ += 2;
        return {};
    }

    /// Adds an edge of a polygon to the counts. False if its neighbour does not exist.
    bool count_edge(int polygon, std::uint16_t neighbour) {
        ++work_.edges;
        if (neighbour == 0) return true;
        ++links_;
        if ((neighbour & DT_EXT_LINK) == 0)
            return neighbour <= num_ground() && neighbour - 1 != polygon;
        const unsigned side = neighbour & ~unsigned{DT_EXT_LINK};  // of the tile: 0, 2, 4 or 6
        if (side > 6 || side % 2 != 0) return false;
        ++work_.outer_edges[side / 2];
        return true;
    }

    Status details() {
        for (int p = 0; p < num_ground(); ++p) {
            const auto poly = item<dtPoly>(layout_.polys, p);
            const auto detail = item<dtPolyDetail>(layout_.detail_meshes, p);
            const bool fits =
                std::uint64_t{detail.vertBase} + detail.vertCount <= layout_.detail_verts.count &&
                std::uint64_t{detail.triBase} + detail.triCount <= layout_.detail_tris.count;
            if (!fits) return corrupt(fmt::format("the detail mesh of polygon {} is not there", p));
            if (Status s = triangles(p, poly.vertCount + unsigned{detail.vertCount}, detail);
                !s.ok())
                return s;
        }
        return {};
    }

    /// Checks a detail mesh. Detour relies on a triangle with an edge on the polygon's border.
    Status triangles(int p, unsigned corners, const dtPolyDetail& detail) const {
        bool boundary = false;
        for (std::uint64_t i = 0; i < detail.triCount; ++i) {
            const auto triangle =
                item<std::array<unsigned char, 4>>(layout_.detail_tris, detail.triBase + i);
            if (std::max({triangle[0], triangle[1], triangle[2]}) >= corners) {
                return corrupt(
                    fmt::format("the detail mesh of polygon {}: triangle {} has a corner that "
                                "does not exist",
                                p, i));
            }
            boundary = boundary || (triangle[3] & kBoundaryEdges) != 0;
        }
        if (boundary) return {};
        return corrupt(fmt::format("the detail mesh of polygon {} has no edge on its border", p));
    }

    Status tree() {
        const auto count = static_cast<std::int64_t>(layout_.tree.count);
        for (std::int64_t n = 0; n < count; ++n) {
            const auto node = item<dtBVNode>(layout_.tree, n);
            // A leaf has a polygon; another node, negated, the number of nodes in its subtree.
            const bool valid = node.i >= 0 ? node.i < num_ground() : n - node.i <= count;
            if (valid) continue;
            return corrupt(
                fmt::format("node {} of its bounding volume tree leads to {}", n, node.i));
        }
        return {};
    }

    Status connections() {
        for (int i = 0; i < header_.offMeshConCount; ++i) {
            const auto connection = item<dtOffMeshConnection>(layout_.connections, i);
            if (!usable(connection.pos, 6) || !usable(&connection.rad, 1) || connection.rad < 0)
                return corrupt(fmt::format("off-mesh connection {} is not finite", i));
            if (connection.poly != header_.offMeshBase + i)
                return corrupt(fmt::format("off-mesh connection {} is of polygon {}, not {}", i,
                                           connection.poly, header_.offMeshBase + i));
            if (connection.side > 7 && connection.side != 0xff)
                return corrupt(
                    fmt::format("off-mesh connection {} leads to side {}", i, connection.side));
        }
        return {};
    }

    std::string_view tile_;
    dtMeshHeader header_;
    TileLayout layout_;
    TileWork work_;
    // The links that Detour makes at least: one per edge with a neighbour, two per connection.
    std::uint64_t links_ = 0;
};

class TileSetParser {
public:
    TileSetParser(std::string_view bytes, std::string_view name)
        : size_(bytes.size()), unread_(bytes), name_(name) {}

    Result<NavMesh> parse() {
        Status s = header();
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
        if (header_.version == kVersion) return {};
        return refuse(StatusCode::wrong_version,
                      fmt::format("tile set version {}: only 1 is known", header_.version));
    }

    Status params() const {
        const dtNavMeshParams& p = header_.params;
        const auto extent = [](float length) { return usable(&length, 1) && length >= 1e-3F; };
        if (!usable(p.orig, 3)) return corrupt("its origin is not finite or beyond 1e7");
        if (!extent(p.tileWidth) || !extent(p.tileHeight))
            return corrupt("a tile's width and height must be 0.001 to 1e7");
        if (header_.tiles < 0 || p.maxTiles < 1 || header_.tiles > p.maxTiles) {
            return corrupt(
                fmt::format("{} tiles where at most {} may be", header_.tiles, p.maxTiles));
        }
        if (p.maxPolys < 1) return corrupt("a tile may have no polygons");
        if (p.maxTiles > std::max(kFreeTiles, kTilesPerTile * header_.tiles)) {
            return refuse(StatusCode::too_large, fmt::format("room for {} tiles, but there are {}",
                                                             p.maxTiles, header_.tiles));
        }
        if (bits_of_numbers(p.maxTiles) + bits_of_numbers(p.maxPolys) + kLeastSaltBits > 32) {
            return refuse(StatusCode::too_large,
                          fmt::format("{} tiles of {} polygons: references cannot name so many",
                                      p.maxTiles, p.maxPolys));
        }
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
        TileHeader head;
        if (!take(head)) return bad_tile("the file ends before it");
        if (head.size < 0 || static_cast<std::size_t>(head.size) > unread_.size())
            return bad_tile(fmt::format("{} bytes, but {} are left", head.size, unread_.size()));
        const std::string_view bytes = unread_.substr(0, static_cast<std::size_t>(head.size));
        unread_.remove_prefix(bytes.size());
        if (bytes.size() < sizeof(dtMeshHeader))
            return bad_tile(fmt::format("{} bytes are too few for its header", bytes.size()));
        TileChecker checker(bytes);
        if (Status s = checker.check(); !s.ok()) return bad_tile(s.message, s.code);
        if (Status s = check_place(head.ref, checker.header()); !s.ok()) return s;
        if (Status s = check_work(checker.header(), checker.work()); !s.ok()) return s;
        return add(head.ref, bytes);
    }

    Status check_place(dtTileRef ref, const dtMeshHeader& tile) {
        unsigned salt = 0;
        unsigned index = 0;
        unsigned polygon = 0;
        nav_mesh_->decodePolyId(ref, salt, index, polygon);
        if (salt == 0 || nav_mesh_->encodePolyId(salt, index, 0) != ref ||
            index >= static_cast<unsigned>(nav_mesh_->getMaxTiles()))
            return bad_tile(fmt::format("no tile can have the reference {:#x}", ref));
        if (std::as_const(*nav_mesh_).getTile(static_cast<int>(index))->header != nullptr)
            return bad_tile(fmt::format("the reference {:#x} is taken", ref));
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

    Status add(dtTileRef ref, std::string_view bytes) {
        auto* copy = static_cast<unsigned char*>(dtAlloc(bytes.size(), DT_ALLOC_PERM));
        if (copy == nullptr) throw std::bad_alloc();
        std::memcpy(copy, bytes.data(), bytes.size());
        const dtStatus added = nav_mesh_->addTile(copy, static_cast<int>(bytes.size()),
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
        put(tiles, TileHeader{.ref = nav_mesh.getTileRef(&tile), .size = tile.dataSize});
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
