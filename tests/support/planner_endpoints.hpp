#pragma once
// Tests of starts and goals of every kind, for any planner P (support/planner.hpp): equal,
// isolated, blocked, outside, out of reach, and several goals at once.

#include <gtest/gtest.h>

#include <limits>

#include "cairn/grid/components.hpp"
#include "cairn/grid/dijkstra.hpp"
#include "cairn/grid/nearest.hpp"
#include "support/ascii_map.hpp"
#include "support/planner.hpp"
#include "support/random_maps.hpp"
#include "support/scale.hpp"

namespace cairn::test {

template <class P>
class PlannerEndpoints : public testing::Test {
protected:
    using Index = typename P::Index;
    using Engine = typename P::Engine;

    /// Calls `check(index, engine)` for indexes of all variants, with each engine.
    template <class Check>
    static void for_every_engine(const grid::Map& map, Check&& check) {
        for (const int number : P::kVariants) {
            const Index index = P::build(map, P::variant(number));
            for (const Engine engine : P::kEngines) check(index, engine);
        }
    }
    static auto find(const Index& index, grid::Point start, grid::Point goal, Engine engine) {
        return answer_to<P>(index, P::query(start, goal, engine));
    }
};

TYPED_TEST_SUITE_P(PlannerEndpoints);

TYPED_TEST_P(PlannerEndpoints, AStartThatIsTheGoalCostsNothing) {
    for (const grid::Map& map :
         {ascii_map({"....", ".@..", "....", "...."}), ascii_map({"...", "..."})}) {
        this->for_every_engine(map, [&](const auto& index, auto engine) {
            for (const grid::Point p : free_points(map)) {
                const auto answer = this->find(index, p, p, engine);
                EXPECT_EQ(answer.status, StatusCode::ok);
                EXPECT_EQ(answer.cost, 0U);
                EXPECT_EQ(answer.cells, std::vector<grid::Cell>{map.cell(p)});
            }
        });
    }
}

TYPED_TEST_P(PlannerEndpoints, MapsOfOneCell) {
    this->for_every_engine(ascii_map({"."}), [&](const auto& index, auto engine) {
        EXPECT_EQ(this->find(index, {0, 0}, {0, 0}, engine).status, StatusCode::ok);
        EXPECT_EQ(this->find(index, {0, 0}, {1, 0}, engine).status, StatusCode::goal_outside);
    });
    this->for_every_engine(ascii_map({"@"}), [&](const auto& index, auto engine) {
        EXPECT_EQ(this->find(index, {0, 0}, {0, 0}, engine).status, StatusCode::start_blocked);
    });
}

TYPED_TEST_P(PlannerEndpoints, TheFirstFaultOfAQueryGivesItsStatus) {
    const grid::Map map = ascii_map({"..@.", "..@.", "@@@.", "...."});
    this->for_every_engine(map, [&](const auto& index, auto engine) {
        const auto status = [&](grid::Point start, grid::Point goal) {
            return this->find(index, start, goal, engine).status;
        };
        for (const grid::Point goal : {grid::Point{0, 0}, {2, 0}, {9, 9}}) {
            EXPECT_EQ(status({-1, 0}, goal), StatusCode::start_outside);
            EXPECT_EQ(status({4, 0}, goal), StatusCode::start_outside);
            EXPECT_EQ(status({0, 4}, goal), StatusCode::start_outside);
            EXPECT_EQ(status({2, 0}, goal), StatusCode::start_blocked);
        }
        EXPECT_EQ(status({0, 0}, {0, -1}), StatusCode::goal_outside);
        EXPECT_EQ(status({0, 0}, {2, 0}), StatusCode::goal_blocked);
        EXPECT_EQ(status({0, 0}, {3, 0}), StatusCode::no_path);
        EXPECT_EQ(status({0, 0}, {1, 1}), StatusCode::ok);
        EXPECT_EQ(status({3, 0}, {0, 3}), StatusCode::ok);

        // The start's faults are those of all calls, whatever the goals are.
        const std::vector<grid::Point> goals{{9, 9}, {2, 0}};
        std::vector<Cost> costs(goals.size());
        typename TypeParam::Searcher searcher;
        typename TypeParam::Answer answer;
        std::size_t nearest = 0;
        auto query = TypeParam::query({2, 0}, {}, engine);
        EXPECT_EQ(searcher.costs(index, query, goals, costs), StatusCode::start_blocked);
        EXPECT_EQ(searcher.find_nearest(index, query, goals, answer, nearest),
                  StatusCode::start_blocked);
        query.nearest_reachable = true;
        EXPECT_EQ(answer_to<TypeParam>(index, query).status, StatusCode::start_blocked);
        query.start = {-1, 0};
        EXPECT_EQ(searcher.costs(index, query, goals, costs), StatusCode::start_outside);
        EXPECT_EQ(searcher.find_nearest(index, query, goals, answer, nearest),
                  StatusCode::start_outside);
        EXPECT_EQ(answer_to<TypeParam>(index, query).status, StatusCode::start_outside);
    });
}

TYPED_TEST_P(PlannerEndpoints, TheLeastAndGreatestCoordinatesAreOutside) {
    constexpr std::int32_t kLeast = std::numeric_limits<std::int32_t>::min();
    constexpr std::int32_t kMost = std::numeric_limits<std::int32_t>::max();
    this->for_every_engine(ascii_map({"..@.", "...."}), [&](const auto& index, auto engine) {
        for (const std::int32_t x : {kLeast, kMost}) {
            for (const std::int32_t y : {kLeast, kMost, 0}) {
                EXPECT_EQ(this->find(index, {x, y}, {0, 0}, engine).status,
                          StatusCode::start_outside);
                auto query = TypeParam::query({0, 0}, {x, y}, engine);
                EXPECT_EQ(answer_to<TypeParam>(index, query).status, StatusCode::goal_outside);
                query.nearest_reachable = true;
                EXPECT_EQ(answer_to<TypeParam>(index, query).status, StatusCode::ok);
            }
        }
    });
}

TYPED_TEST_P(PlannerEndpoints, AWalledInCellReachesOnlyItself) {
    const grid::Map map = ascii_map({".....",  //
                                     ".@@@.",  //
                                     ".@.@.",  //
                                     ".@@@.",  //
                                     "....."});
    this->for_every_engine(map, [&](const auto& index, auto engine) {
        EXPECT_EQ(this->find(index, {2, 2}, {2, 2}, engine).cost, 0U);
        EXPECT_EQ(this->find(index, {2, 2}, {0, 0}, engine).status, StatusCode::no_path);
        EXPECT_EQ(this->find(index, {0, 0}, {2, 2}, engine).status, StatusCode::no_path);
    });
}

/// Queries with nearest_reachable, to goals inside the map and outside: each answer leads to the
/// nearest cell that the start can reach.
template <class P>
void check_nearest_reachable(typename P::Random& random, typename P::Searcher& searcher,
                             const typename P::Index& index) {
    const grid::Map& map = index.map();
    const grid::Components components = grid::Components::build(map).value();
    typename P::Answer answer;
    for (int i = 0; i < 20; ++i) {
        auto query = any_query<P>(random, index);
        if (random.chance(20)) {
            query.goal = {query.goal.x * 3 - map.width(), query.goal.y - 7};
        }
        query.nearest_reachable = true;
        searcher.find(index, query, answer);
        if (!map.passable(map.cell(query.start))) {
            ASSERT_EQ(answer.status, StatusCode::start_blocked);
            continue;
        }
        const auto nearest = grid::nearest_reachable(map, components, query.start, query.goal);
        ASSERT_TRUE(nearest);
        ASSERT_EQ(answer.goal, *nearest) << P::describe(index, query);
        query.goal = *nearest;
        const auto optima = grid::dijkstra_distances(map, query.start).value();
        ASSERT_EQ(P::fault(index, query, answer, optima[map.cell(*nearest)]), "")
            << P::describe(index, query);
    }
}

TYPED_TEST_P(PlannerEndpoints, NearestReachableLeadsToTheNearestCellWithinReach) {
    typename TypeParam::Random random(22);
    typename TypeParam::Searcher searcher;
    for (auto maps = scaled(240); maps > 0; --maps) {
        const RandomMaps::Size size = random.size(40);
        auto index = random.chance(50)
                         ? TypeParam::any_index(random, TypeParam::any_map(random, size))
                         : TypeParam::any_index(random, random.noise(size, random.number(30, 70)));
        if (!TypeParam::complete(index)) continue;
        check_nearest_reachable<TypeParam>(random, searcher, index);
        // An edited index has no labels until with_labels builds them.
        index = *index.edited(TypeParam::edits(random, index));
        check_nearest_reachable<TypeParam>(random, searcher, index);
        check_nearest_reachable<TypeParam>(random, searcher, TypeParam::with_labels(index));
        if (this->HasFatalFailure()) return;
    }
}

/// Checks `costs` and `find_nearest` against queries for one goal each.
template <class P>
void check_several_goals(typename P::Random& random, typename P::Searcher& searcher,
                         const typename P::Index& index) {
    const grid::Map& map = index.map();
    const grid::Point start = random.point(map);
    std::vector<grid::Point> goals;
    goals.reserve(14);
    for (int i = 0; i < 12; ++i) goals.push_back(random.point(map));
    goals.push_back({-3, 4});
    if (random.chance(30)) goals.push_back(start);

    std::vector<Cost> costs(goals.size());
    const StatusCode costs_status = searcher.costs(index, {.start = start}, goals, costs);
    typename P::Query query;
    query.start = start;
    query.engine = any_engine<P>(random, index);
    typename P::Answer answer;
    std::size_t nearest = goals.size();
    const StatusCode nearest_status = searcher.find_nearest(index, query, goals, answer, nearest);
    if (!map.passable(map.cell(start))) {
        ASSERT_EQ(costs_status, StatusCode::start_blocked);
        ASSERT_EQ(nearest_status, StatusCode::start_blocked);
        return;
    }
    ASSERT_EQ(costs_status, StatusCode::ok);
    const std::vector<Cost> optima = grid::dijkstra_distances(map, start).value();
    std::size_t best = 0;
    for (std::size_t i = 0; i < goals.size(); ++i) {
        auto single = query;
        single.goal = goals[i];
        single.detail = decltype(single.detail)::cost;
        const auto single_answer = answer_to<P>(index, single);
        ASSERT_EQ(costs[i], single_answer.cost) << P::describe(index, single);
        if (map.contains(goals[i]) && map.passable(map.cell(goals[i]))) {
            ASSERT_EQ(P::fault(index, single, single_answer, optima[map.cell(goals[i])]), "")
                << P::describe(index, single);
        }
        if (costs[i] < costs[best]) best = i;
    }
    if (costs[best] == kInfinity) {
        ASSERT_EQ(nearest_status, StatusCode::no_path);
        return;
    }
    ASSERT_EQ(nearest_status, StatusCode::ok);
    query.goal = goals[best];
    ASSERT_EQ(nearest, best) << P::describe(index, query);
    ASSERT_LE(answer.cost, costs[best]);
    ASSERT_EQ(answer.cells.back(), map.cell(goals[best]));
    ASSERT_EQ(P::fault(index, query, answer, optima[map.cell(goals[best])]), "")
        << P::describe(index, query);
}

TYPED_TEST_P(PlannerEndpoints, CostsAndNearestAgreeWithSingleQueries) {
    typename TypeParam::Random random(23);
    typename TypeParam::Searcher searcher;
    for (auto maps = scaled(240); maps > 0; --maps) {
        const RandomMaps::Size size = random.size(40);
        const auto map = TypeParam::any_map(random, size);
        check_several_goals<TypeParam>(random, searcher, TypeParam::any_index(random, map));
        if (this->HasFatalFailure()) return;
    }
}

TYPED_TEST_P(PlannerEndpoints, CostsNeedsAsManyResultsAsGoals) {
    const auto index = TypeParam::build(ascii_map({"...."}), {});
    const std::vector<grid::Point> goals{{1, 0}, {2, 0}};
    std::vector<Cost> costs(1);
    typename TypeParam::Searcher searcher;
    EXPECT_EQ(searcher.costs(index, {.start = {0, 0}}, goals, costs), StatusCode::unsupported);
    costs.resize(2);
    EXPECT_EQ(searcher.costs(index, {.start = {9, 0}}, goals, costs), StatusCode::start_outside);
    EXPECT_EQ(searcher.costs(index, {.start = {0, 0}}, goals, costs), StatusCode::ok);
    typename TypeParam::Answer answer;
    std::size_t nearest = 0;
    EXPECT_EQ(searcher.find_nearest(index, {}, {}, answer, nearest), StatusCode::no_path);
}

REGISTER_TYPED_TEST_SUITE_P(PlannerEndpoints, AStartThatIsTheGoalCostsNothing, MapsOfOneCell,
                            TheFirstFaultOfAQueryGivesItsStatus,
                            TheLeastAndGreatestCoordinatesAreOutside,
                            AWalledInCellReachesOnlyItself,
                            NearestReachableLeadsToTheNearestCellWithinReach,
                            CostsAndNearestAgreeWithSingleQueries, CostsNeedsAsManyResultsAsGoals);

}  // namespace cairn::test
