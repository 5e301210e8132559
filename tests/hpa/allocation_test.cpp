// A warmed query allocates nothing.

#include <gtest/gtest.h>

#include <tuple>

#include "hpa/random_cases.hpp"
#include "hpa/verify.hpp"
#include "support/allocation_counter.hpp"

namespace cairn::hpa::test {
namespace {

using grid::Map;
using grid::Point;

// Engine, move tables, levels.
class Allocation : public testing::TestWithParam<std::tuple<Engine, bool, int>> {
protected:
    Allocation() {
        RandomCases random(61);
        Options options;
        options.move_tables = std::get<1>(GetParam());
        options.levels = std::get<2>(GetParam());
        options.labels = std::get<0>(GetParam()) == Engine::cut_labels;
        index_ = std::make_unique<Index>(build(random.map({120, 90}, {}), options));
        const std::vector<Point> points = free_points(index_->map());
        const auto any = [&] { return random.one_of(points); };
        for (int i = 0; i < 60; ++i) {
            const Point start = any();
            Query query = random.query(start, any(), false);
            query.engine = std::get<0>(GetParam());
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

TEST_P(Allocation, NoneOnceWarm) {
    if (!cairn::test::counts_allocations()) GTEST_SKIP() << "allocations are not counted here";
    EXPECT_GT(allocations_of_a_round(), 0U);
    EXPECT_EQ(allocations_of_a_round(), 0U);
}

INSTANTIATE_TEST_SUITE_P(Engines, Allocation,
                         testing::Combine(testing::Values(Engine::astar, Engine::levels,
                                                          Engine::cut_labels),
                                          testing::Bool(), testing::Values(1, 3)));

}  // namespace
}  // namespace cairn::hpa::test
