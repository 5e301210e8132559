#include "subgoal/refine.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <random>
#include <vector>

#include "grid/scenes.hpp"

namespace cairn::subgoal {
namespace {

using grid::Cell;
using grid::Map;
using grid::Point;

Map open_map(int width, int height) {
    std::mt19937 dice(1);
    return grid::test::random_map(dice, width, height, {}, 0);
}

int sign(int v) { return (v > 0) - (v < 0); }

/// Cell by cell.
std::vector<Cell> expected_cells(const Map& map, const std::vector<Point>& stops) {
    std::vector<Cell> cells{map.cell(stops[0])};
    for (std::size_t i = 1; i < stops.size(); ++i) {
        const bool last = i + 1 == stops.size();
        Point at = stops[i - 1];
        const Point to = stops[i];
        while (!(at == to)) {
            const int wide = std::abs(to.x - at.x);
            const int high = std::abs(to.y - at.y);
            const bool diagonal = last ? wide == high : wide != 0 && high != 0;
            if (diagonal || wide > high) at.x += sign(to.x - stops[i - 1].x);
            if (diagonal || high > wide) at.y += sign(to.y - stops[i - 1].y);
            cells.push_back(map.cell(at));
        }
    }
    return cells;
}

Cost length(const Map& map, const std::vector<Point>& stops) {
    Cost cost = 0;
    for (std::size_t i = 1; i < stops.size(); ++i)
        cost += map.distance_bound(stops[i - 1], stops[i]);
    return cost;
}

void expect_followed(const Map& map, const std::vector<Point>& stops, std::vector<Cell>& cells) {
    ASSERT_TRUE(follow_direct_edges(map, stops, length(map, stops), cells));
    ASSERT_EQ(cells, expected_cells(map, stops));
    const std::vector<Cell> before = cells;
    EXPECT_FALSE(follow_direct_edges(map, stops, length(map, stops) + 1, cells));
    EXPECT_EQ(cells, before);
}

TEST(Follow, EveryDisplacementOfOneAndTwoEdges) {
    const Map map = open_map(81, 79);
    std::vector<Cell> cells;
    for (Cell goal = 0; goal < map.size(); ++goal) {
        expect_followed(map, {{40, 39}, map.point(goal)}, cells);
        expect_followed(map, {{40, 39}, map.point(goal), {3, 70}}, cells);
    }
}

TEST(Follow, AnyNumberOfStopsNearAndFar) {
    const Map map = open_map(300, 200);
    std::mt19937 dice(2);
    std::vector<Cell> cells;
    for (std::size_t count = 1; count <= 130; ++count) {
        std::vector<Point> stops(1, Point{150, 100});
        while (stops.size() < count) {
            const int far = dice() % 8 == 0 ? 300 : 3;
            const auto near = [&](int v, int size) {
                const int to =
                    v + static_cast<int>(dice() % static_cast<unsigned>(2 * far + 1)) - far;
                return to < 0 || to >= size ? v : to;
            };
            stops.push_back({near(stops.back().x, 300), near(stops.back().y, 200)});
        }
        expect_followed(map, stops, cells);
    }
}

}  // namespace
}  // namespace cairn::subgoal
