#pragma once
// The parts of a subgoal graph index.

#include <cstdint>
#include <memory>
#include <vector>

#include "cairn/cut_labels.hpp"
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

/// The index of one state of a map. Immutable once it is shared.
struct Snapshot {
    std::uint64_t id = 0;
    Options options;
    grid::Map map;
    SubgoalBits bits;
    SubgoalGraph graph;
    Nodes nodes;
    /// Tells by which edits the nodes got their numbers; 0 if these are fresh.
    std::uint64_t numbering = 0;
    DiagonalBits diagonals;
    ConnectorTable connectors;  ///< empty if it would be too large
    /// Null after an edit. Engines are built for fresh nodes.
    std::shared_ptr<const Engines> engines;
    /// Labels over the taut graph, or only their closure, as after an edit; or neither.
    CutLabels labels;
    Status labels_status;  ///< ok, or why there are no labels

    /// Differs between snapshots whose cells have other connectors.
    [[nodiscard]] std::uint64_t connectors_id() const noexcept {
        return numbering == 0 ? id : numbering;
    }
    [[nodiscard]] bool has_labels() const noexcept { return labels_status.ok(); }
    [[nodiscard]] bool has_closure() const noexcept {
        return labels.closure().storage() != nullptr;
    }
};

/// Adds the nodes, the diagonals and the connectors to a snapshot that has bits. Errors: cancelled.
/// O(map) and ConnectorTable::build.
[[nodiscard]] Status add_connectors(Snapshot& snapshot, const BuildControl& control);

/// The id of an index built afresh, a hash of the map's fingerprint and of the options. Never 0.
[[nodiscard]] std::uint64_t fresh_snapshot_id(std::uint64_t fingerprint, const Options& options);

/// Whether a map can have a subgoal graph. Errors: unsupported, with the reason.
[[nodiscard]] Status check(const grid::Map& map);

/// The subgoals' cells, by number. O(map / 64 + subgoals).
[[nodiscard]] std::vector<grid::Cell> subgoal_cells(const SubgoalBits& bits);

}  // namespace cairn::subgoal
