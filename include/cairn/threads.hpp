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
// A call starts no threads of its own: when it returns, all its tasks have finished. Queries run
// only on the calling thread.

#include <cstddef>

namespace cairn {

/// A job system of the host. Must outlive the calls it is passed to. May serve several calls at
/// once if `run` may be called from several threads at once.
struct JobSystem {
    /// One task. Does not throw.
    using Task = void (*)(void* data, std::size_t i);

    void* context = nullptr;

    /// Must call task(data, i) once for each i from 0 to tasks - 1, and return when all have
    /// returned; their writes must then be visible to the caller. The tasks may run in any order,
    /// in parallel or one after another, also on the calling thread; none waits for another. There
    /// are at most `workers` tasks. Each continues until all work is done, so a task that starts
    /// late has less to do. Tasks check BuildControl::cancel themselves: the job system does not
    /// have to stop them.
    ///
    /// A task may call `run` again. A thread that waits in `run` may run tasks of the call that it
    /// waits for, or sleep. It must not run tasks of other calls, since its caller may hold a lock
    /// that they need. Must not throw.
    void (*run)(void* context, std::size_t tasks, Task task, void* data) = nullptr;

    /// The number of tasks to create: about the number of threads of the job system, 1 to 1,024.
    int workers = 1;
};

/// Whether Cairn was built with a thread pool. Without one, builds and batches without a JobSystem
/// run on the calling thread. Thread-safe.
[[nodiscard]] bool has_thread_pool() noexcept;

}  // namespace cairn
