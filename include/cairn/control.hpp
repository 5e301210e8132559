#pragma once
// How a caller observes, limits and cancels long operations.

#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>

namespace cairn {

/// A flag that any thread may set. The operation that was given it then stops soon with
/// StatusCode::cancelled.
class CancelFlag {
public:
    void cancel() noexcept { flag_.store(true, std::memory_order_relaxed); }
    void reset() noexcept { flag_.store(false, std::memory_order_relaxed); }
    [[nodiscard]] bool cancelled() const noexcept { return flag_.load(std::memory_order_relaxed); }

private:
    std::atomic<bool> flag_{false};
};

struct JobSystem;

/// Control over a build. All members are optional.
struct BuildControl {
    /// Called with the share of the work done, 0 to 1, never decreasing. Called by one thread at a
    /// time, not always the same, and at most some hundred times.
    std::function<void(double)> progress;
    const CancelFlag* cancel = nullptr;
    /// The number of workers, 1 to 1,024; 0 means one per processor, or as many as `jobs` has. The
    /// result does not depend on it. Without `jobs` and without a thread pool (has_thread_pool) it
    /// is always one. Every call that takes a BuildControl returns bad_option for a number out of
    /// range.
    int threads = 0;
    /// Runs the work instead of Cairn's thread pool: see cairn/threads.hpp.
    const JobSystem* jobs = nullptr;

    [[nodiscard]] bool cancelled() const noexcept {
        return cancel != nullptr && cancel->cancelled();
    }
};

/// Control over one query.
struct SearchLimits {
    /// Nodes the query may expand before it stops with budget_exhausted.
    std::uint64_t max_expanded = std::numeric_limits<std::uint64_t>::max();
    /// The largest cost of a path. If there is no path of at most this cost, the query stops with
    /// over_cost_limit. In the units of the map's or mesh's costs.
    std::uint32_t max_cost = std::numeric_limits<std::uint32_t>::max();
    const CancelFlag* cancel = nullptr;

    [[nodiscard]] bool cancelled() const noexcept {
        return cancel != nullptr && cancel->cancelled();
    }
};

}  // namespace cairn
