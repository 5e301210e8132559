#pragma once
// The engines of an index: what queries use except A* on the subgoal graph. They are built over the
// taut edges of that graph. Their nodes are the numbers of the subgoals.

#include <cstdint>
#include <vector>

#include "cairn/control.hpp"
#include "cairn/cut_labels.hpp"
#include "cairn/graph.hpp"
#include "cairn/n_level_graph.hpp"
#include "cairn/status.hpp"
#include "subgoal/connectors.hpp"
#include "subgoal/edge_turns.hpp"
#include "subgoal/line_test.hpp"
#include "subgoal/snapshot.hpp"

namespace cairn::subgoal {

struct Engines {
    std::vector<grid::Cell> cells;    ///< per node
    std::vector<grid::Point> places;  ///< the same as points
    std::vector<Octants> useful;      ///< per node: useful_octants, or kAllOctants without pruning
    DiagonalBits diagonals;
    ConnectorTable connectors;  ///< empty if it would be too large
    std::size_t taut_edges = 0;
    NLevelGraph levels;
    EdgeTurns turns;       ///< of the edges of `levels`
    CutLabels labels;      ///< empty if there are none
    Status labels_status;  ///< ok, or why there are no labels

    [[nodiscard]] bool has_labels() const noexcept { return labels_status.ok(); }
    [[nodiscard]] std::size_t connector_bytes() const noexcept {
        return diagonals.bytes() + connectors.bytes();
    }
    /// The bytes of the levels and of the places of their nodes.
    [[nodiscard]] std::size_t level_bytes() const noexcept {
        return levels.bytes() + turns.bytes() +
               cells.size() * (sizeof(grid::Cell) + sizeof(grid::Point) + sizeof(Octants));
    }
    [[nodiscard]] std::size_t bytes() const noexcept {
        return connector_bytes() + level_bytes() + labels.bytes();
    }
};

/// The engines without levels and labels. Errors: cancelled. O(map) and ConnectorTable::build.
[[nodiscard]] Result<Engines> begin_engines(const Snapshot& snapshot, const BuildControl& control);

/// Finds the turns of the edges of `engines.levels`. See EdgeTurns for the time.
void find_turns(const Snapshot& snapshot, Engines& engines);

/// The graph of the taut edges (see is_taut) of the snapshot's subgoal graph. O(edges).
[[nodiscard]] Result<Graph> taut_graph(const Snapshot& snapshot,
                                       const std::vector<grid::Cell>& cells,
                                       const std::vector<Octants>& useful);

/// The engines of a snapshot. `earlier` may be null, or the engines before an edit: then the labels
/// inherit the order of its labels, unless that is worn out. Errors: cancelled; too_large.
[[nodiscard]] Result<Engines> build_engines(const Snapshot& snapshot, const Engines* earlier,
                                            const BuildControl& control);

}  // namespace cairn::subgoal
