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

// With a consistent heuristic all f in the list lie within `span` of the least, so a ring of more
// than `span` buckets holds them apart. A bucket is a chain through one pool, last in, first out;
// so of equal f the largest g tends to come first. A bitmap with a summary finds the next bucket.
class OpenBuckets {
public:
    static constexpr Cost kMaxSpan = (Cost{1} << 18) - 1;

    // Empties the list for f of `first` and above, no two of them more than `span` <= kMaxSpan
    // apart.
    void reset(Cost first, Cost span) {
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

    void push(Cell cell, Cost f, Cost) {
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
        if (entry.next == kNone) forget(b);
        entry.next = free_;
        free_ = slot;
        --size_;
        return true;
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

    void forget(std::size_t b) noexcept {
        used_[b / 64] &= ~(std::uint64_t{1} << (b % 64));
        if (used_[b / 64] == 0) summary_[b / 4096] &= ~(std::uint64_t{1} << (b / 64 % 64));
    }

    // The first used bucket after `b`, round the ring. Needs one.
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

    std::vector<std::uint32_t> heads_;  // a bucket's last entry
    std::vector<std::uint64_t> used_;
    std::vector<std::uint64_t> summary_;  // the non-zero words of used_
    std::vector<Entry> pool_;
    std::uint32_t free_ = kNone;
    std::size_t size_ = 0;
    Cost mask_ = 0;
    Cost current_ = 0;
};

}  // namespace cairn::grid
