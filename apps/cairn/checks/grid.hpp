#pragma once
// Random queries on a map. Every answer is compared with Dijkstra's algorithm, and those of agents
// with every cell that they cover.

#include <cstdint>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "cairn/grid/map.hpp"
#include "cairn/haa/annotated_map.hpp"
#include "checks/checks.hpp"
#include "options/planner.hpp"

namespace cairn::app {

class Footprint {
public:
    /// Needs map.knows(agent).
    Footprint(haa::AnnotatedMap map, haa::Agent agent) : map_(std::move(map)), agent_(agent) {}

    /// The weight of the costliest terrain that the agent covers; 0 where it does not fit.
    /// O(size^2).
    [[nodiscard]] std::uint8_t weight(grid::Point anchor) const;
    [[nodiscard]] bool fits(grid::Point anchor) const { return weight(anchor) != 0; }
    /// The expected AnnotatedMap::class_map. Errors: as grid::Map::create. O(map * size^2).
    [[nodiscard]] Result<grid::Map> class_map() const;

private:
    [[nodiscard]] std::uint8_t cell_weight(grid::Point p) const;

    haa::AnnotatedMap map_;
    haa::Agent agent_;
};

/// A kind of query of an index.
struct CheckedQuery {
    GridPlanner planner;
    bool engine = false;  ///< must cost the same as the first with this flag
    bool usual = false;   ///< the default options: its errors are counted
};

/// All kinds of queries of one index.
struct CheckedQueries {
    grid::Map map;
    bool exact = false;  ///< every cost is the optimum
    std::vector<CheckedQuery> queries;
    /// Whether a path connects two points; may be empty.
    std::function<bool(grid::Point, grid::Point)> reachable = {};
    /// Whether all cells that the agent covers at a cell of a path are free for it; may be empty.
    std::function<bool(grid::Point)> fits = {};
};
/// Errors: out_of_memory.
[[nodiscard]] Result<CheckedQueries> checked_queries(const hpa::Index& index);
[[nodiscard]] Result<CheckedQueries> checked_queries(const subgoal::Index& index);
/// Answers are compared with a map made from every cell that the agent covers, without clearances.
/// Errors: as haa::Index::view.
[[nodiscard]] Result<CheckedQueries> checked_queries(const haa::Index& index, haa::Agent agent);

class QueryChecks {
public:
    explicit QueryChecks(std::uint64_t seed) : random_(seed) {}

    /// Sets the queries of later calls.
    void aim_at(CheckedQueries queries);
    /// Runs `count` queries from one start. False if there is no free cell.
    bool ask(int count);

    [[nodiscard]] std::vector<Check> checks() const {
        std::vector<Check> out{reachability_, bounds_, legal_, engines_};
        if (footprints_.tried > 0) out.push_back(footprints_);
        return out;
    }
    [[nodiscard]] std::uint64_t paths() const noexcept { return paths_; }
    [[nodiscard]] double mean_error() const noexcept {
        return paths_ == 0 ? 0 : error_sum_ / static_cast<double>(paths_);
    }
    [[nodiscard]] double max_error() const noexcept { return error_max_; }

private:
    grid::Point draw() { return checked_->map.point(free_[random_() % free_.size()]); }
    void ask_one(grid::Point start, grid::Point goal, Cost optimum);

    Check reachability_{"reachable exactly where Dijkstra gets"};
    Check bounds_{"no cost below the optimum, no lower bound above it"};
    Check legal_{"every move legal, every cost the path's"};
    Check engines_{"all engines give the same cost"};
    Check footprints_{"the agent fits everywhere on its path"};
    double error_sum_ = 0;  // of paths with default options
    double error_max_ = 0;
    std::uint64_t paths_ = 0;

    std::mt19937_64 random_;
    std::unique_ptr<CheckedQueries> checked_;
    std::vector<grid::Cell> free_;
};

}  // namespace cairn::app
