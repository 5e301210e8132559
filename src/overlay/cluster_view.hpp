#pragma once
// One cluster of an overlay level: its abstract nodes, their inter-edges and its cost matrix.
//
// Words of a record with n nodes, sorted by base node:
//     n | base node (n) | info (n) | intra-edge costs, lower triangle (n (n - 1) / 2)
// info = crossings (8 bits) + 256 * slot of the same node in its cluster one level below.
// Crossing i is an inter-edge that leaves this cluster; the base graph says where it leads and what
// it costs.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "cairn/cost.hpp"

namespace cairn {

class ClusterView {
public:
    explicit ClusterView(std::span<const std::uint32_t> record) noexcept
        : count_(record.empty() ? 0 : record[0]), words_(record.data() + 1) {}

    [[nodiscard]] std::uint32_t count() const noexcept { return count_; }
    [[nodiscard]] std::uint32_t base(std::uint32_t slot) const noexcept { return words_[slot]; }
    [[nodiscard]] std::span<const std::uint32_t> bases() const noexcept { return {words_, count_}; }
    [[nodiscard]] std::uint32_t crossings(std::uint32_t slot) const noexcept {
        return words_[count_ + slot] & 0xff;
    }
    [[nodiscard]] std::uint32_t child_slot(std::uint32_t slot) const noexcept {
        return words_[count_ + slot] >> 8;
    }
    /// The cost of the intra-edge between two nodes; kInfinity if the cluster's inside does not
    /// connect them.
    [[nodiscard]] Cost cost(std::uint32_t a, std::uint32_t b) const noexcept {
        if (a == b) return 0;
        return words_[2 * count_ + triangle(std::max(a, b)) + std::min(a, b)];
    }
    /// The slot of a base node, or count() if it is no abstract node here.
    [[nodiscard]] std::uint32_t find(std::uint32_t base_node) const noexcept {
        const std::uint32_t* first = words_;
        for (std::uint32_t length = count_; length > 1;) {
            const std::uint32_t half = length / 2;
            first += first[half] <= base_node ? half : 0;
            length -= half;
        }
        if (count_ == 0 || *first != base_node) return count_;
        return static_cast<std::uint32_t>(first - words_);
    }

    [[nodiscard]] static constexpr std::size_t words(std::size_t count) noexcept {
        return 1 + 2 * count + count * (count - 1) / 2;
    }
    [[nodiscard]] static constexpr std::size_t triangle(std::size_t row) noexcept {
        return row * (row - 1) / 2;
    }

private:
    std::uint32_t count_;
    const std::uint32_t* words_;
};

}  // namespace cairn
