#pragma once
// Runs the tasks of a parallel loop (core/parallel_loop.hpp) on the host's job system, on the
// thread pool, or on the calling thread.

#include <cstddef>
#include <exception>
#include <optional>
#include <type_traits>
#include <utility>

#include "cairn/control.hpp"
#include "cairn/status.hpp"
#include "cairn/threads.hpp"

namespace cairn {

inline constexpr int kMostThreads = 1024;

/// Checks `threads` and `jobs` of a control: ok or bad_option.
[[nodiscard]] Status check_threads(const BuildControl& control);

/// The number of workers of a loop, at least 1.
[[nodiscard]] std::size_t num_workers(const BuildControl& control) noexcept;

/// Calls task(data, i) for each i from 0 to tasks - 1, by the rules of JobSystem::run, except that
/// tasks may throw: when all have ended, the first exception is rethrown. `tasks` is at most
/// num_workers(control).
void run_tasks(const BuildControl& control, std::size_t tasks, JobSystem::Task task, void* data);

/// Calls work(data) inside the thread pool, so that the loops in `work` need not enter it one by
/// one and its threads stay awake between them. With a job system, just calls work(data).
void enter_threads(const BuildControl& control, void (*work)(void* data), void* data);

/// enter_threads for a callable; returns what work() returns.
template <class Work>
[[nodiscard]] auto on_threads(const BuildControl& control, Work&& work) {
    using Value = decltype(work());
    struct Call {
        std::remove_reference_t<Work>& work;
        std::optional<Value> value;
    } call{work, std::nullopt};
    enter_threads(
        control,
        [](void* data) {
            Call& c = *static_cast<Call*>(data);
            c.value.emplace(c.work());
        },
        &call);
    return std::move(*call.value);
}

}  // namespace cairn
