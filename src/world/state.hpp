#pragma once
// The state of a world, and how work on it is done.

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "cairn/world/world.hpp"
#include "core/mutex.hpp"
#include "world/changes.hpp"
#include "world/worker.hpp"

namespace cairn {

/// A fresh order of a closure on its way: begun at one edit, used from a later one on.
template <class P>
struct FreshOrder {
    std::uint64_t due = 0;  ///< the number of the edit from which on it is used
    /// The index after the edit at which it was begun; in the fresh order once `ordered`, and then
    /// edited further.
    typename P::Index index;
    bool ordered = false;
    std::vector<std::vector<typename P::Edit>> edits{};  ///< made since then
    std::size_t applied = 0;                             ///< of these, to `index`
    bool failed = false;                                 ///< the old order stays in use

    [[nodiscard]] bool done() const noexcept {
        return failed || (ordered && applied == edits.size());
    }
};

template <EditablePlanner P>
struct World<P>::State {
    /// A snapshot, and the number of orders that were adopted before it.
    struct Published {
        WorldSnapshot<P> snapshot;
        std::uint64_t order = 0;
    };

    State(Index index, const WorldOptions& chosen)
        : options(chosen), now{{std::move(index), 0}, 0} {}
    ~State();
    State(const State&) = delete;
    State& operator=(const State&) = delete;

    Result<std::uint64_t> edit(std::span<const Edit> edits);
    bool work();

    const WorldOptions options;

    /// Guards the members below. Held only while pointers are copied, and short lists.
    mutable Mutex mutex;
    Published now;
    Changes<P> changes;
    std::atomic<std::uint64_t> version{1};  ///< grows when `now` gets another index
    bool wants_labels = false;              ///< of the newest snapshot
    /// Labels that were done only after the next edit: later ones are repaired from them.
    std::optional<Published> outdated;
    std::unique_ptr<FreshOrder<P>> fresh;  ///< null if none is on its way
    Status work_status;
    bool stopping = false;

private:
    using Clock = std::chrono::steady_clock;

    [[nodiscard]] bool has_work() const noexcept {
        return wants_labels || (fresh != nullptr && !fresh->done());
    }
    /// The index with labels, repaired from those of `base` if that has the same order.
    Result<Index> repaired(const Published& published, const std::optional<Published>& base);
    Status make_labels();
    Status advance_fresh_order();
    /// Finishes the fresh order and returns its index; std::nullopt if it has failed.
    std::optional<Index> finish_fresh_order();
    /// Makes `next` the newest snapshot: `before` after `edits`.
    void publish(const Published& before, Published next, std::span<const Edit> edits,
                 bool labels_wanted);
    void wake_worker();
    void run_worker();

    /// How long the last repairs took; guarded by `mutex`. At first too long for an edit.
    std::array<std::chrono::microseconds, 4> repairs{kTooLong, kTooLong, kTooLong, kTooLong};
    std::size_t next_repair = 0;
    static constexpr auto kTooLong = std::chrono::microseconds::max();
    const std::chrono::microseconds most_inline{options.inline_microseconds};

    Mutex editing;  ///< held while an edit is made
    Mutex working;  ///< held while a piece of work is done; locked after `editing`
    CancelFlag stop;
    bool has_worker = true;  ///< guarded by `editing`: false once it could not be started
    Worker worker;
};

}  // namespace cairn
