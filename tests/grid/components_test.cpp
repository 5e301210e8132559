// The connected components of a map agree with a flood fill.

#include "cairn/grid/components.hpp"

#include <gtest/gtest.h>

#include <random>

#include "grid/scenes.hpp"
#include "support/scale.hpp"

namespace cairn::grid {
namespace {

// The component of each cell by a flood fill over Map::moves, numbered by the first cell of each
// component as Components promises.
std::vector<std::uint32_t> flood_fill(const Map& map) {
    std::vector<std::uint32_t> label(map.size(), kNoComponent);
    std::uint32_t next = 0;
    for (Cell first = 0; first < map.size(); ++first) {
        if (!map.passable(first) || label[first] != kNoComponent) continue;
        std::vector<Cell> open{first};
        label[first] = next;
        while (!open.empty()) {
            const Cell c = open.back();
            open.pop_back();
            for (int d = 0; d < kDirections; ++d) {
                if ((map.moves(c) >> d & 1) == 0 || label[map.step(c, d)] != kNoComponent) continue;
                label[map.step(c, d)] = next;
                open.push_back(map.step(c, d));
            }
        }
        ++next;
    }
    return label;
}

TEST(ComponentsTest, AgreeWithAFloodFill) {
    std::mt19937 random(7);
    for (std::uint64_t round = 0; round < cairn::test::scaled(1000); ++round) {
        const int width = 1 + static_cast<int>(random() % 40);
        const int height = 1 + static_cast<int>(random() % 40);
        const Map map = test::random_map(random, width, height, test::kAllRules[round % 4],
                                         static_cast<unsigned>(random() % 101));
        const Components components = Components::build(map).value();
        const std::vector<std::uint32_t> expected = flood_fill(map);
        std::vector<std::size_t> sizes;
        for (Cell c = 0; c < map.size(); ++c) {
            ASSERT_EQ(components.of(c), expected[c]) << "cell " << c;
            if (expected[c] == kNoComponent) continue;
            sizes.resize(std::max<std::size_t>(sizes.size(), expected[c] + 1));
            ++sizes[expected[c]];
        }
        ASSERT_EQ(components.count(), sizes.size());
        for (std::uint32_t i = 0; i < sizes.size(); ++i) {
            ASSERT_EQ(components.size(i), sizes[i]);
            ASSERT_LE(sizes[i], components.size(components.largest()));
        }
    }
}

TEST(ComponentsTest, CornersConnectOnlyWhereTheyMayBeCut) {
    for (const MoveRules rules : test::kAllRules) {
        const Components components = Components::build(test::scene({".@", "@."}, rules)).value();
        const bool may_cut = rules.corner == CornerRule::free;
        EXPECT_EQ(components.connected(0, 3), may_cut);
        EXPECT_EQ(components.count(), may_cut ? 1U : 2U);
        EXPECT_FALSE(components.connected(1, 2)) << "blocked cells are connected to nothing";
        EXPECT_FALSE(components.connected(0, 1));
    }
}

TEST(ComponentsTest, OfEqualSizesTheLowestNumberIsTheLargest) {
    EXPECT_EQ(Components::build(test::scene({".@..@.."})).value().largest(), 1U);
    EXPECT_EQ(Components::build(test::scene({"@@"})).value().largest(), kNoComponent);
    EXPECT_EQ(Components().largest(), kNoComponent);
}

}  // namespace
}  // namespace cairn::grid
