#pragma once
// One interface to every planner, for what asks any of them: `path`, `verify` and `bench`.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "cairn/control.hpp"
#include "cairn/grid/astar.hpp"
#include "cairn/grid/jps.hpp"
#include "cairn/grid/map.hpp"
#include "cairn/haa/haa.hpp"
#include "cairn/haa/index.hpp"
#include "cairn/hpa/index.hpp"
#include "cairn/hpa/query.hpp"
#include "cairn/subgoal/index.hpp"
#include "cairn/subgoal/query.hpp"

namespace cairn::app {

/// The effort of one step of a query.
struct Phase {
    const char* name = "";
    grid::SearchStatistics effort;
};

/// What a query came to, whichever planner answered.
struct Reply {
    StatusCode status = StatusCode::no_path;
    Cost cost = kInfinity;              ///< kInfinity unless ok, and where none was asked for
    Cost lower_bound = 0;               ///< no path costs less
    std::optional<Cost> abstract_cost;  ///< of planners that smooth: before that
    grid::Point goal;                   ///< where the path leads
    const char* engine = "";            ///< in words
    std::span<const grid::Cell> nodes;  ///< abstract nodes or subgoals on the way
    std::span<const grid::Cell> cells;  ///< all of them
    std::vector<Phase> phases;

    [[nodiscard]] std::uint64_t expanded() const noexcept {
        std::uint64_t sum = 0;
        for (const Phase& phase : phases) sum += phase.effort.expanded;
        return sum;
    }
};

/// Who moves, of a planner that knows agents.
struct Mover {
    haa::Index index;
    haa::Agent agent;
};

/// A planner on one map, with the working memory of one thread.
class AnyPlanner {
public:
    virtual ~AnyPlanner() = default;
    /// The map of paths: of an agent the one of its anchors.
    [[nodiscard]] virtual const grid::Map& map() const noexcept = 0;
    /// Null where a cell moves.
    [[nodiscard]] virtual const Mover* mover() const noexcept { return nullptr; }
    /// "hpa", "subgoal", "haa", "astar" or "jps".
    [[nodiscard]] virtual const char* name() const noexcept = 0;
    /// What Reply::nodes are, as JSON calls them.
    [[nodiscard]] virtual const char* node_word() const noexcept { return "cells"; }

    /// Answers a query; this is what is timed.
    virtual StatusCode ask(grid::Point start, grid::Point goal) = 0;
    /// The last answer, good until the next query.
    [[nodiscard]] virtual Reply reply() const = 0;

    /// The cost to each goal, kInfinity where no path leads or the goal is outside or blocked.
    /// Returns ok, or why no goal can be asked for. Otherwise one query after another.
    virtual StatusCode costs(grid::Point start, std::span<const grid::Point> goals,
                             std::span<Cost> costs);
    /// Answers for the goal of least cost, and says which.
    virtual StatusCode ask_nearest(grid::Point start, std::span<const grid::Point> goals,
                                   std::size_t& nearest);
};

/// A*.
[[nodiscard]] std::unique_ptr<AnyPlanner> make_planner(const grid::Map& map,
                                                       const grid::AstarOptions& options,
                                                       const SearchLimits& limits);
[[nodiscard]] std::unique_ptr<AnyPlanner> make_planner(const grid::JpsMap& map,
                                                       const grid::JpsOptions& options,
                                                       const SearchLimits& limits);
/// The query's points do not matter. `cached_ends` as Searcher's: none, so that a query is as dear
/// as the first that comes upon its ends.
[[nodiscard]] std::unique_ptr<AnyPlanner> make_planner(const hpa::Index& index,
                                                       const hpa::Query& query,
                                                       std::size_t cached_ends = 0);
[[nodiscard]] std::unique_ptr<AnyPlanner> make_planner(const subgoal::Index& index,
                                                       const subgoal::Query& query,
                                                       std::size_t cached_ends = 0);
/// Errors: as haa::Index::view.
[[nodiscard]] Result<std::unique_ptr<AnyPlanner>> make_planner(const haa::Index& index,
                                                               const haa::Query& query,
                                                               std::size_t cached_ends = 0);

/// Asks between the corners of the map, so that memory is warm and the ends asked for before are
/// no longer in the planner's cache.
void forget_ends(AnyPlanner& planner);

}  // namespace cairn::app
