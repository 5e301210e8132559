#pragma once
// Makes a snapshot from its 1-clusters, from scratch or after an edit. The caller gives the
// 1-clusters, from the entrances of the map or from elsewhere.

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "cairn/control.hpp"
#include "cairn/status.hpp"
#include "hpa/cluster_builder.hpp"
#include "hpa/snapshot.hpp"

namespace cairn::hpa {

/// Gives the 1-clusters of a snapshot, in any order. Not for several threads at once.
using FirstLevel = std::function<FirstLevelCluster(std::uint32_t cluster)>;
/// Makes one for every thread. The snapshot has its map, partition and options, and outlives it.
/// Records hold the transitions of both clusters of a border alike.
using FirstLevelSource = std::function<FirstLevel(const Snapshot&)>;

/// The snapshot of a map. The options are in their ranges. Errors: cancelled, too_large.
[[nodiscard]] Result<std::shared_ptr<Snapshot>> assemble(const grid::Map& map,
                                                         const Options& options, std::uint64_t id,
                                                         const FirstLevelSource& source,
                                                         const BuildControl& control);

/// The snapshot of the edited map `after`: `before` with the 1-clusters `touched` (sorted) and the
/// clusters above them made again. They include all clusters with a cell in or next to one whose
/// terrain changed. It has no labels, but keeps earlier ones for their order. Errors: too_large.
[[nodiscard]] Result<std::shared_ptr<Snapshot>> reassemble(const Snapshot& before, grid::Map after,
                                                           std::uint64_t id,
                                                           std::span<const std::uint32_t> touched,
                                                           const FirstLevelSource& source);

/// The 1-clusters with a cell in or next to the area of an edit, which lies on the map: only their
/// moves can change. Sorted.
[[nodiscard]] std::vector<std::uint32_t> clusters_around(const Partition& partition,
                                                         std::span<const grid::TerrainEdit> edits);

/// Gives a snapshot move tables. Errors: cancelled.
[[nodiscard]] Status add_tables(Snapshot& snapshot, const BuildControl& control);

}  // namespace cairn::hpa
