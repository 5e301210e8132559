#pragma once
// The checks of `cairn verify` on maps: random queries, compared with Dijkstra's algorithm. Agents
// of HAA* must also fit on every cell of their paths.

#include <cstdint>
#include <functional>
#include <memory>
#include <random>
#include <utility>
#include <vector>

#include "cairn/grid/components.hpp"
#include "cairn/grid/map.hpp"
#include "cairn/haa/annotated_map.hpp"
#include "checks/checks.hpp"
#include "options/planner.hpp"

namespace cairn::app {

/// The terrain under an agent of HAA*, read cell by cell, to check the clearances against.
class Footprint {
public:
    /// Needs map.knows(agent).
    Footprint(haa::AnnotatedMap map, haa::Agent agent) : map_(std::move(map)), agent_(agent) {}

    /// The weight of the costliest terrain that the agent covers; 0 where it does not fit.
    /// O(size^2).
    [[nodiscard]] std::uint8_t weight(grid::Point anchor) const;
    [[nodiscard]] bool fits(grid::Point anchor) const { return weight(anchor) != 0; }
    /// What AnnotatedMap::class_map should return. Errors: as grid::Map::create. O(map * size^2).
    [[nodiscard]] Result<grid::Map> class_map() const;

private:
    [[nodiscard]] std::uint8_t cell_weight(grid::Point p) const;

    haa::AnnotatedMap map_;
    haa::Agent agent_;
};

/// What is checked of the cost of a query, besides the bounds.
struct CostChecks {
    bool same = false;      ///< equal for all queries with this flag
    bool measured = false;  ///< its error enters mean_error and max_error
};

/// A planner with one combination of query options.
struct CheckedQuery {
    GridPlanner planner;
    CostChecks cost;
};

/// The queries that answer every random pair of start and goal.
struct CheckedQueries {
    grid::Map map;  ///< that Dijkstra's algorithm searches; for an agent the map of its anchors
    bool exact = false;  ///< the planner promises optimal costs
    std::vector<CheckedQuery> queries;
    /// The index's own test of reachability; empty if it has none.
    std::function<bool(grid::Point, grid::Point)> reachable = {};
    /// Whether the agent fits with its anchor on a cell; empty for planners without agents.
    std::function<bool(grid::Point)> fits = {};
};
/// Errors: out_of_memory.
[[nodiscard]] Result<CheckedQueries> checked_queries(const hpa::Index& index);
[[nodiscard]] Result<CheckedQueries> checked_queries(const subgoal::Index& index);
/// Of one agent. Its map is Footprint::class_map, which does not use clearances. Errors: as
/// haa::Index::view.
[[nodiscard]] Result<CheckedQueries> checked_queries(const haa::Index& index, haa::Agent agent);

/// Draws starts and goals, runs the queries and counts failures.
class QueryChecks {
public:
    explicit QueryChecks(std::uint64_t seed) : random_(seed) {}

    /// Sets the queries of later runs. The counts go on.
    void set_queries(CheckedQueries queries);
    /// Draws one start and `count` goals, and runs all queries for each goal. False if there is no
    /// free cell. Needs set_queries.
    bool run(int count);

    [[nodiscard]] std::vector<Check> checks() const {
        std::vector<Check> out{reachability_, bounds_, legal_, engines_};
        if (footprints_.tried > 0) out.push_back(footprints_);
        return out;
    }
    /// The number of paths in mean_error and max_error.
    [[nodiscard]] std::uint64_t paths() const noexcept { return paths_; }
    /// Cost divided by the optimum, minus 1.
    [[nodiscard]] double mean_error() const noexcept {
        return paths_ == 0 ? 0 : error_sum_ / static_cast<double>(paths_);
    }
    [[nodiscard]] double max_error() const noexcept { return error_max_; }

private:
    grid::Point draw() { return checked_->map.point(free_[random_() % free_.size()]); }
    void run_pair(grid::Point start, grid::Point goal, Cost optimum);

    Check reachability_{"reachable if and only if Dijkstra finds a path"};
    Check bounds_{"no cost below the optimum, no lower bound above it"};
    Check legal_{"every move legal, every cost the path's"};
    Check engines_{"all engines give the same cost"};
    Check footprints_{"the agent fits everywhere on its path"};
    double error_sum_ = 0;
    double error_max_ = 0;
    std::uint64_t paths_ = 0;

    std::mt19937_64 random_;
    std::unique_ptr<CheckedQueries> checked_;
    std::vector<grid::Cell> free_;  // the free cells of the map
    grid::Components components_;   // of the map
};

}  // namespace cairn::app
