#include "cairn/hna/worst_case.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "hna/clusters.hpp"
#include "hna/verify.hpp"
#include "support/scale.hpp"

namespace cairn::hna::test {
namespace {

// Two triangles have four sides besides the one they share; a chain of squares has two a square,
// and two at its ends.
static_assert(most_inter_edges(1, 3) == 3);
static_assert(most_inter_edges(2, 3) == 4);
static_assert(most_inter_edges(10, 4) == 22);
static_assert(most_inter_edges(0, 3) == 0);
static_assert(most_inter_edges(1, 0) == 0);
static_assert(most_inter_edges(2, 1) == 0);
static_assert(most_inter_edges(3, 1) == 0);
static_assert(most_inter_edges(2, 10, 3) == 102);
static_assert(most_inter_edges(4, 1000, 1 << 20) ==
              1'000'000'000'000 * ((std::uint64_t{1} << 20) - 2) + 2);
static_assert(most_inter_edges_apart(10, 4) == 40);

// Equations 1 to 3 agree with each other (appendix B).
TEST(HnaWorstCaseTest, TheClosedFormIsTheRecurrence) {
    for (std::uint64_t s = 2; s <= 12; ++s) {
        for (std::uint64_t mu = 2; mu <= 40; ++mu) {
            EXPECT_EQ(most_inter_edges(mu, s), mu * (s - 2) + 2);
            EXPECT_EQ(most_inter_edges(0, mu, s), s);
            std::uint64_t powers = 1;
            for (int x = 1; x <= 4; ++x) {
                powers *= mu;
                EXPECT_EQ(most_inter_edges(x, mu, s), powers * (s - 2) + 2);
                EXPECT_EQ(most_inter_edges(x, mu, s),
                          mu * most_inter_edges(x - 1, mu, s) - 2 * (mu - 1));
                EXPECT_EQ(most_inter_edges(x, mu, s),
                          most_inter_edges(mu, most_inter_edges(x - 1, mu, s)));
            }
        }
    }
}

// Squares in a row reach the bound: with portals all along, only one of each square's lies inside.
TEST(HnaWorstCaseTest, IsReached) {
    const Mesh mesh = cairn::test::drawn_mesh({"aabbccdd",  //
                                               "eeffgghh",  //
                                               "iijjkkll"});
    const std::vector<Polygon> middle{5, 6};
    std::size_t crossed = 0;
    for (const Polygon p : middle) {
        for (const mesh::Link link : mesh.links(p)) {
            const Polygon across = mesh.polygon_of(mesh::twin(link));
            if (across != 5 && across != 6) ++crossed;
        }
    }
    EXPECT_EQ(crossed, most_inter_edges(2, 4));
}

TEST(HnaWorstCaseTest, BoundsTheClustersOfEveryLevel) {
    for (std::uint64_t seed = 0; seed < cairn::test::scaled(200); ++seed) {
        RandomMaps random(seed);
        const Mesh mesh = seed % 4 == 0 ? large_mesh(seed) : random_mesh(seed);
        Options options = any_options(mesh, random);
        options.labels = false;
        const Index index = build(mesh, options);
        std::size_t most_portals = 0;
        for (Polygon p = 0; p < mesh.num_polygons(); ++p)
            most_portals = std::max(most_portals, mesh.links(p).size());
        std::size_t most_below = most_portals;
        for (int level = 1; level <= options.levels; ++level) {
            std::size_t most = 0;
            for (const Cluster& cluster : clusters(index, level)) {
                const std::size_t count = cluster.portals.size();
                ASSERT_LE(count, most_inter_edges(cluster.polygons.size(), most_portals));
                ASSERT_LE(count, most_inter_edges(cluster.children.size(), most_below));
                ASSERT_LE(count, mesh.num_portals());
                most = std::max(most, count);
            }
            most_below = most;
        }
    }
}

}  // namespace
}  // namespace cairn::hna::test
