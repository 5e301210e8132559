#pragma once
// The planners of cairn-lab bench, by name: a planner of the library with fixed options.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cairn/any.hpp"
#include "cairn/field.hpp"
#include "options/fields.hpp"

namespace cairn::app {

struct AgentFlags;

/// A planner with the options and query that define it.
struct PlannerSpec {
    std::string_view name;
    std::string_view summary;      ///< one line, for users
    std::string_view planner;      ///< name of the library's planner on grids (cairn::planners()),
                                   ///< or of jps_plus::Planner
    std::vector<Setting> options;  ///< of the index
    std::vector<Setting> query;    ///< of every query
    bool for_agents = false;       ///< it plans for agents of several sizes and terrains

    [[nodiscard]] const PlannerInfo& info() const noexcept;
    /// Every answer is a shortest path.
    [[nodiscard]] bool exact() const noexcept { return info().exact; }
    template <class P>
    [[nodiscard]] bool is() const noexcept {
        return planner == P::kName;
    }
    /// The options or the query. P must be the planner that `planner` names.
    template <class P>
    [[nodiscard]] typename P::Options options_of() const {
        return made<typename P::Options>(options);
    }
    template <class P>
    [[nodiscard]] typename P::Query query_of() const {
        return made<typename P::Query>(query);
    }

private:
    // Ignores errors: the settings are constants of this program, or were checked when they were
    // read.
    template <class T>
    [[nodiscard]] static T made(Settings settings) {
        T out;
        static_cast<void>(apply_settings(settings, out));
        return out;
    }
};

/// All planners, the baseline `astar` first. The baseline of planners for agents is `aa`.
[[nodiscard]] const std::vector<PlannerSpec>& planner_specs();

/// The planner of that name.
[[nodiscard]] std::optional<PlannerSpec> find_spec(std::string_view name);

/// The planners of these names after their baseline, `astar` or `aa`, with the index options given.
/// `index` must outlive them: they refer to its texts. Errors: bad_option (no such name; planners
/// of both kinds; options that this kind does not have).
[[nodiscard]] Result<std::vector<PlannerSpec>> bench_planners(std::span<const std::string> names,
                                                              const IndexFlags& index,
                                                              const AgentFlags& agents);

}  // namespace cairn::app
