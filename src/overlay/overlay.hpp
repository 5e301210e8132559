#pragma once
// An overlay: a nested partition of a base graph, and for every cluster of every level its abstract
// nodes and the costs between them inside the cluster. HPA*'s multi-level graph; other systems
// bring other base graphs.

#include <bit>
#include <cstdint>
#include <vector>

#include "cairn/grid/map.hpp"
#include "overlay/cluster_view.hpp"
#include "overlay/partition.hpp"
#include "overlay/record_store.hpp"

namespace cairn {

/// An abstract node of one level: its cluster and its slot there, packed. Valid for one snapshot
/// and level.
using NodeKey = std::uint32_t;

struct Overlay {
    grid::Map map;
    Partition partition;
    std::vector<RecordStore> levels;      // [level - 1]: the clusters of that level
    std::vector<std::uint8_t> slot_bits;  // [level - 1]: bits of a NodeKey that hold the slot

    [[nodiscard]] ClusterView cluster(int level, std::uint32_t id) const noexcept {
        return ClusterView(levels[static_cast<std::size_t>(level - 1)][id]);
    }
    [[nodiscard]] std::uint32_t cluster_of(int level, grid::Cell cell) const noexcept {
        return partition.cluster(level, map.point(cell));
    }
    [[nodiscard]] int border_level(grid::Cell a, grid::Cell b) const noexcept {
        return partition.border_level(map.point(a), map.point(b));
    }

    [[nodiscard]] int bits(int level) const noexcept {
        return slot_bits[static_cast<std::size_t>(level - 1)];
    }
    /// At least the nodes of the fullest cluster of a level: what to reserve for one of any.
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
        return std::size_t{partition.clusters(level)} << bits(level);
    }
};

/// Bits for the slots of the fullest cluster of a level.
[[nodiscard]] inline std::uint8_t bits_for_slots(std::uint32_t most_nodes) noexcept {
    return static_cast<std::uint8_t>(std::bit_width(most_nodes > 0 ? most_nodes - 1 : 0U));
}

}  // namespace cairn
