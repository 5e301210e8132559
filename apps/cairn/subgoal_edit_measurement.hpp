#pragma once
// How long an edit of a subgoal graph takes, until it answers again and until its labels are back.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "cairn/grid/map.hpp"
#include "command.hpp"
#include "measurement.hpp"
#include "planner_spec.hpp"

namespace cairn::app {

/// Squares of 8 x 8 cells blocked or freed at random places of one map, each on the index of the
/// map as it was loaded. Seconds per edit, sorted.
struct SubgoalEditRun {
    std::string map;
    std::string planner;
    std::vector<double> edited;       ///< Index::edited: the graph answers by A* again
    std::vector<double> completed;    ///< Index::with_labels: levels and labels are current again
    std::vector<double> first_query;  ///< the first query after the edit, by A*, every cell
};

/// `problems` are what is asked after the edits. Errors: as Index::build; cancelled.
[[nodiscard]] Result<SubgoalEditRun> measure_subgoal_edits(const grid::Map& map,
                                                           std::span<const BenchProblem> problems,
                                                           const PlannerSpec& spec, int count,
                                                           std::uint64_t seed,
                                                           const MeasureOptions& options);

/// One row a map and planner: medians and 99th percentiles.
[[nodiscard]] std::string format_edits(const std::vector<SubgoalEditRun>& runs);
/// The same as a list of objects.
[[nodiscard]] Json edits_json(const std::vector<SubgoalEditRun>& runs);

}  // namespace cairn::app
