#pragma once
// Repairs the useful octants of nodes around an edit.
//
// An octant, of a cardinal direction C and a diagonal one, is useful at a subgoal if and only if
//
//   - the subgoal is a turn of this octant, or
//   - an edge in this octant leads to a subgoal where it is useful, or
//   - the subgoal is a rise, and an edge in direction C leads to a subgoal where the other octant
//   of
//     C is useful.
//
// (Proof in docs/subgoal-graphs.md, "Edits".) So octants follow from the edges and from the corners
// of each subgoal, and a change spreads along edges.

#include <cstdint>
#include <span>
#include <vector>

#include "subgoal/nodes.hpp"
#include "subgoal/subgoal_bits.hpp"
#include "subgoal/subgoal_graph.hpp"

namespace cairn::subgoal {

/// Sets the octants of `nodes` to those of useful_octants. `bits` and `graph` are those of the
/// edited map. `seeds` must have all present nodes whose edges have changed, and all whose corners
/// may have. Returns the nodes whose octants have changed, ascending. O(edges of the seeds, of the
/// nodes that change, and of their neighbours).
[[nodiscard]] std::vector<std::uint32_t> repair_octants(const SubgoalBits& bits,
                                                        const SubgoalGraph& graph,
                                                        std::span<const std::uint32_t> seeds,
                                                        Nodes& nodes);

}  // namespace cairn::subgoal
