#pragma once
// An overlay: a base graph with a nested partition, and for every cluster of every level its
// abstract nodes and the costs between them inside the cluster. HPA*'s multi-level graph over a
// grid, HNA*'s over a navigation mesh.
//
// Nodes of a base graph are numbers. A nested partition puts each into one cluster of every level
// (levels count from 1, as in the HPA* paper, section 3.4). A base graph says nothing of moves
// inside clusters: the builder of the records of level 1 knows their costs. It knows the
// inter-edges, which records do not hold. Every node has up to eight crossings, which lead over
// borders. A record says which of them are inter-edges; the base graph says where they lead and
// what they cost.

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "cairn/cost.hpp"
#include "overlay/cluster_view.hpp"
#include "overlay/record_store.hpp"

namespace cairn {

/// A base graph has
///   directed          whether there are one-way moves, so that costs depend on the direction
///   Area              what to tell the nodes of a cluster by
///   Place             where a node lies: what cluster_at, contains and bound need to know of it,
///   so
///                     that a search works it out once per node. The ends of a query have places,
///                     too, which only bound is asked about
///   levels, clusters  the size of the partition
///   parent            the cluster of a level that holds a cluster of the level below
///   for_each_child    calls use(child) for every cluster of the level below that a cluster holds,
///                     in any order
///   area, everywhere  a cluster, and all of the base graph
///   place             of a node
///   cluster_at        the cluster that holds a place
///   contains          whether a place lies in an area
///   bound             at most the cost from one place to another
///   across            the node at the other end of a crossing
///   crossing_cost     of going over a crossing in the direction in which it may be gone
///   exits, entries    of a node's crossings those that lead away from it, and those that lead to
///                     it; the same ones where moves go both ways. An inter-edge stands in the
///                     records of both its ends: as an exit of the one and an entry of the other
template <class Base>
concept BaseGraph = requires(const Base& base, int level, std::uint32_t cluster, std::uint32_t node,
                             std::uint32_t crossings, int crossing, const typename Base::Area& area,
                             const typename Base::Place& place, void (*use)(std::uint32_t)) {
    { base.directed() } -> std::same_as<bool>;
    { base.levels() } -> std::same_as<int>;
    { base.clusters(level) } -> std::same_as<std::uint32_t>;
    { base.parent(level, cluster) } -> std::same_as<std::uint32_t>;
    base.for_each_child(level, cluster, use);
    { base.area(level, cluster) } -> std::same_as<typename Base::Area>;
    { base.everywhere() } -> std::same_as<typename Base::Area>;
    { base.place(node) } -> std::same_as<typename Base::Place>;
    { base.cluster_at(level, place) } -> std::same_as<std::uint32_t>;
    { base.contains(area, place) } -> std::same_as<bool>;
    { base.bound(place, place) } -> std::same_as<Cost>;
    { base.across(node, crossing) } -> std::same_as<std::uint32_t>;
    { base.crossing_cost(node, crossing) } -> std::same_as<Cost>;
    { base.exits(crossings) } -> std::same_as<std::uint32_t>;
    { base.entries(crossings) } -> std::same_as<std::uint32_t>;
};

/// Whether a base graph's type already says that there are no one-way moves.
template <class Base>
inline constexpr bool kNeverDirected = requires {
    requires !Base::directed();
};

inline constexpr std::uint32_t kNoNode = 0xffff'ffff;
inline constexpr std::uint32_t kNoCluster = 0xffff'ffff;

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
