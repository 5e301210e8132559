#pragma once
// The oracle: the simplest Dijkstra that could be right, sharing no code with the searches it
// checks.

#include <vector>

#include "cairn/cost.hpp"
#include "cairn/grid/map.hpp"

namespace cairn::grid {

/// The cost of the cheapest path from `start` to every cell, by cell number; kInfinity where there
/// is none. If `start` is blocked or lies outside the map, all are kInfinity.
///
/// The moves are worked out afresh from the terrain, the rules and the cost model, not from
/// Map::moves and Map::move_cost, so that comparing another search with this one checks those as
/// well. For tests and verification: O(size log size) time, and it allocates. Thread-safe.
[[nodiscard]] std::vector<Cost> dijkstra_distances(const Map& map, Point start);

}  // namespace cairn::grid
