#pragma once
// Optimal lengths as scenarios publish them, held against A*'s.

#include <cstddef>
#include <span>
#include <string>

#include "cairn/grid/map.hpp"
#include "measurement.hpp"

namespace cairn::app {

struct PublishedCheck {
    std::size_t compared = 0;
    std::size_t different = 0;  ///< by more than 1e-5 of it, or the two decimals of old scenarios
    std::string first;          ///< the first of those
};

/// Compares nothing where moves are not those that scenarios are published for: eight neighbours,
/// no cut corners, one terrain.
[[nodiscard]] PublishedCheck check_published(const grid::Map& map,
                                             std::span<const BenchProblem> problems,
                                             const PlannerRun& astar);

}  // namespace cairn::app
