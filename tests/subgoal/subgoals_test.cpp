// Subgoals, their corners and numbers, and clearances, against the definitions (sections 15.3.1 and
// 15.3.3).

#include <gtest/gtest.h>

#include "subgoal/direct_scan.hpp"
#include "subgoal/naive.hpp"
#include "subgoal/snapshot.hpp"
#include "subgoal/verify.hpp"
#include "support/ascii_map.hpp"
#include "support/scale.hpp"

namespace cairn::subgoal::test {
namespace {

using cairn::test::ascii_map;
using cairn::test::small_map;
using grid::Cell;
using grid::Map;
using grid::Point;

std::vector<Cell> subgoals_by_definition(const Map& map) {
    const Naive naive(map);
    std::vector<Cell> out;
    for (Cell cell = 0; cell < map.size(); ++cell) {
        const Point p = map.point(cell);
        if (naive.is_subgoal(p.x, p.y)) out.push_back(cell);
    }
    return out;
}

// Expects subgoal i to be cells[i], and each to have corners.
void expect_numbers(const SubgoalBits& bits, const std::vector<Cell>& cells) {
    ASSERT_EQ(bits.count(), cells.size());
    for (std::uint32_t i = 0; i < cells.size(); ++i) {
        const Point p = bits.point(i);
        ASSERT_EQ(static_cast<Cell>(p.y * bits.width() + p.x), cells[i]);
        ASSERT_EQ(bits.number(p.x, p.y), i);
        ASSERT_NE(bits.corners(p.x, p.y), 0U);
    }
}

TEST(Subgoals, OfOneObstacleAreAtItsFourCorners) {
    const Index index = build(ascii_map({".....",  //
                                         ".....",  //
                                         "..@..",  //
                                         ".....",  //
                                         "....."}));
    EXPECT_EQ(subgoals(index).value(), (std::vector<Cell>{6, 8, 16, 18}));
    const SubgoalBits& bits = index.snapshot().bits;
    EXPECT_EQ(bits.corners(1, 1), corner_bit(grid::kSouthEast));
    EXPECT_EQ(bits.corners(3, 1), corner_bit(grid::kSouthWest));
    EXPECT_EQ(bits.corners(1, 3), corner_bit(grid::kNorthEast));
    EXPECT_EQ(bits.corners(3, 3), corner_bit(grid::kNorthWest));
    EXPECT_EQ(bits.corners(0, 0), 0U);
    EXPECT_EQ(bits.corners(2, 2), 0U);
}

TEST(Subgoals, AreNeitherAtConcaveCornersNorAtTheEdgeOfTheMap) {
    EXPECT_TRUE(subgoals(build(ascii_map({"@@@@", "@..@", "@..@", "@@@@"}))).value().empty());
    EXPECT_TRUE(subgoals(build(ascii_map({"...", "...", "..."}))).value().empty());
    EXPECT_TRUE(subgoals(build(ascii_map({"@.", ".@"}))).value().empty());
    EXPECT_EQ(subgoals(build(ascii_map({"@.", ".."}))).value(), std::vector<Cell>{3});
}

TEST(Subgoals, OfSmallGridsAreThoseOfTheDefinition) {
    const std::uint64_t stride = cairn::test::stride(0.2);
    for (std::uint64_t free = 0; free < 1U << 16; free += stride) {
        const Map map = small_map(4, 4, free);
        const SubgoalBits bits(map);
        const std::vector<Cell> expected = subgoals_by_definition(map);
        ASSERT_EQ(subgoal_cells(bits), expected) << free;
        expect_numbers(bits, expected);
    }
}

// Expects clearances to end before the first subgoal or obstacle, and to say which it is.
void expect_clearances(const Map& map) {
    const Naive naive(map);
    const SubgoalBits bits(map);
    const auto check = [&](Point p, int direction, Clearance found) {
        ASSERT_EQ(found.moves, naive.clearance(p.x, p.y, direction));
        const int x = p.x + (found.moves + 1) * grid::kDx[static_cast<std::size_t>(direction)];
        const int y = p.y + (found.moves + 1) * grid::kDy[static_cast<std::size_t>(direction)];
        ASSERT_EQ(found.subgoal, naive.is_subgoal(x, y));
    };
    for (const Point p : free_points(map)) {
        check(p, grid::kNorth, cardinal_clearance<grid::kNorth>(bits, p.x, p.y));
        check(p, grid::kEast, cardinal_clearance<grid::kEast>(bits, p.x, p.y));
        check(p, grid::kSouth, cardinal_clearance<grid::kSouth>(bits, p.x, p.y));
        check(p, grid::kWest, cardinal_clearance<grid::kWest>(bits, p.x, p.y));
    }
}

// Long narrow maps, whose rows or columns take several 64-bit words.
TEST(Subgoals, AndClearancesOfRandomMapsAreThoseOfTheDefinition) {
    RandomMaps random(31);
    for (auto maps = cairn::test::scaled(60); maps > 0; --maps) {
        const int length = random.number(1, 140);
        const bool wide = random.chance(50);
        const int breadth = random.number(1, 4);
        const RandomMaps::Size size = strip(wide, length, breadth);
        const Map map =
            random.chance(50) ? random.noise(size, random.number(0, 40)) : random.uniform_map(size);
        const SubgoalBits bits(map);
        const std::vector<Cell> expected = subgoals_by_definition(map);
        ASSERT_EQ(subgoal_cells(bits), expected);
        expect_numbers(bits, expected);
        expect_clearances(map);
        if (HasFatalFailure()) return;
    }
}

}  // namespace
}  // namespace cairn::subgoal::test
