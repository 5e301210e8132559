#pragma once
// Tests of paths that cost up to kInfinity and beyond, for any planner P on grids
// (support/planner.hpp).

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "cairn/grid/map.hpp"
#include "support/large_costs.hpp"
#include "support/planner.hpp"
#include "support/scale.hpp"

namespace cairn::test {

template <class P>
class PlannerCosts : public testing::Test {
protected:
    using Index = typename P::Index;
    using Query = typename P::Query;

    /// A map that the planner can use, with large costs.
    static grid::Map any_map(typename P::Random& random) {
        const RandomMaps::Size size = random.size(24);
        if constexpr (std::is_same_v<decltype(P::any_map(random, size)), grid::Map>) {
            return with_large_costs(random, P::any_map(random, size));
        } else {
            return with_large_costs(random, random.map(size, {}));
        }
    }

    static bool asks_only_for_reachability(const Query& query) {
        using Detail = decltype(query.detail);
        if constexpr (requires { Detail::reachable; }) return query.detail == Detail::reachable;
        return false;
    }

    /// Checks the answer to a query without limits between free cells at this distance.
    static void check(const Index& index, const Query& query, const typename P::Answer& answer,
                      std::uint64_t distance) {
        if (distance == kUnreachable) {
            ASSERT_EQ(answer.status, StatusCode::no_path) << P::describe(index, query);
        } else if (asks_only_for_reachability(query)) {
            ASSERT_EQ(answer.status, StatusCode::ok) << P::describe(index, query);
        } else if (distance >= kInfinity || (!P::kExact && answer.status != StatusCode::ok)) {
            ASSERT_EQ(answer.status, StatusCode::cost_too_large) << P::describe(index, query);
        } else {
            ASSERT_EQ(P::fault(index, query, answer, static_cast<Cost>(distance)), "")
                << P::describe(index, query);
            return;
        }
        ASSERT_EQ(answer.cost, kInfinity);
        ASSERT_TRUE(answer.cells.empty());
    }
};

TYPED_TEST_SUITE_P(PlannerCosts);

TYPED_TEST_P(PlannerCosts, CostsAreExactUpToTheLargestAndTooLargeBeyond) {
    const Serpentine s = serpentine(100, 101);
    const std::array<std::size_t, 11> goals{
        0, 1, 100, kMostMoves - 1, kMostMoves, 2388, 2389, 4773, 4774, 4775, s.cells.size() - 1};
    ASSERT_GT(s.cells.size(), 5000U);
    for (const int number : TypeParam::kVariants) {
        const auto index = TypeParam::build(s.map, TypeParam::variant(number));
        typename TypeParam::Searcher searcher;
        typename TypeParam::Answer answer;
        for (const auto engine : TypeParam::kEngines) {
            for (const std::size_t goal : goals) {
                for (const bool back : {false, true}) {
                    auto query = TypeParam::query(s.cells[back ? goal : 0],
                                                  s.cells[back ? 0 : goal], engine);
                    searcher.find(index, query, answer);
                    if (goal <= kMostMoves) {
                        ASSERT_EQ(answer.status, StatusCode::ok) << goal;
                        ASSERT_EQ(answer.cost, goal * 899'658);
                        ASSERT_EQ(answer.cells.size(), goal + 1);
                    } else {
                        ASSERT_EQ(answer.status, StatusCode::cost_too_large) << goal;
                        ASSERT_EQ(answer.cost, kInfinity);
                        ASSERT_TRUE(answer.cells.empty());
                    }
                }
            }
        }
    }
}

TYPED_TEST_P(PlannerCosts, ALimitOfTheCallerIsSaidFirst) {
    const Serpentine s = serpentine(100, 101);
    const auto index = TypeParam::build(s.map, TypeParam::variant(0));
    for (const auto engine : TypeParam::kEngines) {
        auto query = TypeParam::query(s.cells.front(), s.cells.back(), engine);
        query.limits.max_cost = kInfinity - 2;
        EXPECT_EQ(answer_to<TypeParam>(index, query).status, StatusCode::over_cost_limit);
        query.limits.max_cost = kInfinity - 1;
        EXPECT_EQ(answer_to<TypeParam>(index, query).status, StatusCode::cost_too_large);
        query.goal = s.cells[kMostMoves];
        EXPECT_EQ(answer_to<TypeParam>(index, query).status, StatusCode::ok);
        query.limits.max_cost = kInfinity - 2;
        EXPECT_EQ(answer_to<TypeParam>(index, query).status, StatusCode::over_cost_limit);
    }
}

TYPED_TEST_P(PlannerCosts, AnswersAgreeWithDijkstraIn64Bits) {
    typename TypeParam::Random random(61);
    typename TypeParam::Searcher searcher;
    std::array<std::size_t, 3> seen{};  // found, too large, no path
    for (auto maps = scaled(400); maps > 0; --maps) {
        const grid::Map map = this->any_map(random);
        const auto number = static_cast<std::size_t>(
            random.number(0, static_cast<int>(TypeParam::kVariants.size()) - 1));
        auto index = TypeParam::build(map, TypeParam::variant(TypeParam::kVariants[number]));
        for (int edits = 0; edits < 3; ++edits) {
            if (edits > 0) index = *index.edited(TypeParam::edits(random, index));
            if (edits == 2) index = TypeParam::with_labels(index);
            const grid::Point start = random.point(index.map());
            if (!index.map().passable(index.map().cell(start))) continue;
            const auto distances = wide_distances(index.map(), start);
            for (int i = 0; i < 10; ++i) {
                const grid::Point goal = random.point(index.map());
                if (!index.map().passable(index.map().cell(goal))) continue;
                const std::uint64_t distance = distances[index.map().cell(goal)];
                auto query = TypeParam::any_query(random, index, start, goal);
                query.nearest_reachable = false;
                typename TypeParam::Answer answer;
                searcher.find(index, query, answer);
                this->check(index, query, answer, distance);
                typename TypeParam::Answer sliced;
                searcher.begin(index, query, sliced);
                while (searcher.advance(3)) {
                }
                ASSERT_EQ(sliced.status, answer.status) << TypeParam::describe(index, query);
                ASSERT_EQ(sliced.cost, answer.cost) << TypeParam::describe(index, query);
                if (this->HasFatalFailure()) return;
                ++seen[distance == kUnreachable ? 2 : distance >= kInfinity ? 1 : 0];
            }
        }
    }
    for (const std::size_t count : seen) EXPECT_GT(count, 0U);
}

TYPED_TEST_P(PlannerCosts, SeveralGoalsAndBatchesTellTheSame) {
    typename TypeParam::Random random(62);
    typename TypeParam::Searcher searcher;
    for (auto maps = scaled(60); maps > 0; --maps) {
        const auto index = TypeParam::build(this->any_map(random), TypeParam::variant(0));
        typename TypeParam::Query model;
        model.start = random.point(index.map());
        if (!index.map().passable(index.map().cell(model.start))) continue;
        std::vector<grid::Request> requests;
        std::vector<grid::Point> goals;
        for (int i = 0; i < 12; ++i) {
            goals.push_back(random.point(index.map()));
            requests.push_back({model.start, goals.back()});
        }
        std::vector<Cost> costs(goals.size());
        ASSERT_EQ(searcher.costs(index, model, goals, costs), StatusCode::ok);
        grid::Paths paths;
        ASSERT_TRUE(typename TypeParam::BatchSearcher()
                        .find_paths(index, requests, paths, model, {}, one_thread())
                        .ok());
        StatusCode expected = StatusCode::no_path;
        Cost least = kInfinity;
        for (std::size_t i = 0; i < goals.size(); ++i) {
            auto query = model;
            query.goal = goals[i];
            const auto single = answer_to<TypeParam>(index, query);
            ASSERT_EQ(paths.status[i], single.status);
            ASSERT_EQ(paths.cost[i], single.cost);
            query.detail = decltype(query.detail)::cost;
            ASSERT_EQ(costs[i], answer_to<TypeParam>(index, query).cost);
            least = std::min(least, costs[i]);
            if (single.status == StatusCode::cost_too_large) expected = single.status;
        }
        if (least < kInfinity) expected = StatusCode::ok;
        typename TypeParam::Answer answer;
        std::size_t nearest = 0;
        ASSERT_EQ(searcher.find_nearest(index, model, goals, answer, nearest), expected);
        if (expected == StatusCode::ok) {
            ASSERT_EQ(costs[nearest], least);
        }
    }
}

REGISTER_TYPED_TEST_SUITE_P(PlannerCosts, CostsAreExactUpToTheLargestAndTooLargeBeyond,
                            ALimitOfTheCallerIsSaidFirst, AnswersAgreeWithDijkstraIn64Bits,
                            SeveralGoalsAndBatchesTellTheSame);

}  // namespace cairn::test
