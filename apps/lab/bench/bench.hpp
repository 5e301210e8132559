#pragma once
// Special measurements of cairn-lab bench on one map: --phases, --blocked and --edits. Rows begin
// with `key`.

#include <cstdint>
#include <span>
#include <string>

#include "bench/measurement.hpp"
#include "bench/planners.hpp"
#include "cairn/cost.hpp"
#include "cairn/grid/map.hpp"
#include "lab.hpp"

namespace cairn::app {

/// The time of each part of a subgoal graph's query, and of only writing the cells of its path: a
/// row of the sheet "phases" with means over the queries with a path. Three kinds of query are
/// timed: the cost with start and goal already connected (search), the cost (connect + search), and
/// every cell (connect + search + output). Errors: as subgoal::Index::build; cancelled.
[[nodiscard]] Status measure_phases(const grid::Map& map, std::span<const Problem> problems,
                                    const PlannerSpec& spec, const MeasureOptions& options,
                                    const Row& key, Sheets& sheets);

/// Queries with and without cells in their way (Query::blocked): up to `count` drawn within two of
/// each path. Adds a row to the sheet "blocked": times with and without them, and their ratios for
/// the queries that need a detour. Costs are checked against jump point search on the map with
/// walls. Only for planners of subgoal graphs and HPA*; nothing for others. Errors: as
/// Index::build; unsupported (a map that jump point search does not serve); cancelled.
[[nodiscard]] Status measure_blocked(const grid::Map& map, std::span<const Problem> problems,
                                     int count, const PlannerSpec& spec,
                                     const MeasureOptions& options, const Row& key, Sheets& sheets);

/// Which edits are measured.
struct EditOptions {
    int count = 200;
    int side = 8;          ///< of the square of cells that an edit changes
    int labels_every = 1;  ///< with_labels after every so many edits, and after the last; 0: never
    std::uint64_t seed = 1;  ///< of edits and requests
};

/// The times of edits that follow each other, for each planner: of Index::edited (index `edited`),
/// of `with_labels` after it if the planner's options ask for labels or levels, and of a fresh
/// build of the edited map after every 20th edit and the last (`fresh`). On each of these indexes
/// random requests are answered by the automatic engine, for the cost and for the path. If labels
/// are made, the next edit changes the index that has them. Squares are blocked and freed in turn;
/// squares in which an edit would change little are not drawn. All rounds make the same edits, and
/// the least time of each call counts.
///
/// Adds to the sheet "edits" a row for each index and for what was timed (`made`, `cost`, `path`),
/// and to "edit_summary" one with the bytes after the last edit. Every answer is checked by
/// edit_mistake: with the costs of jump point search if the planner is exact, otherwise with those
/// of the edited index. The first mistake ends the measurement: then the summary has `wrong` and
/// `note`, and the times are left out. Baselines among `planners` are skipped. Errors: as
/// Index::build; cancelled.
[[nodiscard]] Status measure_edits(const grid::Map& map, std::span<const PlannerSpec> planners,
                                   const EditOptions& wanted, const MeasureOptions& options,
                                   const Row& key, Sheets& sheets);

/// What an index answers to one request.
struct EditAnswer {
    Cost cost = kInfinity;              ///< with Detail::cost
    Cost path_cost = kInfinity;         ///< with Detail::path
    std::span<const grid::Cell> cells;  ///< of the path
};
/// Says what is wrong with an answer, in a few words; empty if nothing is. The cost must be
/// `expected`, and the path legal on `map` and as expensive as said: `expected` if the planner is
/// exact, and otherwise not more.
[[nodiscard]] std::string edit_mistake(const grid::Map& map, const EditAnswer& answer,
                                       Cost expected, bool exact);

}  // namespace cairn::app
