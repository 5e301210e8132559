// Weak dominance on single borders ("Compacting the abstract graph").

#include "haa/transitions.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <random>
#include <utility>
#include <vector>

#include "cairn/grid/components.hpp"
#include "haa/random_agents.hpp"
#include "hpa/partition.hpp"
#include "support/scale.hpp"

namespace cairn::haa {
namespace {

using test::RandomAgents;

struct Border {
    Tiles transitions = 0;
    int length = 0;
    int reach = 64;
    std::vector<std::vector<std::uint8_t>> sets;
    std::vector<BorderClass> classes;
};

Border random_border(std::mt19937_64& random) {
    Border border;
    border.length = 1 + static_cast<int>(random() % 10);
    if (random() % 2 == 0) border.reach = static_cast<int>(random() % 5);
    border.sets.resize(2 * (1 + random() % 4));
    for (auto& sets : border.sets) {
        for (int i = 0; i < border.length; ++i) {
            sets.push_back(static_cast<std::uint8_t>(1 + random() % 2));
        }
    }
    for (std::size_t k = 0; k < border.sets.size(); k += 2) {
        border.classes.push_back(
            {random() & tiles(0, border.length), border.sets[k], border.sets[k + 1]});
        border.transitions |= border.classes.back().crossable & random();
    }
    return border;
}

Tiles left_of(const Border& border) {
    return weakly_undominated(border.transitions, border.length, border.reach, border.classes);
}

bool replaces(const Border& border, int tile, int other) {
    if (std::abs(tile - other) > border.reach) return false;
    for (const BorderClass& c : border.classes) {
        if ((c.crossable >> tile & 1) == 0) continue;
        const auto a = static_cast<std::size_t>(tile);
        const auto b = static_cast<std::size_t>(other);
        if ((c.crossable >> other & 1) == 0 || c.near[a] != c.near[b] || c.far[a] != c.far[b]) {
            return false;
        }
    }
    return true;
}

bool some_replaces(const Border& border, int tile, Tiles others) {
    for (int other = 0; other < border.length; ++other) {
        if (other != tile && (others >> other & 1) != 0 && replaces(border, tile, other)) {
            return true;
        }
    }
    return false;
}

// Each that goes is replaced by one that stays (two must not justify each other's removal), and no
// other could go as well.
TEST(WeakDominance, WhatIsLeftReplacesWhatIsNot) {
    std::mt19937_64 random(31);
    for (std::uint64_t round = 0; round < cairn::test::scaled(20'000); ++round) {
        const Border border = random_border(random);
        const Tiles kept = left_of(border);
        ASSERT_EQ(kept & ~border.transitions, 0U);
        const auto all_replaced = [&](Tiles left) {
            for (int tile = 0; tile < border.length; ++tile) {
                if ((border.transitions & ~left) >> tile & 1) {
                    if (!some_replaces(border, tile, left)) return false;
                }
            }
            return true;
        };
        ASSERT_TRUE(all_replaced(kept)) << "round " << round;
        for (int tile = 0; tile < border.length; ++tile) {
            if ((kept >> tile & 1) == 0) continue;
            ASSERT_FALSE(all_replaced(kept & ~(Tiles{1} << tile))) << "round " << round;
        }
    }
}

TEST(WeakDominance, DoesNotDependOnTheOrderOfClassesOrTheSide) {
    std::mt19937_64 random(32);
    for (std::uint64_t round = 0; round < cairn::test::scaled(2'000); ++round) {
        Border border = random_border(random);
        const Tiles kept = left_of(border);
        std::shuffle(border.classes.begin(), border.classes.end(), random);
        for (BorderClass& c : border.classes) std::swap(c.near, c.far);
        ASSERT_EQ(left_of(border), kept);
    }
}

TEST(WeakDominance, OfEqualsTheOneInTheMiddleStays) {
    const std::vector<std::uint8_t> connected(64, 1);
    const std::vector<BorderClass> one_class{{~Tiles{0}, connected, connected}};
    const auto left = [&](Tiles transitions, int length, int reach) {
        return weakly_undominated(transitions, length, reach, one_class);
    };
    EXPECT_EQ(left(0b11111, 5, 64), Tiles{0b00100});
    EXPECT_EQ(left(0b111111, 6, 64), Tiles{0b000100});
    EXPECT_EQ(left(~Tiles{0}, 64, 64), Tiles{1} << 31);
    EXPECT_EQ(left(0b10001, 5, 64), Tiles{0b00001});
    EXPECT_EQ(left(0b10001, 5, 3), Tiles{0b10001});
    EXPECT_EQ(left(0b11111, 5, 1), Tiles{0b01010});
    EXPECT_EQ(left(0b111111111, 9, 3), Tiles{0b000101000});
    EXPECT_EQ(left(0, 5, 64), 0U);
}

// Sets of border tiles are the components of the class map's part inside the cluster.
TEST(WeakDominance, BorderSetsAreWhatTheInsideConnects) {
    RandomAgents random(33);
    for (std::uint64_t round = 0; round < cairn::test::scaled(200); ++round) {
        AnnotatedMap map = random.map(40, 3);
        const hpa::Partition partition(map.width(), map.height(), random.number(2, 20), 2, 1);
        const auto id = static_cast<std::uint32_t>(
            random.number(0, static_cast<int>(partition.clusters(1)) - 1));
        const grid::Rect rect = partition.rect(1, id);
        for (std::uint32_t k = 0; k < map.classes(); ++k) {
            std::vector<std::uint8_t> weights;
            for (int y = rect.y; y < rect.y + rect.height; ++y) {
                for (int x = rect.x; x < rect.x + rect.width; ++x) {
                    weights.push_back(map.weight(map.agent(k), map.cell({x, y})));
                }
            }
            const auto part = grid::Map::create(rect.width, rect.height, weights,
                                                {map.options().rules, map.options().costs,
                                                 grid::TerrainWeights::literal()})
                                  .value();
            const grid::Components components = grid::Components::build(part);
            BorderSets sets;
            sets.read(map, map.agent(k), rect);
            std::vector<std::pair<int, std::uint32_t>> tiles_seen;
            const auto see = [&](int outward, int tile, grid::Point p) {
                const int set = sets.facing(outward)[static_cast<std::size_t>(tile)];
                ASSERT_EQ(set != 0, part.passable(part.cell(p)));
                const std::uint32_t component = components.of(part.cell(p));
                for (const auto& [s, c] : tiles_seen) {
                    ASSERT_TRUE(set == 0 || (s == set) == (c == component));
                }
                if (set != 0) tiles_seen.emplace_back(set, component);
            };
            for (int x = 0; x < rect.width; ++x) {
                see(grid::kNorth, x, {x, 0});
                see(grid::kSouth, x, {x, rect.height - 1});
            }
            for (int y = 0; y < rect.height; ++y) {
                see(grid::kWest, y, {0, y});
                see(grid::kEast, y, {rect.width - 1, y});
            }
        }
    }
}

}  // namespace
}  // namespace cairn::haa
