// Meshes with odd polygons (OddPolygons::accept): one scene for each kind, with its neighbours.

#include <gtest/gtest.h>

#include <string>

#include "cairn/mesh/astar.hpp"
#include "cairn/mesh/funnel.hpp"
#include "cairn/mesh/locator.hpp"
#include "support/mesh_dijkstra.hpp"
#include "support/mesh_scene.hpp"
#include "support/random_meshes.hpp"

namespace cairn::mesh {
namespace {

using test::MeshParts;
using test::MeshScene;

/// The squares from x = 0 to 1 and from 1 to 2, polygons 0 and 1.
MeshScene square_pair() {
    return MeshScene()
        .polygon({{0, 0}, {1, 0}, {1, 1}, {0, 1}})
        .polygon({{1, 0}, {2, 0}, {2, 1}, {1, 1}});
}

/// Expects that the scene is refused with `why` but built where odd polygons are accepted, and that
/// every path then costs what Dijkstra's algorithm says.
Mesh accepted(const MeshScene& scene, const std::string& why) {
    const auto refused = scene.build(OddPolygons::refuse);
    EXPECT_FALSE(refused);
    if (!refused) {
        EXPECT_NE(refused.error().message.find(why), std::string::npos) << refused.error().message;
    }
    const Mesh mesh = scene.build(OddPolygons::accept).value();
    Astar astar;
    Path path;
    for (Polygon a = 0; a < mesh.num_polygons(); ++a) {
        for (Polygon b = 0; b < mesh.num_polygons(); ++b) {
            const Place from{a, mesh.centre(a)};
            const Place to{b, mesh.centre(b)};
            EXPECT_EQ(astar.find_path(mesh, from, to, path), StatusCode::ok);
            EXPECT_EQ(path.cost, test::MeshDijkstra(mesh).cost(from, to));
        }
    }
    return mesh;
}

std::vector<Waypoint> string_of(const Mesh& mesh, const Place& from, const Place& to) {
    Path path;
    EXPECT_EQ(Astar().find_path(mesh, from, to, path), StatusCode::ok);
    std::vector<Waypoint> waypoints;
    Funnel().pull(mesh, from.point, to.point, path.links, waypoints);
    return waypoints;
}

TEST(OddPolygons, OfNoAreaAreWalkedOverAndHoldNoPoint) {
    const Mesh mesh = accepted(square_pair()
                                   .polygon({{1, 0}, {1, 0.5F}, {1, 1}})
                                   .portal(0, 2, {1, 0}, {1, 1})
                                   .portal(2, 1, {1, 0}, {1, 1}),
                               "polygon 2: it has no area seen from above");
    EXPECT_EQ(mesh.oddity(0), Oddity::none);
    EXPECT_EQ(mesh.oddity(2), Oddity::no_area);
    EXPECT_EQ(mesh.num_odd(), 1U);
    EXPECT_EQ(mesh.num_point_portals(), 0U);
    // The string runs straight through it.
    const auto waypoints = string_of(mesh, {0, {0.5F, 0, 0.2F}}, {1, {1.5F, 0, 0.8F}});
    EXPECT_EQ(waypoints.size(), 2U);
    const Locator locator = Locator::create(mesh).value();
    EXPECT_EQ(locator.find(mesh, {1.2F, 0, 0.5F}, 1), 1U);
    EXPECT_EQ(locator.find(mesh, {1, 0, 5}, 1), kNone) << "on its line, but far away";
    EXPECT_TRUE(locator.nearest(mesh, {1, 0, 1.1F}, 1));
}

TEST(OddPolygons, OfNoAreaInTheWholeMeshHaveALocator) {
    for (const float z : {0.0F, 1.0F}) {
        const Mesh mesh =
            MeshScene().polygon({{0, 0}, {0, 0.5F * z}, {0, z}}).build(OddPolygons::accept).value();
        const Locator locator = Locator::create(mesh).value();
        EXPECT_EQ(locator.find(mesh, {0, 0, 0}, 1), kNone);
        EXPECT_EQ(locator.nearest(mesh, {0.1F, 0, 0}, 1)->place.polygon, 0U);
    }
}

TEST(OddPolygons, ThatAreNotConvexHoldTheirPoints) {
    // A chevron around the corner (1, 1), between a square below its left arm and one at the end of
    // its right arm.
    const Mesh mesh = accepted(MeshScene()
                                   .polygon({{0, 0}, {2, 2}, {1, 1}, {0, 3}})
                                   .polygon({{0, -1}, {1, -1}, {2, 2}, {0, 0}})
                                   .portal(0, 1, {0, 0}, {2, 2}),
                               "polygon 0: it");
    EXPECT_NE(mesh.oddity(0), Oddity::none);
    const Mesh chevron = accepted(MeshScene()
                                      .polygon({{0, 0}, {2, 0}, {0.5F, 0.5F}, {0, 2}})
                                      .polygon({{0, -1}, {2, -1}, {2, 0}, {0, 0}})
                                      .polygon({{-1, 0}, {0, 0}, {0, 2}, {-1, 2}})
                                      .portal(0, 1, {0, 0}, {2, 0})
                                      .portal(0, 2, {0, 0}, {0, 2}),
                                  "polygon 0: it is not convex at its corner 2");
    EXPECT_EQ(chevron.oddity(0), Oddity::not_convex);
    EXPECT_EQ(chevron.num_point_portals(), 2U);
    const Locator locator = Locator::create(chevron).value();
    EXPECT_EQ(locator.find(chevron, {1.5F, 0, 0.1F}, 1), 0U) << "in one arm";
    EXPECT_EQ(locator.find(chevron, {0.1F, 0, 1.5F}, 1), 0U) << "in the other";
    EXPECT_EQ(locator.find(chevron, {0.9F, 0, 0.9F}, 1), kNone) << "in the dent";
    // The string goes from portal to portal by their midpoints.
    const auto waypoints = string_of(chevron, {1, {1.9F, 0, -0.9F}}, {2, {-0.9F, 0, 1.9F}});
    ASSERT_EQ(waypoints.size(), 4U);
    EXPECT_EQ(waypoints[1].point, (Point{1, 0, 0}));
    EXPECT_EQ(waypoints[2].point, (Point{0, 0, 1}));
}

TEST(OddPolygons, ThatAreNotConvexHaveTheHeightsOfTheirTriangles) {
    // An L around (1, 1), whose surface is a fan of triangles around (4, 0). The triangle to (4, 1)
    // and (1, 1) rises by 3; the other arm is level.
    MeshScene scene;
    scene.polygon({{4, 0}, {4, 1}, {1, 1}, {1, 4}, {0, 4}, {0, 0}});
    scene.parts().vertices[1].y = 3;
    const Mesh mesh = scene.build(OddPolygons::accept).value();
    ASSERT_EQ(mesh.oddity(0), Oddity::not_convex);
    EXPECT_EQ(height(mesh, 0, {4, 9, 1}), 3);
    EXPECT_EQ(height(mesh, 0, {4, 9, 0.5F}), 1.5F);
    EXPECT_EQ(height(mesh, 0, {0.9F, 9, 3}), 0);
    EXPECT_EQ(height(mesh, 0, {0.5F, 9, 0.5F}), 0);
    EXPECT_EQ(Locator::create(mesh).value().nearest(mesh, {0.9F, 0.25F, 3})->distance, 0.25);
}

TEST(OddPolygons, ThatFoldAreWalkedOver) {
    const Mesh bow = accepted(square_pair()
                                  .polygon({{0, 1}, {1, 2}, {1, 1}, {0, 2.5F}})
                                  .portal(0, 1, {1, 0}, {1, 1})
                                  .portal(0, 2, {0, 1}, {1, 1}),
                              "polygon 2: it");
    EXPECT_NE(bow.oddity(2), Oddity::none);
    EXPECT_EQ(bow.num_point_portals(), 1U);
    EXPECT_EQ(string_of(bow, {1, {1.5F, 0, 0.5F}}, {2, bow.centre(2)}).size(), 3U);
}

TEST(OddPolygons, WithACornerTwiceAreWalkedOver) {
    MeshParts parts;
    for (const float z : {0.0F, 1.0F}) {
        for (const float x : {0.0F, 1.0F, 2.0F}) parts.vertex(x, 0, z);
    }
    parts.polygon({0, 1, 4, 3});
    parts.polygon({1, 2, 5, 4, 2});
    parts.portals = {{0, 1, {1, 0, 0}, {1, 0, 1}}};
    MeshSource source = parts.source();
    EXPECT_EQ(Mesh::build(source).error().message, "polygon 1: it has a corner twice");
    source.odd_polygons = OddPolygons::accept;
    const Mesh mesh = Mesh::build(source).value();
    EXPECT_EQ(mesh.oddity(1), Oddity::folded);
    EXPECT_EQ(mesh.num_point_portals(), 1U);
}

TEST(OddPolygons, WithAnEdgeTwiceAreNotJoinedToThemselves) {
    MeshParts parts;
    parts.vertex(0, 0, 0);
    parts.vertex(1, 0, 0);
    parts.vertex(1, 0, 1);
    parts.vertex(2, 0, 0);
    parts.vertex(0, 0, 1);
    parts.polygon({0, 1, 3, 1, 2});
    parts.polygon({0, 2, 4});
    MeshSource source = parts.source();
    source.odd_polygons = OddPolygons::accept;
    const Mesh mesh = Mesh::build(source).value();
    EXPECT_EQ(mesh.oddity(0), Oddity::folded);
    ASSERT_EQ(mesh.num_portals(), 1U);
    EXPECT_NE(mesh.polygon_of(0), mesh.polygon_of(1));
}

TEST(OddPolygons, PortalsWithBothPolygonsOnOneSideArePoints) {
    const Mesh mesh = accepted(square_pair()
                                   .polygon({{0, 0}, {1, 0}, {1, 1}, {0, 1}})
                                   .portal(0, 2, {1, 0}, {1, 1})
                                   .portal(0, 1, {1, 0}, {1, 1}),
                               "both its polygons lie on the same side of it");
    EXPECT_EQ(mesh.num_odd(), 0U);
    EXPECT_EQ(mesh.num_point_portals(), 1U);
    EXPECT_EQ(mesh.midpoint(0), (Point{1, 0, 0.5F}));
    const auto waypoints = string_of(mesh, {2, {0.5F, 0, 0.1F}}, {1, {1.5F, 0, 0.1F}});
    ASSERT_EQ(waypoints.size(), 3U) << "by the midpoint of the fold";
    EXPECT_EQ(waypoints[1].point, (Point{1, 0, 0.5F}));
}

TEST(OddPolygons, PortalsOffTheBorderArePoints) {
    const Mesh mesh = accepted(square_pair().portal(0, 1, {1.2F, 0}, {1.2F, 1}),
                               "it does not lie on the border of polygon 0");
    EXPECT_EQ(mesh.num_point_portals(), 1U);
}

TEST(OddPolygons, StayAcceptedInChangesOfTheMesh) {
    const Mesh mesh = square_pair()
                          .polygon({{1, 0}, {1, 0.5F}, {1, 1}})
                          .portal(0, 2, {1, 0}, {1, 1})
                          .build(OddPolygons::accept)
                          .value();
    const std::array<Polygon, 1> removed{2};
    EXPECT_EQ(mesh.changed({removed, {}})->num_odd(), 0U);
    MeshParts added;
    added.polygon({added.vertex(1, 0, 0), added.vertex(1, 0, 0.5F), added.vertex(1, 0, 1)});
    added.portals = {{1, 3, {1, 0, 0}, {1, 0, 1}}};
    MeshChange change;
    change.added = added.source();
    EXPECT_FALSE(mesh.changed(change)) << "the added source does not accept them";
    change.added.odd_polygons = OddPolygons::accept;
    const Mesh changed = mesh.changed(change).value();
    EXPECT_EQ(changed.num_odd(), 2U);
    EXPECT_EQ(changed.oddity(3), Oddity::no_area);
}

}  // namespace
}  // namespace cairn::mesh
