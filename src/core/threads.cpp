#include "core/threads.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>

#if defined(CAIRN_HAS_TBB)
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/partitioner.h>
#include <oneapi/tbb/task_arena.h>
#endif

namespace cairn {
namespace {

void run_on_caller(std::size_t tasks, JobSystem::Task task, void* data) {
    for (std::size_t i = 0; i < tasks; ++i) task(data, i);
}

/// Runs a task that may throw for a job system whose tasks must not. Keeps the first exception.
struct CatchingTask {
    JobSystem::Task task;
    void* data;
    std::atomic<bool> failed{false};
    std::exception_ptr error;

    static void run(void* catching, std::size_t i) noexcept {
        auto& self = *static_cast<CatchingTask*>(catching);
        try {
            self.task(self.data, i);
        } catch (...) {
            if (!self.failed.exchange(true)) self.error = std::current_exception();
        }
    }
};

void run_on_jobs(const JobSystem& jobs, std::size_t tasks, JobSystem::Task task, void* data) {
    CatchingTask catching{task, data, false, nullptr};
    jobs.run(jobs.context, tasks, &CatchingTask::run, &catching);
    if (catching.failed) std::rethrow_exception(catching.error);
}

#if defined(CAIRN_HAS_TBB)
namespace tbb = oneapi::tbb;

/// The number of threads of the arena that the caller is in, or of the default arena.
std::size_t pool_size() noexcept {
    return static_cast<std::size_t>(std::max(tbb::this_task_arena::max_concurrency(), 1));
}

/// Calls `work` in an arena of `threads` threads. A thread that waits inside takes no other tasks.
template <class Work>
void in_arena(std::size_t threads, const Work& work) {
    if (threads == pool_size()) {
        tbb::this_task_arena::isolate(work);
    } else {
        tbb::task_arena(static_cast<int>(threads)).execute(work);
    }
}

void run_on_pool(std::size_t workers, std::size_t tasks, JobSystem::Task task, void* data) {
    in_arena(workers, [&] {
        tbb::parallel_for(
            std::size_t{0}, tasks, [&](std::size_t i) { task(data, i); },
            tbb::simple_partitioner());
    });
}

void enter_pool(std::size_t workers, void (*work)(void* data), void* data) {
    in_arena(workers, [&] { work(data); });
}
#else
std::size_t pool_size() noexcept { return 1; }

void run_on_pool(std::size_t /*workers*/, std::size_t tasks, JobSystem::Task task, void* data) {
    run_on_caller(tasks, task, data);
}

void enter_pool(std::size_t /*workers*/, void (*work)(void* data), void* data) { work(data); }
#endif

}  // namespace

bool has_thread_pool() noexcept {
#if defined(CAIRN_HAS_TBB)
    return true;
#else
    return false;
#endif
}

Status check_threads(const BuildControl& control) {
    if (control.threads < 0 || control.threads > kMostThreads)
        return {StatusCode::bad_option,
                fmt::format("threads {}: must be 0 (all) to {}", control.threads, kMostThreads)};
    if (control.jobs == nullptr) return {};
    if (control.jobs->run == nullptr) return {StatusCode::bad_option, "the job system has no run"};
    if (control.jobs->workers < 1 || control.jobs->workers > kMostThreads)
        return {StatusCode::bad_option, fmt::format("a job system of {} workers: must be 1 to {}",
                                                    control.jobs->workers, kMostThreads)};
    return {};
}

std::size_t num_workers(const BuildControl& control) noexcept {
    const auto in_range = [](int count) {
        return static_cast<std::size_t>(std::clamp(count, 1, kMostThreads));
    };
    if (control.jobs != nullptr) {
        const std::size_t job_workers = in_range(control.jobs->workers);
        return control.threads > 0 ? std::min(in_range(control.threads), job_workers) : job_workers;
    }
    if (!has_thread_pool()) return 1;
    return control.threads > 0 ? in_range(control.threads) : pool_size();
}

void run_tasks(const BuildControl& control, std::size_t tasks, JobSystem::Task task, void* data) {
    if (tasks <= 1) return run_on_caller(tasks, task, data);
    if (control.jobs != nullptr) return run_on_jobs(*control.jobs, tasks, task, data);
    run_on_pool(num_workers(control), tasks, task, data);
}

void enter_threads(const BuildControl& control, void (*work)(void* data), void* data) {
    const std::size_t workers = control.jobs == nullptr ? num_workers(control) : 1;
    if (workers == 1) return work(data);
    enter_pool(workers, work, data);
}

}  // namespace cairn
