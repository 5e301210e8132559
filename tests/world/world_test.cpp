// Worlds of every planner: their answers, their edits and their work.

#include "cairn/world/world.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "support/allocation_faults.hpp"
#include "support/scale.hpp"
#include "world/cases.hpp"

namespace cairn::test {
namespace {

template <class P>
class Worlds : public testing::Test {
protected:
    using Index = typename P::Index;
    using Request = typename P::Request;
    using Paths = typename P::Paths;

    static World<P> world_of(const Index& index, const WorldOptions& options = {}) {
        return World<P>::create(index, options).value();
    }
    /// Answers to some requests, each checked against the least cost on the snapshot.
    static Paths expect_right(RandomMaps& random, WorldSearcher<P>& searcher, int count) {
        const Index index = searcher.snapshot().index;
        std::vector<Request> requests;
        for (int i = 0; i < count; ++i) requests.push_back(any_request<P>(random, index));
        Paths paths;
        BuildControl control;
        control.threads = 1;
        EXPECT_TRUE(searcher.find_paths(requests, paths, {}, {}, control).ok());
        for (std::size_t i = 0; i < requests.size(); ++i) {
            const Cost best = optimum<P>(index, requests[i]);
            EXPECT_EQ(paths.status[i] == StatusCode::ok, best < kInfinity);
            if (paths.status[i] != StatusCode::ok) continue;
            EXPECT_GE(paths.cost[i], best);
            if (P::kExact) {
                EXPECT_EQ(paths.cost[i], best);
            }
            EXPECT_TRUE(is_legal<P>(index, requests[i], steps_of(paths)[i]));
        }
        return paths;
    }
};

TYPED_TEST_SUITE(Worlds, EditablePlanners);

TYPED_TEST(Worlds, AnswersAreRightAfterEveryEdit) {
    RandomMaps random(1801);
    for (auto maps = scaled(8); maps > 0 && !this->HasFailure(); --maps) {
        auto world = this->world_of(first_index<TypeParam>(random));
        WorldSearcher<TypeParam> searcher(world);
        for (std::uint64_t edit = 1; edit <= 30 && !this->HasFailure(); ++edit) {
            const auto edits = small_edits<TypeParam>(random, world.snapshot().index);
            ASSERT_EQ(world.edit(edits).value(), edit);
            ASSERT_EQ(world.edits(), edit);
            ASSERT_EQ(searcher.snapshot().edits, edit);
            this->expect_right(random, searcher, 4);
            while (random.chance(20) && world.work()) {
            }
        }
    }
}

// One world does its work at once or in its worker, the other at random or never. Both adopt the
// same fresh orders.
TYPED_TEST(Worlds, PathsDependOnTheEditsAloneWithThreads) {
    RandomMaps random(1802);
    RandomMaps timing(1803);
    int adopted = 0;
    for (auto maps = scaled(6); maps > 0 && !this->HasFailure(); --maps) {
        const auto index = first_index<TypeParam>(random);
        WorldOptions options;
        options.order_edits = static_cast<std::uint32_t>(random.number(1, 9));
        options.inline_microseconds = 1'000'000;
        auto quick = this->world_of(index, options);
        options.worker = false;
        options.inline_microseconds = 0;
        auto slow = this->world_of(index, options);
        WorldSearcher<TypeParam> quick_searcher(quick);
        WorldSearcher<TypeParam> slow_searcher(slow);
        double wear = 1;
        for (int steps = 150; steps > 0 && !this->HasFailure(); --steps) {
            const auto edits = small_edits<TypeParam>(random, quick.snapshot().index);
            ASSERT_TRUE(quick.edit(edits).has_value());
            ASSERT_TRUE(slow.edit(edits).has_value());
            while (timing.chance(30) && quick.work()) {
            }
            while (timing.chance(10) && slow.work()) {
            }
            if constexpr (requires { index.wear(); }) {
                const double now = slow.snapshot().index.wear();
                ASSERT_EQ(quick.snapshot().index.wear(), now);
                adopted += wear >= Closure::kWornOut && now < Closure::kWornOut ? 1 : 0;
                wear = now;
            }
            if (steps % 3 != 0) continue;
            RandomMaps same = random;
            const auto paths = this->expect_right(random, quick_searcher, 5);
            ASSERT_TRUE(paths == this->expect_right(same, slow_searcher, 5));
        }
        ASSERT_TRUE(quick.work_status().ok());
        ASSERT_TRUE(slow.work_status().ok());
    }
    // Edits of meshes hardly ever wear a closure out.
    if (LabelledPlanner<TypeParam> && !kOnMesh<TypeParam>) {
        EXPECT_GT(adopted, 0);
    }
}

// Costs of all pairs, and the nearest goals, are those of single queries.
TYPED_TEST(Worlds, CostsOfPairsAndNearestGoalsAreThoseOfQueries) {
    RandomMaps random(1809);
    typename TypeParam::Answer answer;
    cairn::Searcher<TypeParam> single;
    for (auto maps = scaled(20); maps > 0 && !this->HasFailure(); --maps) {
        auto world = this->world_of(first_index<TypeParam>(random));
        ASSERT_TRUE(world.edit(small_edits<TypeParam>(random, world.snapshot().index)).has_value());
        WorldSearcher<TypeParam> searcher(world);
        const auto index = world.snapshot().index;
        std::vector<typename TypeParam::Place> starts;
        std::vector<typename TypeParam::Place> goals;
        typename TypeParam::Query query;
        assign(any_request<TypeParam>(random, index), query);
        for (int i = random.number(0, 9); i > 0; --i)
            starts.push_back(any_request<TypeParam>(random, index).start);
        for (int i = random.number(0, 9); i > 0; --i)
            goals.push_back(any_request<TypeParam>(random, index).goal);
        if (!goals.empty()) goals.push_back(goals.front());
        std::vector<Cost> costs(starts.size() * goals.size());
        ASSERT_EQ(searcher.costs(query, starts, goals, costs), StatusCode::ok);
        query.detail = decltype(query.detail)::cost;
        for (std::size_t i = 0; i < starts.size(); ++i) {
            std::vector<GoalCost> expected;
            for (std::size_t j = 0; j < goals.size(); ++j) {
                query.start = starts[i];
                query.goal = goals[j];
                const StatusCode status = single.find(index, query, answer);
                const Cost cost = status == StatusCode::ok ? answer.cost : kInfinity;
                ASSERT_EQ(costs[i * goals.size() + j], cost);
                if (cost < kInfinity) expected.push_back({j, cost});
            }
            std::ranges::stable_sort(expected, {}, &GoalCost::cost);
            std::vector<GoalCost> nearest(static_cast<std::size_t>(random.number(0, 6)));
            expected.resize(std::min(expected.size(), nearest.size()));
            std::size_t count = 99;
            const StatusCode status = searcher.find_nearest(query, goals, nearest, count);
            if (status == StatusCode::start_blocked) continue;
            ASSERT_EQ(status, StatusCode::ok);
            nearest.resize(count);
            ASSERT_EQ(nearest, expected);
        }
    }
    std::vector<Cost> too_few(1);
    auto world = this->world_of(first_index<TypeParam>(random));
    WorldSearcher<TypeParam> searcher(world);
    EXPECT_EQ(searcher.costs({}, {}, {}, too_few), StatusCode::unsupported);
}

TYPED_TEST(Worlds, WorkEndsWithLabels) {
    RandomMaps random(1804);
    const auto index = first_index<TypeParam>(random);
    WorldOptions options;
    options.worker = random.chance(50);
    auto world = this->world_of(index, options);
    EXPECT_FALSE(world.work());
    for (int i = 0; i < 3; ++i)
        ASSERT_TRUE(world.edit(small_edits<TypeParam>(random, index)).has_value());
    while (world.work()) {
    }
    if constexpr (LabelledPlanner<TypeParam>) {
        EXPECT_TRUE(world.snapshot().index.has_labels());
    }
    EXPECT_TRUE(world.work_status().ok());
}

TYPED_TEST(Worlds, RefusedEditsChangeNothing) {
    RandomMaps random(1805);
    auto world = this->world_of(first_index<TypeParam>(random));
    typename TypeParam::Edit outside;
    if constexpr (kOnMesh<TypeParam>) {
        outside.polygon = 1'000'000;
    } else {
        outside.area = {-1, 0, 1, 1};
    }
    const auto refused = world.edit(std::span(&outside, 1));
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().code, StatusCode::bad_option);
    EXPECT_EQ(world.edits(), 0U);
}

// Some edit while others ask. Every answer is checked against the snapshot that it names.
TYPED_TEST(Worlds, ThreadsEditAndAsk) {
    RandomMaps random(1806);
    WorldOptions options;
    options.order_edits = 5;
    auto world = this->world_of(first_index<TypeParam>(random), options);
    const auto first = world.snapshot().index;
    const auto edits_each = static_cast<int>(scaled(60));
    std::atomic<int> editing = 2;
    std::atomic<std::uint64_t> numbers = 0;
    std::vector<std::thread> threads;
    for (std::uint64_t k = 0; k < 2; ++k) {
        threads.emplace_back([&, k] {
            RandomMaps own(10 + k);
            for (int i = 0; i < edits_each; ++i)
                numbers += world.edit(small_edits<TypeParam>(own, first)).value();
            --editing;
        });
        threads.emplace_back([&, k] {
            RandomMaps own(20 + k);
            WorldSearcher<TypeParam> searcher(world);
            std::uint64_t last = 0;
            do {
                const WorldSnapshot<TypeParam> snapshot = searcher.snapshot();
                EXPECT_GE(snapshot.edits, last);
                last = snapshot.edits;
                const auto request = any_request<TypeParam>(own, first);
                typename TypeParam::Query query;
                typename TypeParam::Answer answer;
                assign(request, query);
                query.detail = decltype(query.detail)::cost;
                cairn::Searcher<TypeParam> of_snapshot;
                of_snapshot.find(snapshot.index, query, answer);
                const Cost best = optimum<TypeParam>(snapshot.index, request);
                if (TypeParam::kExact && answer.status == StatusCode::ok) {
                    EXPECT_EQ(answer.cost, best);
                }
                EXPECT_EQ(answer.status == StatusCode::ok, best < kInfinity);
                searcher.find(query, answer);
            } while (editing > 0 && !testing::Test::HasFailure());
        });
    }
    for (std::thread& thread : threads) thread.join();
    const auto all = static_cast<std::uint64_t>(2 * edits_each);
    EXPECT_EQ(world.edits(), all);
    EXPECT_EQ(numbers, all * (all + 1) / 2);
}

TYPED_TEST(Worlds, EditsSurviveFailedAllocations) {
    RandomMaps random(1807);
    const auto index = first_index<TypeParam>(random);
    const auto edits = small_edits<TypeParam>(random, index);
    WorldOptions options;
    options.worker = false;
    options.order_edits = 1;
    expect_survives(
        "edit and work",
        [&]() -> Result<std::uint64_t> {
            auto world = World<TypeParam>::create(index, options);
            if (!world) return tl::unexpected(world.error());
            for (std::uint64_t i = 1; i <= 3; ++i) {
                const auto number = world->edit(edits);
                if (!number) {
                    EXPECT_EQ(world->edits(), i - 1);
                    return number;
                }
                EXPECT_EQ(*number, i);
                while (world->work()) {
                }
                if (const Status s = world->work_status(); !s.ok()) return tl::unexpected(s);
            }
            return world->edits();
        },
        [](const Result<std::uint64_t>& made) { return *made; });
}

TEST(WorldOptions, OutOfRangeAreRefused) {
    RandomMaps random(1808);
    const auto index = first_index<hpa::Planner>(random);
    const auto code = [&](const WorldOptions& options) {
        const auto world = World<hpa::Planner>::create(index, options);
        return world ? StatusCode::ok : world.error().code;
    };
    EXPECT_EQ(code({}), StatusCode::ok);
    EXPECT_EQ(code({.order_edits = 0}), StatusCode::bad_option);
    EXPECT_EQ(code({.order_edits = 1'000'001}), StatusCode::bad_option);
    EXPECT_EQ(code({.threads = -1}), StatusCode::bad_option);
}

}  // namespace
}  // namespace cairn::test
