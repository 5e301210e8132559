// The hash table and the open list of jump point search agree with those of the standard library.

#include "grid/jump_nodes.hpp"

#include <gtest/gtest.h>

#include <map>
#include <queue>
#include <random>

#include "grid/open_radix.hpp"

namespace cairn::grid {
namespace {

TEST(JumpNodesTest, NumbersPointsInTheOrderInWhichTheyAreAdded) {
    std::mt19937 random(1);
    JumpNodes nodes;
    for (int round = 0; round < 20; ++round) {
        nodes.begin();
        std::map<std::pair<int, int>, std::uint32_t> expected;
        for (int i = 0; i < 1 << (round % 13); ++i) {
            // Few values of x, so that some points come twice.
            const Point p{static_cast<int>(random() % 40) * 800,
                          static_cast<int>(random() % (1U << 15))};
            const auto next = static_cast<std::uint32_t>(expected.size());
            const auto [known, is_new] = expected.try_emplace({p.x, p.y}, next);
            const std::uint32_t node = nodes.at(p);
            ASSERT_EQ(node, known->second);
            ASSERT_EQ(nodes[node].point(), p);
            ASSERT_EQ(nodes[node].g, is_new ? kInfinity : Cost{7});
            nodes[node].g = 7;
        }
    }
}

TEST(OpenRadixTest, PopsTheLeastFFirst) {
    std::mt19937 random(2);
    OpenRadix open;
    std::uint32_t node = 0;
    for (int round = 0; round < 50; ++round) {
        std::priority_queue<Cost, std::vector<Cost>, std::greater<>> expected;
        const Cost first = round % 2 == 0 ? 0 : static_cast<Cost>(random() % kInfinity);
        const Cost spread = Cost{1} << (round % 24);
        std::vector<Cost> f_of;
        open.reset(first);
        Cost least = first;
        const auto push = [&](Cost f) {
            open.push(static_cast<std::uint32_t>(f_of.size()), f);
            f_of.push_back(f);
            expected.push(f);
        };
        push(first);
        for (int i = 0; i < 2000 && !expected.empty(); ++i) {
            ASSERT_EQ(open.size(), expected.size());
            ASSERT_TRUE(open.pop(node));
            least = expected.top();
            expected.pop();
            ASSERT_EQ(f_of[node], least);
            for (auto n = random() % 3; n > 0; --n) {
                push(least + static_cast<Cost>(random() % spread));
            }
        }
        if (!expected.empty()) continue;  // the reset of the next round clears the other entries
        ASSERT_FALSE(open.pop(node));
    }
}

TEST(OpenRadixTest, OfEqualCostsTheLastPushedComesFirst) {
    OpenRadix open;
    open.reset(5);
    for (std::uint32_t node = 0; node < 3; ++node) open.push(node, 5);
    std::uint32_t node = 9;
    for (const std::uint32_t expected : {2U, 1U, 0U}) {
        ASSERT_TRUE(open.pop(node));
        EXPECT_EQ(node, expected);
    }
    EXPECT_FALSE(open.pop(node));
}

}  // namespace
}  // namespace cairn::grid
