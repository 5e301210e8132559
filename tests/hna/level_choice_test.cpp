// On which level A* searches: on the top one, or on level 1 where that is faster. The costs are
// Dijkstra's either way.

#include <gtest/gtest.h>

#include "hna/verify.hpp"
#include "support/planner.hpp"
#include "support/scale.hpp"

namespace cairn::hna::test {
namespace {

Options shape(int levels, int mu) {
    Options options;
    options.levels = levels;
    options.mu = mu;
    options.labels = false;
    return options;
}

/// Some hundreds of polygons.
Mesh vast_mesh(std::uint64_t seed) {
    cairn::test::RandomMeshOptions options;
    options.longest = 36;
    return random_mesh(seed, options);
}

Place free_place(const Mesh& mesh, RandomMaps& random) {
    while (true) {
        const Place place = cairn::test::random_place(mesh, random);
        if (!mesh.blocked(place.polygon) && !mesh.is_connection(place.polygon)) return place;
    }
}

/// What became of queries with the costs that they should have.
struct Seen {
    int near = 0;         ///< answered on level 1 for ends that share a top cluster
    int by_level_1 = 0;   ///< for ends apart, connected by searches that are costly
    int by_top = 0;       ///< for ends apart, connected by searches
    int top_by_rows = 0;  ///< for ends apart, connected by tables
};

void ask(const Index& index, const Query& query, const MeshDijkstra& oracle, Searcher& searcher,
         Seen& seen) {
    Answer answer;
    searcher.find(index, query, answer);
    const Cost best = query.start.polygon == query.goal.polygon
                          ? oracle.direct(query.start, query.goal)
                          : oracle.cost_at(oracle.costs_from(query.start), query.goal);
    ASSERT_EQ(fault_of(index, query, answer, best), "") << describe(query);
    const int levels = index.options().levels;
    if (answer.status != StatusCode::ok || answer.abstract_level == 0 || levels == 1) return;
    if (index.cluster(levels, query.start.polygon) == index.cluster(levels, query.goal.polygon)) {
        ASSERT_EQ(answer.abstract_level, 1) << describe(query);
        ++seen.near;
    } else if (query.connect == ConnectBy::search) {
        ++(answer.abstract_level == 1 ? seen.by_level_1 : seen.by_top);
    } else {
        ASSERT_EQ(answer.abstract_level, levels) << describe(query);
        ++seen.top_by_rows;
    }
}

TEST(HnaLevelChoiceTest, EveryChoiceGivesTheLeastCost) {
    Searcher searcher;
    Seen seen;
    const auto seeds = cairn::test::scaled(40);
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
        RandomMaps random(seed);
        const Mesh mesh = vast_mesh(seed);
        const int levels = 1 + static_cast<int>(seed % 4);
        const int mu = 2 + static_cast<int>(seed / 4 % 3);
        Options options = shape(levels, mu);
        if (seed % 5 == 0) options.pccp = Pccp::none;
        if (seed % 5 == 1 && ranks_by_centres(mesh)) options.pccp = Pccp::centres;
        const Index index = build(mesh, options);
        const MeshDijkstra oracle(mesh);
        for (int i = 0; i < 12; ++i) {
            Query query;
            query.start = free_place(mesh, random);
            query.goal = free_place(mesh, random);
            query.engine = Engine::astar;
            query.connect =
                i % 4 < 2 || options.pccp == Pccp::none ? ConnectBy::search : ConnectBy::automatic;
            ASSERT_NO_FATAL_FAILURE(ask(index, query, oracle, searcher, seen)) << "seed " << seed;
        }
    }
    if (cairn::test::scale() < 1) return;
    EXPECT_GT(seen.near, 10);
    EXPECT_GT(seen.by_level_1, 10);
    EXPECT_GT(seen.by_top, 10);
    EXPECT_GT(seen.top_by_rows, 10);
}

// Ends in one top cluster, after edits and with the labels made again.
TEST(HnaLevelChoiceTest, NearEndsAfterEdits) {
    Searcher searcher;
    Seen seen;
    const auto seeds = cairn::test::scaled(12);
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
        RandomMaps random(seed);
        Options options = shape(2 + static_cast<int>(seed % 3), 6);
        options.labels = seed % 2 == 0;
        Index index = build(vast_mesh(seed), options);
        for (int edit = 0; edit < 3; ++edit) {
            index = cairn::test::value_or_abort(index.edited(any_edits(index.mesh(), random, 6)));
            if (edit == 2) index = with_labels(index);
            const MeshDijkstra oracle(index.mesh());
            for (int i = 0; i < 8; ++i) {
                Query query;
                query.start = free_place(index.mesh(), random);
                query.goal = free_place(index.mesh(), random);
                query.engine = Engine::astar;
                ASSERT_NO_FATAL_FAILURE(ask(index, query, oracle, searcher, seen))
                    << "seed " << seed << ", edit " << edit;
            }
        }
    }
}

}  // namespace
}  // namespace cairn::hna::test
