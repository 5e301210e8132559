#pragma once
// Which planners a benchmark runs, by name.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cairn/grid/astar.hpp"
#include "cairn/haa/options.hpp"
#include "cairn/hpa/options.hpp"
#include "cairn/hpa/query.hpp"
#include "cairn/subgoal/options.hpp"
#include "cairn/subgoal/query.hpp"
#include "options/grid.hpp"

namespace cairn::app {

struct AgentFlags;

/// A planner with everything that makes it what it is.
struct PlannerSpec {
    enum class Kind { grid, hpa, jps, subgoal, aa, haa };

    std::string name;
    std::string what;  ///< one line for people
    Kind kind = Kind::hpa;
    grid::OpenList open = grid::OpenList::heap;  ///< Kind::grid
    hpa::Options index;                          ///< Kind::hpa
    hpa::Query query;                            ///< Kind::hpa, haa: all but the points
    subgoal::Options subgoal_index;              ///< Kind::subgoal
    subgoal::Query subgoal_query;                ///< Kind::subgoal: all but the points
    haa::Options haa_index;                      ///< Kind::haa

    /// Every answer is a shortest path.
    [[nodiscard]] bool exact() const noexcept { return kind != Kind::hpa && kind != Kind::haa; }
    /// It is asked for agents of several sizes and terrains.
    [[nodiscard]] bool for_agents() const noexcept { return kind == Kind::aa || kind == Kind::haa; }
};

/// Every planner there is, the baseline `astar` first. The baseline of agents is `aa`.
[[nodiscard]] const std::vector<PlannerSpec>& planner_specs();

/// The planner of that name.
[[nodiscard]] std::optional<PlannerSpec> find_planner(std::string_view name);

/// The planners of these names, on indexes of the options given; before them their baseline,
/// `astar` or `aa`. Errors: bad_option (no such name; planners of both kinds; options that the one
/// kind has not).
[[nodiscard]] Result<std::vector<PlannerSpec>> bench_planners(std::span<const std::string> names,
                                                              const IndexFlags& index,
                                                              const AgentFlags& agents);

}  // namespace cairn::app
