#pragma once
// The parts of a subgoal graph index.

#include <cstdint>
#include <memory>
#include <vector>

#include "cairn/grid/map.hpp"
#include "cairn/subgoal/index.hpp"
#include "cairn/subgoal/options.hpp"
#include "subgoal/connector_table.hpp"
#include "subgoal/line_test.hpp"
#include "subgoal/nodes.hpp"
#include "subgoal/subgoal_bits.hpp"
#include "subgoal/subgoal_graph.hpp"

namespace cairn::subgoal {

struct Engines;

/// The engines of a snapshot before an edit, and their nodes. Null if there are none.
struct EarlierEngines {
    std::shared_ptr<const Engines> engines;
    Nodes nodes;
};

/// The index of one state of a map. Immutable once it is shared.
struct Snapshot {
    std::uint64_t id = 0;
    Options options;
    grid::Map map;
    SubgoalBits bits;
    SubgoalGraph graph;
    Nodes nodes;
    DiagonalBits diagonals;
    ConnectorTable connectors;  ///< empty if it would be too large
    /// Null after an edit. Engines are built for fresh nodes.
    std::shared_ptr<const Engines> engines;
    Status stale;  ///< after an edit: stale_labels()
    /// After an edit: those of the last snapshot that had any, whose order new labels inherit.
    EarlierEngines earlier;
};

/// Adds the nodes, the diagonals and the connectors to a snapshot that has bits. Errors: cancelled.
/// O(map) and ConnectorTable::build.
[[nodiscard]] Status add_connectors(Snapshot& snapshot, const BuildControl& control);

/// Why an edited index has no labels.
[[nodiscard]] inline Status stale_labels() {
    return {StatusCode::stale_index, "the map was edited after the labels were built"};
}

/// The id of an index built afresh. Never 0. O(map).
[[nodiscard]] std::uint64_t fresh_snapshot_id(const grid::Map& map, const Options& options);

/// Whether a map can have a subgoal graph. Errors: unsupported, with the reason.
[[nodiscard]] Status check(const grid::Map& map);

/// The subgoals' cells, by number. O(map / 64 + subgoals).
[[nodiscard]] std::vector<grid::Cell> subgoal_cells(const SubgoalBits& bits);

}  // namespace cairn::subgoal
