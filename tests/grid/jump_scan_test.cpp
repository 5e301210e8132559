// Word-wise scans for jump points agree with walks cell by cell.

#include "grid/jump_scan.hpp"

#include <gtest/gtest.h>

#include <random>

#include "grid/bits.hpp"

namespace cairn::grid {
namespace {

// Walks from (x, y) in steps of `step`, 1 or -1, and looks for corners on the chosen sides.
JumpStop walk(const BitGrid& grid, int x, int y, int step, bool above, bool below) {
    for (;;) {
        const int before = x;
        x += step;
        if (grid.test(x, y)) return {x, 0};
        unsigned sides = 0;
        if (above && grid.test(before, y - 1) && !grid.test(x, y - 1)) sides |= JumpStop::kAbove;
        if (below && grid.test(before, y + 1) && !grid.test(x, y + 1)) sides |= JumpStop::kBelow;
        if (sides != 0) return {x, sides};
    }
}

template <bool kAbove, bool kBelow>
void expect_scans_equal_walks(const BitGrid& grid) {
    for (int y = 0; y < grid.height(); ++y) {
        const JumpRows rows = jump_rows(grid, y);
        for (int x = 0; x < grid.width(); ++x) {
            const JumpStop east = jump_forward<kAbove, kBelow>(rows, x);
            const JumpStop east_walk = walk(grid, x, y, 1, kAbove, kBelow);
            ASSERT_EQ(east.x, east_walk.x) << "from " << x << ", " << y;
            ASSERT_EQ(east.sides, east_walk.sides) << "from " << x << ", " << y;
            const JumpStop west = jump_backward<kAbove, kBelow>(rows, x);
            const JumpStop west_walk = walk(grid, x, y, -1, kAbove, kBelow);
            ASSERT_EQ(west.x, west_walk.x) << "from " << x << ", " << y;
            ASSERT_EQ(west.sides, west_walk.sides) << "from " << x << ", " << y;
            ASSERT_EQ(west.jump_point(), !grid.test(west.x, y));
        }
    }
}

TEST(JumpScanTest, AgreesWithSteppingOnAllSides) {
    std::mt19937 random(1);
    for (const int width : test::kEdgeSides) {
        for (const unsigned percent : {0U, 1U, 5U, 30U, 70U, 100U}) {
            const BitGrid grid = test::random_bits(random, width, 5, percent);
            ASSERT_NO_FATAL_FAILURE((expect_scans_equal_walks<true, true>(grid)));
            ASSERT_NO_FATAL_FAILURE((expect_scans_equal_walks<true, false>(grid)));
            ASSERT_NO_FATAL_FAILURE((expect_scans_equal_walks<false, true>(grid)));
            ASSERT_NO_FATAL_FAILURE((expect_scans_equal_walks<false, false>(grid)));
        }
    }
}

// A row of 200 cells beside a single obstacle. At some positions the obstacle and the jump point
// that it makes lie in different words.
TEST(JumpScanTest, FindsCornersAtEveryPositionOfAWord) {
    for (int x = 0; x < 200; ++x) {
        for (const int y : {0, 2}) {
            BitGrid::Editor editor(BitGrid(200, 3));
            editor.set(x, y, true);
            const BitGrid grid = editor.take();
            const JumpRows rows = jump_rows(grid, 1);
            const unsigned side = y == 0 ? JumpStop::kAbove : JumpStop::kBelow;
            if (x < 199) {
                const JumpStop stop = jump_forward(rows, 0);
                EXPECT_EQ(stop.x, x + 1);
                EXPECT_EQ(stop.sides, side);
                EXPECT_EQ(jump_forward(rows, x).x, x + 1);
                EXPECT_EQ(jump_forward(rows, x + 1).x, 200);
            }
            if (x > 0) {
                const JumpStop stop = jump_backward(rows, 199);
                EXPECT_EQ(stop.x, x - 1);
                EXPECT_EQ(stop.sides, side);
                EXPECT_EQ(jump_backward(rows, x - 1).x, -1);
            }
        }
    }
}

// Diagonal sweeps from every cell stop where a single scan of each row stops.
template <int kAlong, int kAcross>
void expect_sweeps_equal_scans(const BitGrid& grid) {
    for (int y = 0; y < grid.height(); ++y) {
        for (int x = 0; x < grid.width(); ++x) {
            JumpSweep<kAlong, kAcross> sweep(grid, x, y);
            ASSERT_EQ(sweep.here_free(x), !grid.test(x, y));
            for (int i = x, j = y; sweep.ahead_free(i) && i + kAlong >= 0;) {
                i += kAlong;
                j += kAcross;
                if (i == grid.width()) break;
                sweep.advance(i, j);
                ASSERT_EQ(sweep.here_free(i), !grid.test(i, j));
                ASSERT_EQ(sweep.ahead_free(i), !grid.test(i, j + kAcross));
                const JumpRows rows = jump_rows(grid, j);
                const JumpStop scan = kAlong > 0 ? jump_forward(rows, i) : jump_backward(rows, i);
                ASSERT_EQ(sweep.stop(i, j).x, scan.x) << i << ", " << j;
                ASSERT_EQ(sweep.stop(i, j).sides, scan.sides) << i << ", " << j;
            }
        }
    }
}

TEST(JumpSweepTest, AgreesWithSingleScans) {
    std::mt19937 random(2);
    for (const int width : {1, 3, 63, 64, 65, 130, 200}) {
        for (const unsigned percent : {0U, 3U, 30U}) {
            const BitGrid grid = test::random_bits(random, width, 40, percent);
            ASSERT_NO_FATAL_FAILURE((expect_sweeps_equal_scans<1, 1>(grid)));
            ASSERT_NO_FATAL_FAILURE((expect_sweeps_equal_scans<1, -1>(grid)));
            ASSERT_NO_FATAL_FAILURE((expect_sweeps_equal_scans<-1, 1>(grid)));
            ASSERT_NO_FATAL_FAILURE((expect_sweeps_equal_scans<-1, -1>(grid)));
        }
    }
}

}  // namespace
}  // namespace cairn::grid
