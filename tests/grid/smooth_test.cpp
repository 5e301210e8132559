// Smoothing keeps its guarantees on drawn, random and all small maps. Under the standard cost model
// a straight move costs 408 and a diagonal move 577.

#include "cairn/grid/smooth.hpp"

#include <gtest/gtest.h>

#include "grid/scenes.hpp"
#include "support/allocation_counter.hpp"

namespace cairn::grid {
namespace {

using test::kAllRules;
using test::random_map;
using test::scene;

constexpr SmoothEffort kEfforts[] = {SmoothEffort::paper, SmoothEffort::quick,
                                     SmoothEffort::standard, SmoothEffort::thorough};

// A legal path of `steps` random moves, which often go on in one direction. Only `start` if it has
// no moves.
std::vector<Cell> wander(std::mt19937& random, const Map& map, Cell start, int steps) {
    std::vector<Cell> path{start};
    int direction = 0;
    for (int i = 0; i < steps && map.moves(path.back()) != 0; ++i) {
        const std::uint8_t moves = map.moves(path.back());
        while ((moves >> direction & 1) == 0 || random() % 3 == 0)
            direction = static_cast<int>(random() % 8);
        path.push_back(map.step(path.back(), direction));
    }
    return path;
}

/// Smooths and returns the new cost.
Cost smoothed(const Map& map, std::span<const Cell> path, Cost cost, Smoother& scratch,
              std::vector<Cell>& out, const SmoothOptions& options = {}) {
    EXPECT_EQ(smooth(map, path, cost, scratch, out, options), StatusCode::ok);
    return cost;
}

// Smooths `path`, checks the guarantees of smooth(), and returns the new cost.
Cost checked_cost(const Map& map, const std::vector<Cell>& path, SmoothEffort effort,
                  Smoother& scratch) {
    const Cost before = path_cost(map, path);
    std::vector<Cell> out;
    const Cost after = smoothed(map, path, before, scratch, out, {effort});
    EXPECT_LE(after, before);
    EXPECT_EQ(after, path_cost(map, out));
    EXPECT_EQ(out.front(), path.front());
    EXPECT_EQ(out.back(), path.back());
    std::vector<Cell> again;
    EXPECT_LE(smoothed(map, out, after, scratch, again, {effort}), after);
    std::vector<Cell> in_place = path;
    EXPECT_EQ(smoothed(map, in_place, before, scratch, in_place, {effort}), after);
    EXPECT_EQ(in_place, out);
    return after;
}

std::vector<Cell> cells(const Map& map, std::initializer_list<Point> points) {
    std::vector<Cell> out;
    for (const Point p : points) out.push_back(map.cell(p));
    return out;
}

TEST(Smooth, RefusesAnEffortThatDoesNotExist) {
    const Map map = scene({"..."});
    Smoother scratch;
    std::vector<Cell> out{5};
    Cost cost = 200;
    const auto path = cells(map, {{0, 0}, {1, 0}, {2, 0}});
    EXPECT_EQ(smooth(map, path, cost, scratch, out, {static_cast<SmoothEffort>(4)}),
              StatusCode::bad_option);
    EXPECT_EQ(cost, 200U);
}

TEST(Smooth, LeavesPathsOfNoCellAndOneCell) {
    const Map map = scene({".."});
    Smoother scratch;
    std::vector<Cell> out{5};
    EXPECT_EQ(smoothed(map, {}, kInfinity, scratch, out), kInfinity);
    EXPECT_TRUE(out.empty());
    EXPECT_EQ(smoothed(map, std::vector<Cell>{1}, 0, scratch, out), 0U);
    EXPECT_EQ(out, std::vector<Cell>{1});
    // A view of the result, too: its last cell.
    std::vector<Cell> in_place = cells(map, {{0, 0}, {1, 0}});
    EXPECT_EQ(smoothed(map, std::span(in_place).last(1), 0, scratch, in_place), 0U);
    EXPECT_EQ(in_place, cells(map, {{1, 0}}));
}

TEST(Smooth, StraightensADetour) {
    const Map map = scene({"......", "......", "......"});
    Smoother scratch;
    const auto path = cells(map, {{0, 1}, {1, 0}, {2, 0}, {3, 1}, {4, 2}, {5, 1}});
    for (const SmoothEffort effort : kEfforts)
        EXPECT_EQ(checked_cost(map, path, effort, scratch), 5U * 408);
}

// Only the thorough effort must find that start and goal are the same cell.
TEST(Smooth, RemovesALoop) {
    const Map map = scene({"...", "...", "..."});
    Smoother scratch;
    const auto path = cells(map, {{0, 0}, {1, 0}, {2, 0}, {2, 1}, {1, 1}, {0, 0}});
    for (const SmoothEffort effort : kEfforts) checked_cost(map, path, effort, scratch);
    EXPECT_EQ(checked_cost(map, path, SmoothEffort::thorough, scratch), 0U);
}

// Under the strict rule the diagonal past the wall's end is shorter but illegal.
TEST(Smooth, FollowsTheCornerRule) {
    const std::initializer_list<std::string_view> rows{".....", "###..", "....."};
    Smoother scratch;
    const Map strict = scene(rows);
    const auto path = cells(strict, {{1, 0}, {2, 0}, {3, 0}, {3, 1}, {3, 2}, {2, 2}, {1, 2}});
    const Map both_blocked = scene(rows, {Neighbourhood::eight, CornerRule::both_blocked});
    for (const SmoothEffort effort : kEfforts) {
        EXPECT_EQ(checked_cost(strict, path, effort, scratch), 6U * 408);
        EXPECT_EQ(checked_cost(both_blocked, path, effort, scratch), 2U * 577 + 2 * 408);
    }
}

// A line through the heavy terrain has fewer moves but costs more: their mean weight is above 5.
TEST(Smooth, GoesRoundHeavyTerrain) {
    const Map map = scene({"1111111", "1999991", "1999991", "1111111"});
    Smoother scratch;
    const auto path = cells(
        map,
        {{0, 2}, {0, 1}, {0, 0}, {1, 0}, {2, 0}, {3, 0}, {4, 0}, {5, 0}, {6, 0}, {6, 1}, {6, 2}});
    for (const SmoothEffort effort : kEfforts)
        EXPECT_LT(checked_cost(map, path, effort, scratch), 6U * 408 * 5);
}

// The middle run slides only as far as the wall lets it.
TEST(Smooth, SlidesUntilItIsBlocked) {
    const Map map = scene({"..........", "..........", "..........", "...####...", "...####..."});
    const auto path = cells(
        map,
        {{0, 4}, {0, 3}, {1, 2}, {2, 1}, {3, 0}, {4, 0}, {5, 0}, {6, 0}, {7, 1}, {8, 2}, {9, 3}});
    Smoother scratch;
    for (const SmoothEffort effort :
         {SmoothEffort::quick, SmoothEffort::standard, SmoothEffort::thorough}) {
        EXPECT_EQ(checked_cost(map, path, effort, scratch), 6U * 408 + 3 * 577);
    }
}

// No path has fewer moves, but one can cross the heavy row instead of following it.
TEST(Smooth, SlidesOntoLightTerrain) {
    const Map map = scene({"111111", "999999", "111111"});
    Smoother scratch;
    const auto path = cells(map, {{0, 0}, {1, 1}, {2, 1}, {3, 1}, {4, 1}, {5, 2}});
    const Cost crossed = 3 * 408 + 2 * 577 * 5;
    for (const SmoothEffort effort : {SmoothEffort::quick, SmoothEffort::standard}) {
        EXPECT_LE(checked_cost(map, path, effort, scratch), crossed);
    }
}

TEST(Smooth, DoesNotAllocateOnceWarmed) {
    if (!cairn::test::counts_allocations()) GTEST_SKIP() << "allocations are not counted here";
    std::mt19937 random(2);
    const Map map = random_map(random, 60, 50, {}, 10);
    const Map heavy = random_map(random, 60, 50, {}, 10, 3);
    Smoother scratch;
    std::vector<Cell> out;
    for (const Map& m : {map, heavy}) {
        Cell start = 0;
        while (m.moves(start) == 0) ++start;
        const auto path = wander(random, m, start, 500);
        const Cost cost = path_cost(m, path);
        for (const SmoothEffort effort : kEfforts) smoothed(m, path, cost, scratch, out, {effort});
        waypoints(m, path, out);
        const std::uint64_t before = cairn::test::allocations();
        for (const SmoothEffort effort : kEfforts) smoothed(m, path, cost, scratch, out, {effort});
        waypoints(m, path, out);
        EXPECT_EQ(cairn::test::allocations(), before);
    }
}

// Every path of up to five cells on every 3 x 3 map, under every rule.
TEST(Smooth, NeverLengthensPathsOnSmallMaps) {
    for (const MoveRules rules : kAllRules) {
        MapOptions options;
        options.rules = rules;
        options.weights = TerrainWeights::literal();
        Smoother scratch;
        std::vector<Cell> out;
        for (unsigned pattern = 1; pattern < 1U << 9; ++pattern) {
            std::vector<std::uint8_t> terrain(9);
            for (unsigned i = 0; i < 9; ++i) terrain[i] = pattern >> i & 1;
            const Map map = *Map::create(3, 3, terrain, options);
            std::vector<Cell> path;
            // Smooths the path extended by c, then all its extensions by one more move.
            const auto visit = [&](const auto& self, Cell c, Cost cost) -> void {
                path.push_back(c);
                const Cost standard = smoothed(map, path, cost, scratch, out);
                ASSERT_LE(standard, cost);
                ASSERT_EQ(standard, path_cost(map, out));
                ASSERT_EQ(out.front(), path.front());
                ASSERT_EQ(out.back(), path.back());
                for (int d = 0; d < kDirections && path.size() < 5; ++d) {
                    if ((map.moves(c) >> d & 1) != 0)
                        self(self, map.step(c, d), cost + map.move_cost(c, d));
                }
                path.pop_back();
            };
            for (Cell c = 0; c < map.size(); ++c) {
                if (map.passable(c)) visit(visit, c, 0);
            }
        }
    }
}

TEST(Smooth, NeverLengthensWanderingPaths) {
    std::mt19937 random(11);
    Smoother scratch;
    for (int round = 0; round < 400; ++round) {
        const auto number_below = [&](unsigned n) { return static_cast<unsigned>(random()) % n; };
        const unsigned heaviest = round % 2 == 0 ? 1 : 1 + number_below(6);
        const int width = 1 + static_cast<int>(number_below(40));
        const int height = 1 + static_cast<int>(number_below(40));
        const Map map = random_map(random, width, height, kAllRules[number_below(4)],
                                   number_below(35), heaviest);
        for (int i = 0; i < 10; ++i) {
            const auto start = static_cast<Cell>(random() % map.size());
            if (!map.passable(start)) continue;
            const auto path = wander(random, map, start, static_cast<int>(random() % 200));
            for (const SmoothEffort effort : kEfforts) checked_cost(map, path, effort, scratch);
        }
    }
}

// More effort pays on average, if not on every path.
TEST(Smooth, EffortPays) {
    std::mt19937 random(5);
    Smoother scratch;
    std::uint64_t total[4] = {};  // in the order of kEfforts
    for (int round = 0; round < 100; ++round) {
        const Map map = random_map(random, 30, 30, {}, 15);
        const auto path = wander(random, map, 0, 300);
        if (path.size() < 2) continue;
        for (std::size_t i = 0; i < 4; ++i)
            total[i] += checked_cost(map, path, kEfforts[i], scratch);
    }
    const auto [paper, quick, standard, thorough] = total;
    EXPECT_LT(standard, quick);
    EXPECT_LT(thorough, standard);
}

TEST(Waypoints, AreTheTurns) {
    const Map map = scene({".....", ".....", "....."});
    std::vector<Cell> out;
    waypoints(map, cells(map, {{0, 0}, {1, 0}, {2, 0}, {3, 1}, {4, 2}}), out);
    EXPECT_EQ(out, cells(map, {{0, 0}, {2, 0}, {4, 2}}));
    waypoints(map, cells(map, {{3, 1}}), out);
    EXPECT_EQ(out, cells(map, {{3, 1}}));
    waypoints(map, {}, out);
    EXPECT_TRUE(out.empty());
}

// On a map two cells wide, east and south-west have the same difference of cell numbers.
TEST(Waypoints, AreTheTurnsOnNarrowMapsToo) {
    const Map map = scene({"..", "..", ".."});
    std::vector<Cell> out;
    waypoints(map, cells(map, {{0, 0}, {1, 0}, {0, 1}, {1, 1}}), out);
    EXPECT_EQ(out, cells(map, {{0, 0}, {1, 0}, {0, 1}, {1, 1}}));
}

}  // namespace
}  // namespace cairn::grid
