#pragma once
// An overlay: a base graph with a nested partition, and for every cluster of every level its
// abstract nodes and the costs between them inside the cluster. HPA*'s multi-level graph over a
// grid, HNA*'s over a navigation mesh.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "overlay/base_graph.hpp"
#include "overlay/cluster_view.hpp"
#include "overlay/record_store.hpp"

namespace cairn {

/// An abstract node of one level: its cluster and its slot there, packed. Valid for one snapshot
/// and level.
using NodeKey = std::uint32_t;

template <BaseGraph Base>
struct Overlay {
    Base base;
    std::vector<RecordStore> levels;      // [level - 1]: the clusters of that level
    std::vector<std::uint8_t> slot_bits;  // [level - 1]: bits of a NodeKey that hold the slot

    [[nodiscard]] ClusterView cluster(int level, std::uint32_t id) const noexcept {
        return ClusterView(levels[static_cast<std::size_t>(level - 1)][id]);
    }
    [[nodiscard]] std::uint32_t cluster_of(int level, std::uint32_t node) const noexcept {
        return base.cluster_at(level, base.place(node));
    }
    /// The highest level on which two clusters of level 1 lie in different clusters; 0 if they are
    /// the same. On all levels below they differ, too.
    [[nodiscard]] int parting_level(std::uint32_t a, std::uint32_t b) const noexcept {
        int level = 0;
        while (a != b) {
            if (++level == base.levels()) break;
            a = base.parent(level + 1, a);
            b = base.parent(level + 1, b);
        }
        return level;
    }

    [[nodiscard]] int bits(int level) const noexcept {
        return slot_bits[static_cast<std::size_t>(level - 1)];
    }
    /// An upper bound of the nodes of a cluster of a level: what to reserve for any of them.
    [[nodiscard]] std::size_t most_nodes(int level) const noexcept {
        return std::size_t{1} << bits(level);
    }
    [[nodiscard]] NodeKey key(int level, std::uint32_t cluster, std::uint32_t slot) const noexcept {
        return cluster << bits(level) | slot;
    }
    [[nodiscard]] std::uint32_t cluster_of_key(int level, NodeKey key) const noexcept {
        return key >> bits(level);
    }
    [[nodiscard]] std::uint32_t slot_of_key(int level, NodeKey key) const noexcept {
        return key & ((1U << bits(level)) - 1);
    }
    /// One more than the greatest key of a level.
    [[nodiscard]] std::size_t key_count(int level) const noexcept {
        return std::size_t{base.clusters(level)} << bits(level);
    }
};

/// Bits for the slots of the fullest cluster of a level.
[[nodiscard]] inline std::uint8_t bits_for_slots(std::uint32_t most_nodes) noexcept {
    return static_cast<std::uint8_t>(std::bit_width(most_nodes > 0 ? most_nodes - 1 : 0U));
}

/// Of a node's crossings those that lead over the border of an area.
template <BaseGraph Base>
[[nodiscard]] std::uint32_t crossings_out_of(const Base& base, const typename Base::Area& area,
                                             const ClusterView& view, std::uint32_t slot) noexcept {
    std::uint32_t leaving = 0;
    for (std::uint32_t c = view.crossings(slot); c != 0; c &= c - 1) {
        const int crossing = std::countr_zero(c);
        const std::uint32_t other = base.across(view.base(slot), crossing);
        if (!base.contains(area, base.place(other))) leaving |= 1U << crossing;
    }
    return leaving;
}

}  // namespace cairn
