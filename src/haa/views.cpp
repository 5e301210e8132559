#include "haa/views.hpp"

#include <algorithm>
#include <utility>

namespace cairn::haa {

std::optional<hpa::Index> Views::find(std::uint32_t agent_class) noexcept {
    touch(agent_class);
    const ScopedLock lock(mutex_);
    return slots_[agent_class].view;
}

hpa::Index Views::keep(std::uint32_t agent_class, hpa::Index view, std::size_t bytes,
                       bool complete) {
    const ScopedLock lock(mutex_);
    Slot& slot = slots_[agent_class];
    if (slot.view && !complete) return *slot.view;
    drop(slot);
    slot.view = view;
    slot.bytes = bytes;
    bytes_ += bytes;
    slot.complete.store(complete, std::memory_order_release);
    // Views that are touched from now on count as used later than this one.
    slot.used.store(clock_++, std::memory_order_relaxed);
    drop_oldest_but(agent_class);
    return view;
}

// Drops the least recently used views of other classes until the remaining ones fit.
void Views::drop_oldest_but(std::uint32_t agent_class) {
    while (bytes_ > max_bytes_) {
        Slot* oldest = nullptr;
        for (std::uint32_t k = 0; k < classes_; ++k) {
            Slot& slot = slots_[k];
            if (k == agent_class || !slot.view) continue;
            if (oldest == nullptr || slot.used.load() < oldest->used.load()) oldest = &slot;
        }
        if (oldest == nullptr) return;
        drop(*oldest);
    }
}

void Views::drop(Slot& slot) {
    slot.complete.store(false, std::memory_order_release);
    slot.view.reset();
    bytes_ -= std::exchange(slot.bytes, 0);
}

std::vector<Views::Kept> Views::all() const {
    std::vector<std::pair<std::uint64_t, Kept>> by_use;
    {
        const ScopedLock lock(mutex_);
        for (std::uint32_t k = 0; k < classes_; ++k) {
            const Slot& slot = slots_[k];
            if (slot.view) by_use.push_back({slot.used.load(), {k, *slot.view}});
        }
    }
    std::stable_sort(by_use.begin(), by_use.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<Kept> result;
    result.reserve(by_use.size());
    for (auto& [used, kept] : by_use) result.push_back(std::move(kept));
    return result;
}

std::size_t Views::count() const noexcept {
    const ScopedLock lock(mutex_);
    return static_cast<std::size_t>(
        std::count_if(slots_.get(), slots_.get() + classes_,
                      [](const Slot& slot) { return slot.view.has_value(); }));
}

std::size_t Views::bytes() const noexcept {
    const ScopedLock lock(mutex_);
    return bytes_;
}

}  // namespace cairn::haa
