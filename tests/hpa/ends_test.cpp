// Starts and goals of every kind: equal, on abstract nodes, in one cluster, isolated, blocked,
// outside, and goals that are out of reach or many.

#include <gtest/gtest.h>

#include "cairn/grid/components.hpp"
#include "cairn/grid/dijkstra.hpp"
#include "cairn/grid/nearest.hpp"
#include "hpa/random_cases.hpp"
#include "hpa/verify.hpp"
#include "support/ascii_map.hpp"
#include "support/scale.hpp"

namespace cairn::hpa::test {
namespace {

using cairn::test::ascii_map;
using grid::Map;
using grid::Point;

constexpr Engine kEngines[] = {Engine::automatic, Engine::astar, Engine::levels,
                               Engine::cut_labels};

Options clusters_of(int size, int levels = 3) {
    Options options;
    options.cluster_size = size;
    options.levels = levels;
    return options;
}

TEST(Ends, StartIsGoal) {
    const Index index = build(ascii_map({"....", "....", "....", "...."}), clusters_of(2));
    for (const bool direct : {true, false}) {
        Query query = unsmoothed({1, 1}, {1, 1});
        query.try_direct_line = direct;
        const Answer answer = answer_to(index, query);
        EXPECT_EQ(answer.status, StatusCode::ok);
        EXPECT_EQ(answer.cost, 0U);
        EXPECT_EQ(answer.lower_bound, 0U);
        EXPECT_EQ(answer.cells, std::vector<grid::Cell>{5});
        EXPECT_EQ(answer.abstract_nodes.front(), 5U);
        EXPECT_EQ(answer.abstract_nodes.back(), 5U);
    }
}

TEST(Ends, StatusesInTheirOrder) {
    const Index index = build(ascii_map({"..@.", "..@.", "@@@.", "...."}), clusters_of(2));
    const auto status = [&](Point start, Point goal) {
        return answer_to(index, unsmoothed(start, goal)).status;
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
    EXPECT_FALSE(index.reachable({-1, 0}, {0, 0}));
    EXPECT_FALSE(index.reachable({0, 0}, {2, 0}));
    EXPECT_FALSE(index.reachable({0, 0}, {3, 0}));
    EXPECT_TRUE(index.reachable({3, 0}, {0, 3}));
}

// A cell walled in: it reaches itself and nothing else.
TEST(Ends, AnIsolatedCell) {
    const Index index = build(ascii_map({".....",  //
                                         ".@@@.",  //
                                         ".@.@.",  //
                                         ".@@@.",  //
                                         "....."}),
                              clusters_of(5));
    EXPECT_EQ(answer_to(index, unsmoothed({2, 2}, {2, 2})).cost, 0U);
    EXPECT_EQ(answer_to(index, unsmoothed({2, 2}, {0, 0})).status, StatusCode::no_path);
    EXPECT_EQ(answer_to(index, unsmoothed({0, 0}, {2, 2})).status, StatusCode::no_path);
}

// CHECKLIST A6.11: both ends in one cluster, the way inside it longer than the one outside, or
// missing.
TEST(Ends, InOneClusterWithAShorterWayOutside) {
    const Map map = ascii_map({"....@...",  //
                               ".@@.@...",  //
                               ".@@.@...",  //
                               ".@@.....",  //
                               ".@@@....",  //
                               "........"});
    for (int levels = 1; levels <= 3; ++levels) {
        const Index index = build(map, clusters_of(4, levels));
        for (const Engine engine : kEngines) {
            const Query query = unsmoothed({3, 3}, {0, 3}, engine);
            EXPECT_EQ(fault_of(index, query, answer_to(index, query),
                               grid::dijkstra_distances(map, {3, 3})[24]),
                      "");
        }
    }
    const Map parted = ascii_map({".@..",  //
                                  ".@..",  //
                                  ".@..",  //
                                  "...."});
    for (const Engine engine : kEngines) {
        const Index index = build(parted, clusters_of(2));
        const Answer answer = answer_to(index, unsmoothed({0, 0}, {0, 1}, engine));
        EXPECT_EQ(answer.cost, CostModel{}.straight);
        const Answer around =
            answer_to(build(parted, clusters_of(3)), unsmoothed({0, 0}, {2, 0}, engine));
        EXPECT_EQ(around.status, StatusCode::ok);
        EXPECT_EQ(around.cost, 8 * CostModel{}.straight);
    }
}

// On terrain the way out of the cluster and back may be cheaper although there is one inside.
TEST(Ends, InOneClusterOverDearTerrain) {
    const Map map = ascii_map({".9.",  //
                               ".9.",  //
                               "..."});
    for (int levels = 1; levels <= 3; ++levels) {
        for (const Engine engine : kEngines) {
            const Index index = build(map, clusters_of(2, levels));
            const Query query = unsmoothed({0, 0}, {1, 0}, engine);
            EXPECT_EQ(fault_of(index, query, answer_to(index, query),
                               grid::dijkstra_distances(map, {0, 0})[1]),
                      "");
        }
    }
}

TEST(Ends, OnAbstractNodes) {
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
            const auto optimum = grid::dijkstra_distances(map, map.point(from));
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

class Goals : public testing::TestWithParam<grid::MoveRules> {};

TEST_P(Goals, NearestReachableIsTheNearestByBruteForce) {
    RandomCases random(22);
    Searcher searcher;
    Answer answer;
    for (auto maps = cairn::test::scaled(60); maps > 0; --maps) {
        const Map map = random.map(random.size(40), GetParam());
        Options options = random.options();
        options.diagonals = DiagonalCrossings::needed;
        const Index index = build(map, options);
        const grid::Components components = grid::Components::build(map);
        for (int i = 0; i < 20; ++i) {
            Query query = random.plain_query(map);
            if (i % 4 == 0) query.goal.x += random.number(-60, 60);
            query.nearest_reachable = true;
            searcher.find(index, query, answer);
            const auto nearest = grid::nearest_reachable(map, components, query.start, query.goal);
            if (!nearest) {
                ASSERT_EQ(answer.status, StatusCode::start_blocked);
                continue;
            }
            ASSERT_EQ(answer.goal, *nearest) << describe(index, query);
            query.goal = *nearest;
            const auto optimum = grid::dijkstra_distances(map, query.start);
            ASSERT_EQ(fault_of(index, query, answer, optimum[map.cell(*nearest)]), "")
                << describe(index, query);
        }
    }
}

TEST_P(Goals, CostsAndNearestAgreeWithSingleQueries) {
    RandomCases random(23);
    Searcher searcher;
    Answer answer;
    for (auto maps = cairn::test::scaled(60); maps > 0; --maps) {
        const Map map = random.map(random.size(40), GetParam());
        const Index index = build(map, random.options());
        const Point start = random.point(map);
        std::vector<Point> goals;
        for (int i = 0; i < 12; ++i) goals.push_back(random.point(map));
        goals.push_back({-3, 4});
        if (random.chance(30)) goals.push_back(start);
        std::vector<Cost> costs(goals.size());
        const StatusCode status = searcher.costs(index, start, goals, costs);
        std::size_t nearest = 99;
        Query query = unsmoothed(start, {});
        query.try_direct_line = true;
        const StatusCode found = searcher.find_nearest(index, query, goals, answer, nearest);
        if (!map.passable(map.cell(start))) {
            EXPECT_EQ(status, StatusCode::start_blocked);
            EXPECT_EQ(found, StatusCode::start_blocked);
            continue;
        }
        ASSERT_EQ(status, StatusCode::ok);
        std::size_t best = 0;
        for (std::size_t i = 0; i < goals.size(); ++i) {
            query.goal = goals[i];
            ASSERT_EQ(costs[i], answer_to(index, query).cost) << describe(index, query);
            if (costs[i] < costs[best]) best = i;
        }
        if (costs[best] == kInfinity) {
            EXPECT_EQ(found, StatusCode::no_path);
            continue;
        }
        ASSERT_EQ(found, StatusCode::ok);
        EXPECT_EQ(nearest, best) << describe(index, query);
        EXPECT_EQ(answer.cost, costs[best]);
        EXPECT_EQ(answer.cells.back(), map.cell(goals[best]));
    }
}

INSTANTIATE_TEST_SUITE_P(Rules, Goals, testing::ValuesIn(kAllRules), case_name);

TEST(Goals, CostsNeedOnePlaceForEachGoal) {
    const Index index = build(ascii_map({"...."}), clusters_of(2));
    const std::vector<Point> goals{{1, 0}, {2, 0}};
    std::vector<Cost> costs(1);
    Searcher searcher;
    EXPECT_EQ(searcher.costs(index, {0, 0}, goals, costs), StatusCode::unsupported);
    costs.resize(2);
    EXPECT_EQ(searcher.costs(index, {9, 0}, goals, costs), StatusCode::start_outside);
    EXPECT_EQ(searcher.costs(index, {0, 0}, goals, costs), StatusCode::ok);
}

// With costs of 1 a step a goal one step away leaves room for one still nearer: the start itself.
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
