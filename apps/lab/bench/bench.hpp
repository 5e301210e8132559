#pragma once
// Special measurements of cairn-lab bench on one map: --phases and --edits. Rows begin with `key`.

#include <cstdint>
#include <span>

#include "bench/measurement.hpp"
#include "bench/planners.hpp"
#include "cairn/grid/map.hpp"
#include "cairn/hpa/options.hpp"
#include "lab.hpp"

namespace cairn::app {

/// The time of each part of a subgoal graph's query, and of only writing the cells of its path: a
/// row of the sheet "phases" with means over the queries with a path. Three kinds of query are
/// timed: the cost with start and goal already connected (search), the cost (connect + search), and
/// every cell (connect + search + output). Errors: as subgoal::Index::build; cancelled.
[[nodiscard]] Status measure_phases(const grid::Map& map, std::span<const Problem> problems,
                                    const PlannerSpec& spec, const MeasureOptions& options,
                                    const Row& key, Sheets& sheets);

/// The times of `count` edits of the HPA* index: a row of the sheet "edits". Each edit blocks or
/// frees one cell of the map as loaded, in turn if the map has both kinds; cells are drawn from a
/// seed. The index has no labels. Errors: as Index::build; cancelled.
[[nodiscard]] Status measure_edits(const grid::Map& map, hpa::Options wanted, int count,
                                   std::uint64_t seed, const MeasureOptions& options,
                                   const Row& key, Sheets& sheets);

/// The times of `count` edits of the subgoal graph: a row of the sheet "subgoal_edits". Each edit
/// blocks or frees a random square of 8 x 8 cells of the map as loaded. Three times are measured:
/// the edit, after which A* on the graph answers; the first query after it, by A*, with every cell;
/// and with_labels, which builds levels and labels again. `problems` are the queries. Errors: the
/// same.
[[nodiscard]] Status measure_subgoal_edits(const grid::Map& map, std::span<const Problem> problems,
                                           const PlannerSpec& spec, int count, std::uint64_t seed,
                                           const MeasureOptions& options, const Row& key,
                                           Sheets& sheets);

}  // namespace cairn::app
