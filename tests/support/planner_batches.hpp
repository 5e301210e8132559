#pragma once
// Tests of batches of requests, for any planner P on grids (support/planner.hpp).

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <utility>
#include <vector>

#include "cairn/batch/batch.hpp"
#include "cairn/grid/smooth.hpp"
#include "support/planner.hpp"
#include "support/scale.hpp"

namespace cairn::test {

template <class P>
class PlannerBatches : public testing::Test {
protected:
    using Index = typename P::Index;
    using Query = typename P::Query;
    struct Case {
        Index index;
        Query model;  // of every request, except for start and goal
        std::vector<grid::Request> requests;
    };

    /// Requests with few different goals, or few different starts. Some requests occur twice; some
    /// begin or end outside the map.
    static Case any_case(std::uint64_t seed) {
        typename P::Random random(seed);
        const auto size = random.size(24);
        const auto map = P::any_map(random, size);
        Case c{P::any_index(random, map), {}, {}};
        c.model = cairn::test::any_query<P>(random, c.index);
        std::vector<grid::Point> goals{{-1, 0}};
        for (int i = 0; i < 4; ++i) goals.push_back(random.point(c.index.map()));
        const int count = random.number(0, 120);
        for (int i = 0; i < count; ++i) {
            const grid::Point start = random.point(c.index.map());
            c.requests.push_back({start, random.one_of(goals)});
            if (random.chance(10)) c.requests.push_back(c.requests.front());
            if (random.chance(2)) c.requests.back().start = {size.width, 0};
        }
        if (random.chance(30)) {  // few starts instead of few goals
            for (grid::Request& request : c.requests) std::swap(request.start, request.goal);
        }
        return c;
    }

    static Result<grid::Paths> find_paths(const Case& c, const batch::Options& options = {},
                                          const BuildControl& control = one_thread()) {
        grid::Paths paths;
        Status status = typename P::BatchSearcher().find_paths(c.index, c.requests, paths, c.model,
                                                               options, control);
        if (!status.ok()) return tl::unexpected(std::move(status));
        return paths;
    }

