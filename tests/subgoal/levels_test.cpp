// Two-level and N-level subgoal graphs have the properties that define them (sections 15.4
// and 15.5).

#include <gtest/gtest.h>

#include "cairn/grid/dijkstra.hpp"
#include "subgoal/engines.hpp"
#include "subgoal/verify.hpp"
#include "support/scale.hpp"

namespace cairn::subgoal::test {
namespace {

using grid::Map;
using grid::Point;

// The cost of a shortest path from `from` to `to` that meets no other vertices than these and those
// of the core: Dijkstra's algorithm without a heap.
Cost two_level_distance(const NLevelGraph& levels, std::uint32_t from, std::uint32_t to) {
    const std::uint32_t n = levels.num_nodes();
    std::vector<std::uint32_t> allowed;
    for (std::uint32_t v = 0; v < n; ++v) {
        if (levels.in_core(v) || v == from || v == to) allowed.push_back(v);
    }
    std::vector<Cost> cost(n, kInfinity);
    std::vector<bool> done(n, false);
    cost[from] = 0;
    for (;;) {
        std::uint32_t next = n;  // none
        for (const std::uint32_t v : allowed) {
            if (!done[v] && cost[v] < kInfinity && (next == n || cost[v] < cost[next])) next = v;
        }
        if (next == n || next == to) return cost[to];
        done[next] = true;
        for (const std::uint32_t v : allowed) {
            const Cost edge = levels.edge(next, v);
            if (edge < kInfinity) cost[v] = std::min(cost[v], cost[next] + edge);
        }
    }
}

// The core and any two other subgoals hold a shortest path between these two. Edges are not pruned
// here: a pruned graph need not hold a shortest path between any two subgoals.
TEST(SubgoalLevels, TheCoreHoldsAShortestPathBetweenAnyTwoSubgoals) {
    RandomMaps random(71);
    for (auto maps = cairn::test::scaled(60); maps > 0; --maps) {
        Options options = variant(random.number(0, kVariants - 1));
        options.levels = 2;
        options.prune = false;
        options.labels = false;
        const RandomMaps::Size size = random.size(18);
        const Index index = build(random.noise(size, random.number(2, 30)), options);
        const Engines& engines = *index.snapshot().engines;
        const Nodes& nodes = index.snapshot().nodes;
        ASSERT_LE(engines.levels.num_levels(), 2U);
        for (std::uint32_t from = 0; from < engines.levels.num_nodes(); ++from) {
            const auto optimum = grid::dijkstra_distances(index.map(), nodes.point(from)).value();
            for (std::uint32_t to = from; to < engines.levels.num_nodes(); ++to) {
                ASSERT_EQ(two_level_distance(engines.levels, from, to), optimum[nodes.cell(to)])
                    << describe(index, query_of(nodes.point(from), nodes.point(to)));
            }
        }
    }
}

// The edges of levels join h-reachable subgoals only, and cost their octile distance.
TEST(SubgoalLevels, ExtraEdgesJoinHReachableSubgoals) {
    RandomMaps random(72);
    grid::HReach h_reach;
    for (auto maps = cairn::test::scaled(60); maps > 0; --maps) {
        Options options = variant(random.number(0, kVariants - 1));
        options.labels = false;
        const RandomMaps::Size size = random.size(40);
        const Index index = build(random.uniform_map(size), options);
        const Map& map = index.map();
        const Engines& engines = *index.snapshot().engines;
        const Nodes& nodes = index.snapshot().nodes;
        const NLevelGraph& levels = engines.levels;
        if (options.extra_edges == ExtraEdges::none) {
            EXPECT_EQ(levels.statistics().value().extra_edges, 0U);
        }
        for (std::uint32_t v = 0; v < levels.num_nodes(); ++v) {
            const auto expect_h_reachable = [&](const NLevelArc& arc) {
                const Point p = nodes.point(v);
                const Point q = nodes.point(arc.head);
                EXPECT_EQ(arc.weight, map.distance_bound(p, q));
                EXPECT_TRUE(h_reach.test(map, p, q));
            };
            for (const NLevelArc& arc : levels.rising_arcs(v)) expect_h_reachable(arc);
            for (const NLevelArc& arc : levels.lateral_arcs(v)) expect_h_reachable(arc);
        }
        ASSERT_FALSE(HasFailure()) << describe(index, {});
    }
}

TEST(SubgoalLevels, TheirNumberChangesNoCost) {
    RandomMaps random(73);
    Searcher searcher;
    Answer answer;
    for (auto maps = cairn::test::scaled(25); maps > 0; --maps) {
        const RandomMaps::Size size = random.size(90);
        const Map map = random.uniform_map(size);
        const std::vector<Point> points = free_points(map);
        if (points.empty()) continue;
        Options options = variant(random.number(0, kDirectVariants - 1));
        options.labels = false;
        std::vector<Index> indexes;
        for (const std::uint32_t levels : {1U, 2U, 3U, 4U, 0U}) {  // 0: as many as possible
            options.levels = levels;
            indexes.push_back(build(map, options));
            const std::uint32_t built = indexes.back().snapshot().engines->levels.num_levels();
            EXPECT_TRUE(levels == 0 || built <= levels) << built;
        }
        for (int pairs = 0; pairs < 40; ++pairs) {
            const Point start = random.one_of(points);
            const Point goal = random.one_of(points);
            Query query = query_of(start, goal, Engine::astar);
            const Cost expected = answer_to(indexes[0], query).cost;
            query.engine = Engine::levels;
            for (const Index& index : indexes) {
                searcher.find(index, query, answer);
                ASSERT_EQ(answer.cost, expected) << describe(index, query);
            }
        }
    }
}

}  // namespace
}  // namespace cairn::subgoal::test
