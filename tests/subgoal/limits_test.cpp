// Limits of queries and builds on subgoal graphs. The tests of all planners are in
// support/planner_limits.hpp.

#include <gtest/gtest.h>

#include <algorithm>

#include "subgoal/verify.hpp"
#include "support/scale.hpp"

namespace cairn::subgoal::test {
namespace {

using grid::Point;

// Limits from three below the optimum to three above it.
TEST(SubgoalCostLimit, QueriesWhoseOptimumIsAboveTheLimitAreRefused) {
    RandomMaps random(2);
    Searcher searcher;
    Answer answer;
    for (auto maps = cairn::test::scaled(60); maps > 0; --maps) {
        const RandomMaps::Size size = random.size(40);
        const Index index =
            build(random.uniform_map(size), variant(random.number(0, kVariants - 1)));
        const std::vector<Point> points = free_points(index.map());
        if (points.empty()) continue;
        for (int pairs = 0; pairs < 30; ++pairs) {
            const Engine engine = kEngines[static_cast<std::size_t>(random.number(0, 2))];
            const Point start = random.one_of(points);
            Query query = query_of(start, random.one_of(points), engine);
            const Cost optimum = answer_to(index, query).cost;
            if (optimum == 0 || optimum == kInfinity) continue;
            const int limit =
                random.number(static_cast<int>(optimum) - 3, static_cast<int>(optimum) + 3);
            query.limits.max_cost = static_cast<Cost>(std::max(0, limit));
            searcher.find(index, query, answer);
            if (query.limits.max_cost >= optimum) {
                ASSERT_EQ(fault_of(index, query, answer, optimum), "") << describe(index, query);
            } else {
                ASSERT_EQ(answer.status, StatusCode::over_cost_limit) << describe(index, query);
                ASSERT_TRUE(answer.subgoals.empty());
            }
        }
    }
}

TEST(SubgoalBuildControl, BuildingTheEnginesCanBeCancelled) {
    RandomMaps random(3);
    const grid::TerrainEdit edit{{5, 5, 1, 1}, '@'};
    const Index edited = *build(random.noise({200, 200}, 20)).edited({&edit, 1});
    CancelFlag flag;
    flag.cancel();
    BuildControl control;
    control.cancel = &flag;
    const auto cancelled = edited.with_labels(control);
    ASSERT_FALSE(cancelled);
    EXPECT_EQ(cancelled.error().code, StatusCode::cancelled);
    EXPECT_FALSE(edited.complete());
}

}  // namespace
}  // namespace cairn::subgoal::test
