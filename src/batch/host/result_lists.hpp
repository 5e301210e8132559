#pragma once
// The lists (cells, polygons, waypoints) of a batch's answers. Workers write them to blocks of
// memory as they answer requests; in the end they are copied into the order of the requests.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <span>
#include <vector>

#include "batch/host/request_order.hpp"
#include "cairn/lists.hpp"
#include "core/huge_pages.hpp"
#include "core/memory.hpp"
#include "core/parallel_loop.hpp"

namespace cairn::batch {

/// A list of a ListStore in two pieces, of which the second may be part of another list.
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

/// The length of the longest common tail of two lists.
template <class T>
[[nodiscard]] std::size_t common_tail(std::span<const T> a, std::span<const T> b) noexcept {
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

/// The lists that one worker has written, in blocks of memory that do not move.
template <class T>
class ListStore {
public:
    /// Stores a copy of the items until the store is rewound. Paths to the same goal mostly have a
    /// common tail: a long one in common with the last list stored whole is not stored again.
    void keep(std::span<const T> items) {
        const std::size_t shared = common_tail(items, whole_);
        if (shared >= kWorthSharing && 2 * shared >= items.size()) {
            last_ = pieces(write(items.first(items.size() - shared)), whole_.last(shared));
            return;
        }
        whole_ = write(items);
        last_ = pieces(whole_, {});
    }
    /// The list stored last.
    [[nodiscard]] const Pieces<T>& last() const noexcept { return last_; }

    /// Removes all lists. The blocks are kept for the next ones.
    void rewind() noexcept {
        used_ = 0;
        room_ = {};
        whole_ = {};
        last_ = {};
    }

    [[nodiscard]] std::size_t memory() const noexcept { return memory_of(blocks_); }

private:
    // Items of a block, unless a list is longer: half a megabyte to 8 megabytes.
    static constexpr std::size_t kLeast = (std::size_t{1} << 19) / sizeof(T);
    static constexpr std::size_t kMost = (std::size_t{1} << 23) / sizeof(T);
    // A common tail is shared if it has so many items and is at least half of the list.
    static constexpr std::size_t kWorthSharing = 16;

    [[nodiscard]] static Pieces<T> pieces(std::span<const T> head, std::span<const T> tail) {
        return {head.data(), tail.data(), static_cast<std::uint32_t>(head.size()),
                static_cast<std::uint32_t>(tail.size())};
    }

    [[nodiscard]] std::span<const T> write(std::span<const T> items) {
        while (items.size() > room_.size()) take_block(items.size());
        const std::span<T> written = room_.first(items.size());
        std::copy(items.begin(), items.end(), written.begin());
        room_ = room_.subspan(items.size());
        return written;
    }

    // A new block is about as large as all others together: a small batch takes little memory.
    void take_block(std::size_t least) {
        if (used_ == blocks_.size()) {
            const std::size_t size = std::max(std::clamp(items_, kLeast, kMost), least);
            blocks_.push_back({unwritten_array<T>(size), size});
            items_ += size;
        }
        const Block& block = blocks_[used_++];
        room_ = {block.items.get(), block.size};
    }

    struct Block {
        std::unique_ptr<T[]> items;
        std::size_t size = 0;

        [[nodiscard]] std::size_t memory() const noexcept { return size * sizeof(T); }
    };
    std::vector<Block> blocks_;
    std::size_t items_ = 0;     // the size of all blocks, in items
    std::size_t used_ = 0;      // blocks that this batch has written to
    std::span<T> room_;         // what is free in the last of them
    std::span<const T> whole_;  // the last list that was written in one piece
    Pieces<T> last_;
};

/// Where the lists of all requests lie, by the requests' places in the order of sort_requests.
template <class T>
class ResultLists {
public:
    /// Begins a batch of so many requests, with empty lists.
    void begin(std::size_t requests) { lists_.assign(requests, {}); }

    /// Sets the list of the request at a place of the order. Threads may call this at once for
    /// different places. The store that holds the list must live until put_in_order.
    void set(std::size_t place, const Pieces<T>& list) noexcept { lists_[place] = list; }

    /// Bytes held now, without those of the stores. Not while workers write.
    [[nodiscard]] std::size_t memory() const noexcept { return memory_of(lists_); }

    /// Writes all lists to `to`, in the order of the requests. `order` holds their sorted keys.
    void put_in_order(std::span<const RequestKey> order, const BuildControl& control,
                      Lists<T>& to) const {
        to.first_.assign(lists_.size() + 1, 0);
        for_each_index(lists_.size(), kGrain, control, [&](std::size_t, std::size_t place) {
            to.first_[std::size_t{order[place].request} + 1] = lists_[place].size();
        });
        std::partial_sum(to.first_.begin(), to.first_.end(), to.first_.begin());
        if (to.first_.back() > to.room_) {
            to.items_.reset();
            to.room_ = 0;
            to.items_ = unwritten_array<T>(to.first_.back());
            to.room_ = to.first_.back();
        }
        for_each_index(lists_.size(), kGrain, control, [&](std::size_t, std::size_t place) {
            lists_[place].write(to.items_.get() + to.first_[order[place].request]);
        });
    }

private:
    static constexpr std::size_t kGrain = 256;
    std::vector<Pieces<T>> lists_;
};

}  // namespace cairn::batch
