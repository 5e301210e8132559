#pragma once
// One cluster of an overlay level: its abstract nodes, their inter-edges and its cost matrix.
//
// A cluster is stored as a record of 32-bit words. With n abstract nodes, sorted by base node:
//     n + flags | base node (n) | info (n) | intra-edge costs
// A slot is the index of a node in its record, 0 to n - 1.
// info = the node's crossings that are inter-edges (a bit set of 8 bits) + 256 * slot of the same
// node in its cluster one level below (0 on level 1). Crossings lead over the cluster's border; the
// base graph says where to, and what they cost (overlay/overlay.hpp).
// If the flag kDirected is set, costs depend on the direction and are stored as an n * n matrix,
// row by row; a row holds the costs from its node. Otherwise only the lower triangle is stored. If
// every finite cost is below 65,535, the flag kNarrow is set and costs take 16 bits, two to a word.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cairn/cost.hpp"

namespace cairn {

/// Reads a record, which must outlive the view. Slots that are passed in must be below count().
class ClusterView {
public:
    explicit ClusterView(std::span<const std::uint32_t> record) noexcept
        : header_(record.empty() ? 0 : record[0]),
          words_(record.empty() ? nullptr : record.data() + 1) {}

    /// The number of abstract nodes.
    [[nodiscard]] std::uint32_t count() const noexcept { return header_ & ~kFlags; }
    /// Whether costs depend on the direction.
    [[nodiscard]] bool directed() const noexcept { return (header_ & kDirected) != 0; }
    /// The base graph's number of a node.
    [[nodiscard]] std::uint32_t base(std::uint32_t slot) const noexcept { return words_[slot]; }
    [[nodiscard]] std::span<const std::uint32_t> bases() const noexcept {
        return {words_, count()};
    }
    /// The crossings that are inter-edges: bit c for crossing c of the base node.
    [[nodiscard]] std::uint32_t crossings(std::uint32_t slot) const noexcept {
        return words_[count() + slot] & 0xff;
    }
    /// The slot of the same node in its cluster one level below.
    [[nodiscard]] std::uint32_t child_slot(std::uint32_t slot) const noexcept {
        return words_[count() + slot] >> 8;
    }
    /// The cost of the intra-edge from slot `a` to slot `b`; kInfinity if there is no path inside.
    [[nodiscard]] Cost cost(std::uint32_t a, std::uint32_t b) const noexcept {
        return directed() ? cost_at(std::size_t{a} * count() + b) : cost_both_ways(a, b);
    }
    /// The same, for a record that is known not to be directed.
    [[nodiscard]] Cost cost_both_ways(std::uint32_t a, std::uint32_t b) const noexcept {
        return a == b ? 0 : cost_at(triangle(std::max(a, b), std::min(a, b)));
    }
    /// Calls use(other, cost) for the intra-edges from a slot to other slots, in ascending order.
    template <class Use>
    void for_each_edge(std::uint32_t slot, Use&& use) const {
        // In a triangle the costs to higher slots lie in their rows, each longer than the one
        // before.
        const bool rows = directed();
        std::size_t index = rows ? std::size_t{slot} * count() : triangle(slot);
        for (std::uint32_t other = 0; other < count(); ++other) {
            if (other != slot) {
                if (const Cost cost = cost_at(index); cost < kInfinity) use(other, cost);
            }
            index += rows || other < slot ? 1 : other;
        }
    }
    /// The slot of a base node, or count() if it is no abstract node of this cluster. O(log n).
    [[nodiscard]] std::uint32_t find(std::uint32_t base_node) const noexcept {
        const std::uint32_t* first = words_;
        for (std::uint32_t length = count(); length > 1;) {
            const std::uint32_t half = length / 2;
            first += first[half] <= base_node ? half : 0;
            length -= half;
        }
        if (count() == 0 || *first != base_node) return count();
        return static_cast<std::uint32_t>(first - words_);
    }

    /// The index in a triangle of the cost between the slots `row` and `column` < `row`. With one
    /// argument, the number of costs of a triangle of that many nodes.
    [[nodiscard]] static constexpr std::size_t triangle(std::size_t row,
                                                        std::size_t column = 0) noexcept {
        return row * (row - 1) / 2 + column;
    }
    /// Whether a record of at least one word has as many words as its first word says.
    [[nodiscard]] static bool well_sized(std::span<const std::uint32_t> record) noexcept {
        const std::uint64_t count = record[0] & ~kFlags;
        const std::uint64_t costs = (record[0] & kDirected) != 0 ? count * count
                                    : count == 0                 ? 0
                                                                 : triangle(count);
        const bool narrow = (record[0] & kNarrow) != 0;
        return record.size() == 1 + 2 * count + (narrow ? (costs + 1) / 2 : costs);
    }
    /// The record of a cluster with the base nodes `bases`, their `infos`, and `costs` as a
    /// triangle. An empty record if there are no nodes.
    [[nodiscard]] static std::vector<std::uint32_t> record(std::span<const std::uint32_t> bases,
                                                           std::span<const std::uint32_t> infos,
                                                           std::span<const Cost> costs);
    /// The same with `costs` as a matrix, row by row, each row the costs from its node. If they are
    /// the same in both directions, the record holds a triangle.
    [[nodiscard]] static std::vector<std::uint32_t> record_of_rows(
        std::span<const std::uint32_t> bases, std::span<const std::uint32_t> infos,
        std::span<const Cost> costs);

private:
    static constexpr std::uint32_t kNarrow = 0x8000'0000;
    static constexpr std::uint32_t kDirected = 0x4000'0000;
    static constexpr std::uint32_t kFlags = kNarrow | kDirected;
    static constexpr std::uint32_t kNarrowInfinity = 0xffff;

    // The cost at an index of the triangle or matrix.
    [[nodiscard]] Cost cost_at(std::size_t index) const noexcept {
        const std::uint32_t* costs = words_ + 2 * std::size_t{count()};
        if ((header_ & kNarrow) == 0) return costs[index];
        const std::uint32_t cost = costs[index / 2] >> (index % 2 * 16) & kNarrowInfinity;
        return cost == kNarrowInfinity ? kInfinity : cost;
    }
    [[nodiscard]] static std::vector<std::uint32_t> packed(std::span<const std::uint32_t> bases,
                                                           std::span<const std::uint32_t> infos,
                                                           std::span<const Cost> costs,
                                                           std::uint32_t flags);

    std::uint32_t header_;  // the number of nodes and the flags
    const std::uint32_t* words_;
};

}  // namespace cairn
