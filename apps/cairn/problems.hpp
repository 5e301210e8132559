#pragma once
// Random solvable problems on a map, for scenarios and measurements.

#include <cstdint>
#include <vector>

#include "cairn/grid/map.hpp"
#include "cairn/status.hpp"

namespace cairn::app {

struct Problem {
    grid::Point start;
    grid::Point goal;
    double published =
        -1;  ///< the optimal length that a scenario states; negative if there is none
};

/// `count` pairs of different free cells, drawn uniformly; pairs that no path connects are drawn
/// again. A seed gives the same pairs on every platform. Errors: no_path if no two cells are
/// connected.
[[nodiscard]] Result<std::vector<Problem>> random_problems(const grid::Map& map, int count,
                                                           std::uint64_t seed);

}  // namespace cairn::app
