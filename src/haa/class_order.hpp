#pragma once
// The order in which agent classes choose their transitions.

#include <cstdint>
#include <vector>

#include "cairn/haa/annotated_map.hpp"

namespace cairn::haa {

/// All agent classes of a map, in the order in which they choose transitions: by size (largest
/// first), number of terrains (fewest first), weights (highest first), number. So a class comes
/// after every larger one, and every one of fewer terrains, whose transitions it can all use.
[[nodiscard]] std::vector<std::uint8_t> choosing_order(const AnnotatedMap& map);

}  // namespace cairn::haa
