// Starts and goals of every kind: equal, on subgoals, isolated, blocked, outside, and goals that
// are out of reach or many.

#include <gtest/gtest.h>

#include <limits>

#include "cairn/grid/components.hpp"
#include "cairn/grid/dijkstra.hpp"
#include "cairn/grid/nearest.hpp"
#include "subgoal/verify.hpp"
#include "support/ascii_map.hpp"
#include "support/scale.hpp"

namespace cairn::subgoal::test {
namespace {

using cairn::test::ascii_map;
using grid::Map;
using grid::Point;
using grid::TerrainEdit;

TEST(SubgoalEnds, StartIsGoal) {
    // On a subgoal, beside one, and on a map without any.
    for (const Map& map :
         {ascii_map({"....", ".@..", "....", "...."}), ascii_map({"...", "..."})}) {
        const Index index = build(map);
        for (const Point p : free_points(map)) {
            for (const Engine engine : kEngines) {
                const Answer answer = answer_to(index, query_of(p, p, engine));
                EXPECT_EQ(answer.status, StatusCode::ok);
                EXPECT_EQ(answer.cost, 0U);
                EXPECT_EQ(answer.cells, std::vector<grid::Cell>{map.cell(p)});
                EXPECT_TRUE(answer.h_reachable);
            }
        }
    }
}

TEST(SubgoalEnds, MapsOfOneCell) {
    const Index one = build(ascii_map({"."}));
    EXPECT_EQ(answer_to(one, query_of({0, 0}, {0, 0})).status, StatusCode::ok);
    EXPECT_EQ(answer_to(one, query_of({0, 0}, {1, 0})).status, StatusCode::goal_outside);
    const Index none = build(ascii_map({"@"}));
    EXPECT_EQ(answer_to(none, query_of({0, 0}, {0, 0})).status, StatusCode::start_blocked);
    EXPECT_TRUE(subgoals(none).empty());
    EXPECT_TRUE(edges(one).empty());
}

TEST(SubgoalEnds, AllFreeOrAllBlocked) {
    const Index open = build(*Map::create(70, 50, std::vector<std::uint8_t>(3500, '.')));
    EXPECT_TRUE(subgoals(open).empty());
    for (const Engine engine : kEngines) {
        const Answer answer = answer_to(open, query_of({3, 4}, {69, 49}, engine));
        EXPECT_EQ(answer.status, StatusCode::ok);
        EXPECT_TRUE(answer.h_reachable);
        EXPECT_EQ(answer.cost, open.map().distance_bound({3, 4}, {69, 49}));
        EXPECT_EQ(answer.subgoals.size(), 2U);
    }
    const Index blocked = build(*Map::create(70, 50, std::vector<std::uint8_t>(3500, '@')));
    for (const Engine engine : kEngines) {
        EXPECT_EQ(answer_to(blocked, query_of({3, 4}, {5, 5}, engine)).status,
                  StatusCode::start_blocked);
    }
}

TEST(SubgoalEnds, StatusesInTheirOrder) {
    const Index index = build(ascii_map({"..@.", "..@.", "@@@.", "...."}));
    for (const Engine engine :
         {Engine::automatic, Engine::astar, Engine::levels, Engine::cut_labels}) {
        const auto status = [&](Point start, Point goal) {
            return answer_to(index, query_of(start, goal, engine)).status;
        };
        EXPECT_EQ(status({-1, 0}, {9, 9}), StatusCode::start_outside);
        EXPECT_EQ(status({4, 0}, {0, 0}), StatusCode::start_outside);
        EXPECT_EQ(status({0, 4}, {0, 0}), StatusCode::start_outside);
        EXPECT_EQ(status({2, 0}, {9, 9}), StatusCode::start_blocked);
        EXPECT_EQ(status({0, 0}, {0, -1}), StatusCode::goal_outside);
        EXPECT_EQ(status({0, 0}, {2, 0}), StatusCode::goal_blocked);
        EXPECT_EQ(status({0, 0}, {3, 0}), StatusCode::no_path);
        EXPECT_EQ(status({0, 0}, {1, 1}), StatusCode::ok);
        EXPECT_EQ(status({3, 0}, {0, 3}), StatusCode::ok);
    }
}

// The limits of integers as coordinates.
TEST(SubgoalEnds, FarOutside) {
    constexpr std::int32_t kLeast = std::numeric_limits<std::int32_t>::min();
    constexpr std::int32_t kMost = std::numeric_limits<std::int32_t>::max();
    const Index index = build(ascii_map({"..@.", "...."}));
    for (const std::int32_t x : {kLeast, kMost}) {
        for (const std::int32_t y : {kLeast, kMost, 0}) {
            EXPECT_EQ(answer_to(index, query_of({x, y}, {0, 0})).status, StatusCode::start_outside);
            EXPECT_EQ(answer_to(index, query_of({0, 0}, {x, y})).status, StatusCode::goal_outside);
            Query query = query_of({0, 0}, {x, y});
            query.nearest_reachable = true;
            EXPECT_EQ(answer_to(index, query).status, StatusCode::ok);
        }
    }
}

// A cell walled in: it reaches itself and nothing else.
TEST(SubgoalEnds, AnIsolatedCell) {
    const Index index = build(ascii_map({".....",  //
                                         ".@@@.",  //
                                         ".@.@.",  //
                                         ".@@@.",  //
                                         "....."}));
    for (const Engine engine : kEngines) {
        EXPECT_EQ(answer_to(index, query_of({2, 2}, {2, 2}, engine)).cost, 0U);
        EXPECT_EQ(answer_to(index, query_of({2, 2}, {0, 0}, engine)).status, StatusCode::no_path);
        EXPECT_EQ(answer_to(index, query_of({0, 0}, {2, 2}, engine)).status, StatusCode::no_path);
    }
}

Query any_nearest(RandomMaps& random, const Index& index) {
    const Point start = random.point(index.map());
    Point goal = random.point(index.map());
    if (random.chance(20)) goal = {goal.x * 3 - index.map().width(), goal.y - 7};
    Query query = query_of(start, goal);
    if (index.complete()) query.engine = static_cast<Engine>(random.number(0, 3));
    query.nearest_reachable = true;
    return query;
}

void check_nearest(RandomMaps& random, Searcher& searcher, const Index& index) {
    const Map& map = index.map();
    const grid::Components components = grid::Components::build(map);
    Answer answer;
    for (int i = 0; i < 20; ++i) {
        Query query = any_nearest(random, index);
        searcher.find(index, query, answer);
        if (!map.passable(map.cell(query.start))) {
            ASSERT_EQ(answer.status, StatusCode::start_blocked);
            continue;
        }
        const auto nearest = grid::nearest_reachable(map, components, query.start, query.goal);
        ASSERT_TRUE(nearest);
        ASSERT_EQ(answer.goal, *nearest) << describe(index, query);
        query.goal = *nearest;
        const auto optimum = grid::dijkstra_distances(map, query.start);
        ASSERT_EQ(fault_of(index, query, answer, optimum[map.cell(*nearest)]), "")
            << describe(index, query);
    }
}

TEST(SubgoalGoals, NearestReachable) {
    RandomMaps random(22);
    Searcher searcher;
    for (auto maps = cairn::test::scaled(100); maps > 0; --maps) {
        const RandomMaps::Size size = random.size(40);
        Index index = build(random.chance(50) ? random.uniform_map(size)
                                              : random.noise(size, random.number(30, 70)),
                            variant(random.number(0, 31)));
        check_nearest(random, searcher, index);
        // After an edit there are no engines, and then other ones of the same snapshot.
        index = *index.edited(random.edits(index.map()));
        check_nearest(random, searcher, index);
        check_nearest(random, searcher, completed(index));
        if (HasFatalFailure()) return;
    }
}

// The only subgoal of its component sees none, but all the others see it.
TEST(SubgoalGoals, NearestReachableFromALoneSubgoal) {
    const Index index = build(ascii_map({"@@.@@",  //
                                         "@..@@",  //
                                         "@@@@@",  //
                                         "@...."}));
    ASSERT_EQ(subgoals(index), std::vector<grid::Cell>{7});
    for (const Point start : {Point{2, 1}, Point{2, 0}, Point{1, 1}}) {
        for (const Point goal : {Point{2, 1}, Point{2, 0}, Point{1, 1}}) {
            Query query = query_of(start, goal);
            query.nearest_reachable = true;
            EXPECT_EQ(answer_to(index, query).goal, goal);
        }
    }
}

TEST(SubgoalGoals, CostsAndNearestAgreeWithSingleQueries) {
    RandomMaps random(23);
    Searcher searcher;
    Answer answer;
    for (auto maps = cairn::test::scaled(100); maps > 0; --maps) {
        const RandomMaps::Size size = random.size(40);
        const Map map = random.uniform_map(size);
        const Index index = build(map, variant(random.number(0, 31)));
        const Point start = random.point(map);
        std::vector<Point> goals;
        for (int i = 0; i < 12; ++i) goals.push_back(random.point(map));
        goals.push_back({-3, 4});
        if (random.chance(30)) goals.push_back(start);
        std::vector<Cost> costs(goals.size());
        const StatusCode status = searcher.costs(index, start, goals, costs);
        std::size_t nearest = 99;
        Query query = query_of(start, {}, kEngines[static_cast<std::size_t>(random.number(0, 2))]);
        const StatusCode found = searcher.find_nearest(index, query, goals, answer, nearest);
        if (!map.passable(map.cell(start))) {
            EXPECT_EQ(status, StatusCode::start_blocked);
            EXPECT_EQ(found, StatusCode::start_blocked);
            continue;
        }
        ASSERT_EQ(status, StatusCode::ok);
        const std::vector<Cost> optimum = grid::dijkstra_distances(map, start);
        std::size_t best = 0;
        for (std::size_t i = 0; i < goals.size(); ++i) {
            const Cost expected = map.contains(goals[i]) ? optimum[map.cell(goals[i])] : kInfinity;
            ASSERT_EQ(costs[i], expected) << describe(index, query_of(start, goals[i]));
            if (costs[i] < costs[best]) best = i;
        }
        if (costs[best] == kInfinity) {
            EXPECT_EQ(found, StatusCode::no_path);
            continue;
        }
        ASSERT_EQ(found, StatusCode::ok);
        EXPECT_EQ(nearest, best) << describe(index, query);
        query.goal = goals[best];
        ASSERT_EQ(fault_of(index, query, answer, costs[best]), "") << describe(index, query);
    }
}

TEST(SubgoalGoals, CostsNeedOnePlaceForEachGoal) {
    const Index index = build(ascii_map({"...."}));
    const std::vector<Point> goals{{1, 0}, {2, 0}};
    std::vector<Cost> costs(1);
    Searcher searcher;
    EXPECT_EQ(searcher.costs(index, {0, 0}, goals, costs), StatusCode::unsupported);
    costs.resize(2);
    EXPECT_EQ(searcher.costs(index, {9, 0}, goals, costs), StatusCode::start_outside);
    EXPECT_EQ(searcher.costs(index, {0, 0}, goals, costs), StatusCode::ok);
    Answer answer;
    std::size_t nearest = 0;
    EXPECT_EQ(searcher.find_nearest(index, query_of({0, 0}, {}), {}, answer, nearest),
              StatusCode::no_path);
}

}  // namespace
}  // namespace cairn::subgoal::test
