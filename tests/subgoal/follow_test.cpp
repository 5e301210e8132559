// follow_lines: the cells of a path of free lines, against a walk cell by cell.

#include "subgoal/refine.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <random>
#include <vector>

#include "grid/scenes.hpp"
#include "subgoal/verify.hpp"

namespace cairn::subgoal {
namespace {

using grid::Cell;
using grid::Map;
using grid::Point;
using test::cost_over;

Map open_map(int width, int height) {
    std::mt19937 dice(1);
    return grid::test::random_map(dice, width, height, {}, 0);
}

int sign(int v) { return (v > 0) - (v < 0); }

/// Walks to each stop by diagonal moves first, and to the last stop by straight moves first.
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
            if (diagonal || wide > high) at.x += sign(to.x - at.x);
            if (diagonal || high > wide) at.y += sign(to.y - at.y);
            cells.push_back(map.cell(at));
        }
    }
    return cells;
}

/// A wrong cost is refused, and leaves `cells` as they were.
void expect_followed(const Map& map, const std::vector<Point>& stops, std::vector<Cell>& cells) {
    ASSERT_TRUE(follow_lines(map, stops, cost_over(map, stops), cells));
    ASSERT_EQ(cells, expected_cells(map, stops));
    const std::vector<Cell> before = cells;
    EXPECT_FALSE(follow_lines(map, stops, cost_over(map, stops) + 1, cells));
    EXPECT_EQ(cells, before);
}

TEST(Follow, PathsOfOneEdgeAndOfTwoByEveryDisplacement) {
    const Map map = open_map(81, 79);
    const Point centre{40, 39};
    std::vector<Cell> cells;
    for (Cell cell = 0; cell < map.size(); ++cell) {
        expect_followed(map, {centre, map.point(cell)}, cells);
        expect_followed(map, {centre, map.point(cell), {3, 70}}, cells);
    }
}

TEST(Follow, PathsOfManyShortAndLongEdges) {
    const Map map = open_map(300, 200);
    std::mt19937 dice(2);
    std::vector<Cell> cells;
    for (std::size_t count = 1; count <= 130; ++count) {
        std::vector<Point> stops(1, Point{150, 100});
        while (stops.size() < count) {
            const int reach = dice() % 8 == 0 ? 300 : 3;
            // A coordinate at most `reach` away, or the same one if that is off the map.
            const auto moved = [&](int from, int size) {
                const int to =
                    from + static_cast<int>(dice() % static_cast<unsigned>(2 * reach + 1)) - reach;
                return to < 0 || to >= size ? from : to;
            };
            stops.push_back(
                {moved(stops.back().x, map.width()), moved(stops.back().y, map.height())});
        }
        expect_followed(map, stops, cells);
    }
}

}  // namespace
}  // namespace cairn::subgoal
