#pragma once
// Queries of subgoal graphs and their answers. S and G are the start and the goal.

#include <cstdint>
#include <span>
#include <vector>

#include "cairn/control.hpp"
#include "cairn/cost.hpp"
#include "cairn/grid/moves.hpp"
#include "cairn/grid/path.hpp"
#include "cairn/status.hpp"

namespace cairn {
struct Field;
}

namespace cairn::subgoal {

/// How much an answer holds; each value includes the ones before it.
enum class Detail : std::uint8_t {
    cost,      ///< only the cost
    subgoals,  ///< the subgoals of the path: consecutive ones are h-reachable
    path,      ///< every cell
};

/// How the subgoal graph is searched. All engines give the same cost.
enum class Engine : std::uint8_t {
    automatic,   ///< the first of cut_labels, climb, levels and astar that the index has
    astar,       ///< A* on the simple subgoal graph; every index has it, also right after an edit
    levels,      ///< A* on the N-level graph: core graph and ascending subgoals (section 15.5)
    cut_labels,  ///< two-hop labels from a separator tree
    climb,       ///< the same cost and path from the labels' closure, which takes fewer bytes
};

/// A query and its options.
struct Query {
    grid::Point start{};
    grid::Point goal{};
    Detail detail = Detail::path;
    Engine engine = Engine::automatic;
    /// If the goal is blocked, cut off or outside the map, go to the reachable cell nearest to it,
    /// as grid::nearest_cell_where finds it. Takes one test of each nearer cell, and O(subgoal
    /// graph) if the last such query was on another index.
    bool nearest_reachable = false;
    /// Cells that are walls for this request alone, ascending: units that stand in the way. The
    /// start is never blocked by them. The list must stay valid until the query is answered. If the
    /// path without them is not free, jump point search finds a shortest one around them; its jump
    /// points count towards max_expanded. A searcher keeps a copy of the parts of the map where
    /// such cells were, at most .3 bytes a cell of the map. With nearest_reachable the goal is
    /// chosen as if they were not there. Cells off the map are ignored. bad_option if they do not
    /// ascend.
    std::span<const grid::Cell> blocked{};
    /// max_expanded counts the subgoals expanded; labels and climbing expand none. With max_cost
    /// set, the status may be over_cost_limit although there is no path at all.
    SearchLimits limits{};

    /// The members by name (cairn/field.hpp).
    [[nodiscard]] static std::span<const Field> fields() noexcept;
};

/// The effort of a query.
struct QueryStatistics {
    std::uint32_t start_connectors = 0;
    std::uint32_t goal_connectors = 0;
    grid::SearchStatistics search;
};

/// The answer to a query. Reuse one object for many queries: its memory is kept.
struct Answer {
    StatusCode status = StatusCode::no_path;
    Cost cost = kInfinity;  ///< kInfinity unless ok
    /// No path costs less: `cost`, or after budget_exhausted or cancelled what the search has
    /// proved. 0 with other statuses.
    Cost lower_bound = 0;
    /// The end of the path: the goal of the query, or the nearest reachable cell to it.
    grid::Point goal{};
    Engine engine = Engine::automatic;  ///< the engine used; automatic if no search was needed
    bool h_reachable = false;           ///< the path is as long as the octile distance
    bool detour = false;                ///< the path was found around Query::blocked
    /// S, the subgoals of the path, G (of a detour its jump points); empty below Detail::subgoals.
    /// Only S and G if a free line with at most two turns is the answer.
    std::vector<grid::Cell> subgoals;
    std::vector<grid::Cell> cells;  ///< S to G, every cell; empty below Detail::path
    std::uint64_t snapshot_id = 0;  ///< of the index that answered
    QueryStatistics statistics;
};

}  // namespace cairn::subgoal