    /// Fails the test if a request's answer is not that of a single query.
    static void expect_single_answer(const Case& c, const grid::Paths& paths, std::size_t request,
                                     batch::Cells cells = batch::Cells::all) {
        Query query = c.model;
        query.start = c.requests[request].start;
        query.goal = c.requests[request].goal;
        const auto single = answer_to<P>(c.index, query);
        EXPECT_EQ(paths.status[request], single.status) << request;
        EXPECT_EQ(paths.cost[request], single.cost) << request;
        std::vector<grid::Cell> expected = single.cells;
        if (cells == batch::Cells::turning)
            grid::waypoints(c.index.map().width(), single.cells, expected);
        EXPECT_TRUE(std::ranges::equal(paths.cells[request], expected)) << request;
    }
};

TYPED_TEST_SUITE_P(PlannerBatches);

TYPED_TEST_P(PlannerBatches, EqualSingleQueries) {
    std::size_t found = 0;
    for (std::uint64_t seed = 0; seed < scaled(60); ++seed) {
        const auto c = this->any_case(seed);
        batch::Options options;
        options.cells = seed % 3 == 0 ? batch::Cells::turning : batch::Cells::all;
        const auto paths = value_or_abort(this->find_paths(c, options));
        ASSERT_EQ(paths.status.size(), c.requests.size());
        ASSERT_EQ(paths.cells.size(), c.requests.size());
        for (std::size_t i = 0; i < c.requests.size(); ++i)
            this->expect_single_answer(c, paths, i, options.cells);
        found += static_cast<std::size_t>(
            std::count(paths.status.begin(), paths.status.end(), StatusCode::ok));
        if (this->HasFailure()) FAIL() << "seed " << seed;
    }
    EXPECT_GT(found, 0U);
}

TYPED_TEST_P(PlannerBatches, AreTheSameForAnyNumberOfThreads) {
    for (std::uint64_t seed = 0; seed < scaled(20); ++seed) {
        const auto c = this->any_case(seed);
        const auto paths = value_or_abort(this->find_paths(c));
        for (const int threads : {0, 2, 5}) {
            BuildControl control;
            control.threads = threads;
            EXPECT_TRUE(value_or_abort(this->find_paths(c, {}, control)) == paths) << seed;
        }
    }
}

TYPED_TEST_P(PlannerBatches, DoNotDependOnTheOrderOfRequests) {
    for (std::uint64_t seed = 0; seed < scaled(20); ++seed) {
        const auto c = this->any_case(seed);
        const auto paths = value_or_abort(this->find_paths(c));
        auto reversed = c;
        std::reverse(reversed.requests.begin(), reversed.requests.end());
        const auto others = value_or_abort(this->find_paths(reversed));
        for (std::size_t i = 0; i < c.requests.size(); ++i) {
            const std::size_t other = c.requests.size() - 1 - i;
            EXPECT_EQ(paths.status[i], others.status[other]) << seed;
            EXPECT_EQ(paths.cost[i], others.cost[other]) << seed;
            EXPECT_TRUE(std::ranges::equal(paths.cells[i], others.cells[other])) << seed;
        }
    }
}

TYPED_TEST_P(PlannerBatches, AreTheSameByASearcherThatIsUsedAgain) {
    typename TypeParam::BatchSearcher searcher;
    grid::Paths paths;
    for (std::uint64_t seed = 0; seed < scaled(60); ++seed) {
        const auto c = this->any_case(seed);
        const Status status = searcher.find_paths(c.index, c.requests, paths, c.model);
        ASSERT_TRUE(status.ok()) << status.message;
        EXPECT_TRUE(paths == value_or_abort(this->find_paths(c))) << seed;
    }
}

TYPED_TEST_P(PlannerBatches, KeepWhatIsAnsweredWhenCancelled) {
    std::size_t cut_short = 0;
    for (std::uint64_t seed = 0; seed < scaled(60); ++seed) {
        const auto c = this->any_case(seed);
        CancelFlag cancel;
        BuildControl control = one_thread();
        control.cancel = &cancel;
        control.progress = [&](double done) {
            if (done >= 0.3) cancel.cancel();
        };
        const auto paths = value_or_abort(this->find_paths(c, {}, control));
        std::size_t answered = 0;
        for (std::size_t i = 0; i < c.requests.size(); ++i) {
            if (paths.status[i] == StatusCode::cancelled) {
                EXPECT_EQ(paths.cost[i], kInfinity);
                EXPECT_TRUE(paths.cells[i].empty());
                continue;
            }
            ++answered;
            this->expect_single_answer(c, paths, i);
        }
        EXPECT_EQ(answered > 0, !c.requests.empty());
        cut_short += answered < c.requests.size() ? 1 : 0;
        // The flag is still set, so that a second batch answers nothing.
        const auto none = value_or_abort(this->find_paths(c, {}, control));
        EXPECT_EQ(std::count(none.status.begin(), none.status.end(), StatusCode::cancelled),
                  static_cast<std::ptrdiff_t>(c.requests.size()));
        if (this->HasFailure()) FAIL() << "seed " << seed;
    }
    EXPECT_GT(cut_short, 0U);
}

// batch::Options::max_bytes says what a batch needs: exactly that is enough, one byte less is not.
TYPED_TEST_P(PlannerBatches, KeepToTheirMemory) {
    constexpr std::size_t kBytesPerRequest = 56;
    for (std::uint64_t seed = 0; seed < scaled(20); ++seed) {
        const auto c = this->any_case(seed);
        const auto paths = value_or_abort(this->find_paths(c));
        batch::Options options;
        options.max_bytes =
            kBytesPerRequest * c.requests.size() + 2 * paths.cells.items().size_bytes();
        for (const int threads : {1, 3}) {
            BuildControl control;
            control.threads = threads;
            EXPECT_TRUE(this->find_paths(c, options, control).has_value()) << seed;
            if (c.requests.empty()) continue;
            batch::Options less = options;
            --less.max_bytes;
            const auto refused = this->find_paths(c, less, control);
            ASSERT_FALSE(refused.has_value()) << seed;
            EXPECT_EQ(refused.error().code, StatusCode::too_large);
        }
    }
}

// The answers within the budget are those without a budget. Which requests these are does not
// depend on the number of threads.
TYPED_TEST_P(PlannerBatches, KeepToTheirBudget) {
    std::size_t exhausted = 0;
    for (std::uint64_t seed = 0; seed < scaled(20); ++seed) {
        auto c = this->any_case(seed);
        // Every fourth batch is repeated to some 9,000 requests, more than twice the 4,096 lists
        // for which a budget reserves memory.
        const std::size_t repeats =
            seed % 4 == 0 && !c.requests.empty() ? 9000 / c.requests.size() : 0;
        const auto once = c.requests;
        for (std::size_t i = 0; i < repeats; ++i)
            c.requests.insert(c.requests.end(), once.begin(), once.end());
        const auto unlimited = value_or_abort(this->find_paths(c));
        batch::Options options;
        options.max_spent = c.requests.size() / 3 + seed;  // a request spends 1 or more
        const auto paths = value_or_abort(this->find_paths(c, options));
        std::size_t answered = 0;
        for (std::size_t i = 0; i < c.requests.size(); ++i) {
            const bool refused = paths.status[i] == StatusCode::budget_exhausted;
            answered += refused ? 0 : 1;
            EXPECT_EQ(paths.status[i],
                      refused ? StatusCode::budget_exhausted : unlimited.status[i]);
            EXPECT_EQ(paths.cost[i], refused ? kInfinity : unlimited.cost[i]);
            EXPECT_TRUE(refused ? paths.cells[i].empty()
                                : std::ranges::equal(paths.cells[i], unlimited.cells[i]));
        }
        EXPECT_LE(answered, options.max_spent);
        EXPECT_EQ(answered > 0, options.max_spent > 0 && !c.requests.empty());
        exhausted += c.requests.size() - answered;
        for (const int threads : {2, 3}) {
            BuildControl control;
            control.threads = threads;
            EXPECT_TRUE(value_or_abort(this->find_paths(c, options, control)) == paths) << seed;
        }
        if (this->HasFailure()) FAIL() << "seed " << seed;
    }
    EXPECT_GT(exhausted, 0U);
}

TYPED_TEST_P(PlannerBatches, KeepToTheirTime) {
    auto c = this->any_case(3);
    const auto unlimited = value_or_abort(this->find_paths(c));
    batch::Options options;
    c.model.limits.deadline = Deadline::in_microseconds(3'600'000'000);
    EXPECT_TRUE(value_or_abort(this->find_paths(c, options)) == unlimited);
    for (const auto max_spent : {std::uint64_t{1} << 40, ~std::uint64_t{0}}) {  // both ample
        options.max_spent = max_spent;
        c.model.limits.deadline = Deadline::in_microseconds(0);
        const auto none = value_or_abort(this->find_paths(c, options));
        EXPECT_EQ(std::count(none.status.begin(), none.status.end(), StatusCode::budget_exhausted),
                  static_cast<std::ptrdiff_t>(c.requests.size()));
        EXPECT_TRUE(none.cells.items().empty());
    }
}

TYPED_TEST_P(PlannerBatches, RefuseNegativeThreads) {
    BuildControl control;
    control.threads = -1;
    const auto refused = this->find_paths(this->any_case(1), {}, control);
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().code, StatusCode::bad_option);
}

REGISTER_TYPED_TEST_SUITE_P(PlannerBatches, EqualSingleQueries, AreTheSameForAnyNumberOfThreads,
                            DoNotDependOnTheOrderOfRequests, AreTheSameByASearcherThatIsUsedAgain,
                            KeepWhatIsAnsweredWhenCancelled, KeepToTheirMemory, KeepToTheirBudget,
                            KeepToTheirTime, RefuseNegativeThreads);

}  // namespace cairn::test
