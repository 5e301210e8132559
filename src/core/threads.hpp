#pragma once
// Runs the tasks of a parallel loop: on the host's job system, on the thread pool, or on the
// calling thread.

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

/// ok, or bad_option.
[[nodiscard]] Status check_threads(const BuildControl& control);

/// How many workers share the work of a loop, at least 1.
[[nodiscard]] std::size_t num_workers(const BuildControl& control) noexcept;

/// Calls task(data, i) for each i below `tasks`, which is at most num_workers(control), as
/// JobSystem::run does. Tasks may throw: the first exception is thrown again when all have ended.
void run_tasks(const BuildControl& control, std::size_t tasks, JobSystem::Task task, void* data);

/// Calls work(data) in a place where loops find the workers of `control` awake.
void enter_threads(const BuildControl& control, void (*work)(void* data), void* data);

/// Returns what work() returns. For several loops of one control in a row.
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
