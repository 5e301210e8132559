// Starts and goals of every kind, besides what holds for every planner.

#include <gtest/gtest.h>

#include "subgoal/verify.hpp"
#include "support/ascii_map.hpp"

namespace cairn::subgoal::test {
namespace {

using cairn::test::ascii_map;
using grid::Map;
using grid::Point;
using grid::TerrainEdit;

TEST(SubgoalEndpoints, AllFreeOrAllBlocked) {
    const Index open = build(*Map::create(70, 50, std::vector<std::uint8_t>(3500, '.')));
    EXPECT_TRUE(subgoals(open).empty());
    EXPECT_TRUE(edges(open).empty());
    for (const Engine engine : kEngines) {
        const Answer answer = answer_to(open, query_of({3, 4}, {69, 49}, engine));
        EXPECT_EQ(answer.status, StatusCode::ok);
        EXPECT_TRUE(answer.h_reachable);
        EXPECT_EQ(answer.cost, open.map().distance_bound({3, 4}, {69, 49}));
        EXPECT_EQ(answer.subgoals.size(), 2U);
    }
    const Index blocked = build(*Map::create(70, 50, std::vector<std::uint8_t>(3500, '@')));
    EXPECT_TRUE(subgoals(blocked).empty());
    EXPECT_TRUE(edges(blocked).empty());
    for (const Engine engine : kEngines) {
        EXPECT_EQ(answer_to(blocked, query_of({3, 4}, {5, 5}, engine)).status,
                  StatusCode::start_blocked);
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

}  // namespace
}  // namespace cairn::subgoal::test
