// Each cardinal scan against a walk cell by cell.

#include "grid/jump_scan.hpp"

#include <gtest/gtest.h>

#include <random>

#include "grid/bits.hpp"

namespace cairn::grid {
namespace {

// The walk from (x, y) in steps of `step`, looking at the sides asked for.
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
void expect_scans_walk(const BitGrid& grid) {
    for (int y = 0; y < grid.height(); ++y) {
        const JumpRows rows = jump_rows(grid, y);
        for (int x = 0; x < grid.width(); ++x) {
            const JumpStop east = jump_forward<kAbove, kBelow>(rows, x);
            const JumpStop far = walk(grid, x, y, 1, kAbove, kBelow);
            ASSERT_EQ(east.x, far.x) << "from " << x << ", " << y;
            ASSERT_EQ(east.sides, far.sides) << "from " << x << ", " << y;
            const JumpStop west = jump_backward<kAbove, kBelow>(rows, x);
            const JumpStop back = walk(grid, x, y, -1, kAbove, kBelow);
            ASSERT_EQ(west.x, back.x) << "from " << x << ", " << y;
            ASSERT_EQ(west.sides, back.sides) << "from " << x << ", " << y;
            ASSERT_EQ(west.jump_point(), !grid.test(west.x, y));
        }
    }
}

TEST(JumpScanTest, AgreesWithSteppingOnAllSides) {
    std::mt19937 random(1);
    for (const int width : test::kEdgeSides) {
        for (const unsigned percent : {0U, 1U, 5U, 30U, 70U, 100U}) {
            const BitGrid grid = test::random_bits(random, width, 5, percent);
            ASSERT_NO_FATAL_FAILURE((expect_scans_walk<true, true>(grid)));
            ASSERT_NO_FATAL_FAILURE((expect_scans_walk<true, false>(grid)));
            ASSERT_NO_FATAL_FAILURE((expect_scans_walk<false, true>(grid)));
            ASSERT_NO_FATAL_FAILURE((expect_scans_walk<false, false>(grid)));
        }
    }
}

// The corner and the cell that turns round it in different words.
TEST(JumpScanTest, CornersAtEveryPositionOfAWord) {
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

// Diagonals from every cell, their scans against those made afresh.
template <int kAlong, int kAcross>
void expect_sweeps_scan(const BitGrid& grid) {
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
                const JumpStop fresh = kAlong > 0 ? jump_forward(rows, i) : jump_backward(rows, i);
                ASSERT_EQ(sweep.stop(i, j).x, fresh.x) << i << ", " << j;
                ASSERT_EQ(sweep.stop(i, j).sides, fresh.sides) << i << ", " << j;
            }
        }
    }
}

TEST(JumpSweepTest, AgreesWithScansMadeAfresh) {
    std::mt19937 random(2);
    for (const int width : {1, 3, 63, 64, 65, 130, 200}) {
        for (const unsigned percent : {0U, 3U, 30U}) {
            const BitGrid grid = test::random_bits(random, width, 40, percent);
            ASSERT_NO_FATAL_FAILURE((expect_sweeps_scan<1, 1>(grid)));
            ASSERT_NO_FATAL_FAILURE((expect_sweeps_scan<1, -1>(grid)));
            ASSERT_NO_FATAL_FAILURE((expect_sweeps_scan<-1, 1>(grid)));
            ASSERT_NO_FATAL_FAILURE((expect_sweeps_scan<-1, -1>(grid)));
        }
    }
}

}  // namespace
}  // namespace cairn::grid
