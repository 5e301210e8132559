#pragma once
// An open list for values of f that lie far apart: a radix heap (Ahuja, Mehlhorn, Orlin and Tarjan
// 1990).

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "cairn/cost.hpp"
#include "core/memory.hpp"

namespace cairn::grid {

// With a consistent heuristic no f pushed is below the last f popped. Bucket 0 holds the entries of
// that f, last in, first out. Bucket b > 0 holds the entries whose f differs from it in bit b - 1
// and in no higher bit. Entries move only to lower buckets; most never do, since the search ends
// before.
class OpenRadix {
public:
    // Empties the list for f of `first` and above.
    void reset(Cost first) noexcept {
        for (std::uint64_t used = used_; used != 0; used &= used - 1) {
            buckets_[static_cast<std::size_t>(std::countr_zero(used))].clear();
        }
        used_ = 0;
        size_ = 0;
        least_ = first;
    }
    [[nodiscard]] std::size_t size() const noexcept { return size_; }

    void push(std::uint32_t node, Cost f) {
        put({f, node});
        ++size_;
    }

    // False if the list is empty.
    bool pop(std::uint32_t& node) {
        if (size_ == 0) return false;
        if ((used_ & 1) == 0) refill();
        std::vector<Entry>& bucket = buckets_[0];
        node = bucket.back().node;
        bucket.pop_back();
        if (bucket.empty()) used_ &= ~std::uint64_t{1};
        --size_;
        return true;
    }

    // A lower bound of the f of all entries; kInfinity if there are none.
    [[nodiscard]] Cost least_f() const noexcept { return size_ == 0 ? kInfinity : least_; }

    // Bytes held now.
    [[nodiscard]] std::size_t memory() const noexcept { return memory_of(buckets_); }

private:
    struct Entry {
        Cost f;
        std::uint32_t node;
    };

    void put(Entry entry) {
        const std::uint64_t differs = std::uint64_t{entry.f ^ least_} << 1 | 1;
        const auto b = static_cast<std::size_t>(63 - std::countl_zero(differs));
        buckets_[b].push_back(entry);
        used_ |= std::uint64_t{1} << b;
    }

    // Makes the least f the reference, and distributes the lowest bucket in use to lower buckets.
    void refill() {
        const auto b = static_cast<std::size_t>(std::countr_zero(used_));
        std::vector<Entry>& bucket = buckets_[b];
        least_ = bucket.front().f;
        for (const Entry& entry : bucket) least_ = std::min(least_, entry.f);
        for (const Entry entry : bucket) put(entry);
        bucket.clear();
        used_ &= ~(std::uint64_t{1} << b);
    }

    std::array<std::vector<Entry>, 33> buckets_;
    std::uint64_t used_ = 0;  // bit b: bucket b is not empty
    std::size_t size_ = 0;
    Cost least_ = 0;  // the last f popped
};

}  // namespace cairn::grid
