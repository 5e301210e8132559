#pragma once
// Pulls a path tight, turn by turn.
//
// Where a path turns the same way twice, as in north-east, east, south-east, the run between the
// turns may slide towards their inside: each step that the outer two runs give up makes it longer
// by less than they cost. The last three runs are treated as a stack, so that a slide that empties
// a run meets the one before it.

#include <span>
#include <vector>

#include "cairn/grid/line.hpp"
#include "cairn/grid/map.hpp"

namespace cairn::grid {

/// Tightens the path `runs` from `start` into `out` (replaced). Returns by how much that shortens
/// it.
Cost tighten(const Map& map, Point start, std::span<const Run> runs, std::vector<Run>& out);

}  // namespace cairn::grid
