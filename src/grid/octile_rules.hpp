#pragma once
// What jump points and subgoals ask of a map.

#include <string>

#include "cairn/grid/map.hpp"

namespace cairn::grid {

/// Why shortest paths on a map may turn elsewhere than at the corners of obstacles, as the end of a
/// sentence; empty if they need not: eight neighbours, the strict corner rule, one weight and costs
/// for which a diagonal move is worth while.
[[nodiscard]] std::string objection_to_corners(const Map& map);

}  // namespace cairn::grid
