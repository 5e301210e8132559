#pragma once
// Batches of requests, for any planner on grids (support/planner.hpp).

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
        Query model;
        std::vector<grid::Request> requests;
    };

    /// Requests to few goals, some asked for twice, some that begin or end outside.
    static Case any_case(std::uint64_t seed) {
        typename P::Random random(seed);
        const auto size = random.size(24);
        const auto map = P::any_map(random, size);
        Case out{P::any_index(random, map), {}, {}};
        out.model = cairn::test::any_query<P>(random, out.index);
        std::vector<grid::Point> goals{{-1, 0}};
        for (int i = 0; i < 4; ++i) goals.push_back(random.point(out.index.map()));
        const int count = random.number(0, 120);
        for (int i = 0; i < count; ++i) {
            const grid::Point start = random.point(out.index.map());
            out.requests.push_back({start, random.one_of(goals)});
            if (random.chance(10)) out.requests.push_back(out.requests.front());
            if (random.chance(2)) out.requests.back().start = {size.width, 0};
        }
        if (random.chance(30)) {  // few starts instead
            for (grid::Request& request : out.requests) std::swap(request.start, request.goal);
        }
        return out;
    }

    static Result<grid::Paths> answers(const Case& c, const batch::Options& options = {},
                                       const BuildControl& control = one_thread()) {
        grid::Paths paths;
        Status status = typename P::BatchSearcher().find_paths(c.index, c.requests, paths, c.model,
                                                               options, control);
        if (!status.ok()) return tl::unexpected(std::move(status));
        return paths;
    }

    /// Whether a request's answer is that of a single query.
    static void check_single(const Case& c, const grid::Paths& paths, std::size_t request,
                             batch::Cells cells = batch::Cells::all) {
        Query query = c.model;
        query.start = c.requests[request].start;
        query.goal = c.requests[request].goal;
        const auto single = answer_to<P>(c.index, query);
        EXPECT_EQ(paths.status[request], single.status) << request;
        EXPECT_EQ(paths.cost[request], single.cost) << request;
        std::vector<grid::Cell> wanted = single.cells;
        if (cells == batch::Cells::turning)
            grid::waypoints(c.index.map().width(), single.cells, wanted);
        EXPECT_TRUE(std::ranges::equal(paths.cells[request], wanted)) << request;
    }
};

TYPED_TEST_SUITE_P(PlannerBatches);

TYPED_TEST_P(PlannerBatches, EqualSingleQueries) {
    std::size_t found = 0;
    for (std::uint64_t seed = 0; seed < scaled(60); ++seed) {
        const auto c = this->any_case(seed);
        batch::Options options;
        options.cells = seed % 3 == 0 ? batch::Cells::turning : batch::Cells::all;
        const auto paths = value_or_abort(this->answers(c, options));
        ASSERT_EQ(paths.status.size(), c.requests.size());
        ASSERT_EQ(paths.cells.size(), c.requests.size());
        for (std::size_t i = 0; i < c.requests.size(); ++i)
            this->check_single(c, paths, i, options.cells);
        found += static_cast<std::size_t>(
            std::count(paths.status.begin(), paths.status.end(), StatusCode::ok));
        if (this->HasFailure()) FAIL() << "seed " << seed;
    }
    EXPECT_GT(found, 0U);
}

TYPED_TEST_P(PlannerBatches, AreTheSameForAnyNumberOfThreads) {
    for (std::uint64_t seed = 0; seed < scaled(20); ++seed) {
        const auto c = this->any_case(seed);
        const auto paths = value_or_abort(this->answers(c));
        for (const int threads : {0, 2, 5}) {
            BuildControl control;
            control.threads = threads;
            EXPECT_TRUE(value_or_abort(this->answers(c, {}, control)) == paths) << seed;
        }
    }
}

TYPED_TEST_P(PlannerBatches, DoNotDependOnTheOrderOfRequests) {
    for (std::uint64_t seed = 0; seed < scaled(20); ++seed) {
        const auto c = this->any_case(seed);
        const auto paths = value_or_abort(this->answers(c));
        auto reversed = c;
        std::reverse(reversed.requests.begin(), reversed.requests.end());
        const auto others = value_or_abort(this->answers(reversed));
        for (std::size_t i = 0; i < c.requests.size(); ++i) {
            const std::size_t other = c.requests.size() - 1 - i;
            EXPECT_EQ(paths.status[i], others.status[other]) << seed;
            EXPECT_EQ(paths.cost[i], others.cost[other]) << seed;
            EXPECT_TRUE(std::ranges::equal(paths.cells[i], others.cells[other])) << seed;
        }
    }
}

