#pragma once
// The edit of a snapshot.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "cairn/control.hpp"
#include "cairn/grid/map.hpp"
#include "cairn/status.hpp"
#include "subgoal/snapshot.hpp"

namespace cairn::subgoal {

struct Edited {
    std::shared_ptr<Snapshot> snapshot;  ///< without engines and labels
    /// The nodes whose taut arcs have changed, ascending, and all new and removed ones.
    std::vector<std::uint32_t> changed;
};

/// The snapshot of `map`, which is that of `before` with `edits` applied. All parts but the engines
/// equal those built from scratch, except that nodes keep their numbers. Errors: too_large (as
/// SubgoalGraph::build).
[[nodiscard]] Result<Edited> edit(const Snapshot& before, const grid::Map& map,
                                  std::span<const grid::TerrainEdit> edits);

/// Gives an edited snapshot the closure of its taut graph, if `before` has one and it does not
/// become too large. Errors: out_of_memory.
[[nodiscard]] Status repair_closure(const Snapshot& before, Edited& edited);

/// The closure of a snapshot that has one, for nodes that are numbered afresh. Errors:
/// out_of_memory. O(nodes + places).
[[nodiscard]] Result<Closure> freshly_numbered(const Snapshot& snapshot);

/// Numbers the nodes of a snapshot afresh, also those of its closure. A table of connectors that
/// was too large may have become smaller. The snapshot must have no engines; labels are left out,
/// but can be repaired. Errors: cancelled. O(map / 64 + nodes + places).
[[nodiscard]] Status compact(Snapshot& snapshot, const BuildControl& control);

/// Numbers the nodes of a snapshot afresh and gives it a closure in a fresh order, without labels
/// and engines. Errors: as Closure::build.
[[nodiscard]] Status add_fresh_closure(Snapshot& snapshot, const BuildControl& control);

}  // namespace cairn::subgoal
