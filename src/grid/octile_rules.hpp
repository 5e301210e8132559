#pragma once
// The maps on which jump points and subgoals work.

#include <string>

#include "cairn/grid/map.hpp"

namespace cairn::grid {

/// The reason, as the end of a sentence, why shortest paths on a map may turn elsewhere than at
/// corners of obstacles. Empty if they turn only there: with eight neighbours, the strict corner
/// rule, one weight, and a diagonal move cheaper than two straight ones.
[[nodiscard]] std::string objection_to_corners(const Map& map);

}  // namespace cairn::grid
