#include "cairn/grid/line.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "grid/scenes.hpp"

namespace cairn::grid {
namespace {

using test::kAllRules;
using test::random_map;
using test::scene;

// The line of `shape` from `a` to `b` as cells, `a` included.
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

TEST(Line, ASceneWithOneFreeShape) {
    const Map map = scene({"....", "..##", "...."});
    EXPECT_EQ(free_line(map, {0, 2}, {3, 0}).shape, LineShape::none);
    EXPECT_EQ(free_line(map, {0, 1}, {3, 0}).shape, LineShape::diagonal_first);
    EXPECT_EQ(free_line(map, {3, 0}, {0, 1}).shape, LineShape::straight_first);
    EXPECT_EQ(free_line(map, {0, 1}, {3, 0}).cost, 577U + 2 * 408U);
}

TEST(Line, DoesNotCutCorners) {
    const std::initializer_list<std::string_view> rows{"..", "#."};
    const std::initializer_list<std::string_view> closed{".#", "#."};
    EXPECT_EQ(free_line(scene(rows), {0, 0}, {1, 1}).shape, LineShape::none);
    const MoveRules half{Neighbourhood::eight, CornerRule::both_blocked};
    EXPECT_EQ(free_line(scene(rows, half), {0, 0}, {1, 1}).cost, 577U);
    EXPECT_EQ(free_line(scene(closed, half), {0, 0}, {1, 1}).shape, LineShape::none);
    const MoveRules any{Neighbourhood::eight, CornerRule::free};
    EXPECT_EQ(free_line(scene(closed, any), {0, 0}, {1, 1}).cost, 577U);
    const MoveRules four{Neighbourhood::four, CornerRule::strict};
    EXPECT_EQ(free_line(scene(rows, four), {0, 0}, {1, 1}).shape, LineShape::diagonal_first);
    EXPECT_EQ(free_line(scene(closed, four), {0, 0}, {1, 1}).shape, LineShape::none);
}

TEST(Line, TakesTheCheaperTerrain) {
    const Map map = scene({"1111", "9991", "9991"});
    const Line line = free_line(map, {0, 0}, {3, 2});
    EXPECT_EQ(line.shape, LineShape::straight_first);
    EXPECT_EQ(line.cost, path_cost(map, line_cells(map, {0, 0}, {3, 2}, line.shape)));
}

// Every pair of cells on every fifth 4 x 3 map (every 4 x 2 map is part of one), under every rule.
TEST(Line, ExhaustiveOnSmallMaps) {
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
                    if (!map.passable(a) && a == b) continue;
                    bool any = false;
                    for (const LineShape shape :
                         {LineShape::diagonal_first, LineShape::straight_first}) {
                        const Cost walked = path_cost(map, line_cells(map, p, q, shape));
                        any = any || walked != kInfinity;
                        if (line.shape == shape) {
                            ASSERT_EQ(walked, line.cost);
                            ASSERT_EQ(walked, cost[b]);
                        }
                    }
                    ASSERT_EQ(any, line.shape != LineShape::none);
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

// Parallelograms of more than one word a row.
TEST(Line, HReachAcrossWords) {
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

TEST(Line, CostsOnWeightedMaps) {
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
