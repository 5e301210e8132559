// Weak dominance on single borders (HAA*, Harabor and Botea 2008, "Compacting the abstract graph"):
// a transition is left out if a kept one can replace it for every class.

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
    Tiles transitions = 0;  // of all classes
    int length = 0;         // in tiles
    int reach = 64;
    std::vector<std::vector<std::uint8_t>> sets;  // near and far of each class, by tile
    std::vector<BorderClass> classes;
};

Border random_border(std::mt19937_64& random) {
    Border border;
    border.length = 1 + static_cast<int>(random() % 10);
    if (random() % 2 == 0) border.reach = static_cast<int>(random() % 5);
    border.sets.resize(2 * (1 + random() % 4));
    for (auto& side_sets : border.sets) {
        for (int i = 0; i < border.length; ++i) {
            side_sets.push_back(static_cast<std::uint8_t>(1 + random() % 2));
        }
    }
    for (std::size_t k = 0; k < border.sets.size(); k += 2) {
        const Tiles crossable = random() & tiles(0, border.length);
        border.classes.push_back(
            {crossable, crossable & random(), border.sets[k], border.sets[k + 1]});
        border.transitions |= border.classes.back().used;
    }
    return border;
}

// The classes of a border without its weakly dominated transitions.
std::vector<BorderClass> compacted(const Border& border) {
    std::vector<BorderClass> classes = border.classes;
    remove_weakly_dominated(border.length, border.reach, classes);
    return classes;
}

// The transitions that are kept.
Tiles kept_of(const Border& border) {
    Tiles kept = 0;
    for (const BorderClass& c : compacted(border)) kept |= c.used;
    return kept;
}

// Whether a class can cross `other` and reach it from `tile` on both sides.
bool replaceable_for(const BorderClass& c, int tile, int other) {
    const auto a = static_cast<std::size_t>(tile);
    const auto b = static_cast<std::size_t>(other);
    return (c.crossable >> other & 1) != 0 && c.near[a] == c.near[b] && c.far[a] == c.far[b];
}

// Whether `other` can replace `tile` for every class that uses `tile`.
bool replaceable_by(const Border& border, int tile, int other) {
    if (std::abs(tile - other) > border.reach) return false;
    return std::all_of(border.classes.begin(), border.classes.end(), [&](const BorderClass& c) {
        return (c.used >> tile & 1) == 0 || replaceable_for(c, tile, other);
    });
}

bool replaceable_by_any(const Border& border, int tile, Tiles others) {
    for (int other = 0; other < border.length; ++other) {
        if (other != tile && (others >> other & 1) != 0 && replaceable_by(border, tile, other)) {
            return true;
        }
    }
    return false;
}

