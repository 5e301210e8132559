#pragma once
// A reference implementation for tests: plain Dijkstra, which shares no code with the searches that
// it checks.

#include <vector>

#include "cairn/cost.hpp"
#include "cairn/grid/map.hpp"

namespace cairn::grid {

/// The cost of the cheapest path from `start` to every cell, by cell number; kInfinity if there is
/// none. If `start` is blocked or lies outside the map, all are kInfinity.
///
/// The moves are computed from the terrain, the rules and the cost model, not by Map::moves and
/// Map::move_cost, so that a comparison with another search also checks these two. For tests and
/// verification: O(size log size) time, and it allocates. Thread-safe.
[[nodiscard]] Result<std::vector<Cost>> dijkstra_distances(const Map& map, Point start) noexcept;

}  // namespace cairn::grid
