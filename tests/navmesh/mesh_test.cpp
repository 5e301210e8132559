#include "cairn/navmesh/mesh.hpp"

#include <gtest/gtest.h>

#include "support/mesh_dijkstra.hpp"
#include "support/random_meshes.hpp"
#include "support/scale.hpp"

namespace cairn::navmesh {
namespace {

using test::MeshDijkstra;

double turn(const Point& p, const Point& a, const Point& b) {
    return (double{a.x} - double{p.x}) * (double{b.z} - double{p.z}) -
           (double{a.z} - double{p.z}) * (double{b.x} - double{p.x});
}

void expect_costs_as_defined(const Mesh& mesh, test::RandomMaps& random) {
    const MeshDijkstra defined(mesh);
    for (Polygon p = 0; p < mesh.num_polygons(); ++p) {
        if (mesh.blocked(p)) continue;
        const auto links = mesh.links(p);
        const Place a = test::random_place(mesh, p, random);
        const Place b = test::random_place(mesh, p, random);
        const Point anchor = mesh.anchor(p, a.point);
        ASSERT_EQ(mesh.direct_cost(p, anchor, mesh.anchor(p, b.point)), defined.direct(a, b));
        for (std::uint32_t i = 0; i < links.size(); ++i) {
            ASSERT_EQ(mesh.polygon_of(links[i]), p);
            ASSERT_EQ(mesh.place(links[i]), i);
            ASSERT_EQ(mesh.end_cost(p, anchor, i), defined.end(a, links[i]));
            for (std::uint32_t j = 0; j < links.size(); ++j)
                ASSERT_EQ(mesh.inside_cost(p, i, j), defined.inside(links[i], links[j]));
        }
    }
}

TEST(MeshTest, CostsAreAsDefined) {
    for (std::uint64_t seed = 0; seed < test::scaled(500); ++seed) {
        SCOPED_TRACE(seed);
        test::RandomMaps random(seed);
        expect_costs_as_defined(test::random_mesh(seed), random);
    }
}

TEST(MeshTest, LinksLieAsPromised) {
    for (std::uint64_t seed = 0; seed < test::scaled(500); ++seed) {
        SCOPED_TRACE(seed);
        const Mesh mesh = test::random_mesh(seed);
        for (Link link = 0; link < mesh.num_links(); ++link) {
            const Point centre = mesh.centre(mesh.polygon_of(link));
            ASSERT_GE(turn(centre, mesh.right(link), mesh.left(link)), -1e-6) << link;
            ASSERT_EQ(mesh.left(link), mesh.right(twin(link)));
        }
    }
}

}  // namespace
}  // namespace cairn::navmesh
