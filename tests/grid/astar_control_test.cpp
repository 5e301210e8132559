// What surrounds the search: statuses, limits, slices, several goals, memory.

#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "cairn/grid/astar.hpp"
#include "cairn/grid/dijkstra.hpp"
#include "grid/scenes.hpp"
#include "support/allocation_counter.hpp"
#include "support/scale.hpp"

namespace cairn::grid {
namespace {

constexpr OpenList kOpenLists[] = {OpenList::heap, OpenList::buckets};
constexpr AstarOptions kBuckets{OpenList::buckets, false};

Map open_map(std::uint32_t seed, int side = 50, unsigned heaviest = 1) {
    std::mt19937 random(seed);
    return test::random_map(random, side, side, {}, 25, heaviest);
}

Point random_point(std::mt19937& random, const Map& map) {
    return map.point(static_cast<Cell>(random() % map.size()));
}

TEST(AstarControlTest, Statuses) {
    const Map map = test::scene({"..@.", "@.@."});
    Astar astar;
    Path path;
    const auto code = [&](Point a, Point b) { return astar.find_path(map, a, b, path); };
    EXPECT_EQ(code({0, 0}, {1, 1}), StatusCode::ok);
    EXPECT_EQ(code({-1, 0}, {9, 9}), StatusCode::start_outside);
    EXPECT_EQ(path.cost, kInfinity);
    EXPECT_TRUE(path.cells.empty());
    EXPECT_EQ(code({0, 1}, {0, 2}), StatusCode::goal_outside);
    EXPECT_EQ(code({0, 1}, {2, 0}), StatusCode::start_blocked);
    EXPECT_EQ(code({0, 0}, {2, 0}), StatusCode::goal_blocked);
    EXPECT_EQ(code({0, 0}, {3, 1}), StatusCode::no_path);
    EXPECT_EQ(code({std::numeric_limits<int>::min(), 0}, {0, std::numeric_limits<int>::max()}),
              StatusCode::start_outside);

    EXPECT_EQ(code({3, 1}, {3, 1}), StatusCode::ok);
    EXPECT_EQ(path.cost, 0U);
    EXPECT_EQ(path.cells, std::vector<Cell>{7});
    EXPECT_EQ(path.statistics.expanded, 0U);
}

TEST(AstarControlTest, CostOnlyLeavesThePathEmpty) {
    const Map map = open_map(1);
    std::mt19937 random(1);
    Astar astar;
    Path path;
    Path cost;
    for (int i = 0; i < 50; ++i) {
        const Point a = random_point(random, map);
        const Point b = random_point(random, map);
        astar.find_path(map, a, b, path);
        astar.find_path(map, a, b, cost, {OpenList::heap, true});
        EXPECT_EQ(path.cost, cost.cost);
        EXPECT_TRUE(cost.cells.empty());
    }
}

TEST(AstarControlTest, LimitsHoldExactly) {
    const Map map = open_map(2);
    std::mt19937 random(2);
    Astar astar;
    Path path;
    for (int i = 0; i < 200; ++i) {
        const Point a = random_point(random, map);
        const Point b = random_point(random, map);
        const AstarOptions options{kOpenLists[i % 2], false};
        if (astar.find_path(map, a, b, path, options) != StatusCode::ok) continue;
        const Path full = path;

        SearchLimits limits;
        limits.max_cost = full.cost;
        EXPECT_EQ(astar.find_path(map, a, b, path, options, limits), StatusCode::ok);
        EXPECT_EQ(path.cost, full.cost);
        limits = {};
        limits.max_expanded = full.statistics.expanded;
        EXPECT_EQ(astar.find_path(map, a, b, path, options, limits), StatusCode::ok);
        EXPECT_EQ(path.cells, full.cells);
        if (full.cost == 0) continue;

        limits.max_expanded = full.statistics.expanded - 1;
        EXPECT_EQ(astar.find_path(map, a, b, path, options, limits), StatusCode::budget_exhausted);
        EXPECT_EQ(path.statistics.expanded, limits.max_expanded);
        EXPECT_EQ(path.cost, kInfinity);
        limits = {};
        limits.max_cost = full.cost - 1;
        EXPECT_EQ(astar.find_path(map, a, b, path, options, limits), StatusCode::over_cost_limit);
    }
}

TEST(AstarControlTest, Cancelled) {
    const Map map = open_map(3);
    CancelFlag flag;
    SearchLimits limits;
    limits.cancel = &flag;
    Astar astar;
    Path path;
    EXPECT_EQ(astar.find_path(map, {0, 0}, {49, 49}, path, {}, limits), StatusCode::ok);
    flag.cancel();
    EXPECT_EQ(astar.find_path(map, {0, 0}, {49, 49}, path, {}, limits), StatusCode::cancelled);
    EXPECT_EQ(path.statistics.expanded, 0U);
    EXPECT_EQ(path.cost, kInfinity);
}

TEST(AstarControlTest, SlicingDoesNotChangeTheResult) {
    std::mt19937 random(4);
    Astar astar;
    Astar sliced;
    Path whole;
    Path path;
    for (std::uint64_t i = 0; i < cairn::test::scaled(200); ++i) {
        const Map map = open_map(static_cast<std::uint32_t>(i), 30, i % 4 < 2 ? 1 : 4);
        const Point a = random_point(random, map);
        const Point b = random_point(random, map);
        const AstarOptions options{kOpenLists[i % 2], false};
        astar.find_path(map, a, b, whole, options);
        sliced.begin(map, a, b, options);
        const std::uint64_t slice = 1 + random() % 20;
        std::uint64_t slices = 0;
        while (sliced.advance(slice) == Progress::running) {
            ASSERT_EQ(sliced.statistics().expanded, ++slices * slice);
            ASSERT_EQ(sliced.take(path), StatusCode::budget_exhausted);
        }
        ASSERT_EQ(sliced.take(path), whole.status);
        EXPECT_EQ(path.cost, whole.cost);
        EXPECT_EQ(path.cells, whole.cells);
        EXPECT_EQ(path.statistics.expanded, whole.statistics.expanded);
        EXPECT_EQ(path.statistics.generated, whole.statistics.generated);
    }
}

TEST(AstarControlTest, NearestOfSeveralGoals) {
    std::mt19937 random(5);
    Astar astar;
    Path path;
    for (std::uint64_t i = 0; i < cairn::test::scaled(300); ++i) {
        const Map map = open_map(static_cast<std::uint32_t>(i), 25, i % 4 < 2 ? 1 : 4);
        const Point start = random_point(random, map);
        std::vector<Point> goals;
        for (auto n = random() % 8; n > 0; --n) {
            goals.push_back(
                {static_cast<int>(random() % 28) - 1, static_cast<int>(random() % 28) - 1});
        }
        const std::vector<Cost> expected = dijkstra_distances(map, start);
        Cost least = kInfinity;
        bool any = false;
        for (const Point p : goals) {
            if (!map.contains(p) || !map.passable(map.cell(p))) continue;
            any = true;
            least = std::min(least, expected[map.cell(p)]);
        }
        std::size_t reached = 0;
        const StatusCode status =
            astar.find_nearest(map, start, goals, path, reached, {kOpenLists[i % 2], false});
        if (!map.passable(map.cell(start))) {
            ASSERT_EQ(status, StatusCode::start_blocked);
        } else if (!any) {
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

TEST(AstarControlTest, DistancesToSeveralGoals) {
    std::mt19937 random(6);
    Astar astar;
    for (std::uint64_t i = 0; i < cairn::test::scaled(300); ++i) {
        const Map map = open_map(static_cast<std::uint32_t>(i), 25, i % 4 < 2 ? 1 : 4);
        const Point start = random_point(random, map);
        std::vector<Point> goals;
        for (auto n = random() % 12; n > 0; --n) {
            goals.push_back(
                {static_cast<int>(random() % 28) - 1, static_cast<int>(random() % 28) - 1});
        }
        std::vector<Cost> out(goals.size());
        const AstarOptions options{kOpenLists[i % 2], false};
        const StatusCode status = astar.distances(map, start, goals, out, options);
        ASSERT_EQ(status,
                  map.passable(map.cell(start)) ? StatusCode::ok : StatusCode::start_blocked);
        const std::vector<Cost> expected = dijkstra_distances(map, start);
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
    const Map map = open_map(0);
    std::vector<Point> two(2);
    std::vector<Cost> one(1);
    EXPECT_EQ(astar.distances(map, {0, 0}, two, one), StatusCode::bad_option);
    EXPECT_EQ(astar.distances(map, {-1, 0}, {}, {}), StatusCode::start_outside);
}

TEST(AstarControlTest, WarmedQueriesAllocateNothing) {
    if (!cairn::test::counts_allocations()) GTEST_SKIP() << "allocations are not counted here";
    const Map map = open_map(7, 100);
    std::mt19937 random(7);
    std::vector<std::pair<Point, Point>> queries;
    for (int i = 0; i < 100; ++i) {
        queries.emplace_back(random_point(random, map), random_point(random, map));
    }
    Astar astar;
    Path path;
    std::vector<Point> goals{{1, 1}, {90, 3}, {20, 70}};
    std::vector<Cost> costs(goals.size());
    const auto ask_all = [&] {
        for (const auto& [a, b] : queries) {
            for (const OpenList open : kOpenLists) {
                astar.find_path(map, a, b, path, {open, false});
                std::size_t reached = 0;
                astar.find_nearest(map, a, goals, path, reached, {open, false});
                astar.distances(map, a, goals, costs, {open, false});
            }
        }
    };
    ask_all();
    const std::uint64_t before = cairn::test::allocations();
    ask_all();
    EXPECT_EQ(cairn::test::allocations(), before);
}

TEST(AstarControlTest, CostsTooFarApartForBucketsAreSearchedToo) {
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
