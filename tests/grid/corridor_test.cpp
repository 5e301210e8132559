// Corridors and the exact search inside them agree with plain searches.

#include "cairn/grid/corridor.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "cairn/grid/astar.hpp"
#include "cairn/grid/dijkstra.hpp"
#include "grid/scenes.hpp"
#include "support/allocation_counter.hpp"
#include "support/large_costs.hpp"
#include "support/scale.hpp"

namespace cairn::grid {
namespace {

// The cost from `start` to each cell over moves between cells of the corridor (Bellman-Ford).
std::vector<Cost> costs_inside(const Map& map, const Corridor& corridor, Cell start) {
    std::vector<Cost> cost(map.size(), kInfinity);
    if (map.passable(start) && corridor.contains(map.point(start))) cost[start] = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (Cell c = 0; c < map.size(); ++c) {
            if (cost[c] == kInfinity) continue;
            for (int d = 0; d < kDirections; ++d) {
                if ((map.moves(c) >> d & 1) == 0) continue;
                const Cell to = map.step(c, d);
                const Cost through = cost[c] + map.move_cost(c, d);
                if (!corridor.contains(map.point(to)) || through >= cost[to]) continue;
                cost[to] = through;
                changed = true;
            }
        }
    }
    return cost;
}

TEST(CorridorTest, IsExactInsideAndBoundsTheOptimumOfTheMap) {
    std::mt19937 random(21);
    CorridorSearch search;
    Corridor corridor;
    Path path;
    std::uint64_t found = 0;
    std::uint64_t proved = 0;
    for (std::uint64_t round = 0; round < cairn::test::scaled(3000); ++round) {
        const int width = 5 + static_cast<int>(random() % 20);
        const int height = 5 + static_cast<int>(random() % 20);
        const MoveRules rules = round % 2 == 0 ? MoveRules{} : test::kAllRules[round / 2 % 4];
        const Map map =
            test::random_map(random, width, height, rules, static_cast<unsigned>(random() % 45),
                             round % 6 == 5 ? 4 : 1);
        corridor.reset(width, height, 1 + static_cast<int>(random() % 9));
        const auto blocks = 1 + random() % (2 * corridor.rows() * corridor.columns());
        for (unsigned long i = 0; i < blocks; ++i) {
            corridor.add(map.point(static_cast<Cell>(random() % map.size())));
        }
        const auto start = static_cast<Cell>(random() % map.size());
        if (round % 8 != 0) corridor.add(map.point(start));
        const std::vector<Cost> inside = costs_inside(map, corridor, start);
        const std::vector<Cost> everywhere = dijkstra_distances(map, map.point(start)).value();
        for (int i = 0; i < 10; ++i) {
            const auto goal = static_cast<Cell>(random() % map.size());
            const Cost upper_bound = i % 2 == 0 ? kInfinity : static_cast<Cost>(random() % 12'000);
            const StatusCode status = search.find_path(map, corridor, map.point(start),
                                                       map.point(goal), upper_bound, path);
            const Cost bound = path.lower_bound;
            if (!map.passable(start) || !map.passable(goal)) {
                ASSERT_EQ(status, map.passable(start) ? StatusCode::goal_blocked
                                                      : StatusCode::start_blocked);
                continue;
            }
            ASSERT_LE(bound, everywhere[goal]) << "round " << round;
            if (inside[goal] != kInfinity && inside[goal] <= upper_bound) {
                ASSERT_EQ(status, StatusCode::ok) << "round " << round;
                ASSERT_EQ(path.cost, inside[goal]) << "round " << round;
                ASSERT_EQ(path_cost(map, path.cells), path.cost);
                for (const Cell c : path.cells) ASSERT_TRUE(corridor.contains(map.point(c)));
                ASSERT_LE(bound, path.cost);
                ++found;
                proved += bound == path.cost ? 1 : 0;
            } else {
                ASSERT_NE(status, StatusCode::ok);
                ASSERT_EQ(status == StatusCode::no_path, bound == kInfinity);
                ASSERT_EQ(path.cost, kInfinity);
                ASSERT_TRUE(path.cells.empty());
            }
        }
    }
    EXPECT_GT(found, 1000 * cairn::test::scale());
    EXPECT_GT(proved * 4, found) << "the bound proves under a quarter of the paths optimal";
}

TEST(CorridorTest, OfAllBlocksGivesTheAnswersOfAstar) {
    std::mt19937 random(22);
    const Map map = test::random_map(random, 60, 45, {}, 25);
    Corridor corridor;
    corridor.reset(60, 45, 16);
    corridor.add({0, 0});
    corridor.widen(9);  // more rings than the map has blocks in a row or column
    EXPECT_EQ(corridor.blocks().size(), std::size_t{corridor.rows()} * corridor.columns());
    CorridorSearch search;
    Astar astar;
    Path path;
    Path expected;
    for (int i = 0; i < 200; ++i) {
        const Point a = map.point(static_cast<Cell>(random() % map.size()));
        const Point b = map.point(static_cast<Cell>(random() % map.size()));
        EXPECT_EQ(search.find_path(map, corridor, a, b, kInfinity, path),
                  astar.find_path(map, a, b, expected, {OpenList::buckets, false}));
        EXPECT_EQ(path.cost, expected.cost);
        if (path.status == StatusCode::ok) {
            EXPECT_EQ(path.lower_bound, path.cost);
        }
    }
}

TEST(CorridorTest, ContainsTheBlocksAddedAndTheRingsAroundThem) {
    std::mt19937 random(23);
    Corridor corridor;
    for (int round = 0; round < 300; ++round) {
        const int width = 1 + static_cast<int>(random() % 50);
        const int height = 1 + static_cast<int>(random() % 50);
        const int size = 1 + static_cast<int>(random() % 12);
        const int rings = static_cast<int>(random() % 3);
        corridor.reset(width, height, size);
        ASSERT_TRUE(corridor.blocks().empty());
        std::set<std::pair<int, int>> expected;
        for (auto n = random() % 5; n > 0; --n) {
            const Point p{static_cast<int>(random() % static_cast<unsigned>(width)),
                          static_cast<int>(random() % static_cast<unsigned>(height))};
            corridor.add(p);
            for (int dy = -rings; dy <= rings; ++dy) {
                for (int dx = -rings; dx <= rings; ++dx) {
                    expected.emplace(p.x / size + dx, p.y / size + dy);
                }
            }
        }
        corridor.widen(rings);
        const auto inside = [&](int x, int y) {
            return x >= 0 && y >= 0 && x < width && y < height &&
                   expected.contains({x / size, y / size});
        };
        for (int y = 0; y < height; ++y) {
            for (int x = 0; x < width; ++x) {
                ASSERT_EQ(corridor.contains({x, y}), inside(x, y));
                if (!inside(x, y)) continue;
                for (std::size_t d = 0; d < kDirections; ++d) {
                    const int to_x = x + kDx[d];
                    const int to_y = y + kDy[d];
                    const bool on_map = to_x >= 0 && to_x < width && to_y >= 0 && to_y < height;
                    const bool leads_out = on_map && !inside(to_x, to_y);
                    ASSERT_EQ(corridor.exits({x, y}) >> d & 1, leads_out ? 1U : 0U);
                }
            }
        }
    }
}

TEST(CorridorTest, ASearchStoppedByALimitKeepsAValidBound) {
    const Map map = test::scene({"........", "........", "........"});
    Corridor corridor;
    CorridorSearch search;
    Path path;
    EXPECT_EQ(search.find_path(map, corridor, {0, 0}, {7, 2}, kInfinity, path),
              StatusCode::bad_option)
        << "the corridor was laid over no map";
    corridor.reset(8, 3, 3);
    EXPECT_EQ(search.find_path(map, corridor, {0, 0}, {7, 2}, kInfinity, path),
              StatusCode::over_cost_limit);
    EXPECT_EQ(path.lower_bound, map.distance_bound({0, 0}, {7, 2}));
    corridor.add({0, 0});
    corridor.widen(2);
    SearchLimits limits;
    limits.max_expanded = 3;
    EXPECT_EQ(search.find_path(map, corridor, {0, 0}, {7, 2}, kInfinity, path, limits),
              StatusCode::budget_exhausted);
    EXPECT_EQ(path.lower_bound, map.distance_bound({0, 0}, {7, 2}));
    EXPECT_EQ(path.statistics.expanded, 3U);
    limits = {};
    limits.max_cost = 1000;
    EXPECT_EQ(search.find_path(map, corridor, {0, 0}, {7, 2}, kInfinity, path, limits),
              StatusCode::over_cost_limit);
}

TEST(CorridorTest, TellsNoPathFromOneThatCostsTooMuch) {
    const cairn::test::Serpentine s = cairn::test::serpentine(100, 101);
    Corridor corridor;
    CorridorSearch search;
    Path path;
    corridor.reset(100, 101, 10);
    corridor.add({0, 0});
    corridor.widen(10);  // the whole map
    const auto status = [&](Point goal) {
        return search.find_path(s.map, corridor, s.cells[0], goal, kInfinity, path);
    };
    EXPECT_EQ(status(s.cells[cairn::test::kMostMoves]), StatusCode::ok);
    EXPECT_EQ(path.lower_bound, kInfinity - 1);
    EXPECT_EQ(status(s.cells[cairn::test::kMostMoves + 1]), StatusCode::cost_too_large);
    EXPECT_EQ(path.lower_bound, kInfinity);
    const TerrainEdit wall{{50, 50, 1, 1}, '@'};
    const Map cut = s.map.edited({&wall, 1}).value();
    EXPECT_EQ(search.find_path(cut, corridor, s.cells[0], s.cells.back(), kInfinity, path),
              StatusCode::no_path);
    EXPECT_EQ(path.lower_bound, kInfinity);
    corridor.reset(100, 101, 10);
    corridor.add({0, 0});
    EXPECT_EQ(status(s.cells.back()), StatusCode::over_cost_limit);
}

TEST(CorridorTest, WarmedQueriesAllocateNothing) {
    if (!cairn::test::counts_allocations()) GTEST_SKIP() << "allocations are not counted here";
    std::mt19937 random(24);
    const Map map = test::random_map(random, 80, 80, {}, 20);
    std::vector<Point> points;
    for (int i = 0; i < 100; ++i) {
        points.push_back(map.point(static_cast<Cell>(random() % map.size())));
    }
    Corridor corridor;
    CorridorSearch search;
    Path path;
    const auto search_all = [&] {
        for (std::size_t i = 0; i + 1 < points.size(); ++i) {
            corridor.reset(80, 80, 10);
            corridor.add(points[i]);
            corridor.add(points[i + 1]);
            corridor.widen(2);
            search.find_path(map, corridor, points[i], points[i + 1], kInfinity, path);
        }
    };
    search_all();
    const std::uint64_t before = cairn::test::allocations();
    search_all();
    EXPECT_EQ(cairn::test::allocations(), before);
}

}  // namespace
}  // namespace cairn::grid
