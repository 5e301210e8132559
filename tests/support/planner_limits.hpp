#pragma once
// Tests of queries in slices, and of queries and builds with limits or a cancel flag, for any
// planner P (support/planner.hpp).

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <memory>

#include "cairn/grid/dijkstra.hpp"
#include "support/planner.hpp"
#include "support/random_maps.hpp"
#include "support/scale.hpp"

namespace cairn::test {

/// Every second row is a wall, with a gap at the right end and the left end in turn: a long path
/// with many abstract nodes. The last row begins new clusters, of 16 x 16 and of 20 x 20 cells.
inline grid::Map serpentine() {
    constexpr std::size_t kWidth = 80;
    constexpr std::size_t kHeight = 81;
    std::vector<std::uint8_t> terrain(kWidth * kHeight, '.');
    for (std::size_t y = 1; y < kHeight; y += 2) {
        const std::size_t first = y % 4 == 1 ? 0 : 1;
        std::fill_n(terrain.begin() + static_cast<std::ptrdiff_t>(y * kWidth + first), kWidth - 1,
                    '@');
    }
    return *grid::Map::create(kWidth, kHeight, terrain);
}

template <class P>
class PlannerLimits : public testing::Test {
protected:
    typename P::Answer find() const { return answer_to<P>(index_, query_); }

