#pragma once
// Replaces sections of a path by lines and h-reachable paths.

#include <span>
#include <vector>

#include "cairn/grid/line.hpp"
#include "cairn/grid/map.hpp"

namespace cairn::grid {

/// One pass over the path `runs` from `start`, into `out` (replaced). It keeps an anchor on the new
/// path and the tail, the section from the anchor to where the pass has come; as long as the tail
/// is as short as its ends are apart, or can be made so by a line or (on uniform maps) by an
/// h-reachable path, the anchor stays, and else it moves to the tail's end. Returns by how much
/// that shortens the path.
Cost pull(const Map& map, Point start, std::span<const Run> runs, HReach& reach,
          std::vector<Run>& out);

}  // namespace cairn::grid
