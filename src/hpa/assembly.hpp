#pragma once
// Makes a snapshot from its 1-clusters, from scratch or after an edit. The caller says how a
// 1-cluster is made: from the entrances of the map or otherwise.

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "cairn/control.hpp"
#include "cairn/status.hpp"
#include "hpa/cluster_builder.hpp"
#include "hpa/snapshot.hpp"
#include "overlay/arc_changes.hpp"

namespace cairn::hpa {

/// Makes the 1-cluster of a number. Called for the clusters in any order, by one thread.
using FirstLevel = std::function<FirstLevelCluster(std::uint32_t cluster)>;
/// Makes a FirstLevel for each thread. The snapshot outlives it and has its map, partition and
/// options. The records of two neighbouring clusters must agree on the transitions between them.
using FirstLevelSource = std::function<FirstLevel(const Snapshot&)>;

/// Makes 1-clusters from the entrances of the snapshot's map.
[[nodiscard]] FirstLevel from_entrances(const Snapshot& snapshot);

/// Makes 1-clusters with the nodes and inter-edges of `before`, which must outlive the source. The
/// maps may differ in their weights, but not in their moves. Clusters in which all costs have
/// scaled alike need no search.
[[nodiscard]] FirstLevelSource with_nodes_of(const Snapshot& before);

/// The snapshot `id` of a map. Needs options in their ranges. Errors: cancelled, too_large.
[[nodiscard]] Result<std::shared_ptr<Snapshot>> assemble(const grid::Map& map,
                                                         const Options& options, std::uint64_t id,
                                                         const FirstLevelSource& source,
                                                         const BuildControl& control);

/// The snapshot `id` of the map of `before` under other weights, with labels and a closure if
/// `before` has them. If `same_nodes`, it has the nodes, inter-edges and order of `before`;
/// otherwise they are made anew. Errors: cancelled, too_large.
[[nodiscard]] Result<std::shared_ptr<Snapshot>> with_other_costs(const Snapshot& before,
                                                                 const grid::Map& map,
                                                                 std::uint64_t id, bool same_nodes,
                                                                 const BuildControl& control);

struct Reassembled {
    std::shared_ptr<Snapshot> snapshot;
    ArcChanges arcs;
};

/// The snapshot `id` of the edited map `after`: `before` with the 1-clusters `touched` (sorted) and
/// the clusters above them made again. `touched` must include every 1-cluster with a changed cell
/// or a cell next to one. Nodes keep their numbers. The result has neither labels nor a closure.
/// Errors: too_large.
[[nodiscard]] Result<Reassembled> reassemble(const Snapshot& before, grid::Map after,
                                             std::uint64_t id,
                                             std::span<const std::uint32_t> touched,
                                             const FirstLevelSource& source);

/// Gives an edited snapshot the closure of its graph of level 1, if `before` has one. Numbers the
/// nodes from scratch if most numbers are unused. Errors: out_of_memory. A closure that became too
/// large is left out.
[[nodiscard]] Status repair_closure(const Snapshot& before, Reassembled& edited);

/// The 1-clusters with a cell in or next to the area of an edit, sorted: only their moves can
/// change. The areas must lie on the map.
[[nodiscard]] std::vector<std::uint32_t> clusters_around(const Partition& partition,
                                                         std::span<const grid::TerrainEdit> edits);

/// Adds move tables to a snapshot that has none. Errors: cancelled.
[[nodiscard]] Status add_tables(Snapshot& snapshot, const BuildControl& control);

}  // namespace cairn::hpa
