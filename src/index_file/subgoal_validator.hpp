#pragma once
// Holds the parts of a subgoal index file against the map, so that whatever the bytes were, no
// query on them and no edit of them reads out of bounds, runs on forever or steps where it may not.

#include <string>

#include "subgoal/engines.hpp"
#include "subgoal/snapshot.hpp"

namespace cairn::index_file {

/// What is wrong with the subgoal graph of a snapshot, whose options, map and bits are right; empty
/// if nothing. Afterwards it is the one that SubgoalGraph::build makes. As long as that takes, at
/// most: to look at the edges one by one would save little and find none that are missing.
[[nodiscard]] std::string graph_fault(const subgoal::Snapshot& snapshot);

/// What is wrong with an N-level graph that NLevelGraph::from_arrays has accepted; empty if
/// nothing. Afterwards its vertices are the subgoals in `engines.cells`, its levels no more than
/// the options ask for, and every arc as long as the octile distance, so that this is a consistent
/// heuristic. O(arcs).
[[nodiscard]] std::string level_fault(const subgoal::Snapshot& snapshot,
                                      const subgoal::Engines& engines);

/// What is wrong with labels that CutLabels::from_arrays has accepted; empty if nothing. Needs a
/// graph without fault. Afterwards there are hops, and every edge that one can take is an edge of
/// the subgoal graph. O(edges).
[[nodiscard]] std::string label_fault(const subgoal::Snapshot& snapshot,
                                      const subgoal::Engines& engines);

}  // namespace cairn::index_file
