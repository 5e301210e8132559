// Batches of requests by A* on the bare map.

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <vector>

#include "cairn/batch/batch.hpp"
#include "cairn/grid/astar.hpp"
#include "cairn/grid/planners.hpp"
#include "cairn/grid/smooth.hpp"
#include "core/threads.hpp"
#include "support/job_systems.hpp"
#include "support/random_maps.hpp"
#include "support/scale.hpp"

namespace cairn::grid::test {
namespace {

using batch::Cells;

struct Case {
    Map map;
    AstarQuery model;
    batch::Options options;
    std::vector<grid::Request> requests;
};

/// A random map, options and requests. The requests share five goals, one of them outside the map;
/// some start outside it, and some occur more than once.
Case random_case(std::uint64_t seed) {
    cairn::test::RandomMaps random(seed);
    const auto size = random.size(24);
    Case out{random.map(size, {}), {}, {}, {}};
    out.model.open = random.chance(50) ? OpenList::heap : OpenList::buckets;
    if (random.chance(20)) out.model.detail = Detail::cost;
    if (random.chance(30)) out.model.limits.max_expanded = 40;
    if (random.chance(30)) out.model.limits.max_cost = 5000;
    if (random.chance(30)) out.options.cells = Cells::turning;
    std::vector<Point> goals{{-1, 0}};
    for (int i = 0; i < 4; ++i) goals.push_back(random.point(out.map));
    for (int count = random.number(0, 120); count > 0; --count) {
        const Point start = random.point(out.map);
        out.requests.push_back({start, random.one_of(goals)});
        if (random.chance(10)) out.requests.push_back(out.requests.front());
        if (random.chance(2)) out.requests.back().start = {size.width, 0};
    }
    return out;
}

grid::Paths answers(const Case& c, int threads, const JobSystem* jobs = nullptr) {
    BuildControl control;
    control.threads = threads;
    control.jobs = jobs;
    auto paths = batch::find_paths<AstarPlanner>(c.map, c.requests, c.model, c.options, control);
    EXPECT_TRUE(paths.has_value()) << paths.error().message;
    return paths ? *std::move(paths) : grid::Paths{};
}

TEST(AstarBatch, EqualsSingleSearches) {
    std::size_t found = 0;
    std::size_t stopped = 0;
    for (std::uint64_t seed = 0; seed < cairn::test::scaled(100); ++seed) {
        const Case c = random_case(seed);
        const grid::Paths paths = answers(c, 1);
        ASSERT_EQ(paths.status.size(), c.requests.size());
        Astar astar;
        Path path;
        std::vector<Cell> cells;
        for (std::size_t i = 0; i < c.requests.size(); ++i) {
            astar.find_path(c.map, c.requests[i].start, c.requests[i].goal, path,
                            {c.model.open, c.model.detail == Detail::cost}, c.model.limits);
            ASSERT_EQ(paths.status[i], path.status) << seed << ", request " << i;
            ASSERT_EQ(paths.cost[i], path.cost) << seed << ", request " << i;
            cells = path.cells;
            if (c.options.cells == Cells::turning && !cells.empty())
                waypoints(c.map.width(), path.cells, cells);
            ASSERT_TRUE(std::ranges::equal(paths.cells[i], cells)) << seed << ", request " << i;
            found += cells.size() > 1 ? 1 : 0;
            stopped += path.status == StatusCode::budget_exhausted ? 1 : 0;
        }
    }
    EXPECT_GT(found, 0U);
    EXPECT_GT(stopped, 0U);
}

TEST(AstarBatchThreads, DoNotChangeTheAnswers) {
    for (std::uint64_t seed = 0; seed < cairn::test::scaled(30); ++seed) {
        const Case c = random_case(seed);
        const grid::Paths paths = answers(c, 1);
        for (const int threads : {0, 2, 5}) EXPECT_TRUE(answers(c, threads) == paths) << seed;
        const cairn::test::ThreadJobs jobs(3);
        EXPECT_TRUE(answers(c, 0, jobs.get()) == paths) << seed;
        const JobSystem reversed{nullptr, &cairn::test::run_reversed, 4};
        EXPECT_TRUE(answers(c, 0, &reversed) == paths) << seed;
    }
}

// A thread that waits for its batch must not start another task of its caller meanwhile: that task
// would use the thread's searcher a second time.
TEST(AstarBatchThreads, RunNoOtherTaskOfTheCallerWhileTheyWait) {
    Case c = random_case(4);
    while (c.requests.size() < 60'000) {
        const std::vector<grid::Request> copy = c.requests;
        c.requests.insert(c.requests.end(), copy.begin(), copy.end());
    }
    struct ThreadState {
        batch::Searcher<AstarPlanner> searcher;
        grid::Paths paths;
        bool searching = false;
    };
    std::atomic<int> nested_tasks{0};
    const auto run_batch = [&] {
        thread_local ThreadState state;
        if (state.searching) {
            ++nested_tasks;
            return;
        }
        state.searching = true;
        EXPECT_TRUE(state.searcher.find_paths(c.map, c.requests, state.paths, c.model).ok());
        state.searching = false;
    };
    // Many more tasks than threads, so that a waiting thread would always find another task.
    BuildControl control;
    control.threads = 64;
    for (std::uint64_t round = 0; round < cairn::test::scaled(7); ++round) {
        run_tasks(
            control, num_workers(control),
            [](void* data, std::size_t) { (*static_cast<decltype(run_batch)*>(data))(); },
            const_cast<void*>(static_cast<const void*>(&run_batch)));
    }
    EXPECT_EQ(nested_tasks, 0);
}

}  // namespace
}  // namespace cairn::grid::test
