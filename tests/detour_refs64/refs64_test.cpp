// Detour with references of 64 bits. This program compiles Cairn's part with DT_POLYREF64, and
// wide_detour.cpp has the functions of dtNavMesh for it.

#include <DetourAlloc.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "cairn/detour/path_query.hpp"
#include "cairn/detour/tile_set.hpp"
#include "detour/detour_mesh.hpp"
#include "detour/small_tile_sets.hpp"
#include "detour/wide_tile_sets.hpp"

static_assert(sizeof(dtPolyRef) == 8);

namespace cairn::detour {
namespace {

constexpr int kTilesAlong = 3;
constexpr int kRoom =
    5'000;  // for tiles; more than references of 32 bits name beside 2^20 polygons

/// A square of tiles of four polygons each, the last one without its polygon 1. The salts and
/// numbers of the tiles are large.
NavMesh wide_nav_mesh(std::uint64_t salt_of_last) {
    NavMesh nav_mesh(dtAllocNavMesh());
    dtNavMeshParams params{};
    params.tileWidth = params.tileHeight = kSmallTile;
    params.maxTiles = kRoom;
    params.maxPolys = 1 << 20;
    EXPECT_TRUE(dtStatusSucceed(nav_mesh->init(&params)));
    constexpr int kLast = kTilesAlong * kTilesAlong - 1;
    for (int t = 0; t <= kLast; ++t) {
        SmallTile tile{.x = t % kTilesAlong, .y = t / kTilesAlong};
        if (t == kLast) tile.flags = {1, 0, 1, 1};
        const SmallTileBytes narrow = bytes_of(tile);
        std::string set(kSetHeaderBytes, '\0');
        const dtPolyRef ref = wide_ref(t == kLast ? salt_of_last : 40'000, 3'000 + 17 * t);
        set.append(4, '\0').append(reinterpret_cast<const char*>(&narrow.size), 4);
        set.append(reinterpret_cast<const char*>(narrow.bytes),
                   static_cast<std::size_t>(narrow.size));
        dtFree(narrow.bytes);
        const std::string wide = widened(set).substr(kSetHeaderBytes + 16);
        auto* data = static_cast<unsigned char*>(dtAlloc(wide.size(), DT_ALLOC_PERM));
        std::copy(wide.begin(), wide.end(), data);
        EXPECT_TRUE(dtStatusSucceed(nav_mesh->addTile(data, static_cast<int>(wide.size()),
                                                      DT_TILE_FREE_DATA, ref, nullptr)));
    }
    return nav_mesh;
}

/// The path between the middles of two polygons.
std::vector<dtPolyRef> path_between(PathQuery& query, dtPolyRef start, dtPolyRef end) {
    const mesh::Mesh& mesh = query.index().index().mesh();
    const auto middle = [&](dtPolyRef ref) {
        const mesh::Point p = mesh.centre(query.index().refs().polygon(ref));
        return std::array<float, 3>{p.x, p.y, p.z};
    };
    std::vector<dtPolyRef> path(64);
    int count = 0;
    const auto from = middle(start);
    const auto to = middle(end);
    EXPECT_EQ(query.findPath(start, end, from.data(), to.data(), nullptr, path.data(), &count, 64),
              DT_SUCCESS);
    path.resize(static_cast<std::size_t>(count));
    std::vector<float> points(3 * 64);
    std::vector<dtPolyRef> refs(64);
    EXPECT_EQ(query.findStraightPath(from.data(), to.data(), path.data(), count, points.data(),
                                     nullptr, refs.data(), &count, 64),
              DT_SUCCESS);
    EXPECT_EQ(refs.front(), start);
    return path;
}

TEST(References64, NamePolygonsOfPaths) {
    const NavMesh nav_mesh = wide_nav_mesh(65'535);
    PathQuery query(index_of(*nav_mesh, dtQueryFilter()));
    const PolyRefs& refs = query.index().refs();
    ASSERT_EQ(refs.num_polygons(), 36U);
    for (mesh::Polygon p = 0; p < refs.num_polygons(); ++p) {
        const dtPolyRef ref = refs.ref(p);
        EXPECT_GT(ref, 0xffffffffU);
        EXPECT_EQ(refs.polygon(ref), p);
        // Other salts, tiles and polygons.
        for (const unsigned bit : {2U, 19U, 20U, 47U, 48U, 63U})
            EXPECT_NE(refs.polygon(ref ^ dtPolyRef{1} << bit), p);
        EXPECT_EQ(refs.polygon(ref & 0xffffffffU), mesh::kNone);
    }
    const std::vector<dtPolyRef> path =
        path_between(query, wide_ref(40'000, 3'000), wide_ref(65'535, 3'000 + 17 * 8) | 3U);
    // Six by six polygons, of which only those on the diagonal and beside it are walked through.
    EXPECT_EQ(path.size(), 11U);
    EXPECT_EQ(query.index().walkable(path), path.size());
    for (std::size_t i = 1; i < path.size(); ++i) {
        const auto [tile, poly] = poly_of(*nav_mesh, path[i - 1]);
        bool linked = false;
        for (unsigned l = poly->firstLink; l != DT_NULL_LINK; l = tile->links[l].next)
            linked |= tile->links[l].ref == path[i];
        EXPECT_TRUE(linked) << i;
    }
    EXPECT_FALSE(query.isValidPolyRef(wide_ref(65'535, 3'000 + 17 * 8) | 1U, nullptr));
}

TEST(References64, OfReplacedTilesAreStale) {
    const NavMesh before = wide_nav_mesh(1);
    const NavMesh after = wide_nav_mesh(1 << 15);
    const PathIndex index = index_of(*before, dtQueryFilter());
    const auto updated = index.updated(*after);
    ASSERT_TRUE(updated) << updated.error().message;
    const dtPolyRef start = wide_ref(40'000, 3'000);
    const dtPolyRef old_end = wide_ref(1, 3'000 + 17 * 8);
    const dtPolyRef new_end = wide_ref(1 << 15, 3'000 + 17 * 8);
    EXPECT_TRUE(index.reachable(start, old_end));
    EXPECT_FALSE(updated->reachable(start, old_end));
    EXPECT_TRUE(updated->reachable(start, new_end));
    const std::array<dtTileRef, 1> replaced{wide_ref(1 << 15, 3'000 + 17 * 8)};
    EXPECT_EQ(index.updated_tiles(*after, replaced).value().index(), updated->index());
    PathQuery query(*updated);
    PathQuery anew(index_of(*after, dtQueryFilter()));
    EXPECT_EQ(path_between(query, start, new_end).size(),
              path_between(anew, start, new_end).size());
}

TEST(References64, AreWrittenAndReadBack) {
    const NavMesh nav_mesh = wide_nav_mesh(2);
    const std::string bytes = format_tile_set(*nav_mesh).value();
    const auto again = parse_tile_set(bytes, "again");
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(format_tile_set(**again).value(), bytes);
    const auto a = convert(*nav_mesh, dtQueryFilter());
    const auto b = convert(**again, dtQueryFilter());
    ASSERT_TRUE(a && b);
    EXPECT_EQ(a->mesh, b->mesh);
    for (mesh::Polygon p = 0; p < a->refs.num_polygons(); ++p)
        EXPECT_EQ(a->refs.ref(p), b->refs.ref(p));
    // A reference that names no tile.
    std::string bad = bytes;
    const dtTileRef ref = wide_ref(1, kRoom);
    std::memcpy(bad.data() + kSetHeaderBytes, &ref, sizeof(ref));
    EXPECT_FALSE(parse_tile_set(bad, "bad"));
}

TEST(References64, AreGivenToTilesOf32Bits) {
    const SmallTileBytes tile = bytes_of({.x = 0, .y = 0});
    const std::string wide = format_tile_set(*wide_nav_mesh(1)).value();
    std::string set = wide.substr(0, kSetHeaderBytes);
    const int one = 1;
    std::memcpy(set.data() + 8, &one, sizeof(one));
    const std::uint32_t ref = 1U << 22;
    set.append(reinterpret_cast<const char*>(&ref), sizeof(ref));
    set.append(reinterpret_cast<const char*>(&tile.size), sizeof(tile.size));
    set.append(reinterpret_cast<const char*>(tile.bytes), static_cast<std::size_t>(tile.size));
    dtFree(tile.bytes);
    const auto nav_mesh = parse_tile_set(set, "m");
    ASSERT_TRUE(nav_mesh) << nav_mesh.error().message;
    EXPECT_EQ((*nav_mesh)->getTileRefAt(0, 0, 0), wide_ref(1, 0));
    const auto converted = convert(**nav_mesh, dtQueryFilter());
    ASSERT_TRUE(converted);
    EXPECT_EQ(converted->mesh.num_polygons(), 4U);
}

}  // namespace
}  // namespace cairn::detour
