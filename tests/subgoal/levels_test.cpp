// The two-level and the N-level property on subgoal graphs (sections 15.4 and 15.5).

#include <gtest/gtest.h>

#include "cairn/grid/dijkstra.hpp"
#include "subgoal/engines.hpp"
#include "subgoal/verify.hpp"
#include "support/scale.hpp"

namespace cairn::subgoal::test {
namespace {

using grid::Map;
using grid::Point;

constexpr Cost kFar = kInfinity;

// Lengths of the shortest paths from `from` by the edges of `levels` that join the core's vertices,
// `from` and `to` alone.
Cost two_level_distance(const NLevelGraph& levels, std::uint32_t from, std::uint32_t to) {
    const std::uint32_t n = levels.num_nodes();
    std::vector<std::uint32_t> kept;
    for (std::uint32_t v = 0; v < n; ++v) {
        if (levels.in_core(v) || v == from || v == to) kept.push_back(v);
    }
    std::vector<Cost> cost(n, kFar);
    std::vector<bool> done(n, false);
    cost[from] = 0;
    for (;;) {
        std::uint32_t next = n;
        for (const std::uint32_t v : kept) {
            if (!done[v] && cost[v] < kFar && (next == n || cost[v] < cost[next])) next = v;
        }
        if (next == n || next == to) return cost[to];
        done[next] = true;
        for (const std::uint32_t v : kept) {
            const Cost edge = levels.edge(next, v);
            if (edge < kFar) cost[v] = std::min(cost[v], cost[next] + edge);
        }
    }
}

// Pruned edges do not lead between all subgoals, so all are kept here.
TEST(SubgoalLevels, TwoLevelPropertyLiterally) {
    RandomMaps random(71);
    for (auto maps = cairn::test::scaled(60); maps > 0; --maps) {
        Options options = variant(random.number(0, kVariants - 1));
        options.levels = 2;
        options.prune = false;
        options.labels = false;
        const RandomMaps::Size size = random.size(18);
        const Index index = build(random.noise(size, random.number(2, 30)), options);
        const Engines& engines = *index.snapshot().engines;
        ASSERT_LE(engines.levels.num_levels(), 2U);
        for (std::uint32_t from = 0; from < engines.levels.num_nodes(); ++from) {
            const auto optimum =
                grid::dijkstra_distances(index.map(), index.map().point(engines.cells[from]));
            for (std::uint32_t to = from; to < engines.levels.num_nodes(); ++to) {
                ASSERT_EQ(two_level_distance(engines.levels, from, to), optimum[engines.cells[to]])
                    << describe(index, query_of(index.map().point(engines.cells[from]),
                                                index.map().point(engines.cells[to])));
            }
        }
    }
}

// Extra edges join h-reachable subgoals alone, with their octile distance, or there are none.
TEST(SubgoalLevels, ExtraEdgesHaveTheProperty) {
    RandomMaps random(72);
    grid::HReach h_reach;
    for (auto maps = cairn::test::scaled(60); maps > 0; --maps) {
        Options options = variant(random.number(0, kVariants - 1));
        options.labels = false;
        const RandomMaps::Size size = random.size(40);
        const Index index = build(random.uniform_map(size), options);
        const Map& map = index.map();
        const Engines& engines = *index.snapshot().engines;
        const NLevelGraph& levels = engines.levels;
        if (options.extra_edges == ExtraEdges::none) {
            EXPECT_EQ(levels.statistics().extra_edges, 0U);
        }
        for (std::uint32_t v = 0; v < levels.num_nodes(); ++v) {
            const auto check = [&](const NLevelArc& arc) {
                const Point p = map.point(engines.cells[v]);
                const Point q = map.point(engines.cells[arc.head]);
                EXPECT_EQ(arc.weight, map.distance_bound(p, q));
                EXPECT_TRUE(h_reach.test(map, p, q));
            };
            for (const NLevelArc& arc : levels.rising_arcs(v)) check(arc);
            for (const NLevelArc& arc : levels.lateral_arcs(v)) check(arc);
        }
        ASSERT_FALSE(HasFailure()) << describe(index, {});
    }
}

TEST(SubgoalLevels, TheirNumberDoesNotMatter) {
    RandomMaps random(73);
    Searcher searcher;
    Answer answer;
    for (auto maps = cairn::test::scaled(25); maps > 0; --maps) {
        const RandomMaps::Size size = random.size(90);
        const Map map = random.uniform_map(size);
        const std::vector<Point> points = free_points(map);
        if (points.empty()) continue;
        Options options = variant(random.number(0, 15));
        options.labels = false;
        std::vector<Index> indexes;
        for (const std::uint32_t levels : {1U, 2U, 3U, 4U, 0U}) {
            options.levels = levels;
            indexes.push_back(build(map, options));
            const std::uint32_t made = indexes.back().snapshot().engines->levels.num_levels();
            EXPECT_TRUE(levels == 0 || made <= levels) << made;
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
