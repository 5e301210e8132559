#pragma once
// The time of each part of a subgoal graph's query, and of only writing its path.

#include <span>
#include <string>
#include <vector>

#include "bench/measurement.hpp"
#include "bench/planners.hpp"
#include "cairn/grid/map.hpp"
#include "lab.hpp"

namespace cairn::app {

/// Means over the queries with a path of one map. The parts are differences of least times: of the
/// cost with start and goal already connected, of the cost, and of every cell.
struct PhaseRun {
    std::string planner;
    std::size_t queries = 0;
    double connect_us = 0;
    double search_us = 0;
    double output_us = 0;
    double full_us = 0;  ///< every cell; the sum of the three
    double full_median_us = 0;
    double write_us = 0;  ///< only writing the cells, a run at a time
    double write_median_us = 0;
    double cells = 0;
};

/// For a planner of Kind::subgoal. Errors: as subgoal::Index::build; cancelled.
[[nodiscard]] Result<PhaseRun> measure_phases(const grid::Map& map,
                                              std::span<const Problem> problems,
                                              const PlannerSpec& spec,
                                              const MeasureOptions& options);

[[nodiscard]] Row row_of(const PhaseRun& run);

}  // namespace cairn::app
