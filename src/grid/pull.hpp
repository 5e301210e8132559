#pragma once
// Replaces sections of a path by lines and h-reachable paths.

#include <span>
#include <vector>

#include "cairn/grid/line.hpp"
#include "cairn/grid/map.hpp"

namespace cairn::grid {

/// One pass over the path `runs` from `start`, into `out` (replaced). It keeps an anchor on the new
/// path, and the tail: the section from the anchor to the present cell. The anchor stays as long as
/// the tail is as short as the distance between its endpoints, or a line or (on uniform maps) an
/// h-reachable path makes it so; else it moves to the tail's end. Returns by how much the path gets
/// shorter.
Cost pull(const Map& map, Point start, std::span<const Run> runs, HReach& reach,
          std::vector<Run>& out);

}  // namespace cairn::grid