// Nothing that has been answered when the batch is cancelled is lost.
TYPED_TEST_P(PlannerBatches, AreTheSameByASearcherThatIsUsedAgain) {
    typename TypeParam::BatchSearcher searcher;
    grid::Paths paths;
    for (std::uint64_t seed = 0; seed < scaled(60); ++seed) {
        const auto c = this->any_case(seed);
        const Status status = searcher.find_paths(c.index, c.requests, paths, c.model);
        ASSERT_TRUE(status.ok()) << status.message;
        EXPECT_TRUE(paths == value_or_abort(this->answers(c))) << seed;
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
        const auto paths = value_or_abort(this->answers(c, {}, control));
        std::size_t answered = 0;
        for (std::size_t i = 0; i < c.requests.size(); ++i) {
            if (paths.status[i] == StatusCode::cancelled) {
                EXPECT_EQ(paths.cost[i], kInfinity);
                EXPECT_TRUE(paths.cells[i].empty());
                continue;
            }
            ++answered;
            this->check_single(c, paths, i);
        }
        EXPECT_EQ(answered > 0, !c.requests.empty());
        cut_short += answered < c.requests.size() ? 1 : 0;
        const auto none = value_or_abort(this->answers(c, {}, control));
        EXPECT_EQ(std::count(none.status.begin(), none.status.end(), StatusCode::cancelled),
                  static_cast<std::ptrdiff_t>(c.requests.size()));
        if (this->HasFailure()) FAIL() << "seed " << seed;
    }
    EXPECT_GT(cut_short, 0U);
}

TYPED_TEST_P(PlannerBatches, KeepToTheirMemory) {
    for (std::uint64_t seed = 0; seed < scaled(20); ++seed) {
        const auto c = this->any_case(seed);
        const auto paths = value_or_abort(this->answers(c));
        batch::Options options;
        options.max_bytes = 56 * c.requests.size() + 2 * paths.cells.items().size_bytes();
        for (const int threads : {1, 3}) {
            BuildControl control;
            control.threads = threads;
            EXPECT_TRUE(this->answers(c, options, control).has_value()) << seed;
            if (c.requests.empty()) continue;
            batch::Options less = options;
            --less.max_bytes;
            const auto refused = this->answers(c, less, control);
            ASSERT_FALSE(refused.has_value()) << seed;
            EXPECT_EQ(refused.error().code, StatusCode::too_large);
        }
    }
}

// What the budget lasts for is answered as ever, and does not depend on threads.
TYPED_TEST_P(PlannerBatches, KeepToTheirBudget) {
    std::size_t exhausted = 0;
    for (std::uint64_t seed = 0; seed < scaled(20); ++seed) {
        auto c = this->any_case(seed);
        const std::size_t times =
            seed % 4 == 0 && !c.requests.empty() ? 9000 / c.requests.size() : 0;
        const auto once = c.requests;
        for (std::size_t i = 0; i < times; ++i)
            c.requests.insert(c.requests.end(), once.begin(), once.end());
        const auto all = value_or_abort(this->answers(c));
        batch::Options options;
        options.max_spent = c.requests.size() / 3 + seed;
        const auto paths = value_or_abort(this->answers(c, options));
        std::size_t answered = 0;
        for (std::size_t i = 0; i < c.requests.size(); ++i) {
            const bool out = paths.status[i] == StatusCode::budget_exhausted;
            answered += out ? 0 : 1;
            EXPECT_EQ(paths.status[i], out ? StatusCode::budget_exhausted : all.status[i]);
            EXPECT_EQ(paths.cost[i], out ? kInfinity : all.cost[i]);
            EXPECT_TRUE(out ? paths.cells[i].empty()
                            : std::ranges::equal(paths.cells[i], all.cells[i]));
        }
        EXPECT_LE(answered, options.max_spent);
        EXPECT_EQ(answered > 0, options.max_spent > 0 && !c.requests.empty());
        exhausted += c.requests.size() - answered;
        for (const int threads : {2, 3}) {
            BuildControl control;
            control.threads = threads;
            EXPECT_TRUE(value_or_abort(this->answers(c, options, control)) == paths) << seed;
        }
        if (this->HasFailure()) FAIL() << "seed " << seed;
    }
    EXPECT_GT(exhausted, 0U);
}

TYPED_TEST_P(PlannerBatches, KeepToTheirTime) {
    const auto c = this->any_case(3);
    const auto all = value_or_abort(this->answers(c));
    batch::Options options;
    options.max_seconds = 3600;
    EXPECT_TRUE(value_or_abort(this->answers(c, options)) == all);
    for (const auto spent : {std::uint64_t{1} << 40, ~std::uint64_t{0}}) {
        options.max_spent = spent;
        options.max_seconds = 0;
        const auto none = value_or_abort(this->answers(c, options));
        EXPECT_EQ(std::count(none.status.begin(), none.status.end(), StatusCode::budget_exhausted),
                  static_cast<std::ptrdiff_t>(c.requests.size()));
        EXPECT_TRUE(none.cells.items().empty());
    }
}

TYPED_TEST_P(PlannerBatches, RefuseNegativeThreads) {
    BuildControl control;
    control.threads = -1;
    const auto refused = this->answers(this->any_case(1), {}, control);
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().code, StatusCode::bad_option);
}

REGISTER_TYPED_TEST_SUITE_P(PlannerBatches, EqualSingleQueries, AreTheSameForAnyNumberOfThreads,
                            DoNotDependOnTheOrderOfRequests, AreTheSameByASearcherThatIsUsedAgain,
                            KeepWhatIsAnsweredWhenCancelled, KeepToTheirMemory, KeepToTheirBudget,
                            KeepToTheirTime, RefuseNegativeThreads);

}  // namespace cairn::test
