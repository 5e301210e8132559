// What transitions lose, and how they lose nothing (section 4.2).

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

TEST_P(NoLoss, EveryCrossingGivesTheOptimum) {
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
        for (std::size_t start = 0; start < points.size(); start += points.size() / 5 + 1) {
            const auto optimum = grid::dijkstra_distances(map, points[start]);
            for (std::size_t goal = 0; goal < points.size(); goal += points.size() / 20 + 1) {
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

// Two clusters that only a diagonal move between two obstacles joins: the paper's entrances miss
// it.
TEST(DiagonalCrossing, BetweenObstaclesIsNeeded) {
    const Map map = ascii_map({"..@@..",  //
                               "..@@..",  //
                               "..@@..",  //
                               "...@..",  //
                               "@@@...",  //
                               "......"},
                              free_corners());
    const Query query = unsmoothed({0, 0}, {5, 0});
    const Index paper = build(map, with_diagonals(DiagonalCrossings::none));
    EXPECT_EQ(answer_to(paper, query).status, StatusCode::no_path);
    EXPECT_FALSE(paper.reachable({0, 0}, {5, 0}));
    const Index fixed = build(map, with_diagonals(DiagonalCrossings::needed));
    EXPECT_TRUE(fixed.reachable({0, 0}, {5, 0}));
    EXPECT_EQ(
        fault_of(fixed, query, answer_to(fixed, query), grid::dijkstra_distances(map, {0, 0})[5]),
        "");
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

// Where one of the cells beside the diagonal is free, two straight moves do.
TEST(DiagonalCrossing, BesideAFreeCellIsNotNeeded) {
    const Map map = ascii_map({"...@@@",  //
                               "...@@@",  //
                               "....@@",  //
                               "@@....",  //
                               "@@@...",  //
                               "@@@..."},
                              free_corners());
    const IndexStatistics paper = build(map, with_diagonals(DiagonalCrossings::none)).statistics();
    const IndexStatistics fixed =
        build(map, with_diagonals(DiagonalCrossings::needed)).statistics();
    EXPECT_EQ(paper.inter_edges, fixed.inter_edges);
    EXPECT_EQ(
        answer_to(build(map, with_diagonals(DiagonalCrossings::none)), unsmoothed({0, 0}, {5, 5}))
            .status,
        StatusCode::ok);
    EXPECT_GT(build(map, with_diagonals(DiagonalCrossings::every)).statistics().inter_edges,
              paper.inter_edges);
}

// Only free corners allow a diagonal move that nothing replaces.
TEST(DiagonalCrossing, IsNeverNeededUnderOtherRules) {
    RandomCases random(11);
    for (const MoveRules& rules : kAllRules) {
        if (rules.corner == grid::CornerRule::free) continue;
        for (int maps = 0; maps < 10; ++maps) {
            const Map map = random.map(random.size(40), rules);
            EXPECT_EQ(
                build(map, with_diagonals(DiagonalCrossings::none)).statistics().inter_edges,
                build(map, with_diagonals(DiagonalCrossings::needed)).statistics().inter_edges);
        }
    }
}

}  // namespace
}  // namespace cairn::hpa::test
