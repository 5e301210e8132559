#pragma once
// What was measured of subgoal graphs as tables: see reproduce_exhibit.hpp.

#include "reproduce_exhibit.hpp"
#include "reproduce_subgoal_run.hpp"

namespace cairn::app {

/// From table_variants(): time, memory and speed of each set of maps and of all of them.
[[nodiscard]] Exhibit subgoal_table_1(const SubgoalExperiment& measured);
/// From table_variants(): how much of a graph stays on the highest level.
[[nodiscard]] Exhibit subgoal_figure_12(const SubgoalExperiment& measured);
/// From table_variants(): subgoals and edges of every level, over all maps.
[[nodiscard]] Exhibit subgoal_levels(const SubgoalExperiment& measured);
/// From edge_variants().
[[nodiscard]] Exhibit subgoal_figure_3(const SubgoalExperiment& measured);
/// From order_variants().
[[nodiscard]] Exhibit subgoal_orders(const SubgoalExperiment& measured);

/// Answers that were no shortest path.
[[nodiscard]] std::uint64_t wrong_answers(const SubgoalExperiment& measured);

}  // namespace cairn::app
