#pragma once
// What makes queries fast beyond A* on the subgoal graph: the graph of taut edges, its N-level
// graph and its cut labels. Nodes are subgoals by number.

#include <cstdint>
#include <vector>

#include "cairn/control.hpp"
#include "cairn/cut_labels.hpp"
#include "cairn/graph.hpp"
#include "cairn/n_level_graph.hpp"
#include "cairn/status.hpp"
#include "subgoal/connectors.hpp"
#include "subgoal/line_test.hpp"
#include "subgoal/snapshot.hpp"

namespace cairn::subgoal {

struct Engines {
    std::vector<grid::Cell> cells;    ///< per node
    std::vector<grid::Point> places;  ///< the same as points
    std::vector<Octants> useful;      ///< per node: kAllOctants if nothing is pruned
    DiagonalBits diagonals;
    ConnectorTable connectors;  ///< of the useful octants; empty if it would be too large
    std::size_t taut_edges = 0;
    NLevelGraph levels;
    CutLabels labels;  ///< of no node if there are none
    Status labels_status;

    [[nodiscard]] bool has_labels() const noexcept { return labels_status.ok(); }
};

/// The part of the engines that depends on the map and its bits alone: all but levels and labels.
/// Errors: cancelled. O(map), and see ConnectorTable::build.
[[nodiscard]] Result<Engines> begin_engines(const Snapshot& snapshot, const BuildControl& control);

/// The edges of the snapshot's subgoal graph that are useful in one direction or the other.
/// O(edges).
[[nodiscard]] Result<Graph> taut_graph(const Snapshot& snapshot,
                                       const std::vector<grid::Cell>& cells,
                                       const std::vector<Octants>& useful);

/// The engines of a snapshot. Labels take over the order of those of `before`, an earlier snapshot
/// of the same map, if it is given and not worn out. Errors: cancelled; too_large.
[[nodiscard]] Result<Engines> build_engines(const Snapshot& snapshot, const Engines* before,
                                            const BuildControl& control);

}  // namespace cairn::subgoal
