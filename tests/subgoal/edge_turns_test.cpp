// EdgeTurns: the stops along an edge of an N-level graph, from either end.

#include "subgoal/edge_turns.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "cairn/grid/line.hpp"
#include "subgoal/engines.hpp"
#include "subgoal/verify.hpp"
#include "support/scale.hpp"

namespace cairn::subgoal::test {
namespace {

using grid::Map;
using grid::Point;

/// All edges of a graph from both ends.
std::vector<EdgeTurns::Edge> all_edges(const NLevelGraph& levels) {
    std::vector<EdgeTurns::Edge> edges;
    for (std::uint32_t v = 0; v < levels.num_nodes(); ++v) {
        for (const auto arcs : {levels.rising_arcs(v), levels.lateral_arcs(v)}) {
            for (const NLevelArc& arc : arcs) {
                edges.push_back({v, arc.head});
                edges.push_back({arc.head, v});
            }
        }
    }
    return edges;
}

bool free_diagonally_first(const Map& map, Point a, Point b) {
    const auto [diagonal, straight] = grid::legs(map, a, b);
    const Point turn = grid::run_end(a, diagonal);
    return grid::run_is_free(map, map.cell(a), diagonal) &&
           grid::run_is_free(map, map.cell(turn), straight);
}

Options levels_option(bool prune) {
    Options options;
    options.levels = 0;
    options.labels = false;
    options.prune = prune;
    return options;
}

TEST(EdgeTurns, EveryPartIsFreeDiagonallyFirstAndNoneIsLonger) {
    RandomMaps random(91);
    std::size_t most_turns = 0;
    for (auto maps = cairn::test::scaled(60); maps > 0; --maps) {
        const Index index = build(random.noise(random.size(40), random.number(2, 20)),
                                  levels_option(random.number(0, 1) == 0));
        const Map& map = index.map();
        const Engines& engines = *index.snapshot().engines;
        const Nodes& nodes = index.snapshot().nodes;
        for (const EdgeTurns::Edge edge : all_edges(engines.levels)) {
            std::vector<Point> stops{nodes.point(edge.from)};
            ASSERT_TRUE(engines.turns.append(map, engines.levels, nodes, edge, stops));
            ASSERT_EQ(stops.back(), nodes.point(edge.to));
            ASSERT_EQ(cost_over(map, stops), map.distance_bound(stops.front(), stops.back()));
            for (std::size_t i = 1; i < stops.size(); ++i)
                ASSERT_TRUE(free_diagonally_first(map, stops[i - 1], stops[i]));
            most_turns = std::max(most_turns, stops.size() - 2);
        }
    }
    EXPECT_GE(most_turns, 2U);
}

TEST(EdgeTurns, EdgesLeftOutHaveNoTurns) {
    RandomMaps random(92);
    const Index index = build(random.noise({40, 40}, 10), levels_option(false));
    const Map& map = index.map();
    const Engines& engines = *index.snapshot().engines;
    const Nodes& nodes = index.snapshot().nodes;
    const EdgeTurns none(map, index.snapshot().bits, index.snapshot().diagonals, engines.levels,
                         nodes, 0);
    std::size_t left_out = 0;
    for (const EdgeTurns::Edge edge : all_edges(engines.levels)) {
        std::vector<Point> all;
        std::vector<Point> some;
        ASSERT_TRUE(engines.turns.append(map, engines.levels, nodes, edge, all));
        if (none.append(map, engines.levels, nodes, edge, some)) {
            EXPECT_EQ(some, all);
            continue;
        }
        ++left_out;
        EXPECT_EQ(some, std::vector<Point>{nodes.point(edge.to)});
    }
    EXPECT_GT(left_out, 0U);
    EXPECT_LT(none.bytes(), engines.turns.bytes());
}

}  // namespace
}  // namespace cairn::subgoal::test
