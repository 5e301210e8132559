#pragma once
// A path at once, without keeping anything: for a first try, or a path now and then.

#include "cairn/grid/map.hpp"
#include "cairn/grid/path.hpp"
#include "cairn/status.hpp"

namespace cairn {

/// A shortest path from `start` to `goal`, every cell: by jump point search where the map allows
/// it, else by A*. Errors: start_outside, goal_outside, start_blocked, goal_blocked, no_path;
/// out_of_memory. O(map) for each call: to ask again and again build an index, or keep a
/// grid::JpsMap and a searcher. Thread-safe.
[[nodiscard]] Result<grid::Path> find_path(const grid::Map& map, grid::Point start,
                                           grid::Point goal) noexcept;

}  // namespace cairn
