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

/// The polygons that open links lead to from a polygon.
std::set<Polygon> open_neighbours(const Mesh& mesh, Polygon polygon) {
    std::set<Polygon> found;
    for (const Link link : mesh.links(polygon)) {
        if (mesh.open(link)) found.insert(mesh.polygon_of(mesh::twin(link)));
    }
    return found;
}

// Polygons of small_nav_mesh(): 0 to 19 are those of its five tiles, four each; then come the three
// off-mesh connections.
constexpr Polygon kLadder = 20;   // both ways between polygons 0 and 16
constexpr Polygon kDrop = 21;     // one way from polygon 3 to 15
constexpr Polygon kHanging = 22;  // from polygon 2 to a point without a polygon
constexpr Polygon kUpper = 16;    // the first polygon of the upper layer

TEST(NavMesh, TilesAreJoinedAsDetourJoinsThem) {
    const NavMesh nav_mesh = small_nav_mesh();
    const auto converted = convert(*nav_mesh, dtQueryFilter());
    ASSERT_TRUE(converted) << converted.error().message;
    const Mesh& mesh = converted->mesh;
    ASSERT_EQ(mesh.num_polygons(), 23U);
    EXPECT_EQ(open_neighbours(mesh, 1), (std::set<Polygon>{0, 3, 4}));
    EXPECT_EQ(open_neighbours(mesh, 4), (std::set<Polygon>{1, 5, 6}));
    EXPECT_EQ(open_neighbours(mesh, kUpper), (std::set<Polygon>{kLadder, kUpper + 1, kUpper + 2}));
    EXPECT_EQ(mesh.area(5), 2);
    EXPECT_EQ(mesh.area(kDrop), 6);
    const auto links = mesh.links(1);
    const auto link_to_4 = std::find_if(links.begin(), links.end(), [&](Link link) {
        return mesh.polygon_of(mesh::twin(link)) == 4;
    });
    ASSERT_NE(link_to_4, links.end());
    EXPECT_EQ(mesh.midpoint(*link_to_4), (mesh::Point{10, 0, 2.5F}));
}

TEST(NavMesh, OffMeshConnectionsLeadWhereDetourLetsThem) {
    const NavMesh nav_mesh = small_nav_mesh();
    const Mesh mesh = convert(*nav_mesh, dtQueryFilter())->mesh;
    for (const Polygon p : {kLadder, kDrop, kHanging}) EXPECT_TRUE(mesh.is_connection(p));
    EXPECT_EQ(open_neighbours(mesh, kLadder), (std::set<Polygon>{0, kUpper}));
    EXPECT_TRUE(open_neighbours(mesh, kUpper).contains(kLadder));
    EXPECT_EQ(open_neighbours(mesh, kDrop), (std::set<Polygon>{3, 15}));
    EXPECT_TRUE(open_neighbours(mesh, 3).contains(kDrop));
    EXPECT_FALSE(open_neighbours(mesh, 15).contains(kDrop));
    EXPECT_EQ(open_neighbours(mesh, kHanging), (std::set<Polygon>{2}));
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
    for (Polygon p = 0; p < mesh.num_polygons(); ++p) {
        // Polygon 9 alone has the excluded flag.
        EXPECT_EQ(mesh.blocked(p), p == 9) << p;
    }
    EXPECT_GT(mesh.inside_cost(4, 0, 1), 2 * mesh.inside_cost(0, 0, 1));
    filter.setIncludeFlags(0);
    EXPECT_TRUE(convert(*nav_mesh, filter)->mesh.blocked(0));
    filter.setAreaCost(7, 1e6F);
    EXPECT_EQ(convert(*nav_mesh, filter).error().code, StatusCode::bad_option);
}

TEST(PolyRefs, MapPolygonsToReferencesAndBack) {
    const NavMesh nav_mesh = small_nav_mesh();
    const PolyRefs refs = PolyRefs::create(*nav_mesh).value();
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

TEST(PolyRefs, ReferencesWithAnOldSaltNameNoPolygon) {
    const NavMesh nav_mesh = small_nav_mesh();
    const PolyRefs before = PolyRefs::create(*nav_mesh).value();
    const dtPolyRef old = before.ref(5);
    ASSERT_TRUE(
        dtStatusSucceed(nav_mesh->removeTile(nav_mesh->getTileRefAt(1, 0, 0), nullptr, nullptr)));
    EXPECT_EQ(PolyRefs::create(*nav_mesh).value().polygon(old), kNone);
    EXPECT_EQ(PolyRefs::create(*nav_mesh).value().num_polygons(), 19U);
    add_tile(*nav_mesh, {.x = 1, .y = 0});
    const PolyRefs after = PolyRefs::create(*nav_mesh).value();
    EXPECT_EQ(after.num_polygons(), 23U);
    EXPECT_EQ(after.polygon(old), kNone);
    EXPECT_NE(after.ref(5), old);
    EXPECT_EQ(before.polygon(after.ref(5)), kNone);
    EXPECT_EQ(convert(*nav_mesh, dtQueryFilter())->mesh.num_polygons(), 23U);
}

TEST(NavMesh, AnEmptyNavMeshBecomesAMeshWithoutPolygons) {
    const NavMesh nav_mesh = nav_mesh_of({});
    const auto converted = convert(*nav_mesh, dtQueryFilter());
    ASSERT_TRUE(converted) << converted.error().message;
    EXPECT_EQ(converted->mesh.num_polygons(), 0U);
}

TEST(NavMesh, LinksWithoutReturnBecomeOneWayPortals) {
    const NavMesh nav_mesh = nav_mesh_of({{.x = 0, .y = 0}});
    const dtMeshTile& tile = *std::as_const(*nav_mesh).getTile(0);
    // Remove the link from polygon 1 back to polygon 0.
    dtPoly& poly = tile.polys[1];
    ASSERT_EQ(tile.links[poly.firstLink].ref, nav_mesh->getPolyRefBase(&tile));
    poly.firstLink = tile.links[poly.firstLink].next;
    const Mesh mesh = convert(*nav_mesh, dtQueryFilter())->mesh;
    EXPECT_TRUE(open_neighbours(mesh, 0).contains(1));
    EXPECT_FALSE(open_neighbours(mesh, 1).contains(0));
    EXPECT_EQ(mesh.num_portals(), 4U);
}

}  // namespace
}  // namespace cairn::detour
