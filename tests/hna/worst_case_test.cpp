// The bounds of cairn/hna/worst_case.hpp: against each other and against clusters of meshes.

#include "cairn/hna/worst_case.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "hna/clusters.hpp"
#include "hna/verify.hpp"
#include "support/scale.hpp"

namespace cairn::hna::test {
namespace {

// Two triangles that share a side have four other sides. A chain of ten squares has two free sides
// for each square, and two at its ends.
static_assert(most_inter_edges(1, 3) == 3);
static_assert(most_inter_edges(2, 3) == 4);
static_assert(most_inter_edges(10, 4) == 22);
// No nodes, and nodes that have too few portals to be connected.
static_assert(most_inter_edges(0, 3) == 0);
static_assert(most_inter_edges(1, 0) == 0);
static_assert(most_inter_edges(2, 1) == 0);
static_assert(most_inter_edges(3, 1) == 0);
// Equation 3, at the limits of its arguments, too.
static_assert(most_inter_edges(2, 10, 3) == 102);
static_assert(most_inter_edges(4, 1000, 1 << 20) ==
              1'000'000'000'000 * ((std::uint64_t{1} << 20) - 2) + 2);
static_assert(most_inter_edges_apart(10, 4) == 40);

// Equation 3, the closed form, agrees with equations 1 and 2 (appendix B).
TEST(HnaWorstCaseTest, TheClosedFormEqualsTheRecurrence) {
    for (std::uint64_t s = 2; s <= 12; ++s) {
        for (std::uint64_t mu = 2; mu <= 40; ++mu) {
            EXPECT_EQ(most_inter_edges(mu, s), mu * (s - 2) + 2);
            EXPECT_EQ(most_inter_edges(0, mu, s), s);
            std::uint64_t polygons = 1;  // mu^x
            for (int x = 1; x <= 4; ++x) {
                polygons *= mu;
                EXPECT_EQ(most_inter_edges(x, mu, s), polygons * (s - 2) + 2);
                EXPECT_EQ(most_inter_edges(x, mu, s),
                          mu * most_inter_edges(x - 1, mu, s) - 2 * (mu - 1));
                EXPECT_EQ(most_inter_edges(x, mu, s),
                          most_inter_edges(mu, most_inter_edges(x - 1, mu, s)));
            }
        }
    }
}

// Polygons f and g (5 and 6) have four portals each. Only the one between them lies inside the
// cluster {f, g}; the other six are its inter-edges.
TEST(HnaWorstCaseTest, TwoQuadsReachTheBound) {
    const Mesh mesh = cairn::test::drawn_mesh({"aabbccdd",  //
                                               "eeffgghh",  //
                                               "iijjkkll"});
    std::size_t inter_edges = 0;
    for (const Polygon p : {Polygon{5}, Polygon{6}}) {
        for (const mesh::Link link : mesh.links(p)) {
            const Polygon across = mesh.polygon_of(mesh::twin(link));
            if (across != 5 && across != 6) ++inter_edges;
        }
    }
    EXPECT_EQ(inter_edges, most_inter_edges(2, 4));
}

TEST(HnaWorstCaseTest, BoundsTheClustersOfEveryLevel) {
    for (std::uint64_t seed = 0; seed < cairn::test::scaled(200); ++seed) {
        RandomMaps random(seed);
        const Mesh mesh = seed % 4 == 0 ? large_mesh(seed) : random_mesh(seed);
        Options options = any_options(mesh, random);
        options.labels = false;
        const Index index = build(mesh, options);
        std::size_t most_portals = 0;  // of a polygon
        for (Polygon p = 0; p < mesh.num_polygons(); ++p)
            most_portals = std::max(most_portals, mesh.links(p).size());
        std::size_t most_of_a_child = most_portals;  // inter-edges
        for (int level = 1; level <= options.levels; ++level) {
            std::size_t most = 0;
            for (const Cluster& cluster : clusters(index, level)) {
                const std::size_t count = cluster.portals.size();
                ASSERT_LE(count, most_inter_edges(cluster.polygons.size(), most_portals));
                ASSERT_LE(count, most_inter_edges(cluster.children.size(), most_of_a_child));
                ASSERT_LE(count, mesh.num_portals());
                most = std::max(most, count);
            }
            most_of_a_child = most;
        }
    }
}

}  // namespace
}  // namespace cairn::hna::test
