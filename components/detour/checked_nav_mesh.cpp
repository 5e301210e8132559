#include "detour/checked_nav_mesh.hpp"

#include <DetourAlloc.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <new>

#include "detour/detour_mesh.hpp"

namespace cairn::detour {
namespace {

// The most maxTiles: kFreeTiles, or kTilesPerTile for each tile of the file if that is more.
constexpr std::int64_t kFreeTiles = 1 << 16;
constexpr std::int64_t kTilesPerTile = 64;
// The most pairs of edges that Detour may compare: kFreeWork, and kWorkPerByte more for each byte
// of the file. Real tiles need about ten per byte.
constexpr std::uint64_t kFreeWork = std::uint64_t{1} << 31;
constexpr std::uint64_t kWorkPerByte = 256;

// The bits that the numbers 0 to `count` - 1 need.
unsigned bits_of_numbers(std::int64_t count) noexcept {
    return static_cast<unsigned>(std::bit_width(static_cast<std::uint64_t>(count - 1)));
}

}  // namespace

bool can_be_named(const dtNavMeshParams& params) noexcept {
    const unsigned tile_bits = bits_of_numbers(params.maxTiles);
    const unsigned poly_bits = bits_of_numbers(params.maxPolys);
#ifdef DT_POLYREF64
    return tile_bits <= DT_TILE_BITS && poly_bits <= DT_POLY_BITS;
#else
    constexpr unsigned kLeastSaltBits = 10;  // dtNavMesh::init refuses fewer
    return tile_bits + poly_bits + kLeastSaltBits <= 32;
#endif
}

std::int64_t most_tiles(int tiles) noexcept { return std::max(kFreeTiles, kTilesPerTile * tiles); }

Status CheckedNavMesh::start(const dtNavMeshParams& params, int tiles) {
    const auto extent = [](float length) { return usable(&length, 1) && length >= 1e-3F; };
    if (!usable(params.orig, 3)) return corrupt("its origin is not finite or beyond 1e7");
    if (!extent(params.tileWidth) || !extent(params.tileHeight))
        return corrupt("a tile's width and height must be 0.001 to 1e7");
    if (tiles < 0 || params.maxTiles < 1 || tiles > params.maxTiles)
        return corrupt(fmt::format("{} tiles where at most {} may be", tiles, params.maxTiles));
    if (params.maxPolys < 1) return corrupt("a tile may have no polygons");
    if (params.maxTiles > most_tiles(tiles)) {
        return {StatusCode::too_large,
                fmt::format("room for {} tiles, but there are {}", params.maxTiles, tiles)};
    }
    if (!can_be_named(params)) {
        return {StatusCode::too_large,
                fmt::format("{} tiles of {} polygons: references cannot name so many",
                            params.maxTiles, params.maxPolys)};
    }
    nav_mesh_.reset(dtAllocNavMesh());
    if (nav_mesh_ == nullptr) throw std::bad_alloc();
    // Detour accepts parameters without error, so it can only lack memory.
    if (dtStatusSucceed(nav_mesh_->init(&params))) return {};
    dtFree(nav_mesh_.release());  // its destructor would read tiles that were not allocated
    throw std::bad_alloc();
}

Status CheckedNavMesh::check_ref(dtTileRef ref) const {
    unsigned salt = 0;
    unsigned index = 0;
    unsigned polygon = 0;
    nav_mesh_->decodePolyId(ref, salt, index, polygon);
    if (salt == 0 || nav_mesh_->encodePolyId(salt, index, 0) != ref ||
        index >= static_cast<unsigned>(nav_mesh_->getMaxTiles()))
        return corrupt(fmt::format("no tile can have the reference {:#x}", ref));
    if (std::as_const(*nav_mesh_).getTile(static_cast<int>(index))->header == nullptr) return {};
    return corrupt(fmt::format("the reference {:#x} is taken", ref));
}

// Limits the comparisons that Detour makes to join a tile to its neighbours and to the tiles of
// other layers.
Status CheckedNavMesh::check_work(const dtMeshHeader& tile, const TileWork& work) {
    constexpr std::array<std::pair<int, int>, 4> kSides{{{1, 0}, {0, 1}, {-1, 0}, {0, -1}}};
    TileWork& here = work_of_[{tile.x, tile.y}];
    for (std::size_t side = 0; side < kSides.size(); ++side) {
        const std::uint64_t outer = work.outer_edges[side];
        work_done_ += outer * here.edges + here.outer_edges[side] * work.edges;
        const auto [dx, dy] = kSides[side];
        const auto beside = work_of_.find({tile.x + dx, tile.y + dy});
        if (beside == work_of_.end()) continue;
        work_done_ +=
            outer * beside->second.edges + beside->second.outer_edges[(side + 2) % 4] * work.edges;
    }
    here.edges += work.edges;
    for (std::size_t side = 0; side < kSides.size(); ++side)
        here.outer_edges[side] += work.outer_edges[side];
    if (work_done_ <= kFreeWork + kWorkPerByte * file_size_) return {};
    return {StatusCode::too_large, "too many edges at its borders and those of the tiles before"};
}

Status CheckedNavMesh::add(dtTileRef ref, std::string_view bytes, std::size_t link_size) {
    if (bytes.size() < sizeof(dtMeshHeader))
        return corrupt(fmt::format("{} bytes are too few for its header", bytes.size()));
    TileChecker checker(bytes, link_size);
    const dtMeshHeader& tile = checker.header();
    if (Status s = checker.check(); !s.ok()) return s;
    const int most_polygons = nav_mesh_->getParams()->maxPolys;
    if (bits_of_numbers(tile.polyCount) > bits_of_numbers(most_polygons)) {
        return corrupt(
            fmt::format("{} polygons where at most {} may be", tile.polyCount, most_polygons));
    }
    if (nav_mesh_->getTileAt(tile.x, tile.y, tile.layer) != nullptr) {
        return corrupt(
            fmt::format("there is another at {}, {} in layer {}", tile.x, tile.y, tile.layer));
    }
    if (Status s = check_work(tile, checker.work()); !s.ok()) return s;
    // The links, which Detour makes, may have another size here.
    const TilePart& links = checker.layout().links;
    const TileLayout ours(tile);
    if (ours.size() > std::numeric_limits<int>::max())
        return {StatusCode::too_large, "more than 2 GiB"};
    auto* copy = static_cast<unsigned char*>(dtAlloc(ours.size(), DT_ALLOC_PERM));
    if (copy == nullptr) throw std::bad_alloc();
    std::memcpy(copy, bytes.data(), links.begin);
    std::memset(copy + links.begin, 0, ours.links.end() - links.begin);
    std::memcpy(copy + ours.links.end(), bytes.data() + links.end(), bytes.size() - links.end());
    const dtStatus added =
        nav_mesh_->addTile(copy, static_cast<int>(ours.size()), DT_TILE_FREE_DATA, ref, nullptr);
    if (!dtStatusFailed(added)) return {};
    dtFree(copy);
    if (dtStatusDetail(added, DT_OUT_OF_MEMORY)) throw std::bad_alloc();
    return corrupt(fmt::format("Detour refuses it (status {:#x})", added));
}

}  // namespace cairn::detour
