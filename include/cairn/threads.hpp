#pragma once
// How Cairn runs work in parallel.
//
// Builds and batches share their work out among workers. By default these are threads of oneTBB's
// pool. Where Cairn was built without it (CAIRN_TBB=OFF) they are one, the calling thread. A host
// with a job system of its own, such as a game engine, passes it instead:
//
//   const JobSystem jobs{&engine, run_on_engine, engine.workers()};
//   BuildControl control;
//   control.jobs = &jobs;
//   auto index = hpa::Index::build(map, options, control);
//
// Results never depend on any of this: not on who runs the work, on how many workers there are, nor
// on which of them is first.
//
// A call starts no threads and keeps none: when it returns, none of its tasks is left anywhere.
// Queries run on the calling thread alone.

#include <cstddef>

namespace cairn {

/// The host's way to run tasks. Must outlive the calls it is passed to. May serve several calls at
/// once if `run` may be called from several threads at once.
struct JobSystem {
    /// One task. Does not throw.
    using Task = void (*)(void* data, std::size_t i);

    void* context = nullptr;

    /// Calls task(data, i) once for each i from 0 to tasks - 1, and returns when all have returned;
    /// what they wrote is then visible to the caller. The tasks may run in any order, at once or
    /// one after another, the calling thread among those that run them; none waits for another.
    /// There are at most `workers` tasks, each of which goes on until all work is done, so one that
    /// begins late finds less to do. Tasks check BuildControl::cancel between items: a job system
    /// does not have to stop them.
    ///
    /// A task may call `run` again. A thread that waits in `run` must not take up tasks of other
    /// calls meanwhile: the caller may hold a lock, or be in the middle of a query, that they would
    /// ask for. It may run tasks of the call it waits for, or sleep. Must not throw.
    void (*run)(void* context, std::size_t tasks, Task task, void* data) = nullptr;

    /// How many tasks to ask for: about the threads that `run` has, 1 to 1,024.
    int workers = 1;
};

/// Whether Cairn was built with a pool of threads. Else builds and batches without a JobSystem run
/// on the calling thread.
[[nodiscard]] bool has_thread_pool() noexcept;

}  // namespace cairn