// Every transition that is left out has a kept one that replaces it, so two of them never replace
// each other. No further transition could be left out.
TEST(WeakDominance, KeptTransitionsReplaceThoseLeftOut) {
    std::mt19937_64 random(31);
    for (std::uint64_t round = 0; round < cairn::test::scaled(20'000); ++round) {
        const Border border = random_border(random);
        const Tiles kept = kept_of(border);
        ASSERT_EQ(kept & ~border.transitions, 0U);
        const auto can_keep_only = [&](Tiles remaining) {
            for (int tile = 0; tile < border.length; ++tile) {
                if ((border.transitions & ~remaining) >> tile & 1) {
                    if (!replaceable_by_any(border, tile, remaining)) return false;
                }
            }
            return true;
        };
        ASSERT_TRUE(can_keep_only(kept)) << "round " << round;
        for (int tile = 0; tile < border.length; ++tile) {
            if ((kept >> tile & 1) == 0) continue;
            ASSERT_FALSE(can_keep_only(kept & ~(Tiles{1} << tile))) << "round " << round;
        }
    }
}

// Each class uses its kept transitions, and for each other one the nearest that replaces it.
TEST(WeakDominance, AClassUsesTheNearestReplacement) {
    std::mt19937_64 random(34);
    for (std::uint64_t round = 0; round < cairn::test::scaled(5'000); ++round) {
        const Border border = random_border(random);
        const Tiles kept = kept_of(border);
        const std::vector<BorderClass> after = compacted(border);
        for (std::size_t k = 0; k < after.size(); ++k) {
            const BorderClass& c = border.classes[k];
            ASSERT_EQ(after[k].crossable, c.crossable);
            Tiles expected = c.used & kept;
            for (int tile = 0; tile < border.length; ++tile) {
                if ((c.used & ~kept) >> tile & 1) {
                    int nearest = 1000;
                    for (int other = 0; other < border.length; ++other) {
                        if ((kept >> other & 1) == 0 || !replaceable_for(c, tile, other)) continue;
                        if (std::abs(other - tile) < std::abs(nearest - tile)) nearest = other;
                    }
                    ASSERT_LE(std::abs(nearest - tile), border.reach);
                    expected |= Tiles{1} << nearest;
                }
            }
            ASSERT_EQ(after[k].used, expected) << "round " << round << " class " << k;
        }
    }
}

TEST(WeakDominance, DoesNotDependOnTheOrderOfClassesOrTheSide) {
    std::mt19937_64 random(32);
    for (std::uint64_t round = 0; round < cairn::test::scaled(2'000); ++round) {
        Border border = random_border(random);
        const Tiles kept = kept_of(border);
        std::shuffle(border.classes.begin(), border.classes.end(), random);
        for (BorderClass& c : border.classes) std::swap(c.near, c.far);
        ASSERT_EQ(kept_of(border), kept);
    }
}

TEST(WeakDominance, OfTransitionsThatReplaceEachOtherTheMiddleOneIsKept) {
    const std::vector<std::uint8_t> connected(64, 1);
    const auto kept = [&](Tiles transitions, int length, int reach) {
        return kept_of(
            {transitions, length, reach, {}, {{~Tiles{0}, transitions, connected, connected}}});
    };
    EXPECT_EQ(kept(0b11111, 5, 64), Tiles{0b00100});
    EXPECT_EQ(kept(0b111111, 6, 64), Tiles{0b000100});
    EXPECT_EQ(kept(~Tiles{0}, 64, 64), Tiles{1} << 31);
    EXPECT_EQ(kept(0b10001, 5, 64), Tiles{0b00001});
    EXPECT_EQ(kept(0b10001, 5, 3), Tiles{0b10001});
    EXPECT_EQ(kept(0b11111, 5, 1), Tiles{0b01010});
    EXPECT_EQ(kept(0b111111111, 9, 3), Tiles{0b000101000});
    EXPECT_EQ(kept(0, 5, 64), 0U);
}

// Two border tiles are in one set exactly if the class map inside the cluster connects them.
TEST(WeakDominance, BorderSetsAreTheComponentsInsideTheCluster) {
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
            const grid::Components components = grid::Components::build(part).value();
            BorderSets sets;
            sets.read(map, map.agent(k), rect);
            std::vector<std::pair<int, std::uint32_t>> set_and_component;  // of the tiles so far
            // Compares the set of a border tile, at point p of the part, with the tiles so far.
            const auto check_tile = [&](int outward, int tile, grid::Point p) {
                const int set = sets.facing(outward)[static_cast<std::size_t>(tile)];
                ASSERT_EQ(set != 0, part.passable(part.cell(p)));
                const std::uint32_t component = components.of(part.cell(p));
                for (const auto& [s, c] : set_and_component) {
                    ASSERT_TRUE(set == 0 || (s == set) == (c == component));
                }
                if (set != 0) set_and_component.emplace_back(set, component);
            };
            for (int x = 0; x < rect.width; ++x) {
                check_tile(grid::kNorth, x, {x, 0});
                check_tile(grid::kSouth, x, {x, rect.height - 1});
            }
            for (int y = 0; y < rect.height; ++y) {
                check_tile(grid::kWest, y, {0, y});
                check_tile(grid::kEast, y, {rect.width - 1, y});
            }
        }
    }
}

}  // namespace
}  // namespace cairn::haa
