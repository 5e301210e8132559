// Every engine, with any number of levels and any way to connect, finds the least cost and a
// corridor of this cost (algorithm 1, section 5.1, appendix A).

#include <gtest/gtest.h>

#include "core/separator/connected_parts.hpp"
#include "hna/verify.hpp"
#include "support/scale.hpp"

namespace cairn::hna::test {
namespace {

// Combines the options differently for each seed.
Options options_for(const Mesh& mesh, std::uint64_t seed) {
    Options options;
    options.levels = 1 + static_cast<int>(seed % 4);
    options.mu = 2 + static_cast<int>(seed / 4 % 5);
    if (seed % 3 == 0 && has_metis()) options.partitioner = Partitioner::multilevel;
    options.pccp = seed % 7 == 0 ? Pccp::none : Pccp::portals;
    if (ranks_by_centres(mesh)) options.pccp = static_cast<Pccp>(seed / 5 % 4);
    return options;
}

// Expects the least cost between all pairs of polygons, in every mode.
void check_all_pairs(const Mesh& mesh, std::uint64_t seed, Searcher& searcher) {
    SCOPED_TRACE(seed);
    Answer answer;
    const Index index = build(mesh, options_for(mesh, seed));
    const MeshDijkstra oracle(mesh);
    RandomMaps random(seed);
    for (Polygon from = 0; from < mesh.num_polygons(); ++from) {
        if (mesh.blocked(from) || mesh.is_connection(from)) continue;
        Query query;
        query.start = cairn::test::random_place(mesh, from, random);
        const std::vector<Cost> costs = oracle.costs_from(query.start);
        for (Polygon to = 0; to < mesh.num_polygons(); ++to) {
            if (mesh.blocked(to) || mesh.is_connection(to)) continue;
            query.goal = cairn::test::random_place(mesh, to, random);
            const Cost best = from == to ? oracle.direct(query.start, query.goal)
                                         : oracle.cost_at(costs, query.goal);
            ASSERT_EQ(fault_of_any_mode(index, query, best, searcher, answer), "");
        }
    }
}

TEST(HnaExactTest, AllPairsOfRandomMeshesHaveTheLeastCost) {
    Searcher searcher;
    const auto seeds = cairn::test::scaled(300);
    for (std::uint64_t seed = 0; seed < seeds; ++seed)
        ASSERT_NO_FATAL_FAILURE(check_all_pairs(random_mesh(seed), seed, searcher));
}

TEST(HnaExactTest, AllPairsOfMeshesWithLinksAtPointsHaveTheLeastCost) {
    Searcher searcher;
    const auto seeds = cairn::test::scaled(100);
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
        const Mesh mesh = cairn::test::mesh_with_links_at_points(seed);
        ASSERT_NO_FATAL_FAILURE(check_all_pairs(mesh, seed, searcher));
    }
}

// Meshes of up to some hundred polygons, under any options.
TEST(HnaExactTest, PairsOfLargerMeshesHaveTheLeastCost) {
    Searcher searcher;
    const auto seeds = cairn::test::scaled(120);
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
        RandomMaps random(seed);
        const Index index = any_index(large_mesh(seed), random);
        ASSERT_EQ(fault_of_random_pairs(index, 12, random, searcher), "") << "seed " << seed;
    }
}

}  // namespace
}  // namespace cairn::hna::test
