// A warmed query allocates nothing.

#include <gtest/gtest.h>

#include <memory>
#include <tuple>

#include "subgoal/verify.hpp"
#include "support/allocation_counter.hpp"

namespace cairn::subgoal::test {
namespace {

using grid::Point;

// Engine, variant of the options.
class SubgoalAllocation : public testing::TestWithParam<std::tuple<Engine, int>> {
protected:
    SubgoalAllocation() {
        RandomMaps random(61);
        index_ = std::make_unique<Index>(
            build(random.noise({60, 50}, 20), variant(std::get<1>(GetParam()))));
        const std::vector<Point> points = free_points(index_->map());
        for (int i = 0; i < 60; ++i) {
            const Point start = random.one_of(points);
            Query query = query_of(start, random.one_of(points), std::get<0>(GetParam()));
            query.detail = static_cast<Detail>(random.number(0, 2));
            query.nearest_reachable = random.chance(20);
            queries_.push_back(query);
        }
    }

    std::uint64_t allocations_of_a_round() {
        const std::uint64_t before = cairn::test::allocations();
        for (const Query& query : queries_) searcher_.find(*index_, query, answer_);
        return cairn::test::allocations() - before;
    }

    std::unique_ptr<Index> index_;
    std::vector<Query> queries_;
    Searcher searcher_;
    Answer answer_;
};

// The ends' lists lie where the cache has room for them, so some rounds pass until all have grown.
TEST_P(SubgoalAllocation, NoneOnceWarm) {
    if (!cairn::test::counts_allocations()) GTEST_SKIP() << "allocations are not counted here";
    EXPECT_GT(allocations_of_a_round(), 0U);
    for (int i = 0; i < 20; ++i) static_cast<void>(allocations_of_a_round());
    EXPECT_EQ(allocations_of_a_round(), 0U);
}

INSTANTIATE_TEST_SUITE_P(Engines, SubgoalAllocation,
                         testing::Combine(testing::ValuesIn(kEngines),
                                          testing::Values(0, 1, 2, 4, 10, 20)));

}  // namespace
}  // namespace cairn::subgoal::test
