// A* finds least-cost paths: it agrees with Dijkstra on all small maps and on random ones.

#include "cairn/grid/astar.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <random>

#include "cairn/grid/dijkstra.hpp"
#include "grid/scenes.hpp"
#include "support/ascii_map.hpp"
#include "support/scale.hpp"

namespace cairn::grid {
namespace {

constexpr OpenList kOpenLists[] = {OpenList::heap, OpenList::buckets};
constexpr CornerRule kCorners[] = {CornerRule::strict, CornerRule::both_blocked, CornerRule::free};
constexpr Neighbourhood kNeighbourhoods[] = {Neighbourhood::eight, Neighbourhood::four};

// Searches from `start` to `goal`. True if status, cost and path agree with Dijkstra's distance
// `expected`.
bool agrees(Astar& astar, const Map& map, Cell start, Cell goal, Cost expected, OpenList open,
            Path& path) {
    const StatusCode status =
        astar.find_path(map, map.point(start), map.point(goal), path, {open, false});
    if (status != path.status || path.cost != expected) return false;
    if (!map.passable(start)) return status == StatusCode::start_blocked;
    if (!map.passable(goal)) return status == StatusCode::goal_blocked;
    if (expected == kInfinity) return status == StatusCode::no_path && path.cells.empty();
    return status == StatusCode::ok && path.cells.front() == start && path.cells.back() == goal &&
           path_cost(map, path.cells) == expected;
}

void expect_exact_from(const Map& map, Cell start) {
    static Astar astar;
    static Path path;
    const std::vector<Cost> expected = dijkstra_distances(map, map.point(start)).value();
    for (const OpenList open : kOpenLists) {
        for (Cell goal = 0; goal < map.size(); ++goal) {
            ASSERT_TRUE(agrees(astar, map, start, goal, expected[goal], open, path))
                << (open == OpenList::heap ? "heap" : "buckets") << " from " << start << " to "
                << goal << ": " << name(path.status) << ", cost " << path.cost << ", expected "
                << expected[goal] << '\n'
                << cairn::test::draw(map, path.cells);
        }
    }
}

TEST(AstarTest, IsExactOnEveryThreeByThreeMapUnderEveryRule) {
    for (const Neighbourhood neighbourhood : kNeighbourhoods) {
        for (const CornerRule corner : kCorners) {
            for (std::uint32_t bits = 0; bits < 1U << 9; ++bits) {
                const Map map = test::bit_map(3, 3, bits, {neighbourhood, corner});
                for (Cell start = 0; start < 9; ++start) {
                    ASSERT_NO_FATAL_FAILURE(expect_exact_from(map, start));
                }
            }
        }
    }
}

// From one random start in each map at scale 1, from all 16 starts at scale 16.
TEST(AstarTest, IsExactOnEveryFourByFourMapUnderTheStrictRule) {
    std::mt19937 random(11);
    const std::uint64_t starts = cairn::test::scaled(1);
    for (std::uint32_t bits = 0; bits < 1U << 16; ++bits) {
        const Map map = test::bit_map(4, 4, bits);
        for (std::uint64_t i = 0; i < std::min<std::uint64_t>(starts, 16); ++i) {
            const auto start = static_cast<Cell>((random() % 16 + i) % 16);
            ASSERT_NO_FATAL_FAILURE(expect_exact_from(map, start));
        }
    }
}

// Large enough for equally long detours. The pruning of moves must keep one of them.
TEST(AstarTest, IsExactOnRandomMapsOfAllDensities) {
    std::mt19937 random(12);
    for (std::uint64_t round = 0; round < cairn::test::scaled(4000); ++round) {
        const int width = 5 + static_cast<int>(random() % 9);
        const int height = 5 + static_cast<int>(random() % 9);
        const MoveRules rules = round % 2 == 0 ? MoveRules{} : test::kAllRules[round / 2 % 4];
        const Map map =
            test::random_map(random, width, height, rules, static_cast<unsigned>(5 + random() % 45),
                             round % 8 == 7 ? 9 : 1);
        const auto start = static_cast<Cell>(random() % map.size());
        ASSERT_NO_FATAL_FAILURE(expect_exact_from(map, start));
    }
}

RC_GTEST_PROP(AstarProperty, IsExactOnWeightedMapsUnderAnyCostModel, ()) {
    const int width = *rc::gen::inRange(1, 14);
    const int height = *rc::gen::inRange(1, 14);
    MapOptions options;
    options.rules = {
        *rc::gen::elementOf(std::vector(std::begin(kNeighbourhoods), std::end(kNeighbourhoods))),
        *rc::gen::elementOf(std::vector(std::begin(kCorners), std::end(kCorners)))};
    options.costs.straight = *rc::gen::inRange(1U, 1000U);
    options.costs.diagonal =
        *rc::gen::inRange(options.costs.straight, 2 * options.costs.straight + 1);
    options.weights = TerrainWeights::literal();
    const auto heaviest = *rc::gen::elementOf(std::vector<std::uint8_t>{1, 2, 9, 255});
    const auto terrain = *rc::gen::container<std::vector<std::uint8_t>>(
        static_cast<std::size_t>(width * height),
        rc::gen::map(rc::gen::arbitrary<std::uint8_t>(), [=](std::uint8_t t) {
            return static_cast<std::uint8_t>(t % 3 == 0 ? 0 : 1 + t % heaviest);
        }));
    const Map map = Map::create(width, height, terrain, options).value();
    const auto start = static_cast<Cell>(*rc::gen::inRange<std::size_t>(0, map.size()));
    const std::vector<Cost> expected = dijkstra_distances(map, map.point(start)).value();
    Astar astar;
    Path path;
    for (const OpenList open : kOpenLists) {
        for (Cell goal = 0; goal < map.size(); ++goal) {
            RC_ASSERT(agrees(astar, map, start, goal, expected[goal], open, path));
        }
    }
}

// Rotated and mirrored maps give the same costs.
TEST(AstarTest, SymmetricMapsGiveEqualCosts) {
    std::mt19937 random(13);
    Astar astar;
    Path path;
    for (std::uint64_t round = 0; round < cairn::test::scaled(100); ++round) {
        const int side = 8 + static_cast<int>(random() % 20);
        const unsigned heaviest = round % 2 == 0 ? 1 : 5;
        const Map map =
            test::random_map(random, side, side, test::kAllRules[round / 2 % 4], 30, heaviest);
        // Bits of `symmetry`: mirror x, mirror y, swap x and y.
        const auto transformed = [&](Point p, int symmetry) {
            if ((symmetry & 1) != 0) p.x = side - 1 - p.x;
            if ((symmetry & 2) != 0) p.y = side - 1 - p.y;
            if ((symmetry & 4) != 0) std::swap(p.x, p.y);
            return p;
        };
        const Point start = map.point(static_cast<Cell>(random() % map.size()));
        const Point goal = map.point(static_cast<Cell>(random() % map.size()));
        for (const OpenList open : kOpenLists) {
            const StatusCode status = astar.find_path(map, start, goal, path, {open, false});
            const Cost cost = path.cost;
            for (int symmetry = 1; symmetry < 8; ++symmetry) {
                std::vector<std::uint8_t> terrain(map.size());
                for (Cell c = 0; c < map.size(); ++c) {
                    terrain[map.cell(transformed(map.point(c), symmetry))] = map.terrain(c);
                }
                const Map image = Map::create(side, side, terrain, map.options()).value();
                ASSERT_EQ(status,
                          astar.find_path(image, transformed(start, symmetry),
                                          transformed(goal, symmetry), path, {open, false}));
                ASSERT_EQ(cost, path.cost) << "symmetry " << symmetry;
            }
        }
    }
}

TEST(AstarTest, OneSearcherServesMapsOfAllSizes) {
    std::mt19937 random(14);
    Astar astar;
    Path path;
    for (const int side : {3, 60, 5, 130, 40, 130, 3}) {
        const MoveRules rules{Neighbourhood::eight, CornerRule::strict};
        const Map map = test::random_map(random, side, side, rules, 20, side == 40 ? 255 : 1);
        const auto start = static_cast<Cell>(random() % map.size());
        const std::vector<Cost> expected = dijkstra_distances(map, map.point(start)).value();
        for (int i = 0; i < 20; ++i) {
            const auto goal = static_cast<Cell>(random() % map.size());
            for (const OpenList open : kOpenLists) {
                ASSERT_TRUE(agrees(astar, map, start, goal, expected[goal], open, path));
            }
        }
    }
}

TEST(AstarGoldenTest, PathsAreTheSameEverywhere) {
    const Map map = cairn::test::ascii_map({"......@...",  //
                                            ".@@@@.@.@.",  //
                                            ".@..@...@.",  //
                                            ".@.@@@@@@.",  //
                                            ".........."});
    Astar astar;
    Path path;
    for (const OpenList open : kOpenLists) {
        ASSERT_EQ(astar.find_path(map, {2, 2}, {9, 0}, path, {open, false}), StatusCode::ok);
        EXPECT_EQ(cairn::test::draw(map, path.cells),
                  "......@..o\n"
                  ".@@@@.@.@o\n"
                  ".@o.@...@o\n"
                  ".@o@@@@@@o\n"
                  "..oooooooo\n");
        EXPECT_EQ(path.cost, 13U * 408);  // 13 straight moves
    }
}

}  // namespace
}  // namespace cairn::grid
