// The level that A* searches: the top level, or level 1 where that is faster (hna::Engine,
// hna::ConnectBy). The cost is the least one on either level.

#include <gtest/gtest.h>

#include "hna/verify.hpp"
#include "support/planner.hpp"
#include "support/scale.hpp"

namespace cairn::hna::test {
namespace {

Options options_without_labels(int levels, int mu) {
    Options options;
    options.levels = levels;
    options.mu = mu;
    options.labels = false;
    return options;
}

/// A random mesh of some hundreds of polygons: a lattice of up to 36 cells a side.
Mesh vast_mesh(std::uint64_t seed) {
    cairn::test::RandomMeshOptions options;
    options.longest = 36;
    return random_mesh(seed, options);
}

/// A random place in a polygon that is neither blocked nor a connection.
Place free_place(const Mesh& mesh, RandomMaps& random) {
    while (true) {
        const Place place = cairn::test::random_place(mesh, random);
        if (!mesh.blocked(place.polygon) && !mesh.is_connection(place.polygon)) return place;
    }
}

/// Numbers of queries by the level that A* searched.
struct LevelCounts {
    int same_cluster = 0;  ///< level 1: start and goal share a top cluster
    // Start and goal lie in different top clusters:
    int level_1_by_search = 0;  ///< level 1, connected by a search
    int top_by_search = 0;      ///< top level, connected by a search
    int top_by_tables = 0;      ///< top level, connected by tables
};

/// Expects the least cost and the right level, and counts the query.
void check_query(const Index& index, const Query& query, const MeshDijkstra& oracle,
                 Searcher& searcher, LevelCounts& counts) {
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
        ++counts.same_cluster;
    } else if (query.connect == ConnectBy::search) {
        ++(answer.abstract_level == 1 ? counts.level_1_by_search : counts.top_by_search);
    } else {
        ASSERT_EQ(answer.abstract_level, levels) << describe(query);
        ++counts.top_by_tables;
    }
}

TEST(HnaLevelChoiceTest, EveryChoiceGivesTheLeastCost) {
    Searcher searcher;
    LevelCounts counts;
    const auto seeds = cairn::test::scaled(40);
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
        RandomMaps random(seed);
        const Mesh mesh = vast_mesh(seed);
        const int levels = 1 + static_cast<int>(seed % 4);
        const int mu = 2 + static_cast<int>(seed / 4 % 3);
        Options options = options_without_labels(levels, mu);
        if (seed % 5 == 0) options.pccp = Pccp::none;
        if (seed % 5 == 1 && ranks_by_centres(mesh)) options.pccp = Pccp::centres;
        const Index index = build(mesh, options);
        const MeshDijkstra oracle(mesh);
        for (int i = 0; i < 12; ++i) {
            Query query;
            query.start = free_place(mesh, random);
            query.goal = free_place(mesh, random);
            query.engine = Engine::astar;
            const bool by_search = i % 4 < 2 || options.pccp == Pccp::none;
            query.connect = by_search ? ConnectBy::search : ConnectBy::automatic;
            ASSERT_NO_FATAL_FAILURE(check_query(index, query, oracle, searcher, counts))
                << "seed " << seed;
        }
    }
    if (cairn::test::scale() < 1) return;  // too few queries to meet every case
    EXPECT_GT(counts.same_cluster, 10);
    EXPECT_GT(counts.level_1_by_search, 10);
    EXPECT_GT(counts.top_by_search, 10);
    EXPECT_GT(counts.top_by_tables, 10);
}

/// A query of A* between two polygons that are neither blocked nor connections.
Query astar_query(const Mesh& mesh, RandomMaps& random, ConnectBy connect, SearchLevel level) {
    Query query = query_of(free_place(mesh, random), free_place(mesh, random), Engine::astar);
    query.connect = connect;
    query.search_level = level;
    return query;
}

TEST(HnaLevelChoiceTest, AForcedLevelIsSearchedAndGivesTheLeastCost) {
    Searcher searcher;
    int shared = 0;  // queries on the top level inside one of its clusters
    int apart = 0;
    const auto seeds = cairn::test::scaled(40);
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
        RandomMaps random(seed);
        const Mesh mesh = vast_mesh(seed);
        Options options = options_without_labels(1 + static_cast<int>(seed % 4), 3);
        if (seed % 5 == 1 && ranks_by_centres(mesh)) options.pccp = Pccp::centre_paths;
        const Index index = build(mesh, options);
        const MeshDijkstra oracle(mesh);
        for (const ConnectBy connect : {ConnectBy::search, ConnectBy::tables, ConnectBy::portals}) {
            for (const SearchLevel level : {SearchLevel::first, SearchLevel::top}) {
                const Query query = astar_query(mesh, random, connect, level);
                Answer answer;
                searcher.find(index, query, answer);
                ASSERT_EQ(fault_of(index, query, answer, oracle.cost(query.start, query.goal)), "")
                    << "seed " << seed << describe(query);
                if (answer.status != StatusCode::ok || query.start.polygon == query.goal.polygon)
                    continue;
                const int expected = level == SearchLevel::first ? 1 : options.levels;
                ASSERT_EQ(answer.searched_level, expected) << "seed " << seed << describe(query);
                if (expected == 1) continue;
                ++(index.cluster(expected, query.start.polygon) ==
                           index.cluster(expected, query.goal.polygon)
                       ? shared
                       : apart);
            }
        }
    }
    if (cairn::test::scale() < 1) return;  // too few queries to meet every case
    EXPECT_GT(shared, 10);
    EXPECT_GT(apart, 10);
}

TEST(HnaLevelChoiceTest, AnswersSayWhichLevelWasSearched) {
    Options options;
    options.levels = 2;
    options.mu = 4;
    const Index index = build(serpentine(12), options);
    const Mesh& mesh = index.mesh();
    const Place start{0, mesh.centre(0)};
    const Place goal{mesh.num_polygons() - 1, mesh.centre(mesh.num_polygons() - 1)};
    const auto level_of = [&](Engine engine, SearchLevel level, const Place& to) {
        Query query = query_of(start, to, engine);
        query.search_level = level;
        query.detail = Detail::cost;
        return answer_to(index, query).searched_level;
    };
    EXPECT_EQ(level_of(Engine::astar, SearchLevel::automatic, goal), 2);
    EXPECT_EQ(level_of(Engine::astar, SearchLevel::first, goal), 1);
    EXPECT_EQ(level_of(Engine::cut_labels, SearchLevel::top, goal), 1);
    EXPECT_EQ(level_of(Engine::climb, SearchLevel::top, goal), 1);
    EXPECT_EQ(level_of(Engine::astar, SearchLevel::top, start), 0);
}

// The last of three edits is followed by with_labels.
TEST(HnaLevelChoiceTest, EveryChoiceGivesTheLeastCostAfterEdits) {
    Searcher searcher;
    LevelCounts counts;
    const auto seeds = cairn::test::scaled(12);
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
        RandomMaps random(seed);
        Options options = options_without_labels(2 + static_cast<int>(seed % 3), 6);
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
                ASSERT_NO_FATAL_FAILURE(check_query(index, query, oracle, searcher, counts))
                    << "seed " << seed << ", edit " << edit;
            }
        }
    }
}

}  // namespace
}  // namespace cairn::hna::test
