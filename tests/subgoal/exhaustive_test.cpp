// Every small grid, every pair of cells, every engine, every option.

#include <gtest/gtest.h>

#include "subgoal/verify.hpp"
#include "support/scale.hpp"

namespace cairn::subgoal::test {
namespace {

using cairn::test::small_map;
using grid::Map;

// Indexes of `count` variants of the options, other ones for each `number`.
std::vector<Index> some_variants(const Map& map, std::uint64_t number, int count) {
    std::vector<Index> indexes;
    for (int i = 0; i < count; ++i) {
        const auto v =
            (number * static_cast<std::uint64_t>(count) + static_cast<unsigned>(i)) % kVariants;
        indexes.push_back(build(map, variant(static_cast<int>(v))));
    }
    return indexes;
}

// A share of all grids of a size, larger by CAIRN_TEST_SCALE, up to all.
void check_grids(int width, int height, double share, int variants) {
    const std::uint64_t grids = std::uint64_t{1} << (width * height);
    const std::uint64_t stride = cairn::test::stride(share);
    for (std::uint64_t i = 0; i < grids; i += stride) {
        // A stride through all grids in an order that mixes dense and sparse ones.
        const std::uint64_t free = i * 0x9E37'79B1ULL % grids;
        const Map map = small_map(width, height, free);
        ASSERT_EQ(fault_of_all_pairs(some_variants(map, i / stride, variants)), "");
    }
}

TEST(SubgoalExhaustive, FourByFour) { check_grids(4, 4, 1, 1); }
TEST(SubgoalExhaustive, EightByTwo) { check_grids(8, 2, 0.1, 1); }
TEST(SubgoalExhaustive, FiveByThree) { check_grids(5, 3, 0.5, 1); }
TEST(SubgoalExhaustive, ThreeBySix) { check_grids(3, 6, 0.04, 1); }
TEST(SubgoalExhaustive, ThreeByThreeWithEveryOption) { check_grids(3, 3, 1, kVariants); }

// Rows that end just before, at and just behind the border of a word of 64 bits, the rim included.
TEST(SubgoalExhaustive, AcrossTheBordersOfWords) {
    RandomMaps random(63);
    for (auto round = cairn::test::scaled(3); round > 0; --round) {
        for (int length = 61; length <= 66; ++length) {
            const bool wide = random.chance(50);
            const int other = random.number(2, 4);
            const RandomMaps::Size size{wide ? length : other, wide ? other : length};
            const Map map = random.noise(size, random.number(5, 45));
            ASSERT_EQ(fault_of_all_pairs(some_variants(map, round * 8 + length % 8U, 1)), "");
        }
    }
}

}  // namespace
}  // namespace cairn::subgoal::test
