#pragma once
// Lists as worker threads leave them, before they are put in order.

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "cairn/batch/routes.hpp"

namespace cairn::batch {

template <class T>
class Gathered {
public:
    /// Blocks of memory that one worker writes lists to. Nothing in them moves.
    class Store {
    public:
        /// A copy of the items that lives as long as the store.
        [[nodiscard]] std::span<const T> keep(std::span<const T> items) {
            if (items.size() > room_.size()) {
                const std::size_t size = std::max(kBlockItems, items.size());
                blocks_.push_back(std::make_unique_for_overwrite<T[]>(size));
                room_ = {blocks_.back().get(), size};
            }
            const std::span<T> kept = room_.first(items.size());
            std::copy(items.begin(), items.end(), kept.begin());
            room_ = room_.subspan(items.size());
            return kept;
        }

    private:
        static constexpr std::size_t kBlockBytes = std::size_t{1} << 19;
        static constexpr std::size_t kBlockItems = kBlockBytes / sizeof(T);
        std::vector<std::unique_ptr<T[]>> blocks_;
        std::span<T> room_;
    };

    explicit Gathered(std::size_t trips) : lists_(trips) {}

    /// A store for one more worker. May be called from any thread.
    [[nodiscard]] Store& new_store() {
        const std::scoped_lock lock(mutex_);
        return stores_.emplace_back();
    }

    /// The list of a trip: what a store has kept. Different trips from different threads.
    void set(std::size_t trip, std::span<const T> list) noexcept { lists_[trip] = list; }

    /// All lists, trip by trip.
    [[nodiscard]] Lists<T> in_order() const {
        std::vector<std::uint64_t> first(lists_.size() + 1);
        for (std::size_t trip = 0; trip < lists_.size(); ++trip)
            first[trip + 1] = first[trip] + lists_[trip].size();
        auto items = std::make_unique_for_overwrite<T[]>(first.back());
        oneapi::tbb::parallel_for(
            oneapi::tbb::blocked_range<std::size_t>(0, lists_.size(), kGrain),
            [&](const auto& range) {
                for (std::size_t trip = range.begin(); trip != range.end(); ++trip)
                    std::copy(lists_[trip].begin(), lists_[trip].end(), items.get() + first[trip]);
            });
        return {std::move(first), std::move(items)};
    }

private:
    static constexpr std::size_t kGrain = 256;
    std::vector<std::span<const T>> lists_;
    std::mutex mutex_;
    std::deque<Store> stores_;
};

}  // namespace cairn::batch
