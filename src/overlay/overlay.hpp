#pragma once
// An overlay: a base graph with a nested partition, and for every cluster of every level its
// abstract nodes and the costs between them inside the cluster. It is HPA*'s multi-level graph over
// a grid, and HNA*'s over a navigation mesh.
//
// The nodes of a base graph are numbers. The nested partition puts each node into one cluster of
// every level; levels count from 1, as in the HPA* paper, section 3.4. Costs inside clusters are
// stored in the clusters' records (overlay/cluster_view.hpp); those of level 1 are computed by the
// planner. A node has up to eight crossings, which lead over borders of clusters. A record tells
// which of them are inter-edges; the base graph tells where they lead and what they cost.

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "cairn/cost.hpp"
#include "overlay/cluster_view.hpp"
#include "overlay/record_store.hpp"

namespace cairn {

/// A base graph has the members
///
///   Place                     where a node, start or goal lies: all that the functions below that
///                             take a place need, so that they do not look it up again
///   Area                      a region of places: a cluster, or the whole base graph
///   directed()                whether there are one-way moves, so costs depend on the direction
///   levels()                  the number of levels
///   clusters(level)           the number of clusters of a level
///   parent(level, child)      the cluster of `level` that holds `child`, of the level below
///   for_each_child(level, cluster, use)
///                             calls use(child) for the clusters of the level below that `cluster`
///                             holds, in any order
///   area(level, cluster), everywhere(), place(node)
///                             the area of a cluster, of the whole base graph, a node's place
///   cluster_at(level, place)  the cluster that holds a node's place
///   contains(area, place)     whether a node's place lies in an area
///   bound(from, to)           a lower bound of the cost from one place to another
///   across(node, crossing)    the node at the other end of a crossing
///   crossing_cost(node, crossing)
///                             the cost of a crossing, in the direction in which it is allowed
///   exits(crossings)          of a set of crossings of a node, those that lead away from it
///   entries(crossings)        of a set of crossings of a node, those that lead to it
///
/// Sets of crossings are bit sets. Where moves go both ways, exits and entries are the whole set.
/// The records of both ends have an inter-edge: as an exit of one and as an entry of the other.
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

/// Whether no graph of this type has one-way moves.
template <class Base>
inline constexpr bool kNeverDirected = requires {
    requires !Base::directed();
};

inline constexpr std::uint32_t kNoNode = 0xffff'ffff;
inline constexpr std::uint32_t kNoCluster = 0xffff'ffff;

/// An abstract node of one level: its cluster, and in the lowest bits (Overlay::bits) its slot.
/// Valid for one snapshot and one level.
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
    /// The highest level on which two clusters `a` and `b` of level 1 are in different clusters; 0
    /// if a = b. They are in different clusters on all levels below, too.
    [[nodiscard]] int parting_level(std::uint32_t a, std::uint32_t b) const noexcept {
        int level = 0;
        while (a != b) {
            if (++level == base.levels()) break;
            a = base.parent(level + 1, a);
            b = base.parent(level + 1, b);
        }
        return level;
    }

    /// The number of bits of a NodeKey that hold the slot.
    [[nodiscard]] int bits(int level) const noexcept {
        return slot_bits[static_cast<std::size_t>(level - 1)];
    }
    /// An upper bound of the number of abstract nodes of any cluster of a level.
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
    /// An upper bound of the keys of a level, exclusive.
    [[nodiscard]] std::size_t key_count(int level) const noexcept {
        return std::size_t{base.clusters(level)} << bits(level);
    }
};

/// The number of bits for slots 0 to most_nodes - 1.
[[nodiscard]] inline std::uint8_t bits_for_slots(std::uint32_t most_nodes) noexcept {
    return static_cast<std::uint8_t>(std::bit_width(most_nodes > 0 ? most_nodes - 1 : 0U));
}

/// The crossings of the node at `slot`, as a bit set, that lead out of an area.
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
