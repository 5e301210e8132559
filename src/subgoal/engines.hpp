#pragma once
// The N-level graph of an index, which the engine `levels` searches. Built over the taut graph, for
// fresh nodes.

#include <cstddef>

#include "cairn/control.hpp"
#include "cairn/n_level_graph.hpp"
#include "cairn/status.hpp"
#include "subgoal/edge_turns.hpp"
#include "subgoal/snapshot.hpp"

namespace cairn::subgoal {

struct Engines {
    std::size_t taut_edges = 0;
    NLevelGraph levels;
    EdgeTurns turns;  ///< of the edges of `levels`

    [[nodiscard]] std::size_t bytes() const noexcept { return levels.bytes() + turns.bytes(); }
};

/// Finds the turns of the edges of `engines.levels`. See EdgeTurns for the time.
void find_turns(const Snapshot& snapshot, Engines& engines);

/// Gives an edited snapshot labels, repaired from its closure. Errors: cancelled; out_of_memory.
[[nodiscard]] Status repair_labels(Snapshot& snapshot, const BuildControl& control);

/// Gives a snapshot, whose nodes must be fresh, its engines, and labels in a fresh order. Errors:
/// cancelled; too_large.
[[nodiscard]] Status complete(Snapshot& snapshot, const BuildControl& control);

}  // namespace cairn::subgoal
