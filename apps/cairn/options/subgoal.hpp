#pragma once
// The options of subgoal graphs on the command line.

#include <vector>

#include "cairn/grid/map.hpp"
#include "cairn/subgoal/index.hpp"
#include "cairn/subgoal/options.hpp"
#include "cairn/subgoal/query.hpp"
#include "command.hpp"
#include "options/grid.hpp"

namespace cairn::app {

/// The group "Index of subgoal graphs". What other planners have too (--levels, --no-labels,
/// --label-mb, --threads) comes from `shared`.
struct SubgoalFlags {
    subgoal::Options options;  ///< what the command line changes; `checked` for all of it

    void add_to(CLI::App& command);
    /// The options asked for. Errors: bad_option.
    [[nodiscard]] Result<subgoal::Options> checked(const IndexFlags& shared) const;
    /// Builds the index, with a progress bar and until Ctrl-C.
    [[nodiscard]] Result<subgoal::Index> build(Context& context, const grid::Map& map,
                                               const IndexFlags& shared) const;
    /// The options given; for refuse_given.
    [[nodiscard]] const std::vector<CLI::Option*>& own() const noexcept { return own_; }

private:
    bool no_prune_ = false;
    std::vector<CLI::Option*> own_;
};

/// The same query, asked of a subgoal graph.
[[nodiscard]] subgoal::Query subgoal_query(const hpa::Query& query);

/// Says how to go on where an index or planner does not serve the map.
[[nodiscard]] Status with_advice(Status status);

}  // namespace cairn::app
