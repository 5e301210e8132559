#pragma once
// An open list with one bucket for each value of f (Dial 1969).

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "cairn/cost.hpp"
#include "cairn/grid/moves.hpp"
#include "core/memory.hpp"

namespace cairn::grid {

// With a consistent heuristic each f in the list is at most `span` above the least, so a ring of
// more than `span` buckets keeps them apart. A bucket is a chain of entries, last in, first out; so
// of equal f the largest g tends to come first. Two levels of bitmaps find the next used bucket.
class OpenBuckets {
public:
    static constexpr Cost kMaxSpan = (Cost{1} << 18) - 1;  // the ring then takes a megabyte

    // Empties the list for f of `first` and above. No two in the list at one time may be more than
    // `span` <= kMaxSpan apart.
    void reset(Cost first, Cost span) {
        // At least one word of summary_: 64 x 64 buckets.
        const std::size_t count = std::max<std::size_t>(std::bit_ceil(std::size_t{span} + 1), 4096);
        if (count != heads_.size()) {
            heads_.assign(count, kNone);
            used_.assign(count / 64, 0);
            summary_.assign((count / 64 + 63) / 64, 0);
        } else if (size_ > 0) {
            clear_used();
        }
        mask_ = static_cast<Cost>(count - 1);
        pool_.clear();
        free_ = kNone;
        size_ = 0;
        current_ = first;
    }

    [[nodiscard]] std::size_t size() const noexcept { return size_; }

    // As of OpenHeap, but g is not used.
    void push(Cell cell, Cost f, Cost /*g*/) {
        const std::size_t b = f & mask_;
        std::uint32_t slot = free_;
        if (slot != kNone) {
            free_ = pool_[slot].next;
            pool_[slot] = {cell, heads_[b]};
        } else {
            slot = static_cast<std::uint32_t>(pool_.size());
            pool_.push_back({cell, heads_[b]});
        }
        heads_[b] = slot;
        used_[b / 64] |= std::uint64_t{1} << (b % 64);
        summary_[b / 4096] |= std::uint64_t{1} << (b / 64 % 64);
        ++size_;
    }

    // False if the list is empty.
    bool pop(Cell& cell) {
        if (size_ == 0) return false;
        std::size_t b = current_ & mask_;
        if (heads_[b] == kNone) {
            b = next_used(b);
            current_ += static_cast<Cost>(b - current_) & mask_;
        }
        const std::uint32_t slot = heads_[b];
        Entry& entry = pool_[slot];
        cell = entry.cell;
        heads_[b] = entry.next;
        if (entry.next == kNone) mark_empty(b);
        entry.next = free_;
        free_ = slot;
        --size_;
        return true;
    }

    // Calls use(cell, f) for each entry.
    template <class Use>
    void for_each(const Use& use) const {
        for (std::size_t w = 0; w < used_.size(); ++w) {
            for (std::uint64_t bits = used_[w]; bits != 0; bits &= bits - 1) {
                const std::size_t b = w * 64 + static_cast<std::size_t>(std::countr_zero(bits));
                const Cost f = current_ + (static_cast<Cost>(b - current_) & mask_);
                for (std::uint32_t i = heads_[b]; i != kNone; i = pool_[i].next)
                    use(pool_[i].cell, f);
            }
        }
    }

    // A lower bound of the f of all entries; kInfinity if there are none.
    [[nodiscard]] Cost least_f() const noexcept { return size_ == 0 ? kInfinity : current_; }

    // Bytes held now.
    [[nodiscard]] std::size_t memory() const noexcept {
        return memory_of(heads_, used_, summary_, pool_);
    }

private:
    static constexpr std::uint32_t kNone = 0xffff'ffff;
    struct Entry {
        Cell cell;
        std::uint32_t next;
    };

    void mark_empty(std::size_t b) noexcept {
        used_[b / 64] &= ~(std::uint64_t{1} << (b % 64));
        if (used_[b / 64] == 0) summary_[b / 4096] &= ~(std::uint64_t{1} << (b / 64 % 64));
    }

    // The first used bucket from `b` on, round the ring. Needs one.
    [[nodiscard]] std::size_t next_used(std::size_t b) const noexcept {
        const std::uint64_t here = used_[b / 64] & ~std::uint64_t{0} << (b % 64);
        if (here != 0) return b / 64 * 64 + static_cast<std::size_t>(std::countr_zero(here));
        const std::size_t from = (b / 64 + 1) % used_.size();
        std::size_t s = from / 64;
        std::uint64_t words = summary_[s] & ~std::uint64_t{0} << (from % 64);
        while (words == 0) {
            s = (s + 1) % summary_.size();
            words = summary_[s];
        }
        const std::size_t w = s * 64 + static_cast<std::size_t>(std::countr_zero(words));
        return w * 64 + static_cast<std::size_t>(std::countr_zero(used_[w]));
    }

    void clear_used() noexcept {
        for (std::size_t w = 0; w < used_.size(); ++w) {
            for (std::uint64_t bits = used_[w]; bits != 0; bits &= bits - 1) {
                heads_[w * 64 + static_cast<std::size_t>(std::countr_zero(bits))] = kNone;
            }
            used_[w] = 0;
        }
        std::fill(summary_.begin(), summary_.end(), 0);
    }

    std::vector<std::uint32_t> heads_;    // of each bucket: its newest entry in pool_
    std::vector<std::uint64_t> used_;     // a bit for each bucket that is not empty
    std::vector<std::uint64_t> summary_;  // a bit for each non-zero word of used_
    std::vector<Entry> pool_;
    std::uint32_t free_ = kNone;  // the first of a chain of unused entries
    std::size_t size_ = 0;
    Cost mask_ = 0;     // the number of buckets, a power of two, less 1
    Cost current_ = 0;  // no entry has a smaller f
};

}  // namespace cairn::grid
