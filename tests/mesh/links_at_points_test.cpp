// Links at one point: no cost between different links, or between a place and a link, is 0, and
// searches agree with test::MeshDijkstra.

#include <gtest/gtest.h>

#include "cairn/mesh/astar.hpp"
#include "cairn/mesh/dijkstra.hpp"
#include "support/mesh_dijkstra.hpp"
#include "support/random_meshes.hpp"
#include "support/scale.hpp"

namespace cairn::mesh {
namespace {

TEST(LinksAtPoints, NoCostOfALinkIsZero) {
    int at_one_point = 0;
    for (std::uint64_t seed = 0; seed < test::scaled(100); ++seed) {
        SCOPED_TRACE(seed);
        const Mesh mesh = test::mesh_with_links_at_points(seed);
        const test::MeshDijkstra defined(mesh);
        for (Polygon p = 0; p < mesh.num_polygons(); ++p) {
            if (mesh.blocked(p)) continue;
            const auto links = mesh.links(p);
            for (std::uint32_t i = 0; i < links.size(); ++i) {
                const Point middle = mesh.midpoint(links[i]);
                ASSERT_GE(mesh.end_cost(p, mesh.anchor(p, middle), i), 1U);
                for (std::uint32_t j = 0; j < i; ++j) {
                    ASSERT_GE(mesh.inside_cost(p, i, j), 1U);
                    ASSERT_EQ(mesh.inside_cost(p, i, j), defined.inside(links[i], links[j]));
                    at_one_point += mesh.midpoint(links[j]) == middle ? 1 : 0;
                }
            }
        }
    }
    EXPECT_GT(at_one_point, 100);
}

TEST(LinksAtPoints, AreAUnitApart) {
    test::MeshParts parts = test::drawn_parts({"ab"});
    const Point middle{1, 0, 0.5F};
    parts.connections.push_back({0, 1, middle, middle, 0, true});
    const Mesh mesh = parts.build();
    ASSERT_TRUE(mesh.is_connection(2));
    EXPECT_EQ(mesh.inside_cost(0, 0, 1), 1U);
    EXPECT_EQ(mesh.inside_cost(2, 0, 1), 1U);
    EXPECT_EQ(mesh.end_cost(0, middle, 0), 1U);
    EXPECT_EQ(mesh.direct_cost(0, middle, middle), 0U);
    // Over the portal, not over the connection.
    Path path;
    ASSERT_EQ(Astar().find_path(mesh, {0, middle}, {1, middle}, path), StatusCode::ok);
    EXPECT_EQ(path.cost, 2U);
    EXPECT_EQ(path.links.size(), 1U);
    ASSERT_EQ(Astar().find_path(mesh, {0, middle}, {0, middle}, path), StatusCode::ok);
    EXPECT_EQ(path.cost, 0U);
}

TEST(LinksAtPoints, EveryPathIsACheapestOne) {
    Astar search;
    Path path;
    for (std::uint64_t seed = 0; seed < test::scaled(100); ++seed) {
        SCOPED_TRACE(seed);
        const Mesh mesh = test::mesh_with_links_at_points(seed);
        test::RandomMaps random(seed);
        const test::MeshDijkstra oracle(mesh);
        for (int i = 0; i < 40; ++i) {
            Place start = test::random_place(mesh, random);
            const Place goal = test::random_place(mesh, random);
            if (mesh.blocked(start.polygon) || mesh.blocked(goal.polygon)) continue;
            const auto links = mesh.links(start.polygon);
            if (!links.empty() && i % 2 == 0) start.point = mesh.midpoint(links[0]);
            const Cost least = oracle.cost(start, goal);
            ASSERT_EQ(path_cost(mesh, start, goal).value(), least);
            const StatusCode status = search.find_path(mesh, start, goal, path);
            ASSERT_EQ(status, least == kInfinity ? StatusCode::no_path : StatusCode::ok);
            ASSERT_EQ(path.cost, least);
            if (least == kInfinity) continue;
            ASSERT_EQ(oracle.cost_of(start, goal, path.links), least);
        }
    }
}

}  // namespace
}  // namespace cairn::mesh
