// Starts and goals on subgoal graphs. The tests of all planners are in
// support/planner_endpoints.hpp.

#include <gtest/gtest.h>

#include "subgoal/verify.hpp"
#include "support/ascii_map.hpp"

namespace cairn::subgoal::test {
namespace {

using cairn::test::ascii_map;
using grid::Map;
using grid::Point;
using grid::TerrainEdit;

TEST(SubgoalEndpoints, MapsAllFreeOrAllBlockedHaveNoSubgoals) {
    const Index open = build(*Map::create(70, 50, std::vector<std::uint8_t>(3500, '.')));
    EXPECT_TRUE(subgoals(open).value().empty());
    EXPECT_TRUE(edges(open).value().empty());
    for (const Engine engine : kEngines) {
        const Answer answer = answer_to(open, query_of({3, 4}, {69, 49}, engine));
        EXPECT_EQ(answer.status, StatusCode::ok);
        EXPECT_TRUE(answer.h_reachable);
        EXPECT_EQ(answer.cost, open.map().distance_bound({3, 4}, {69, 49}));
        EXPECT_EQ(answer.subgoals.size(), 2U);
    }
    const Index blocked = build(*Map::create(70, 50, std::vector<std::uint8_t>(3500, '@')));
    EXPECT_TRUE(subgoals(blocked).value().empty());
    EXPECT_TRUE(edges(blocked).value().empty());
    for (const Engine engine : kEngines) {
        EXPECT_EQ(answer_to(blocked, query_of({3, 4}, {5, 5}, engine)).status,
                  StatusCode::start_blocked);
    }
}

// The upper component has a single subgoal, at (2, 1). It has no connectors, but is a connector of
// the other two cells.
TEST(SubgoalGoals, NearestReachableKeepsAReachableGoal) {
    const Index index = build(ascii_map({"@@.@@",  //
                                         "@..@@",  //
                                         "@@@@@",  //
                                         "@...."}));
    ASSERT_EQ(subgoals(index).value(), std::vector<grid::Cell>{index.map().cell({2, 1})});
    const Point component[] = {{2, 1}, {2, 0}, {1, 1}};
    for (const Point start : component) {
        for (const Point goal : component) {
            Query query = query_of(start, goal);
            query.nearest_reachable = true;
            EXPECT_EQ(answer_to(index, query).goal, goal);
        }
    }
}

}  // namespace
}  // namespace cairn::subgoal::test
