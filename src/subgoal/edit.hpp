#pragma once
// The edit of a snapshot.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

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

}  // namespace cairn::subgoal
