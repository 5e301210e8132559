#pragma once
// Connects a start or a goal to its direct-h-reachable subgoals (section 15.3.2).

#include <cstdint>
#include <vector>

#include "cairn/cut_labels.hpp"
#include "cairn/grid/moves.hpp"
#include "subgoal/snapshot.hpp"

namespace cairn::subgoal {

/// One end of a query. A subgoal is connected like any other cell.
struct End {
    std::uint64_t snapshot_id = 0;
    grid::Cell cell = grid::kNoCell;
    bool has_taut = false;
    bool has_all = false;
    std::vector<Connector> taut;          ///< where a taut path can go on
    std::vector<grid::Point> taut_place;  ///< beside `taut`
    std::vector<Connector> all;           ///< all of them
};

/// Connects `cell`, which is free, unless `end` already is that cell's in this snapshot; whichever
/// list is asked for. The snapshot needs engines for `taut`.
void connect_taut(const Snapshot& snapshot, grid::Cell cell, End& end);
void connect_all(const Snapshot& snapshot, grid::Cell cell, End& end);

}  // namespace cairn::subgoal
