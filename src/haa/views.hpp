#pragma once
// The views that an index keeps. The least recently used are dropped to bound their memory.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "cairn/hpa/index.hpp"
#include "core/mutex.hpp"

namespace cairn::haa {

/// At most one view per agent class. All members may be called from any thread.
class Views {
public:
    /// `max_bytes` bounds the memory of all views. The view that was kept last always stays.
    Views(std::uint32_t classes, std::uint64_t max_bytes)
        : classes_(classes), max_bytes_(max_bytes), slots_(std::make_unique<Slot[]>(classes)) {}

    /// The kept view of a class, if there is one. Counts as a use.
    [[nodiscard]] std::optional<hpa::Index> find(std::uint32_t agent_class) noexcept;

    /// Keeps a view of `bytes` bytes in place of the class's earlier one. If there is an earlier
    /// one and `view` is not complete, the earlier one stays. Returns the view that is kept.
    hpa::Index keep(std::uint32_t agent_class, hpa::Index view, std::size_t bytes, bool complete);

    /// Whether a complete view is kept. Takes no lock.
    [[nodiscard]] bool has_complete(std::uint32_t agent_class) const noexcept {
        return slots_[agent_class].complete.load(std::memory_order_acquire);
    }
    /// Notes that a view is in use, to keep it from being dropped. Takes no lock; writes once
    /// between two calls of `keep`, so that threads don't disturb each other.
    void touch(std::uint32_t agent_class) noexcept {
        const std::uint64_t now = clock_.load(std::memory_order_relaxed);
        std::atomic<std::uint64_t>& used = slots_[agent_class].used;
        if (used.load(std::memory_order_relaxed) != now) used.store(now, std::memory_order_relaxed);
    }

    /// Must be held while the first view of a class is made, so that one thread makes it for all.
    [[nodiscard]] Mutex& making(std::uint32_t agent_class) noexcept {
        return slots_[agent_class].making;
    }

    struct Kept {
        std::uint32_t agent_class;
        hpa::Index view;
    };
    /// All kept views, the least recently used first.
    [[nodiscard]] std::vector<Kept> all() const;

    /// Whether there are views and is_so(view) holds for all.
    template <class IsSo>
    [[nodiscard]] bool all_are(IsSo&& is_so) const noexcept {
        const ScopedLock lock(mutex_);
        bool some = false;
        for (std::uint32_t k = 0; k < classes_; ++k) {
            const std::optional<hpa::Index>& view = slots_[k].view;
            if (view && !is_so(*view)) return false;
            some = some || view.has_value();
        }
        return some;
    }
    [[nodiscard]] std::size_t count() const noexcept;
    /// The approximate memory of the views: shared parts count in full.
    [[nodiscard]] std::size_t bytes() const noexcept;

private:
    struct Slot {
        Mutex making;
        std::atomic<bool> complete{false};
        std::atomic<std::uint64_t> used{0};  // the time of the last use, by clock_
        std::optional<hpa::Index> view;
        std::size_t bytes = 0;
    };
    void drop_oldest_but(std::uint32_t agent_class);
    void drop(Slot& slot);

    std::uint32_t classes_;
    std::uint64_t max_bytes_;
    mutable Mutex mutex_;  // guards views and bytes
    std::unique_ptr<Slot[]> slots_;
    std::size_t bytes_ = 0;
    std::atomic<std::uint64_t> clock_{0};  // counts calls of `keep`
};

}  // namespace cairn::haa
