#pragma once
// Job systems as a host program may give them: builds and batches run on them instead of on Cairn's
// thread pool.

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

#include "cairn/threads.hpp"

namespace cairn::test {

/// Starts a thread for each task but the first; the caller runs that one.
class ThreadJobs {
public:
    explicit ThreadJobs(int workers) : jobs_{this, &run, workers} {}
    ThreadJobs(const ThreadJobs&) = delete;
    ThreadJobs& operator=(const ThreadJobs&) = delete;

    [[nodiscard]] const JobSystem* get() const noexcept { return &jobs_; }
    /// The number of loops run.
    [[nodiscard]] std::size_t calls() const noexcept { return calls_; }
    /// The greatest number of tasks of one loop.
    [[nodiscard]] std::size_t most_tasks() const noexcept { return most_tasks_; }

private:
    static void run(void* context, std::size_t tasks, JobSystem::Task task, void* data) {
        auto& self = *static_cast<ThreadJobs*>(context);
        ++self.calls_;
        std::size_t most = self.most_tasks_;
        while (tasks > most && !self.most_tasks_.compare_exchange_weak(most, tasks)) {
        }
        std::vector<std::thread> threads;
        for (std::size_t i = 1; i < tasks; ++i) threads.emplace_back(task, data, i);
        if (tasks > 0) task(data, 0);
        for (std::thread& thread : threads) thread.join();
    }

    JobSystem jobs_;
    std::atomic<std::size_t> calls_{0};
    std::atomic<std::size_t> most_tasks_{0};
};

/// The caller runs all tasks, the last one first.
inline void run_reversed(void* /*context*/, std::size_t tasks, JobSystem::Task task, void* data) {
    while (tasks > 0) task(data, --tasks);
}

}  // namespace cairn::test
