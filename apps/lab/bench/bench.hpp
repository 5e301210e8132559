#pragma once
// What cairn-lab bench measures on one map beside the times of planners. Rows begin with `key`.

#include <cstdint>
#include <span>

#include "bench/measurement.hpp"
#include "bench/planners.hpp"
#include "cairn/grid/map.hpp"
#include "cairn/hpa/options.hpp"
#include "lab.hpp"

namespace cairn::app {

/// The time of each part of a subgoal graph's query, and of only writing its path: a row of the
/// sheet "phases" with means over the queries with a path. The parts are differences of least
/// times: of the cost with start and goal already connected, of the cost, and of every cell.
/// Errors: as subgoal::Index::build; cancelled.
[[nodiscard]] Status measure_phases(const grid::Map& map, std::span<const Problem> problems,
                                    const PlannerSpec& spec, const MeasureOptions& options,
                                    const Row& key, Sheets& sheets);

/// Toggles `count` cells drawn from a seed, half of them free and half blocked as far as the map
/// has both, each on the HPA* index of the map as loaded, with tables and without labels: a row of
/// the sheet "edits". Errors: as Index::build; cancelled.
[[nodiscard]] Status measure_edits(const grid::Map& map, hpa::Options wanted, int count,
                                   std::uint64_t seed, const MeasureOptions& options,
                                   const Row& key, Sheets& sheets);

/// Squares of 8 x 8 cells blocked or freed at random places, each on the subgoal graph of the map
/// as loaded: a row of the sheet "subgoal_edits" with the times of the edit, after which the graph
/// answers by A* again, of the first query after it, by A* with every cell, and of completing the
/// index, after which levels and labels are current again. `problems` are the queries. Errors: the
/// same.
[[nodiscard]] Status measure_subgoal_edits(const grid::Map& map, std::span<const Problem> problems,
                                           const PlannerSpec& spec, int count, std::uint64_t seed,
                                           const MeasureOptions& options, const Row& key,
                                           Sheets& sheets);

}  // namespace cairn::app
