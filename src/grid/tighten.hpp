#pragma once
// Pulls a path tight, turn by turn.
//
// Where a path turns the same way twice, as in north-east, east, south-east, the run between the
// turns may slide towards their inside: it gets longer by less than the outer two runs get shorter.
// The last three runs are treated as a stack, so after a slide that empties a run the run before it
// takes part.

#include <span>
#include <vector>

#include "cairn/grid/line.hpp"
#include "cairn/grid/map.hpp"

namespace cairn::grid {

/// Tightens the path `runs` from `start` into `out` (replaced). Returns by how much that shortens
/// it.
Cost tighten(const Map& map, Point start, std::span<const Run> runs, std::vector<Run>& out);

}  // namespace cairn::grid
