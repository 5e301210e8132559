#pragma once
// How a caller observes, limits and cancels long operations.

#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>

namespace cairn {

/// A flag that any thread may set. An operation that was given the flag then soon stops with
/// StatusCode::cancelled. The flag must outlive the operation.
class CancelFlag {
public:
    void cancel() noexcept { flag_.store(true, std::memory_order_relaxed); }
    void reset() noexcept { flag_.store(false, std::memory_order_relaxed); }
    [[nodiscard]] bool cancelled() const noexcept { return flag_.load(std::memory_order_relaxed); }

private:
    std::atomic<bool> flag_{false};
};

/// A moment by the machine's steady clock, or never.
class Deadline {
public:
    /// Never.
    constexpr Deadline() noexcept = default;
    /// So many microseconds from now. O(1); reads the clock. Thread-safe.
    [[nodiscard]] static Deadline in_microseconds(std::uint64_t microseconds) noexcept;
    /// Whether the moment has come. O(1); reads the clock unless it is never. Thread-safe.
    [[nodiscard]] bool passed() const noexcept { return time_ != kNever && time_ <= now(); }

    /// The earlier of two.
    [[nodiscard]] friend constexpr Deadline earlier(Deadline a, Deadline b) noexcept {
        return a.time_ < b.time_ ? a : b;
    }
    friend constexpr bool operator==(Deadline, Deadline) noexcept = default;

private:
    static constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();
    [[nodiscard]] static std::int64_t now() noexcept;

    std::int64_t time_ = kNever;  // nanoseconds since the clock's epoch
};

struct JobSystem;
class CheckpointStore;

/// Control over a build or a batch. All members are optional.
struct BuildControl {
    /// Called with the fraction of the work done, 0 to 1, never decreasing. Calls come from
    /// different threads but never overlap. There are at most a few hundred; with_labels and
    /// with_costs of haa::Index make so many for each agent.
    std::function<void(double)> progress;
    const CancelFlag* cancel = nullptr;  ///< null: cannot be cancelled
    /// The number of workers, 1 to 1,024, but at most as many as `jobs` has. 0 means one per
    /// processor (for a call from a oneTBB arena: one per thread of the arena), or all of `jobs`.
    /// The result does not depend on this number. Without `jobs` and without a thread pool
    /// (has_thread_pool) there is always one worker. Builds and batches return bad_option for a
    /// number out of range, here or in `jobs`, and for `jobs` without `run`.
    int threads = 0;
    /// Runs the work instead of Cairn's thread pool: see cairn/threads.hpp. Null: the thread pool.
    const JobSystem* jobs = nullptr;
    /// Where a long build keeps what it has finished, so that a build which was stopped goes on
    /// from there, several processes build one index together, and large arrays lie in files: see
    /// cairn/checkpoints.hpp, which says what is kept. The result does not depend on it. Null:
    /// nothing is kept.
    CheckpointStore* checkpoints = nullptr;

    [[nodiscard]] bool cancelled() const noexcept {
        return cancel != nullptr && cancel->cancelled();
    }
};

/// Control over one query.
struct SearchLimits {
    /// Nodes the query may expand before it stops with budget_exhausted.
    std::uint64_t max_expanded = std::numeric_limits<std::uint64_t>::max();
    /// The largest cost of a path, in the units of the map's or mesh's costs. If no path costs at
    /// most this, the query stops with over_cost_limit. From kInfinity - 1 on it is no limit: all
    /// costs of paths are at most that.
    std::uint32_t max_cost = std::numeric_limits<std::uint32_t>::max();
    const CancelFlag* cancel = nullptr;  ///< null: cannot be cancelled
    /// When the query stops with budget_exhausted. Looked at where `cancel` is: when the search
    /// begins, and every few hundred nodes. A frame's queries may share one. Unlike all other
    /// limits, it makes the answer depend on the machine.
    Deadline deadline{};
    /// Whether a query that ends with budget_exhausted or cancelled returns a path towards the
    /// goal, if it asks for a path. The path leads to the goal if the search has found a path that
    /// it could not prove to be a cheapest one yet. Otherwise it leads to the node nearest the
    /// goal, by the lower bound, of those that the search would have expanded next; nodes whose
    /// paths have come to a dead end are not among them. It may be the start alone. Its steps are
    /// legal, but the answer's cost stays kInfinity.
    bool partial_path = false;

    [[nodiscard]] bool cancelled() const noexcept {
        return cancel != nullptr && cancel->cancelled();
    }
};

}  // namespace cairn
