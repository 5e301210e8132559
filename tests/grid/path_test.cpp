// The cost and length of paths. Under the standard cost model a straight move costs 408 and a
// diagonal move 577, times the mean weight of its two cells.

#include <gtest/gtest.h>

#include <numbers>

#include "cairn/grid/map.hpp"
#include "support/ascii_map.hpp"

namespace cairn::grid {
namespace {

using Cells = std::vector<Cell>;

TEST(PathTest, CostAndLengthAddUpOverTheMoves) {
    const Map map = cairn::test::ascii_map({"..4", ".@4", "..."});
    EXPECT_EQ(path_cost(map, Cells{0}), 0U);
    EXPECT_EQ(path_cost(map, Cells{0, 3, 6, 7, 8}), 4U * 408);
    EXPECT_EQ(path_cost(map, Cells{1, 2, 5}), 408U * 5 / 2 + 408U * 4);
    EXPECT_DOUBLE_EQ(path_length(map, Cells{1, 2, 5}), 2.5 + 4);

    const Map open = cairn::test::ascii_map({"..", ".."});
    EXPECT_EQ(path_cost(open, Cells{0, 3}), 577U);
    EXPECT_DOUBLE_EQ(path_length(open, Cells{0, 3}), std::numbers::sqrt2);
    EXPECT_EQ(path_length(open, Cells{0}), 0.0);
    EXPECT_EQ(path_length(open, Cells{}), 0.0);
}

TEST(PathTest, CellsThatAreNoPathCostInfinity) {
    const Map map = cairn::test::ascii_map({"...", ".@.", "..."});
    for (const Cells& cells : {Cells{}, Cells{4}, Cells{9}, Cells{0, 9}, Cells{0, 0}, Cells{0, 2},
                               Cells{3, 4}, Cells{1, 3},  // cuts the corner
                               Cells{2, 3},               // neighbours in number, not on the map
                               Cells{0, kNoCell}}) {
        EXPECT_EQ(path_cost(map, cells), kInfinity);
    }
}

TEST(PathTest, DrawingsMarkTheCellsOfThePath) {
    const Map map = cairn::test::ascii_map({"..@", "@.."});
    EXPECT_EQ(cairn::test::draw(map, Cells{0, 1, 4}), "oo@\n@o.\n");
}

}  // namespace
}  // namespace cairn::grid
