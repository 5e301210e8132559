#pragma once
// Following direct edges on the map (section 15.3.2): no move of theirs can be blocked.

#include <span>
#include <vector>

#include "cairn/grid/map.hpp"

namespace cairn::subgoal {

/// Into `cells` (replacing what is there) all cells of the path that visits `stops`: S, subgoals
/// and G. Each edge is followed diagonally first; the last one
/// straight first, for G's connectors are reached from G. False, and nothing done, if the edges'
/// lengths do not add up to `cost`: the index contradicts itself. O(path).
[[nodiscard]] bool follow_direct_edges(const grid::Map& map, std::span<const grid::Point> stops,
                                       Cost cost, std::vector<grid::Cell>& cells);

}  // namespace cairn::subgoal
