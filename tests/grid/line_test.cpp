// Straight lines and h-reachability agree with exhaustive searches. Under the standard cost model a
// straight move costs 408 and a diagonal move 577.

#include "cairn/grid/line.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "grid/scenes.hpp"

namespace cairn::grid {
namespace {

using test::kAllRules;
using test::random_map;
using test::scene;

// The cells of the line of `shape` from `a` to `b`, both included.
std::vector<Cell> line_cells(const Map& map, Point a, Point b, LineShape shape) {
    std::vector<Cell> cells{map.cell(a)};
    append_line(map, a, b, shape, cells);
    return cells;
}

TEST(Line, LegsSpanTheDisplacement) {
    for (const MoveRules rules : kAllRules) {
        std::mt19937 random(1);
        const Map map = random_map(random, 7, 6, rules, 0);
        for (Cell a = 0; a < map.size(); ++a) {
            for (Cell b = 0; b < map.size(); ++b) {
                const Legs both = legs(map, map.point(a), map.point(b));
                EXPECT_EQ(run_end(run_end(map.point(a), both[0]), both[1]), map.point(b));
                const Cost cost = run_cost(map, a, both[0]) +
                                  run_cost(map, map.cell(run_end(map.point(a), both[0])), both[1]);
                EXPECT_EQ(cost, map.distance_bound(map.point(a), map.point(b)));
            }
        }
    }
}

// Two walls leave one free line from {0, 1} to {3, 0}, and none from {0, 2}.
TEST(Line, FindsTheOnlyFreeShape) {
    const Map map = scene({"....", "..##", "...."});
    EXPECT_EQ(free_line(map, {0, 2}, {3, 0}).shape, LineShape::none);
    EXPECT_EQ(free_line(map, {0, 1}, {3, 0}).shape, LineShape::diagonal_first);
    EXPECT_EQ(free_line(map, {3, 0}, {0, 1}).shape, LineShape::straight_first);
    EXPECT_EQ(free_line(map, {0, 1}, {3, 0}).cost, 577U + 2 * 408U);
}

TEST(Line, FollowsTheCornerRule) {
    const std::initializer_list<std::string_view> one_corner{"..", "#."};
    const std::initializer_list<std::string_view> both_corners{".#", "#."};
    EXPECT_EQ(free_line(scene(one_corner), {0, 0}, {1, 1}).shape, LineShape::none);
    const MoveRules both_blocked{Neighbourhood::eight, CornerRule::both_blocked};
    EXPECT_EQ(free_line(scene(one_corner, both_blocked), {0, 0}, {1, 1}).cost, 577U);
    EXPECT_EQ(free_line(scene(both_corners, both_blocked), {0, 0}, {1, 1}).shape, LineShape::none);
    const MoveRules free_corners{Neighbourhood::eight, CornerRule::free};
    EXPECT_EQ(free_line(scene(both_corners, free_corners), {0, 0}, {1, 1}).cost, 577U);
    const MoveRules four{Neighbourhood::four, CornerRule::strict};
    EXPECT_EQ(free_line(scene(one_corner, four), {0, 0}, {1, 1}).shape, LineShape::diagonal_first);
    EXPECT_EQ(free_line(scene(both_corners, four), {0, 0}, {1, 1}).shape, LineShape::none);
}

TEST(Line, TakesTheCheaperTerrain) {
    const Map map = scene({"1111", "9991", "9991"});
    const Line line = free_line(map, {0, 0}, {3, 2});
    EXPECT_EQ(line.shape, LineShape::straight_first);
    EXPECT_EQ(line.cost, path_cost(map, line_cells(map, {0, 0}, {3, 2}, line.shape)));
}

// Every pair of cells on every fifth 4 x 3 map, under every rule. The upper two rows of these maps
// take every pattern.
TEST(Line, LinesAndHReachAreExactOnSmallMaps) {
    for (const MoveRules rules : kAllRules) {
        MapOptions options;
        options.rules = rules;
        options.weights = TerrainWeights::literal();
        HReach reach;
        std::vector<Cell> cells;
        for (unsigned pattern = 0; pattern < 1U << 12; pattern += 5) {
            std::vector<std::uint8_t> terrain(12);
            for (unsigned i = 0; i < 12; ++i) terrain[i] = pattern >> i & 1;
            const Map map = *Map::create(4, 3, terrain, options);
            for (Cell a = 0; a < map.size(); ++a) {
                const std::vector<Cost> cost = test::costs_from(map, a);
                for (Cell b = 0; b < map.size(); ++b) {
                    const Point p = map.point(a);
                    const Point q = map.point(b);
                    const Line line = free_line(map, p, q);
                    // From an obstacle to itself the line costs 0, although there is no path.
                    if (!map.passable(a) && a == b) continue;
                    bool any_free = false;
                    for (const LineShape shape :
                         {LineShape::diagonal_first, LineShape::straight_first}) {
                        const Cost walked = path_cost(map, line_cells(map, p, q, shape));
                        any_free = any_free || walked != kInfinity;
                        if (line.shape == shape) {
                            ASSERT_EQ(walked, line.cost);
                            ASSERT_EQ(walked, cost[b]);
                        }
                    }
                    ASSERT_EQ(any_free, line.shape != LineShape::none);
                    const bool direct = cost[b] == map.distance_bound(p, q);
                    ASSERT_EQ(reach.test(map, p, q), direct);
                    if (!direct) continue;
                    cells.assign(1, a);
                    reach.append_path(map, cells);
                    ASSERT_EQ(cells.back(), b);
                    ASSERT_EQ(path_cost(map, cells), cost[b]);
                }
            }
        }
    }
}

// Long maps: a row of the parallelogram takes more than one word of 64 cells.
TEST(Line, HReachIsExactAcrossWords) {
    std::mt19937 random(7);
    HReach reach;
    std::vector<Cell> cells;
    int reached = 0;
    for (int round = 0; round < 12; ++round) {
        const bool tall = (round & 4) != 0;
        const Map map =
            random_map(random, tall ? 12 : 260, tall ? 260 : 12, kAllRules[round & 3], 4);
        for (Cell a :
             {Cell{0}, static_cast<Cell>(map.size() / 2), static_cast<Cell>(map.size() - 1)}) {
            const std::vector<Cost> cost = test::costs_from(map, a);
            for (Cell b = 0; b < map.size(); ++b) {
                if (a == b) continue;
                const bool direct = cost[b] == map.distance_bound(map.point(a), map.point(b));
                ASSERT_EQ(reach.test(map, map.point(a), map.point(b)), direct);
                if (!direct) continue;
                ++reached;
                cells.assign(1, a);
                reach.append_path(map, cells);
                ASSERT_EQ(cells.back(), b);
                ASSERT_EQ(path_cost(map, cells), cost[b]);
            }
        }
    }
    EXPECT_GT(reached, 1000);
}

TEST(Line, CostsTheCheaperShapeOnWeightedMaps) {
    std::mt19937 random(3);
    for (int round = 0; round < 20; ++round) {
        const Map map = random_map(random, 9, 8, kAllRules[round & 3], 15, 4);
        for (Cell a = 0; a < map.size(); ++a) {
            for (Cell b = 0; b < map.size(); ++b) {
                if (a == b) continue;
                const Line line = free_line(map, map.point(a), map.point(b));
                Cost best = kInfinity;
                for (const LineShape shape :
                     {LineShape::diagonal_first, LineShape::straight_first}) {
                    const auto cells = line_cells(map, map.point(a), map.point(b), shape);
                    best = std::min(best, path_cost(map, cells));
                }
                ASSERT_EQ(line.cost, best);
            }
        }
    }
}

}  // namespace
}  // namespace cairn::grid