    typename P::Index index_ = P::build(serpentine(), {});
    typename P::Query query_ = P::query({0, 0}, {0, 80}, P::kSearching.front());
};

TYPED_TEST_SUITE_P(PlannerLimits);

TYPED_TEST_P(PlannerLimits, SlicesOfAnySizeGiveTheSameAnswer) {
    using P = TypeParam;
    typename P::Random random(1);
    typename P::Searcher sliced;
    typename P::Answer answer;
    for (auto maps = scaled(40); maps > 0; --maps) {
        const RandomMaps::Size size{random.number(20, 80), random.number(20, 80)};
        const auto map = P::any_map(random, size);
        const auto index = P::build(map, P::variant(random.number(0, 15)));
        for (const std::uint64_t slice : {1U, 2U, 3U, 7U, 100U, 257U}) {
            const auto query = any_query<P>(random, index);
            sliced.begin(index, query, answer);
            while (sliced.advance(slice)) {
            }
            ASSERT_TRUE(P::essence(answer) == P::essence(answer_to<P>(index, query)))
                << P::describe(index, query);
        }
    }
}

TYPED_TEST_P(PlannerLimits, AQueryOutlivesItsIndexAndItsEdit) {
    const auto whole = this->find();
    ASSERT_EQ(whole.status, StatusCode::ok);
    typename TypeParam::Searcher searcher;
    typename TypeParam::Answer answer;
    auto index = std::make_unique<typename TypeParam::Index>(this->index_);
    searcher.begin(*index, this->query_, answer);
    ASSERT_TRUE(searcher.advance(1));
    const grid::TerrainEdit edit{{0, 0, 80, 81}, '@'};
    *index = *index->edited({&edit, 1});
    index.reset();
    while (searcher.advance(1)) {
    }
    EXPECT_TRUE(TypeParam::essence(answer) == TypeParam::essence(whole));
    EXPECT_EQ(answer.snapshot_id, whole.snapshot_id);
}

// For goals in the start's row, behind one wall at either end, and at the far end of the map.
TYPED_TEST_P(PlannerLimits, MaxCostIsInclusive) {
    auto& query = this->query_;
    for (const grid::Point goal : {grid::Point{40, 0}, {79, 2}, {0, 2}, {0, 80}}) {
        for (const auto engine : TypeParam::kEngines) {
            query.goal = goal;
            query.engine = engine;
            query.limits = {};
            const Cost cost = this->find().cost;
            ASSERT_LT(cost, kInfinity);
            query.limits.max_cost = cost;
            EXPECT_EQ(this->find().status, StatusCode::ok);
            EXPECT_EQ(this->find().cost, cost);
            query.limits.max_cost = cost - 1;
            const auto refused = this->find();
            EXPECT_EQ(refused.status, StatusCode::over_cost_limit);
            EXPECT_EQ(refused.cost, kInfinity);
            EXPECT_TRUE(refused.cells.empty());
            query.limits.max_cost = 0;
            EXPECT_EQ(this->find().status, StatusCode::over_cost_limit);
            query.limits.max_cost = kInfinity;
            EXPECT_EQ(this->find().status, StatusCode::ok);
        }
    }
}

TYPED_TEST_P(PlannerLimits, AStartThatIsTheGoalFitsAnyCost) {
    this->query_.goal = this->query_.start;
    this->query_.limits.max_cost = 0;
    this->query_.limits.max_expanded = 0;
    EXPECT_EQ(this->find().status, StatusCode::ok);
}

TYPED_TEST_P(PlannerLimits, ABudgetStopsTheSearch) {
    auto& query = this->query_;
    for (const auto engine : TypeParam::kSearching) {
        query.engine = engine;
        query.limits = {};
        const auto whole = this->find();
        const std::uint64_t needed = whole.statistics.search.expanded;
        ASSERT_GT(needed, 10U);
        for (const std::uint64_t budget : {std::uint64_t{0}, std::uint64_t{1}, needed / 2}) {
            query.limits.max_expanded = budget;
            const auto stopped = this->find();
            EXPECT_EQ(stopped.status, StatusCode::budget_exhausted);
            EXPECT_EQ(stopped.cost, kInfinity);
            EXPECT_LE(stopped.statistics.search.expanded, budget);
        }
        query.limits.max_expanded = TypeParam::expanded(whole) + 1;
        EXPECT_EQ(this->find().status, StatusCode::ok);
    }
}

TYPED_TEST_P(PlannerLimits, ACancelledQueryStaysCancelled) {
    auto& query = this->query_;
    CancelFlag flag;
    query.limits.cancel = &flag;
    EXPECT_EQ(this->find().status, StatusCode::ok);
    typename TypeParam::Searcher searcher;
    typename TypeParam::Answer answer;
    for (const auto engine : TypeParam::kSearching) {
        flag.reset();
        query.engine = engine;
        searcher.begin(this->index_, query, answer);
        ASSERT_TRUE(searcher.advance(3));
        flag.cancel();
        EXPECT_FALSE(searcher.advance());
        EXPECT_EQ(answer.status, StatusCode::cancelled);
        EXPECT_EQ(answer.cost, kInfinity);
        EXPECT_TRUE(answer.cells.empty());
        EXPECT_FALSE(searcher.advance());
        EXPECT_EQ(answer.status, StatusCode::cancelled);
    }
}

TYPED_TEST_P(PlannerLimits, ADeadlineStopsTheSearch) {
    auto& query = this->query_;
    for (const auto engine : TypeParam::kEngines) {
        query.engine = engine;
        query.limits.deadline = {};
        const auto whole = this->find();
        query.limits.deadline = Deadline::in_microseconds(3'600'000'000);
        EXPECT_TRUE(TypeParam::essence(this->find()) == TypeParam::essence(whole));
        query.limits.deadline = Deadline::in_microseconds(0);
        const auto stopped = this->find();
        EXPECT_EQ(stopped.status, StatusCode::budget_exhausted);
        EXPECT_EQ(stopped.cost, kInfinity);
        EXPECT_TRUE(stopped.cells.empty());
    }
}

TYPED_TEST_P(PlannerLimits, ASliceEndsAtItsDeadline) {
    typename TypeParam::Searcher searcher;
    typename TypeParam::Answer answer;
    const auto whole = this->find();
    for (const auto engine : TypeParam::kSearching) {
        this->query_.engine = engine;
        ASSERT_EQ(searcher.begin(this->index_, this->query_, answer), StatusCode::ok);
        for (int slices = 3; slices > 0; --slices)
            ASSERT_TRUE(searcher.advance(1'000'000, Deadline::in_microseconds(0)));
        EXPECT_FALSE(searcher.advance(1'000'000, Deadline::in_microseconds(3'600'000'000)));
        EXPECT_EQ(answer.status, StatusCode::ok);
        EXPECT_EQ(answer.cost, whole.cost);
        EXPECT_FALSE(searcher.advance(1, Deadline::in_microseconds(0)));
    }
}

// The start and every step are legal. What was not asked for is not there.
TYPED_TEST_P(PlannerLimits, APartialPathLeadsTowardsTheGoal) {
    using P = TypeParam;
    typename P::Random random(19);
    int partial = 0;
    int moved = 0;
    for (auto maps = scaled(60); maps > 0; --maps) {
        const auto map = P::any_map(random, {random.number(20, 60), random.number(20, 60)});
        const auto index = P::build(map, P::variant(random.number(0, 15)));
        for (int queries = 20; queries > 0; --queries) {
            auto query = any_query<P>(random, index);
            query.nearest_reachable = false;
            query.detail = decltype(query.detail)::path;
            query.limits.max_expanded = static_cast<std::uint64_t>(random.number(0, 40));
            if (answer_to<P>(index, query).status != StatusCode::budget_exhausted) continue;
            EXPECT_TRUE(answer_to<P>(index, query).cells.empty());
            query.limits.partial_path = true;
            const auto answer = answer_to<P>(index, query);
            ASSERT_EQ(answer.status, StatusCode::budget_exhausted);
            EXPECT_EQ(answer.cost, kInfinity);
            ASSERT_FALSE(answer.cells.empty());
            ASSERT_EQ(answer.cells.front(), index.map().cell(query.start));
            ASSERT_LT(grid::path_cost(index.map(), answer.cells), kInfinity)
                << P::describe(index, query);
            const Cost best = grid::dijkstra_distances(index.map(), query.start)
                                  .value()[index.map().cell(query.goal)];
            ASSERT_LE(answer.lower_bound, best) << P::describe(index, query);
            ++partial;
            moved += answer.cells.size() > 1 ? 1 : 0;
            typename P::Searcher sliced;
            typename P::Answer again;
            sliced.begin(index, query, again);
            while (sliced.advance(3)) {
            }
            ASSERT_TRUE(P::essence(again) == P::essence(answer));
            query.detail = decltype(query.detail)::cost;
            EXPECT_TRUE(answer_to<P>(index, query).cells.empty());
        }
    }
    EXPECT_GT(moved, partial / 2);
    EXPECT_GT(partial, 0);
}

// The more a search expands, the more it has proved, and the end of its path is the goal at last.
TYPED_TEST_P(PlannerLimits, APartialPathComesToItsGoal) {
    auto& query = this->query_;
    const auto whole = this->find();
    query.limits.partial_path = true;
    Cost proved = 0;
    bool arrived = false;
    for (std::uint64_t budget = 0; budget <= TypeParam::expanded(whole); ++budget) {
        query.limits.max_expanded = budget;
        const auto answer = this->find();
        if (answer.status == StatusCode::ok) break;
        ASSERT_EQ(answer.status, StatusCode::budget_exhausted);
        EXPECT_GE(answer.lower_bound, proved);
        proved = answer.lower_bound;
        arrived = answer.cells.back() == this->index_.map().cell(query.goal);
    }
    EXPECT_TRUE(arrived);
    CancelFlag flag;
    flag.cancel();
    query.limits.cancel = &flag;
    for (const auto engine : TypeParam::kEngines) {
        query.engine = engine;
        const auto cancelled = this->find();
        EXPECT_EQ(cancelled.status, StatusCode::cancelled);
        EXPECT_FALSE(cancelled.cells.empty());
    }
}

TYPED_TEST_P(PlannerLimits, ABuildCancelsAndReportsProgress) {
    using Index = typename TypeParam::Index;
    RandomMaps random(3);
    for (const int density : {0, 20}) {
        const grid::Map map = random.noise({200, 200}, density);
        BuildControl control;
        double last = 0;
        int reports = 0;
        control.progress = [&](double done) {
            EXPECT_GE(done, last);
            last = done;
            ++reports;
        };
        ASSERT_TRUE(Index::build(map, TypeParam::variant(0), control));
        EXPECT_EQ(last, 1.0);
        EXPECT_GT(reports, 3);
        EXPECT_LT(reports, 300);

        CancelFlag flag;
        flag.cancel();
        control = {};
        control.cancel = &flag;
        const auto cancelled = Index::build(map, TypeParam::variant(0), control);
        ASSERT_FALSE(cancelled);
        EXPECT_EQ(cancelled.error().code, StatusCode::cancelled);
    }
}

REGISTER_TYPED_TEST_SUITE_P(PlannerLimits, SlicesOfAnySizeGiveTheSameAnswer,
                            AQueryOutlivesItsIndexAndItsEdit, MaxCostIsInclusive,
                            AStartThatIsTheGoalFitsAnyCost, ABudgetStopsTheSearch,
                            ACancelledQueryStaysCancelled, ADeadlineStopsTheSearch,
                            ASliceEndsAtItsDeadline, APartialPathLeadsTowardsTheGoal,
                            APartialPathComesToItsGoal, ABuildCancelsAndReportsProgress);

}  // namespace cairn::test
