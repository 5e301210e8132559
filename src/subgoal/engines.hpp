#pragma once
// The engines of an index: what queries use except A* on the subgoal graph. They are built over the
// taut graph, for fresh nodes.

#include <cstddef>

#include "cairn/control.hpp"
#include "cairn/cut_labels.hpp"
#include "cairn/n_level_graph.hpp"
#include "cairn/status.hpp"
#include "subgoal/edge_turns.hpp"
#include "subgoal/snapshot.hpp"

namespace cairn::subgoal {

struct Engines {
    std::size_t taut_edges = 0;
    NLevelGraph levels;
    EdgeTurns turns;       ///< of the edges of `levels`
    CutLabels labels;      ///< or only their closure; empty if there is neither
    Status labels_status;  ///< ok, or why there are no labels

    [[nodiscard]] bool has_labels() const noexcept { return labels_status.ok(); }
    [[nodiscard]] bool has_closure() const noexcept {
        return (has_labels() || labels.num_nodes() > 0) && labels.has_closure();
    }
    [[nodiscard]] std::size_t level_bytes() const noexcept {
        return levels.bytes() + turns.bytes();
    }
    [[nodiscard]] std::size_t bytes() const noexcept { return level_bytes() + labels.bytes(); }
};

/// Finds the turns of the edges of `engines.levels`. See EdgeTurns for the time.
void find_turns(const Snapshot& snapshot, Engines& engines);

/// The engines of a snapshot, whose nodes must be fresh. If it has earlier engines with labels, the
/// labels inherit their order, unless that is worn out. Errors: cancelled; too_large.
[[nodiscard]] Result<Engines> build_engines(const Snapshot& snapshot, const BuildControl& control);

}  // namespace cairn::subgoal
