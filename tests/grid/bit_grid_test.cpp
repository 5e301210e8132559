// BitGrid agrees with a scan bit by bit, at widths around word borders.

#include "grid/bit_grid.hpp"

#include <gtest/gtest.h>

#include <random>

#include "grid/bits.hpp"

namespace cairn::grid {
namespace {

using test::kEdgeSides;

TEST(BitGridTest, NewGridIsClearWithinItsRim) {
    for (const int width : kEdgeSides) {
        for (const int height : {1, 2, 14, 15, 16, 17, 40}) {
            const BitGrid grid(width, height);
            ASSERT_EQ(grid.width(), width);
            ASSERT_EQ(grid.height(), height);
            for (int y = -1; y <= height; ++y) {
                for (int x = -1; x <= width; ++x) {
                    const bool rim = x < 0 || y < 0 || x == width || y == height;
                    ASSERT_EQ(grid.test(x, y), rim) << x << ' ' << y;
                }
            }
        }
    }
}

TEST(BitGridTest, NextAndPreviousAgreeWithStepping) {
    std::mt19937 random(1);
    for (const int width : kEdgeSides) {
        for (const unsigned percent : {0U, 1U, 20U, 90U}) {
            const BitGrid grid = test::random_bits(random, width, 3, percent);
            for (int y = -1; y <= grid.height(); ++y) {
                for (int x = -1; x < width; ++x) {
                    int expected = x + 1;
                    while (!grid.test(expected, y)) ++expected;
                    ASSERT_EQ(BitGrid::next(grid.row(y), x), expected);
                }
                for (int x = 0; x <= width; ++x) {
                    int expected = x - 1;
                    while (!grid.test(expected, y)) --expected;
                    ASSERT_EQ(BitGrid::previous(grid.row(y), x), expected);
                }
            }
        }
    }
}

TEST(BitGridTest, TransposedSwapsXAndY) {
    std::mt19937 random(2);
    for (const int width : kEdgeSides) {
        for (const int height : kEdgeSides) {
            const BitGrid grid = test::random_bits(random, width, height, 40);
            const BitGrid swapped = grid.transposed();
            ASSERT_EQ(swapped.width(), height);
            ASSERT_EQ(swapped.height(), width);
            for (int y = -1; y <= height; ++y) {
                for (int x = -1; x <= width; ++x) ASSERT_EQ(grid.test(x, y), swapped.test(y, x));
            }
            ASSERT_EQ(swapped.transposed(), grid);
        }
    }
}

TEST(BitGridTest, EditorLeavesTheOriginalAlone) {
    std::mt19937 random(3);
    for (const int width : kEdgeSides) {
        const BitGrid original = test::random_bits(random, width, 40, 30);
        const BitGrid before = original.transposed().transposed();  // a copy that shares no page
        BitGrid::Editor editor(original);
        std::vector<std::vector<bool>> expected(40, std::vector<bool>(std::size_t(width)));
        for (int y = 0; y < 40; ++y) {
            for (int x = 0; x < width; ++x) expected[y][x] = original.test(x, y);
        }
        for (int i = 0; i < 20; ++i) {  // all edits lie in rows 3 to 22
            const int x = static_cast<int>(random() % static_cast<unsigned>(width));
            const int y = 3 + static_cast<int>(random() % 20);
            editor.set(x, y, i % 2 == 0);
            expected[y][x] = i % 2 == 0;
        }
        const BitGrid edited = editor.take();
        for (int y = 0; y < 40; ++y) {
            for (int x = 0; x < width; ++x) ASSERT_EQ(edited.test(x, y), expected[y][x]);
        }
        EXPECT_EQ(original, before);
        EXPECT_EQ(edited.row(35), original.row(35)) << "an untouched page is shared";
        EXPECT_NE(edited.row(5), original.row(5));
    }
}

TEST(BitGridTest, FillSetsExactlyTheRange) {
    for (const int width : kEdgeSides) {
        for (int x = 0; x < width; x += 1 + width / 9) {
            for (int count = 1; x + count <= width; count += 1 + width / 11) {
                for (const bool value : {false, true}) {
                    BitGrid::Editor editor(BitGrid(width, 1));
                    editor.fill(0, 0, width, !value);
                    editor.fill(x, 0, count, value);
                    const BitGrid grid = editor.take();
                    for (int i = 0; i < width; ++i) {
                        ASSERT_EQ(grid.test(i, 0), (i >= x && i < x + count) == value);
                    }
                    ASSERT_TRUE(grid.test(-1, 0) && grid.test(width, 0));
                }
            }
        }
    }
}

TEST(BitGridTest, EqualityComparesSidesAndBits) {
    const BitGrid clear(70, 20);
    BitGrid::Editor editor(clear);
    editor.set(69, 19, true);
    const BitGrid one_bit = editor.take();
    EXPECT_EQ(clear, BitGrid(70, 20));
    EXPECT_FALSE(clear == one_bit);
    EXPECT_FALSE(clear == BitGrid(70, 21));
    BitGrid::Editor undo(one_bit);
    undo.set(69, 19, false);
    EXPECT_EQ(undo.take(), clear);
}

}  // namespace
}  // namespace cairn::grid
