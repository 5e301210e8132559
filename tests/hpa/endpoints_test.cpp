// Starts and goals of HPA*: equal, in one cluster, and on abstract nodes. The tests of all planners
// are in support/planner_endpoints.hpp.

#include <gtest/gtest.h>

#include "cairn/grid/dijkstra.hpp"
#include "hpa/random_cases.hpp"
#include "hpa/verify.hpp"
#include "support/ascii_map.hpp"

namespace cairn::hpa::test {
namespace {

using cairn::test::ascii_map;
using grid::Map;
using grid::Point;

constexpr Engine kEngines[] = {Engine::automatic, Engine::astar, Engine::levels, Engine::cut_labels,
                               Engine::climb};

// `size`: the side of a cluster in cells.
Options clusters_of(int size, int levels = 3) {
    Options options;
    options.cluster_size = size;
    options.levels = levels;
    return options;
}

TEST(Endpoints, APathFromAStartToItselfIsOneCell) {
    const Index index = build(ascii_map({"....", "....", "....", "...."}), clusters_of(2));
    for (const bool direct : {true, false}) {
        Query query = unsmoothed({1, 1}, {1, 1});
        query.try_direct_line = direct;
        const Answer answer = answer_to(index, query);
        EXPECT_EQ(answer.status, StatusCode::ok);
        EXPECT_EQ(answer.cost, 0U);
        EXPECT_EQ(answer.lower_bound, 0U);
        const grid::Cell cell = index.map().cell({1, 1});
        EXPECT_EQ(answer.cells, std::vector<grid::Cell>{cell});
        EXPECT_EQ(answer.abstract_nodes.front(), cell);
        EXPECT_EQ(answer.abstract_nodes.back(), cell);
    }
}

TEST(Endpoints, ReachableCellsAreFreeAndConnected) {
    const Index index = build(ascii_map({"..@.",  //
                                         "..@.",  //
                                         "@@@.",  //
                                         "...."}),
                              clusters_of(2));
    EXPECT_EQ(index.reachable({-1, 0}, {0, 0}), StatusCode::start_outside);
    EXPECT_EQ(index.reachable({0, 0}, {2, 0}), StatusCode::goal_blocked);
    EXPECT_EQ(index.reachable({0, 0}, {3, 0}), StatusCode::no_path);
    EXPECT_EQ(index.reachable({3, 0}, {0, 3}), StatusCode::ok);
}

// Start and goal lie in one cluster of 4 x 4 cells. Inside it the path takes 9 moves, outside 7.
TEST(Endpoints, AShorterPathMayLeaveTheClusterOfBothEnds) {
    const Map map = ascii_map({"....@...",  //
                               ".@@.@...",  //
                               ".@@.@...",  //
                               ".@@.....",  //
                               ".@@.....",  //
                               "........"});
    for (int levels = 1; levels <= 3; ++levels) {
        const Index index = build(map, clusters_of(4, levels));
        for (const Engine engine : kEngines) {
            const Query query = unsmoothed({3, 3}, {0, 3}, engine);
            const Answer answer = answer_to(index, query);
            EXPECT_EQ(answer.cost, 7 * CostModel{}.straight);
            EXPECT_EQ(fault_of(index, query, answer, 7 * CostModel{}.straight), "");
        }
    }
}

// Inside the cluster of 3 x 3 cells no path leads round the wall.
TEST(Endpoints, APathMayLeaveTheClusterOfBothEndsIfNoneIsInside) {
    const Map map = ascii_map({".@..",  //
                               ".@..",  //
                               ".@..",  //
                               "...."});
    for (const Engine engine : kEngines) {
        const Answer beside =
            answer_to(build(map, clusters_of(2)), unsmoothed({0, 0}, {0, 1}, engine));
        EXPECT_EQ(beside.cost, CostModel{}.straight);
        const Answer around =
            answer_to(build(map, clusters_of(3)), unsmoothed({0, 0}, {2, 0}, engine));
        EXPECT_EQ(around.status, StatusCode::ok);
        EXPECT_EQ(around.cost, 8 * CostModel{}.straight);
    }
}

// Two moves over the costly column inside the cluster of 3 x 3 cells cost as much as 10 straight
// moves; the 8 moves around the column, outside the cluster, are cheaper.
TEST(Endpoints, ACheaperPathMayLeaveTheClusterOfBothEnds) {
    const Map map = ascii_map({".9.",  //
                               ".9.",  //
                               ".9.",  //
                               "..."});
    for (int levels = 1; levels <= 3; ++levels) {
        Options options = clusters_of(3, levels);
        options.transitions = Transitions::every;
        const Index index = build(map, options);
        for (const Engine engine : kEngines) {
            const Query query = unsmoothed({0, 0}, {2, 0}, engine);
            const Answer answer = answer_to(index, query);
            EXPECT_EQ(answer.cost, 8 * CostModel{}.straight);
            const Cost optimum = grid::dijkstra_distances(map, {0, 0}).value()[map.cell({2, 0})];
            EXPECT_EQ(fault_of(index, query, answer, optimum), "");
        }
    }
}

TEST(Endpoints, PathsBetweenAbstractNodesHaveNoFault) {
    RandomCases random(21);
    for (int maps = 0; maps < 20; ++maps) {
        const Map map = random.map({30, 30}, {});
        const Index index = build(map, clusters_of(6));
        Searcher searcher;
        Answer answer;
        const std::vector<Point> points = free_points(map);
        if (points.empty()) continue;
        searcher.find(index, unsmoothed(points.front(), points.back()), answer);
        const std::vector<grid::Cell> nodes = answer.abstract_nodes;
        for (const grid::Cell from : nodes) {
            const auto optimum = grid::dijkstra_distances(map, map.point(from)).value();
            for (const grid::Cell to : nodes) {
                for (const Engine engine : kEngines) {
                    const Query query = unsmoothed(map.point(from), map.point(to), engine);
                    searcher.find(index, query, answer);
                    ASSERT_EQ(fault_of(index, query, answer, optimum[to]), "")
                        << describe(index, query);
                }
            }
        }
    }
}

// The first goal costs 1. Only the second one, the start itself, is nearer.
TEST(Goals, TheStartIsNearerThanItsNeighbour) {
    grid::MapOptions map_options;
    map_options.costs = {1, 1};
    const Index index = build(ascii_map({"...."}, map_options), clusters_of(2));
    const std::vector<Point> goals{{1, 0}, {0, 0}};
    Searcher searcher;
    Answer answer;
    std::size_t nearest = 0;
    EXPECT_EQ(searcher.find_nearest(index, unsmoothed({0, 0}, {}), goals, answer, nearest),
              StatusCode::ok);
    EXPECT_EQ(nearest, 1U);
}

}  // namespace
}  // namespace cairn::hpa::test
