// All crossings as transitions lose no optimal path; needed diagonal crossings lose no path (HPA*
// paper, section 4.2).

#include <gtest/gtest.h>

#include "cairn/grid/dijkstra.hpp"
#include "hpa/random_cases.hpp"
#include "hpa/verify.hpp"
#include "support/ascii_map.hpp"
#include "support/scale.hpp"

namespace cairn::hpa::test {
namespace {

using cairn::test::ascii_map;
using grid::Map;
using grid::MoveRules;
using grid::Point;

class NoLoss : public testing::TestWithParam<MoveRules> {};

TEST_P(NoLoss, WithEveryCrossingPathsAreOptimal) {
    RandomCases random(60 + static_cast<std::uint64_t>(GetParam().corner));
    Searcher searcher;
    Answer answer;
    for (auto maps = cairn::test::scaled(40); maps > 0; --maps) {
        const Map map = random.map(random.size(48), GetParam());
        Options options = random.options();
        options.transitions = Transitions::every;
        options.diagonals = DiagonalCrossings::every;
        const Index index = build(map, options);
        const std::vector<Point> points = free_points(map);
        const std::size_t start_step = points.size() / 5 + 1;  // up to 5 starts
        const std::size_t goal_step = points.size() / 20 + 1;  // up to 20 goals of each
        for (std::size_t start = 0; start < points.size(); start += start_step) {
            const auto optimum = grid::dijkstra_distances(map, points[start]).value();
            for (std::size_t goal = 0; goal < points.size(); goal += goal_step) {
                const Query query = unsmoothed(points[start], points[goal]);
                searcher.find(index, query, answer);
                ASSERT_EQ(answer.cost, optimum[map.cell(points[goal])]) << describe(index, query);
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Rules, NoLoss, testing::ValuesIn(kAllRules), case_name);

Options with_diagonals(DiagonalCrossings diagonals) {
    Options options;
    options.cluster_size = 3;
    options.diagonals = diagonals;
    return options;
}

grid::MapOptions free_corners() {
    grid::MapOptions options;
    options.rules.corner = grid::CornerRule::free;
    return options;
}

// Only a diagonal move between two obstacles, from (2, 3) to (3, 4), joins the two sides. The paper
// has no such transitions.
TEST(DiagonalCrossing, BetweenObstaclesIsNeeded) {
    const Map map = ascii_map({"..@@..",  //
                               "..@@..",  //
                               "..@@..",  //
                               "...@..",  //
                               "@@@...",  //
                               "......"},
                              free_corners());
    const Query query = unsmoothed({0, 0}, {5, 0});
    const Index without = build(map, with_diagonals(DiagonalCrossings::none));
    EXPECT_EQ(answer_to(without, query).status, StatusCode::no_path);
    EXPECT_EQ(without.reachable({0, 0}, {5, 0}), StatusCode::no_path);
    const Index needed = build(map, with_diagonals(DiagonalCrossings::needed));
    EXPECT_EQ(needed.reachable({0, 0}, {5, 0}), StatusCode::ok);
    const Cost optimum = grid::dijkstra_distances(map, {0, 0}).value()[map.cell({5, 0})];
    EXPECT_EQ(fault_of(needed, query, answer_to(needed, query), optimum), "");
}

TEST(DiagonalCrossing, ThroughTheCornerOfFourClusters) {
    const Map map = ascii_map({"...@@@",  //
                               "...@@@",  //
                               "...@@@",  //
                               "@@@...",  //
                               "@@@...",  //
                               "@@@..."},
                              free_corners());
    const Query query = unsmoothed({0, 0}, {5, 5});
    EXPECT_EQ(answer_to(build(map, with_diagonals(DiagonalCrossings::none)), query).status,
              StatusCode::no_path);
    const Answer answer = answer_to(build(map, with_diagonals(DiagonalCrossings::needed)), query);
    EXPECT_EQ(answer.cost, 5 * CostModel{}.diagonal);
}

// Both cells beside the diagonal move are free, so two straight moves replace it.
TEST(DiagonalCrossing, BesideAFreeCellIsNotNeeded) {
    const Map map = ascii_map({"...@@@",  //
                               "...@@@",  //
                               "....@@",  //
                               "@@....",  //
                               "@@@...",  //
                               "@@@..."},
                              free_corners());
    const Index without = build(map, with_diagonals(DiagonalCrossings::none));
    const Index needed = build(map, with_diagonals(DiagonalCrossings::needed));
    const Index every = build(map, with_diagonals(DiagonalCrossings::every));
    EXPECT_EQ(without.statistics().value().inter_edges, needed.statistics().value().inter_edges);
    EXPECT_EQ(answer_to(without, unsmoothed({0, 0}, {5, 5})).status, StatusCode::ok);
    EXPECT_GT(every.statistics().value().inter_edges, without.statistics().value().inter_edges);
}

// Under the other corner rules straight moves can replace every diagonal one.
TEST(DiagonalCrossing, IsNeededOnlyUnderFreeCorners) {
    RandomCases random(11);
    for (const MoveRules& rules : kAllRules) {
        if (rules.corner == grid::CornerRule::free) continue;
        for (int maps = 0; maps < 10; ++maps) {
            const Map map = random.map(random.size(40), rules);
            EXPECT_EQ(build(map, with_diagonals(DiagonalCrossings::none))
                          .statistics()
                          .value()
                          .inter_edges,
                      build(map, with_diagonals(DiagonalCrossings::needed))
                          .statistics()
                          .value()
                          .inter_edges);
        }
    }
}

}  // namespace
}  // namespace cairn::hpa::test
