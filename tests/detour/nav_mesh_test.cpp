#include "cairn/detour/nav_mesh.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "small_tile_sets.hpp"

namespace cairn::detour {
namespace {

using mesh::kNone;
using mesh::Link;
using mesh::Mesh;
using mesh::Polygon;

/// The polygons that one may step to.
std::set<Polygon> next_to(const Mesh& mesh, Polygon polygon) {
    std::set<Polygon> found;
    for (const Link link : mesh.links(polygon)) {
        if (mesh.open(link)) found.insert(mesh.polygon_of(mesh::twin(link)));
    }
    return found;
}

// Polygons of small_nav_mesh(): four a tile, 0 to 19, then the ladder between the layers, the one
// down to the last tile, and the one that hangs.
constexpr Polygon kLadder = 20;
constexpr Polygon kDrop = 21;
constexpr Polygon kHanging = 22;
constexpr Polygon kUpper = 16;

TEST(NavMesh, TilesAreJoinedAsDetourJoinsThem) {
    const NavMesh nav_mesh = small_nav_mesh();
    const auto converted = convert(*nav_mesh, dtQueryFilter());
    ASSERT_TRUE(converted) << converted.error().message;
    const Mesh& mesh = converted->mesh;
    ASSERT_EQ(mesh.num_polygons(), 23U);
    EXPECT_EQ(next_to(mesh, 1), (std::set<Polygon>{0, 3, 4}));
    EXPECT_EQ(next_to(mesh, 4), (std::set<Polygon>{1, 5, 6}));
    EXPECT_EQ(next_to(mesh, kUpper), (std::set<Polygon>{kLadder, kUpper + 1, kUpper + 2}));
    EXPECT_EQ(mesh.area(5), 2);
    EXPECT_EQ(mesh.area(kDrop), 6);
    // The midpoint of the border piece between tiles.
    const auto links = mesh.links(1);
    const auto border = std::find_if(links.begin(), links.end(), [&](Link link) {
        return mesh.polygon_of(mesh::twin(link)) == 4;
    });
    ASSERT_NE(border, links.end());
    EXPECT_EQ(mesh.midpoint(*border), (mesh::Point{10, 0, 2.5F}));
}

TEST(NavMesh, OffMeshConnectionsLeadWhereDetourLetsThem) {
    const NavMesh nav_mesh = small_nav_mesh();
    const Mesh mesh = convert(*nav_mesh, dtQueryFilter())->mesh;
    for (const Polygon p : {kLadder, kDrop, kHanging}) EXPECT_TRUE(mesh.is_connection(p));
    EXPECT_EQ(next_to(mesh, kLadder), (std::set<Polygon>{0, kUpper}));
    EXPECT_TRUE(next_to(mesh, kUpper).contains(kLadder));
    EXPECT_EQ(next_to(mesh, kDrop), (std::set<Polygon>{3, 15}));
    EXPECT_TRUE(next_to(mesh, 3).contains(kDrop));
    EXPECT_FALSE(next_to(mesh, 15).contains(kDrop));
    EXPECT_EQ(next_to(mesh, kHanging), (std::set<Polygon>{2}));
    EXPECT_TRUE(mesh.directed());
}

TEST(NavMesh, FiltersGiveCostsAndBlocks) {
    const NavMesh nav_mesh = small_nav_mesh();
    dtQueryFilter filter;
    filter.setAreaCost(1, 3);
    filter.setAreaCost(2, 10);
    filter.setExcludeFlags(2);
    const auto converted = convert(*nav_mesh, filter);
    ASSERT_TRUE(converted) << converted.error().message;
    const Mesh& mesh = converted->mesh;
    EXPECT_EQ(mesh.options().area_costs[2], 10);
    for (Polygon p = 0; p < mesh.num_polygons(); ++p) EXPECT_EQ(mesh.blocked(p), p == 9) << p;
    EXPECT_GT(mesh.inside_cost(4, 0, 1), 2 * mesh.inside_cost(0, 0, 1));
    filter.setIncludeFlags(0);
    EXPECT_TRUE(convert(*nav_mesh, filter)->mesh.blocked(0));
    filter.setAreaCost(7, 1e6F);
    EXPECT_EQ(convert(*nav_mesh, filter).error().code, StatusCode::bad_option);
}

TEST(PolyRefs, GoBothWays) {
    const NavMesh nav_mesh = small_nav_mesh();
    const PolyRefs refs(*nav_mesh);
    ASSERT_EQ(refs.num_polygons(), 23U);
    std::set<dtPolyRef> all;
    for (Polygon p = 0; p < refs.num_polygons(); ++p) {
        EXPECT_EQ(refs.polygon(refs.ref(p)), p);
        EXPECT_TRUE(nav_mesh->isValidPolyRef(refs.ref(p)));
        all.insert(refs.ref(p));
    }
    EXPECT_EQ(all.size(), 23U);
    for (dtPolyRef ref = 0; ref < 100'000; ++ref)
        EXPECT_EQ(refs.polygon(ref) != kNone, nav_mesh->isValidPolyRef(ref)) << ref;
    EXPECT_EQ(PolyRefs().polygon(1), kNone);
    EXPECT_GT(refs.bytes(), 23 * sizeof(dtPolyRef));
}

TEST(PolyRefs, StaleSaltsAreNoPolygons) {
    const NavMesh nav_mesh = small_nav_mesh();
    const PolyRefs before(*nav_mesh);
    const dtPolyRef old = before.ref(5);
    ASSERT_TRUE(
        dtStatusSucceed(nav_mesh->removeTile(nav_mesh->getTileRefAt(1, 0, 0), nullptr, nullptr)));
    EXPECT_EQ(PolyRefs(*nav_mesh).polygon(old), kNone);
    EXPECT_EQ(PolyRefs(*nav_mesh).num_polygons(), 19U);
    add_tile(*nav_mesh, {.x = 1, .y = 0});
    const PolyRefs after(*nav_mesh);
    EXPECT_EQ(after.num_polygons(), 23U);
    EXPECT_EQ(after.polygon(old), kNone);
    EXPECT_NE(after.ref(5), old);
    EXPECT_EQ(before.polygon(after.ref(5)), kNone);
    EXPECT_EQ(convert(*nav_mesh, dtQueryFilter())->mesh.num_polygons(), 23U);
}

TEST(NavMesh, AnEmptyOneIsAMeshWithoutPolygons) {
    const NavMesh nav_mesh = nav_mesh_of({});
    const auto converted = convert(*nav_mesh, dtQueryFilter());
    ASSERT_TRUE(converted) << converted.error().message;
    EXPECT_EQ(converted->mesh.num_polygons(), 0U);
}

TEST(NavMesh, LinksOneWayOnlyAreOneWayPortals) {
    const NavMesh nav_mesh = nav_mesh_of({{.x = 0, .y = 0}});
    const dtMeshTile& tile = *std::as_const(*nav_mesh).getTile(0);
    // Takes the link from polygon 1 back to 0 away.
    dtPoly& poly = tile.polys[1];
    ASSERT_EQ(tile.links[poly.firstLink].ref, nav_mesh->getPolyRefBase(&tile));
    poly.firstLink = tile.links[poly.firstLink].next;
    const Mesh mesh = convert(*nav_mesh, dtQueryFilter())->mesh;
    EXPECT_TRUE(next_to(mesh, 0).contains(1));
    EXPECT_FALSE(next_to(mesh, 1).contains(0));
    EXPECT_EQ(mesh.num_portals(), 4U);
}

}  // namespace
}  // namespace cairn::detour
