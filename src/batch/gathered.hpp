#pragma once
// Lists as worker threads leave them, one after another in the order the trips are taken up, before
// each is put in its trip's place.

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "batch/trip_order.hpp"
#include "cairn/batch/routes.hpp"
#include "core/huge_pages.hpp"

namespace cairn::batch {

/// A list in two pieces, of which another list may hold the second.
template <class T>
struct Pieces {
    const T* head = nullptr;
    const T* tail = nullptr;
    std::uint32_t head_size = 0;
    std::uint32_t tail_size = 0;

    [[nodiscard]] std::size_t size() const noexcept { return std::size_t{head_size} + tail_size; }
    void write(T* to) const noexcept {
        std::copy_n(tail, tail_size, std::copy_n(head, head_size, to));
    }
};

/// How many items two lists have in common at their ends.
template <class T>
[[nodiscard]] std::size_t common_end(std::span<const T> a, std::span<const T> b) noexcept {
    constexpr std::size_t kStep = 8;
    const std::size_t most = std::min(a.size(), b.size());
    const T* const a_end = a.data() + a.size();
    const T* const b_end = b.data() + b.size();
    std::size_t count = 0;
    while (count + kStep <= most &&
           std::equal(a_end - count - kStep, a_end - count, b_end - count - kStep)) {
        count += kStep;
    }
    while (count < most && *(a_end - count - 1) == *(b_end - count - 1)) ++count;
    return count;
}

template <class T>
class Gathered {
public:
    /// Blocks of memory that one worker writes lists to. Nothing in them moves.
    class Store {
    public:
        /// A copy of the items that lives as long as the store. Ways to one goal mostly end alike:
        /// such an end is written once.
        [[nodiscard]] Pieces<T> keep(std::span<const T> items) {
            const std::size_t shared = common_end(items, whole_);
            if (shared >= kWorthSharing && 2 * shared >= items.size()) {
                const auto head = write(items.first(items.size() - shared));
                return pieces(head, whole_.last(shared));
            }
            whole_ = write(items);
            return pieces(whole_, {});
        }

    private:
        static constexpr std::size_t kLeast = (std::size_t{1} << 19) / sizeof(T);
        static constexpr std::size_t kMost = (std::size_t{1} << 23) / sizeof(T);

        static constexpr std::size_t kWorthSharing = 16;

        [[nodiscard]] static Pieces<T> pieces(std::span<const T> head, std::span<const T> tail) {
            return {head.data(), tail.data(), static_cast<std::uint32_t>(head.size()),
                    static_cast<std::uint32_t>(tail.size())};
        }

        [[nodiscard]] std::span<const T> write(std::span<const T> items) {
            if (items.size() > room_.size()) add_block(items.size());
            const std::span<T> written = room_.first(items.size());
            std::copy(items.begin(), items.end(), written.begin());
            room_ = room_.subspan(items.size());
            return written;
        }

        // As much as there is already, within limits: a small batch touches little.
        void add_block(std::size_t least) {
            const std::size_t size = std::max(std::clamp(items_, kLeast, kMost), least);
            blocks_.push_back(unwritten_array<T>(size));
            room_ = {blocks_.back().get(), size};
            items_ += size;
        }

        std::size_t items_ = 0;  // in all blocks
        std::vector<std::unique_ptr<T[]>> blocks_;
        std::span<T> room_;
        std::span<const T> whole_;  // the last list that shares nothing
    };

    explicit Gathered(std::size_t trips) : lists_(trips) {}

    /// A store for one more worker. May be called from any thread.
    [[nodiscard]] Store& new_store() {
        const std::scoped_lock lock(mutex_);
        return stores_.emplace_back();
    }

    /// The list of the trip at a place in the order: what a store has kept. Different trips from
    /// different threads.
    void set(std::size_t place, const Pieces<T>& list) noexcept { lists_[place] = list; }

    /// All lists, trip by trip.
    [[nodiscard]] Lists<T> in_order(std::span<const TripKey> order) const {
        std::vector<std::uint64_t> first(lists_.size() + 1);
        for (std::size_t place = 0; place < lists_.size(); ++place)
            first[order[place].trip + 1] = lists_[place].size();
        std::partial_sum(first.begin(), first.end(), first.begin());
        auto items = unwritten_array<T>(first.back());
        oneapi::tbb::parallel_for(
            oneapi::tbb::blocked_range<std::size_t>(0, lists_.size(), kGrain),
            [&](const auto& range) {
                for (std::size_t place = range.begin(); place != range.end(); ++place)
                    lists_[place].write(items.get() + first[order[place].trip]);
            });
        return {std::move(first), std::move(items)};
    }

private:
    static constexpr std::size_t kGrain = 256;
    std::vector<Pieces<T>> lists_;
    std::mutex mutex_;
    std::deque<Store> stores_;
};

}  // namespace cairn::batch
