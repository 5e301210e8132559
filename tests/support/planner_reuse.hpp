#pragma once
// Tests of what is reused, for any planner P (support/planner.hpp): an edit without changes gives
// an equal index, endpoints that a searcher keeps change no answer, and warmed queries allocate
// nothing.

#include <gtest/gtest.h>

#include "support/allocation_counter.hpp"
#include "support/planner.hpp"
#include "support/random_maps.hpp"
#include "support/scale.hpp"

namespace cairn::test {

template <class P>
class PlannerReuse : public testing::Test {
protected:
    /// Runs all queries; returns how many allocations that took.
    std::uint64_t allocations_of_a_round() {
        const std::uint64_t before = allocations();
        for (const auto& query : queries_) searcher_.find(index_, query, answer_);
        return allocations() - before;
    }

    /// Replaces the queries by random ones between free cells, all with one engine.
    void draw_queries(typename P::Random& random, typename P::Engine engine) {
        queries_.clear();
        const std::vector<grid::Point> points = free_points(index_.map());
        for (int i = 0; i < 60; ++i) {
            const grid::Point start = random.one_of(points);
            const grid::Point goal = random.one_of(points);
            queries_.push_back(P::any_query(random, index_, start, goal));
            queries_.back().engine = engine;
            queries_.back().nearest_reachable = random.chance(20);
        }
    }

    RandomMaps maps_{61};
    typename P::Index index_ = P::build(maps_.uniform_map({40, 30}), {});
    std::vector<typename P::Query> queries_;
    typename P::Searcher searcher_;
    typename P::Answer answer_;
};

TYPED_TEST_SUITE_P(PlannerReuse);

TYPED_TEST_P(PlannerReuse, AnEditOutsideTheMapIsRefused) {
    const grid::TerrainEdit edit{{35, 25, 10, 1}, '@'};
    const auto edited = this->index_.edited({&edit, 1});
    ASSERT_FALSE(edited);
    EXPECT_EQ(edited.error().code, StatusCode::bad_option);
}

TYPED_TEST_P(PlannerReuse, AnEditThatChangesNothingGivesAnEqualIndex) {
    typename TypeParam::Random random(64);
    for (auto maps = scaled(8); maps > 0; --maps) {
        const auto index = TypeParam::any_index(random, TypeParam::any_map(random, {40, 30}));
        EXPECT_TRUE(*index.edited({}) == index);
        const grid::Cell cell = index.map().cell({5, 5});
        const grid::TerrainEdit same{{5, 5, 1, 1}, TypeParam::terrain(index, cell)};
        EXPECT_TRUE(*index.edited({&same, 1}) == index);
        EXPECT_TRUE(TypeParam::with_labels(index) == index);
    }
}

// Both directions use one searcher, so that the way back finds the endpoints kept from the way
// there.
TYPED_TEST_P(PlannerReuse, ThereAndBackCostTheSame) {
    using P = TypeParam;
    typename P::Random random(82);
    typename P::Answer there;
    typename P::Answer back;
    for (const std::size_t cached_endpoints : {0U, 1U, 8U}) {
        typename P::Searcher searcher(cached_endpoints);
        for (auto maps = scaled(60); maps > 0; --maps) {
            const RandomMaps::Size size = random.size(60);
            const auto index = P::any_index(random, P::any_map(random, size));
            for (int pairs = 0; pairs < 30; ++pairs) {
                const auto engine = any_engine<P>(random, index);
                const grid::Point a = random.point(index.map());
                const grid::Point b = random.point(index.map());
                searcher.find(index, P::query(a, b, engine), there);
                searcher.find(index, P::query(b, a, engine), back);
                ASSERT_EQ(there.cost, back.cost) << P::describe(index, P::query(a, b, engine));
                ASSERT_EQ(there.status == StatusCode::ok, back.status == StatusCode::ok);
            }
        }
    }
}

// The searcher's cache holds endpoints in slots, whose lists grow as needed. It takes some rounds
// until each slot has held the longest list that it will meet.
TYPED_TEST_P(PlannerReuse, WarmedQueriesAllocateNothing) {
    if (!counts_allocations()) GTEST_SKIP() << "allocations are not counted here";
    using P = TypeParam;
    for (const int number : P::kVariants) {
        typename P::Random random(61);
        const auto map = P::any_map(random, {80, 60});
        this->index_ = P::build(map, P::variant(number));
        for (const auto engine : P::kEngines) {
            this->draw_queries(random, engine);
            this->searcher_ = typename P::Searcher();
            EXPECT_GT(this->allocations_of_a_round(), 0U);
            for (int round = 0; round < 20; ++round) this->allocations_of_a_round();
            EXPECT_EQ(this->allocations_of_a_round(), 0U)
                << P::describe(this->index_, this->queries_.front());
        }
    }
}

REGISTER_TYPED_TEST_SUITE_P(PlannerReuse, AnEditOutsideTheMapIsRefused,
                            AnEditThatChangesNothingGivesAnEqualIndex, ThereAndBackCostTheSame,
                            WarmedQueriesAllocateNothing);

}  // namespace cairn::test
