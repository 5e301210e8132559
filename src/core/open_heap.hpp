#pragma once
// The open list of A*: a binary heap.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cairn/cost.hpp"
#include "core/fixed_vector.hpp"
#include "core/host_device.hpp"

namespace cairn {

struct OpenEntry {
    std::uint64_t key;  // f in the upper half, the complement of g in the lower: the least is next
    std::uint32_t node;
};

// Least f first, and of equal f the largest g. A pop leaves a hole at the top, which the next push
// fills: most expansions push something. `Entries`: a vector of OpenEntry, or FixedEntries.
template <class Entries>
class BasicOpenHeap {
public:
    BasicOpenHeap() = default;
    CAIRN_HOST_DEVICE explicit BasicOpenHeap(const Entries& entries) : entries_(entries) {}

    CAIRN_HOST_DEVICE void clear() noexcept {
        entries_.clear();
        hole_ = false;
    }
    [[nodiscard]] CAIRN_HOST_DEVICE const Entries& entries() const noexcept { return entries_; }
    [[nodiscard]] CAIRN_HOST_DEVICE std::size_t size() const noexcept {
        return entries_.size() - (hole_ ? 1 : 0);
    }

    CAIRN_HOST_DEVICE void push(std::uint32_t node, Cost f, Cost g) {
        const Entry entry{std::uint64_t{f} << 32 | (0xffff'ffffU - g), node};
        if (hole_) {
            hole_ = false;
            sift_down(entry);
        } else {
            entries_.push_back(entry);
            sift_up(entry);
        }
    }

    // False if the list is empty.
    CAIRN_HOST_DEVICE bool pop(std::uint32_t& node) {
        if (hole_) {
            const Entry last = entries_.back();
            entries_.pop_back();
            if (!entries_.empty()) sift_down(last);
        }
        hole_ = !entries_.empty();
        if (!hole_) return false;
        node = entries_.front().node;
        return true;
    }

    // Calls use(node, f) for each entry.
    template <class Use>
    void for_each(const Use& use) const {
        for (std::size_t i = hole_ ? 1 : 0; i < entries_.size(); ++i)
            use(entries_[i].node, static_cast<Cost>(entries_[i].key >> 32));
    }

    // A lower bound of all f; kInfinity for an empty list. After a pop: the f of the popped entry.
    [[nodiscard]] CAIRN_HOST_DEVICE Cost least_f() const noexcept {
        return entries_.empty() ? kInfinity : static_cast<Cost>(entries_.front().key >> 32);
    }

private:
    using Entry = OpenEntry;

    CAIRN_HOST_DEVICE void sift_up(const Entry& entry) noexcept {
        std::size_t i = entries_.size() - 1;
        while (i > 0) {
            const std::size_t parent = (i - 1) / 2;
            if (entries_[parent].key <= entry.key) break;
            entries_[i] = entries_[parent];
            i = parent;
        }
        entries_[i] = entry;
    }

    // Branch prediction cannot tell which child is smaller, so the choice is arithmetic. That alone
    // makes the whole search about 1.5 times as fast.
    CAIRN_HOST_DEVICE void sift_down(const Entry& entry) noexcept {
        Entry* const e = entries_.data();
        const std::size_t count = entries_.size();
        std::size_t i = 0;
        std::size_t child = 1;
        for (; child + 1 < count; child = 2 * i + 1) {
            child += static_cast<std::size_t>(e[child + 1].key < e[child].key);
            if (entry.key <= e[child].key) break;
            e[i] = e[child];
            i = child;
        }
        if (child + 1 == count && e[child].key < entry.key) {
            e[i] = e[child];
            i = child;
        }
        e[i] = entry;
    }

    Entries entries_;
    bool hole_ = false;
};

using OpenHeap = BasicOpenHeap<std::vector<OpenEntry>>;

using FixedEntries = FixedVector<OpenEntry>;  // for GPUs

}  // namespace cairn
