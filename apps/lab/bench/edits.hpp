#pragma once
// The time of edits, each on the index of the map as loaded.

#include <cstdint>
#include <span>

#include "bench/measurement.hpp"
#include "bench/planners.hpp"
#include "cairn/grid/map.hpp"
#include "cairn/hpa/options.hpp"
#include "lab.hpp"

namespace cairn::app {

/// Toggles `count` cells drawn from a seed, half of them free and half blocked as far as the map
/// has both, on an HPA* index with tables and without labels: a row of the sheet "edits", which
/// begins with `key`. Errors: as Index::build; cancelled.
[[nodiscard]] Status measure_edits(const grid::Map& map, hpa::Options options, int count,
                                   std::uint64_t seed, const MeasureOptions& measure,
                                   const Row& key, Sheets& sheets);

/// Squares of 8 x 8 cells blocked or freed at random places, on a subgoal graph: a row of the sheet
/// "subgoal_edits" with the times of the edit, after which the graph answers by A* again, of the
/// first query after it, by A* with every cell, and of completing the index, after which levels and
/// labels are current again. `problems` are the queries. Errors: the same.
[[nodiscard]] Status measure_subgoal_edits(const grid::Map& map, std::span<const Problem> problems,
                                           const PlannerSpec& spec, int count, std::uint64_t seed,
                                           const MeasureOptions& measure, const Row& key,
                                           Sheets& sheets);

}  // namespace cairn::app
