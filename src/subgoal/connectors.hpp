#pragma once
// The connect step: the direct-h-reachable subgoals of a start or a goal (section 15.3.2).

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cairn/cut_labels.hpp"
#include "cairn/grid/moves.hpp"
#include "core/memory.hpp"

namespace cairn::subgoal {

struct Snapshot;

/// The subgoals to which an endpoint is connected.
enum class Connections : std::uint8_t {
    none,  ///< not connected yet
    all,   ///< all direct-h-reachable ones, by SubgoalBits::number
    taut,  ///< the useful ones, where a taut path can go on, by Nodes::number
};

/// The start or goal of a query, and its connectors. It may itself be a subgoal.
struct Endpoint {
    std::uint64_t snapshot_id = 0;
    grid::Cell cell = grid::kNoCell;
    Connections kind = Connections::none;
    std::vector<Connector> connectors;
    std::vector<grid::Point> places;  ///< per connector: the subgoal's cell

    /// Bytes held now.
    [[nodiscard]] std::size_t memory() const noexcept { return memory_of(connectors, places); }
};

/// Connects the free cell `cell`, unless `end` already holds its connectors of this kind in this
/// snapshot. Kind `taut` uses the connector table. Kind `all`, and `taut` if there is no table,
/// scan the cell's surroundings.
void connect(const Snapshot& snapshot, grid::Cell cell, Connections kind, Endpoint& end);

}  // namespace cairn::subgoal
