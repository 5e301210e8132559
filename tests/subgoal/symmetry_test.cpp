// Mirrored and turned maps have the mirrored and turned subgoal graph, and paths of the same cost.

#include <gtest/gtest.h>

#include <algorithm>

#include "subgoal/verify.hpp"
#include "support/scale.hpp"

namespace cairn::subgoal::test {
namespace {

using cairn::test::transformed;
using grid::Map;
using grid::Point;

// Expects `image` to have the transformed subgoals and edges of `index`, with the same tautness.
void expect_same_graph(const Index& index, const Index& image, int turns, bool mirrored) {
    const Map& map = index.map();
    const auto moved = [&](grid::Cell cell) {
        return image.map().cell(transformed(map, map.point(cell), turns, mirrored));
    };
    std::vector<grid::Cell> cells;
    const auto found_cells = subgoals(index).value();
    for (const grid::Cell cell : found_cells) cells.push_back(moved(cell));
    std::sort(cells.begin(), cells.end());
    ASSERT_EQ(cells, subgoals(image).value());
    std::vector<SubgoalEdge> moved_edges;
    const auto found_edges = edges(index).value();
    for (const SubgoalEdge& edge : found_edges) {
        const grid::Cell a = moved(edge.a);
        const grid::Cell b = moved(edge.b);
        moved_edges.push_back({std::min(a, b), std::max(a, b), edge.taut});
    }
    std::sort(moved_edges.begin(), moved_edges.end(),
              [](const SubgoalEdge& a, const SubgoalEdge& b) {
                  return a.a != b.a ? a.a < b.a : a.b < b.b;
              });
    ASSERT_TRUE(moved_edges == edges(image).value()) << describe(index, {});
}

TEST(SubgoalSymmetry, MirroredAndTurnedMapsHaveTheSameGraphAndCosts) {
    RandomMaps random(81);
    for (auto maps = cairn::test::scaled(25); maps > 0; --maps) {
        const RandomMaps::Size size = random.size(80);
        const Index index =
            build(random.uniform_map(size), variant(random.number(0, kVariants - 1)));
        const std::vector<Point> points = free_points(index.map());
        if (points.empty()) continue;
        for (int symmetry = 1; symmetry < 8; ++symmetry) {  // 0 is the map itself
            const int turns = symmetry % 4;
            const bool mirrored = symmetry >= 4;
            const Index image = build(transformed(index.map(), turns, mirrored), index.options());
            expect_same_graph(index, image, turns, mirrored);
            for (int pairs = 0; pairs < 20 && !HasFailure(); ++pairs) {
                const Point a = random.one_of(points);
                const Point b = random.one_of(points);
                const Engine engine = kEngines[static_cast<std::size_t>(random.number(0, 2))];
                const Query query = query_of(a, b, engine);
                const Query turned = query_of(transformed(index.map(), a, turns, mirrored),
                                              transformed(index.map(), b, turns, mirrored), engine);
                const Answer answer = answer_to(index, query);
                EXPECT_EQ(fault_of(image, turned, answer_to(image, turned), answer.cost), "")
                    << describe(image, turned);
            }
        }
        if (HasFailure()) return;
    }
}

}  // namespace
}  // namespace cairn::subgoal::test
