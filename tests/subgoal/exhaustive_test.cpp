// Subgoal graphs on every small grid: every pair of cells, every engine, every variant of options.

#include <gtest/gtest.h>

#include "subgoal/verify.hpp"
#include "support/scale.hpp"

namespace cairn::subgoal::test {
namespace {

using cairn::test::small_map;
using grid::Map;

// Indexes of `count` variants of the options. The next `number` takes the next variants.
std::vector<Index> some_variants(const Map& map, std::uint64_t number, int count) {
    std::vector<Index> indexes;
    const std::uint64_t first = number * static_cast<std::uint64_t>(count);
    for (int i = 0; i < count; ++i) {
        const std::uint64_t chosen = (first + static_cast<std::uint64_t>(i)) % kVariants;
        indexes.push_back(build(map, variant(static_cast<int>(chosen))));
    }
    return indexes;
}

// Checks a share of all grids of a size, `share` times CAIRN_TEST_SCALE, each by `variants`
// indexes.
void check_grids(int width, int height, double share, int variants) {
    const std::uint64_t grids = std::uint64_t{1} << (width * height);
    const std::uint64_t stride = cairn::test::stride(share);
    for (std::uint64_t i = 0; i < grids; i += stride) {
        const Map map = small_map(width, height, mixed_grid(i, width * height));
        ASSERT_EQ(fault_of_all_pairs(some_variants(map, i / stride, variants)), "");
    }
}

TEST(SubgoalExhaustive, GridsOfFourByFourHaveNoFault) { check_grids(4, 4, 1, 1); }
TEST(SubgoalExhaustive, GridsOfEightByTwoHaveNoFault) { check_grids(8, 2, 0.1, 1); }
TEST(SubgoalExhaustive, GridsOfFiveByThreeHaveNoFault) { check_grids(5, 3, 0.5, 1); }
TEST(SubgoalExhaustive, GridsOfThreeBySixHaveNoFault) { check_grids(3, 6, 0.04, 1); }
TEST(SubgoalExhaustive, GridsOfThreeByThreeHaveNoFaultInAnyVariant) {
    check_grids(3, 3, 1, kVariants);
}

// Rows and columns of about 64 cells, whose bits end before, at and behind the end of a 64-bit
// word.
TEST(SubgoalExhaustive, GridsAcrossWordsHaveNoFault) {
    RandomMaps random(63);
    for (auto round = cairn::test::scaled(3); round > 0; --round) {
        for (int length = 61; length <= 66; ++length) {
            const bool wide = random.chance(50);
            const int breadth = random.number(2, 4);
            const RandomMaps::Size size = strip(wide, length, breadth);
            const Map map = random.noise(size, random.number(5, 45));
            const std::uint64_t number = round * 8 + length % 8U;
            ASSERT_EQ(fault_of_all_pairs(some_variants(map, number, 1)), "");
        }
    }
}

}  // namespace
}  // namespace cairn::subgoal::test
