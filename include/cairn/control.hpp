#pragma once
// How a caller watches, bounds and stops long work.

#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>

namespace cairn {

/// Set from any thread to make the work that holds it stop soon with StatusCode::cancelled.
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
    /// Called with the share of the work done, 0 to 1, never decreasing, from one thread at a time
    /// (though not always the same one), at most some hundred times.
    std::function<void(double)> progress;
    const CancelFlag* cancel = nullptr;
    /// Workers, up to 1,024; 0 means one per processor, or as many as `jobs` has. The result does
    /// not depend on it. One, whatever it says, where Cairn has neither `jobs` nor a pool of
    /// threads. Every call that takes a BuildControl answers bad_option to a number out of range.
    int threads = 0;
    /// Runs the work in place of Cairn's pool of threads: see cairn/threads.hpp.
    const JobSystem* jobs = nullptr;

    [[nodiscard]] bool cancelled() const noexcept {
        return cancel != nullptr && cancel->cancelled();
    }
};

/// Control over one query.
struct SearchLimits {
    /// Nodes the query may expand before it stops with budget_exhausted.
    std::uint64_t max_expanded = std::numeric_limits<std::uint64_t>::max();
    /// Paths that cost more are not wanted: the query then stops with over_cost_limit.
    std::uint32_t max_cost = std::numeric_limits<std::uint32_t>::max();
    const CancelFlag* cancel = nullptr;

    [[nodiscard]] bool cancelled() const noexcept {
        return cancel != nullptr && cancel->cancelled();
    }
};

}  // namespace cairn
