#pragma once
// Random problems on a map.

#include <cstdint>
#include <vector>

#include "cairn/grid/map.hpp"
#include "cairn/status.hpp"

namespace cairn::app {

struct Problem {
    grid::Point start;
    grid::Point goal;
    double published = -1;  ///< the optimal length that a scenario states; negative if none does
};

/// `count` pairs of different cells, uniform over the free cells but for pairs that no path
/// connects, which are drawn anew. The same for a seed everywhere. Errors: no_path if no two cells
/// are connected.
[[nodiscard]] Result<std::vector<Problem>> random_problems(const grid::Map& map, int count,
                                                           std::uint64_t seed);

}  // namespace cairn::app
