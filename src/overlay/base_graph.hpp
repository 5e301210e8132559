#pragma once
// The base graph of an overlay: the concept that it must meet.
//
// Nodes of a base graph are numbers. A nested partition puts each into one cluster of every level
// (levels count from 1, as in the HPA* paper, section 3.4). A base graph says nothing of moves
// inside clusters: the builder of the records of level 1 knows their costs. It knows the
// inter-edges, which records do not hold. Every node has up to eight crossings, which lead over
// borders. A record says which of them are inter-edges; the base graph says where they lead and
// what they cost.

#include <concepts>
#include <cstdint>

#include "cairn/cost.hpp"

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

}  // namespace cairn
