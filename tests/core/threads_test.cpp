// Loops and builds on everything that can run them: the thread pool, the calling thread, and job
// systems of a host program. The thread sanitizer runs these tests, too.

#include "cairn/threads.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <new>
#include <numeric>
#include <span>
#include <stdexcept>
#include <thread>
#include <vector>

#include "cairn/cut_labels.hpp"
#include "cairn/haa/index.hpp"
#include "cairn/hna/index.hpp"
#include "cairn/hpa/index.hpp"
#include "cairn/mesh/from_grid.hpp"
#include "cairn/n_level_graph.hpp"
#include "cairn/subgoal/index.hpp"
#include "core/parallel_loop.hpp"
#include "support/job_systems.hpp"
#include "support/planner.hpp"
#include "support/random_maps.hpp"
#include "support/scale.hpp"

namespace cairn::test {
namespace {

constexpr int kWorkers = 4;

// Controls whose loops run on the pool, on the calling thread, on a job system of threads, and on
// one that runs its tasks on the calling thread in reversed order.
struct OnPool {
    OnPool() { control.threads = kWorkers; }
    BuildControl control;
};
struct OnCaller {
    OnCaller() { control.threads = 1; }
    BuildControl control;
};
struct OnThreadJobs {
    OnThreadJobs() { control.jobs = jobs.get(); }
    ThreadJobs jobs{kWorkers};
    BuildControl control;
};
struct OnReversedJobs {
    OnReversedJobs() { control.jobs = &jobs; }
    JobSystem jobs{nullptr, &run_reversed, kWorkers};
    BuildControl control;
};

/// A square map for HAA*: ground with 15 % of obstacles.
grid::TerrainImage ground(RandomMaps& random, int side) {
    grid::TerrainImage image{side, side, {}};
    for (int i = 0; i < side * side; ++i) image.terrain.push_back(random.chance(15) ? '@' : '.');
    return image;
}

template <class Kind>
class LoopThreads : public testing::Test {
protected:
    Kind kind_;
    BuildControl& control_ = kind_.control;
};
using Kinds = testing::Types<OnPool, OnCaller, OnThreadJobs, OnReversedJobs>;
TYPED_TEST_SUITE(LoopThreads, Kinds);

TYPED_TEST(LoopThreads, TakeEveryItemOnce) {
    for (const std::size_t count : {0, 1, 2, 63, 64, 1000, 10'007}) {
        for (const std::size_t grain : {1, 7, 256}) {
            std::vector<int> taken(count);
            std::vector<std::atomic<int>> in_use(num_workers(this->control_));
            std::atomic<int> faults = 0;
            for_each_range(count, grain, this->control_,
                           [&](std::size_t worker, std::size_t begin, std::size_t end) {
                               // No two ranges use one worker at a time.
                               if (worker >= in_use.size() || ++in_use[worker] != 1) ++faults;
                               const bool too_short = end - begin < grain && end != count;
                               if (begin >= end || too_short) ++faults;
                               for (std::size_t i = begin; i < end; ++i) ++taken[i];
                               --in_use[worker];
                           });
            EXPECT_EQ(faults, 0);
            EXPECT_TRUE(std::ranges::all_of(taken, [](int times) { return times == 1; }))
                << count << " items, grain " << grain;
        }
    }
}

TYPED_TEST(LoopThreads, RunWithinEachOther) {
    constexpr std::uint32_t kOuter = 12;
    constexpr std::uint32_t kInner = 200;
    std::vector<std::uint64_t> sums(kOuter);
    Progress progress(this->control_, kOuter);
    const auto no_value = [] { return 0; };  // of a worker
    const Status status = on_threads(this->control_, [&] {
        return for_each_item(
            kOuter, this->control_, progress, no_value, [&](int&, std::uint32_t i) {
                std::vector<std::uint64_t> squares(kInner);
                Progress inner(this->control_, kInner);
                const Status done = for_each_item(
                    kInner, this->control_, inner, no_value,
                    [&](int&, std::uint32_t k) { squares[k] = std::uint64_t{k} * k + i; });
                if (done.ok()) sums[i] = std::reduce(squares.begin(), squares.end());
            });
    });
    EXPECT_TRUE(status.ok());
    // The sum of k * k + i over all k below kInner.
    for (std::uint32_t i = 0; i < kOuter; ++i)
        EXPECT_EQ(sums[i], std::uint64_t{kInner - 1} * kInner * (2 * kInner - 1) / 6 + kInner * i);
}

TYPED_TEST(LoopThreads, StopWhenCancelled) {
    constexpr std::uint32_t kItems = 100'000;
    CancelFlag flag;
    this->control_.cancel = &flag;
    std::atomic<std::uint32_t> started = 0;
    Progress progress(this->control_, kItems);
    const Status status = for_each_item(
        kItems, this->control_, progress, [] { return 0; },
        [&](int&, std::uint32_t) {
            const std::uint32_t number = ++started;
            if (number == 100) flag.cancel();
            // Another worker may run on before the flag is set.
            while (number > 100 && !flag.cancelled()) std::this_thread::yield();
        });
    EXPECT_EQ(status.code, StatusCode::cancelled);
    // Each worker finishes the item that it has begun.
    EXPECT_LE(started, 100U + kWorkers);
}

TYPED_TEST(LoopThreads, PassExceptionsOn) {
    const auto loop = [&](auto&& work) {
        for_each_range(1000, 1, this->control_,
                       [&](std::size_t, std::size_t begin, std::size_t) { work(begin); });
    };
    EXPECT_THROW(loop([](std::size_t) { throw std::bad_alloc(); }), std::bad_alloc);
    EXPECT_THROW(loop([](std::size_t i) {
                     if (i > 900) throw std::out_of_range("item");
                 }),
                 std::out_of_range);
}

TYPED_TEST(LoopThreads, SortAsOneThreadDoes) {
    RandomMaps random(7);
    for (const int count : {0, 1, 4095, 8192, 20'000, 100'003}) {
        std::vector<std::uint64_t> items(static_cast<std::size_t>(count));
        for (std::size_t i = 0; i < items.size(); ++i)
            items[i] = static_cast<std::uint64_t>(random.number(0, 1'000'000)) << 32 | i;
        std::vector<std::uint64_t> sorted = items;
        std::ranges::sort(sorted);
        sort_in_parallel(std::span(items), this->control_);
        EXPECT_EQ(items, sorted);
    }
}

TYPED_TEST(LoopThreads, BuildTheSameIndexes) {
    RandomMaps random(11);
    for (auto maps = scaled(6); maps > 0; --maps) {
        const grid::Map map = random.uniform_map({100, 80});
        const auto expect_same = [&](auto&& build) {
            const auto expected = value_or_abort(build(one_thread()));
            const auto index = value_or_abort(build(this->control_));
            EXPECT_TRUE(index == expected);
            EXPECT_EQ(index.snapshot_id(), expected.snapshot_id());
        };
        hpa::Options two_levels;
        two_levels.levels = 2;
        expect_same([&](const BuildControl& c) { return hpa::Index::build(map, two_levels, c); });
        expect_same([&](const BuildControl& c) { return subgoal::Index::build(map, {}, c); });
        const auto annotated = value_or_abort(haa::AnnotatedMap::create(ground(random, 60)));
        expect_same([&](const BuildControl& c) { return haa::Index::build(annotated, {}, c); });
        const auto mesh = value_or_abort(mesh::mesh_from_grid(map));
        expect_same([&](const BuildControl& c) { return hna::Index::build(mesh, {}, c); });
    }
}

TYPED_TEST(LoopThreads, StopBuildsWhenCancelled) {
    RandomMaps random(12);
    const grid::Map map = random.noise({300, 300}, 20);
    for (const double share : {0.05, 0.3, 0.6}) {
        CancelFlag flag;
        BuildControl control = this->control_;
        control.cancel = &flag;
        control.progress = [&](double done) {
            if (done >= share) flag.cancel();
        };
        EXPECT_EQ(hpa::Index::build(map, {}, control).error().code, StatusCode::cancelled);
        flag.reset();
        EXPECT_EQ(subgoal::Index::build(map, {}, control).error().code, StatusCode::cancelled);
    }
}

TEST(JobSystemThreads, RunBuildsInPlaceOfThePool) {
    RandomMaps random(13);
    const grid::Map map = random.noise({200, 200}, 20);
    ThreadJobs jobs(3);
    BuildControl control;
    control.jobs = jobs.get();
    ASSERT_TRUE(hpa::Index::build(map, {}, control));
    EXPECT_GT(jobs.calls(), 2U);
    EXPECT_EQ(jobs.most_tasks(), 3U);
    ThreadJobs fewer(3);
    control.jobs = fewer.get();
    control.threads = 2;
    ASSERT_TRUE(hpa::Index::build(map, {}, control));
    EXPECT_EQ(fewer.most_tasks(), 2U);
}

TEST(ThreadsTest, ThreadsAndWorkersOutOfRangeAreRefused) {
    const grid::Map map = RandomMaps(1).uniform_map({20, 20});
    const auto expect_refused = [&](const BuildControl& control) {
        EXPECT_EQ(check_threads(control).code, StatusCode::bad_option);
        EXPECT_EQ(hpa::Index::build(map, {}, control).error().code, StatusCode::bad_option);
        EXPECT_EQ(subgoal::Index::build(map, {}, control).error().code, StatusCode::bad_option);
        EXPECT_EQ(CutLabels::build(Graph{}, {}, control).error().code, StatusCode::bad_option);
        EXPECT_EQ(NLevelGraph::build(Graph{}, {}, {}, control).error().code,
                  StatusCode::bad_option);
    };
    BuildControl control;
    for (const int threads : {-1, 1025, 1'000'000}) {
        control.threads = threads;
        expect_refused(control);
    }
    control.threads = 0;
    for (const int workers : {-1, 0, 1025}) {
        const JobSystem jobs{nullptr, &run_reversed, workers};
        control.jobs = &jobs;
        expect_refused(control);
    }
    const JobSystem without_run{nullptr, nullptr, 2};
    control.jobs = &without_run;
    expect_refused(control);
    control = {};
    for (const int threads : {0, 1, 1024}) {
        control.threads = threads;
        EXPECT_TRUE(check_threads(control).ok());
    }
}

TEST(ThreadsTest, WithoutAPoolThereIsOneWorker) {
    BuildControl control;
    control.threads = 3;
    EXPECT_EQ(num_workers(control), has_thread_pool() ? 3U : 1U);
}

}  // namespace
}  // namespace cairn::test
