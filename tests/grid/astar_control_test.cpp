// A* with several goals, its memory, and costs that bucket open lists cannot hold.

#include <gtest/gtest.h>

#include <random>

#include "cairn/grid/astar.hpp"
#include "cairn/grid/dijkstra.hpp"
#include "grid/scenes.hpp"
#include "support/allocation_counter.hpp"
#include "support/scale.hpp"

namespace cairn::grid {
namespace {

constexpr OpenList kBothOpenLists[] = {OpenList::heap, OpenList::buckets};
constexpr AstarOptions kBuckets{OpenList::buckets, false};

// A square map, a quarter of it obstacles, with terrain weights of 1 to `heaviest`.
Map square_map(std::uint32_t seed, int side = 50, unsigned heaviest = 1) {
    std::mt19937 random(seed);
    return test::random_map(random, side, side, {}, 25, heaviest);
}

Point random_point(std::mt19937& random, const Map& map) {
    return map.point(static_cast<Cell>(random() % map.size()));
}

// Up to `most` points on a map of side 25, or up to two cells outside.
std::vector<Point> random_goals(std::mt19937& random, unsigned most) {
    std::vector<Point> goals;
    for (auto n = random() % (most + 1); n > 0; --n) {
        goals.push_back({static_cast<int>(random() % 28) - 1, static_cast<int>(random() % 28) - 1});
    }
    return goals;
}

TEST(AstarControlTest, FindsTheNearestOfSeveralGoals) {
    std::mt19937 random(5);
    Astar astar;
    Path path;
    for (std::uint64_t i = 0; i < cairn::test::scaled(300); ++i) {
        const Map map = square_map(static_cast<std::uint32_t>(i), 25, i % 4 < 2 ? 1 : 4);
        const Point start = random_point(random, map);
        const std::vector<Point> goals = random_goals(random, 7);
        const std::vector<Cost> expected = dijkstra_distances(map, start).value();
        Cost least = kInfinity;
        bool any_free_goal = false;
        for (const Point p : goals) {
            if (!map.contains(p) || !map.passable(map.cell(p))) continue;
            any_free_goal = true;
            least = std::min(least, expected[map.cell(p)]);
        }
        std::size_t reached = 0;
        const StatusCode status =
            astar.find_nearest(map, start, goals, path, reached, {kBothOpenLists[i % 2], false});
        if (!map.passable(map.cell(start))) {
            ASSERT_EQ(status, StatusCode::start_blocked);
        } else if (!any_free_goal) {
            ASSERT_EQ(status, StatusCode::goal_blocked);
        } else if (least == kInfinity) {
            ASSERT_EQ(status, StatusCode::no_path);
        } else {
            ASSERT_EQ(status, StatusCode::ok);
            ASSERT_EQ(path.cost, least);
            ASSERT_EQ(path_cost(map, path.cells), least);
            ASSERT_EQ(map.cell(goals.at(reached)), path.cells.back());
            continue;
        }
        ASSERT_EQ(reached, goals.size());
    }
}

TEST(AstarControlTest, DistancesToSeveralGoalsAreThoseOfDijkstra) {
    std::mt19937 random(6);
    Astar astar;
    for (std::uint64_t i = 0; i < cairn::test::scaled(300); ++i) {
        const Map map = square_map(static_cast<std::uint32_t>(i), 25, i % 4 < 2 ? 1 : 4);
        const Point start = random_point(random, map);
        const std::vector<Point> goals = random_goals(random, 11);
        std::vector<Cost> out(goals.size());
        const AstarOptions options{kBothOpenLists[i % 2], false};
        const StatusCode status = astar.distances(map, start, goals, out, options);
        ASSERT_EQ(status,
                  map.passable(map.cell(start)) ? StatusCode::ok : StatusCode::start_blocked);
        const std::vector<Cost> expected = dijkstra_distances(map, start).value();
        for (std::size_t k = 0; k < goals.size(); ++k) {
            ASSERT_EQ(out[k], map.contains(goals[k]) ? expected[map.cell(goals[k])] : kInfinity);
        }

        SearchLimits limits;
        limits.max_cost = 5000;
        const StatusCode limited = astar.distances(map, start, goals, out, options, limits);
        for (std::size_t k = 0; k < goals.size(); ++k) {
            const Cost cost = map.contains(goals[k]) ? expected[map.cell(goals[k])] : kInfinity;
            ASSERT_EQ(out[k], cost <= limits.max_cost ? cost : kInfinity);
            if (cost != kInfinity && cost > limits.max_cost) {
                ASSERT_EQ(limited, StatusCode::over_cost_limit);
            }
        }
    }
    const Map map = square_map(0);
    std::vector<Point> two_goals(2);
    std::vector<Cost> one_cost(1);
    EXPECT_EQ(astar.distances(map, {0, 0}, two_goals, one_cost), StatusCode::bad_option);
    EXPECT_EQ(astar.distances(map, {-1, 0}, {}, {}), StatusCode::start_outside);
}

TEST(AstarControlTest, WarmedQueriesAllocateNothing) {
    if (!cairn::test::counts_allocations()) GTEST_SKIP() << "allocations are not counted here";
    const Map map = square_map(7, 100);
    std::mt19937 random(7);
    std::vector<std::pair<Point, Point>> queries;
    for (int i = 0; i < 100; ++i) {
        queries.emplace_back(random_point(random, map), random_point(random, map));
    }
    Astar astar;
    Path path;
    std::vector<Point> goals{{1, 1}, {90, 3}, {20, 70}};
    std::vector<Cost> costs(goals.size());
    const auto search_all = [&] {
        for (const auto& [a, b] : queries) {
            for (const OpenList open : kBothOpenLists) {
                astar.find_path(map, a, b, path, {open, false});
                std::size_t reached = 0;
                astar.find_nearest(map, a, goals, path, reached, {open, false});
                astar.distances(map, a, goals, costs, {open, false});
            }
        }
    };
    search_all();
    const std::uint64_t before = cairn::test::allocations();
    search_all();
    EXPECT_EQ(cairn::test::allocations(), before);
}

// A move to the cell of weight 255 can raise f by more than a bucket list spans.
TEST(AstarControlTest, AHeapReplacesBucketsWhereCostsAreTooFarApart) {
    MapOptions options;
    options.weights = TerrainWeights::literal();
    options.costs = CostModel::fine();
    const Map map =
        Map::create(3, 2, std::vector<std::uint8_t>{1, 255, 1, 1, 1, 1}, options).value();
    Astar astar;
    Path path;
    EXPECT_EQ(astar.find_path(map, {0, 0}, {2, 0}, path, kBuckets), StatusCode::ok);
    EXPECT_EQ(path.cells, (std::vector<Cell>{0, 4, 2}));
}

}  // namespace
}  // namespace cairn::grid
