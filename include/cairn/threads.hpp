#pragma once
// How Cairn runs work in parallel.
//
// Builds and batches divide their work among workers. By default these are threads of oneTBB's
// pool. If Cairn was built without it (CAIRN_TBB=OFF), the calling thread is the only worker. A
// host with its own job system, such as a game engine, passes that instead:
//
//   const JobSystem jobs{&engine, run_on_engine, engine.workers()};
//   BuildControl control;
//   control.jobs = &jobs;
//   auto index = hpa::Index::build(map, options, control);
//
// Results never depend on the job system, the number of workers or their order.
//
// When a call returns, all its tasks have finished. Queries run only on the calling thread.

#include <cstddef>

namespace cairn {

/// A job system of the host. Must outlive the calls it is passed to. Concurrent calls may share one
/// if its `run` is thread-safe.
struct JobSystem {
    /// Runs task number i; `data` is what `run` was given. Does not throw.
    using Task = void (*)(void* data, std::size_t i);

    void* context = nullptr;  ///< the host's own data, passed to `run`

    /// Must call task(data, i) once for each i from 0 to tasks - 1, and return when all have
    /// returned; their writes must then be visible to the caller. The tasks may run in any order,
    /// in parallel or one after another, also on the calling thread; none waits for another. There
    /// are at most `workers` tasks. The tasks of a call share its work: each takes one part after
    /// another until none is left, so a task that starts late has less to do. Tasks check
    /// BuildControl::cancel themselves: the job system does not have to stop them.
    ///
    /// A task may call `run` again. A thread that waits in `run` may run tasks of that call of
    /// `run`, or sleep. It must not run tasks of other calls: the waiting code may hold a lock that
    /// those tasks need. Must not throw.
    void (*run)(void* context, std::size_t tasks, Task task, void* data) = nullptr;

    /// The number of tasks to create: about the number of threads of the job system, 1 to 1,024.
    int workers = 1;
};

/// Whether Cairn was built with a thread pool (CAIRN_TBB=ON). Thread-safe.
[[nodiscard]] bool has_thread_pool() noexcept;

}  // namespace cairn
