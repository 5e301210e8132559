#pragma once
// Checks of HPA* answers against the least cost of a path, and helpers that the HPA* tests share.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cairn/grid/map.hpp"
#include "cairn/hpa/hpa.hpp"
#include "cairn/hpa/index.hpp"
#include "cairn/hpa/query.hpp"
#include "support/random_maps.hpp"

namespace cairn::hpa::test {

using cairn::test::free_points;

/// Every combination of neighbourhood and corner rule.
inline constexpr grid::MoveRules kAllRules[] = {
    {grid::Neighbourhood::four, grid::CornerRule::strict},
    {grid::Neighbourhood::eight, grid::CornerRule::strict},
    {grid::Neighbourhood::eight, grid::CornerRule::both_blocked},
    {grid::Neighbourhood::eight, grid::CornerRule::free},
};
/// A name for the test of these rules.
[[nodiscard]] std::string name(const grid::MoveRules& rules);
[[nodiscard]] inline std::string case_name(const testing::TestParamInfo<grid::MoveRules>& rules) {
    return name(rules.param);
}

/// Whether the index finds a path wherever there is one: all indexes, except those with
/// DiagonalCrossings::none under free corners.
[[nodiscard]] bool complete(const Index& index);

/// What is wrong with an answer; empty if nothing is. `optimum` is the least cost of a path, or
/// kInfinity if there is no path. The query must have no limits and lead between free cells: the
/// only right statuses are ok and no_path.
[[nodiscard]] std::string fault_of(const Index& index, const Query& query, const Answer& answer,
                                   Cost optimum);

/// The options, the query and a drawing of the map, for the message of a failure.
[[nodiscard]] std::string describe(const Index& index, const Query& query);

/// The index of a map, built by the calling thread alone: tests build thousands of small indexes,
/// and waking worker threads for each takes longer than the work. Fails the test and ends the
/// program if the map or the options are refused.
[[nodiscard]] Index build(const grid::Map& map, const Options& options = {});

/// An edited index with labels, which the calling thread alone builds.
[[nodiscard]] Index with_labels(const Index& index);

/// The answer to a query by a fresh Searcher.
[[nodiscard]] Answer answer_to(const Index& index, const Query& query);

/// A query for the refined path without smoothing: its cost is that of the abstract path.
[[nodiscard]] inline Query unsmoothed(grid::Point start, grid::Point goal,
                                      Engine engine = Engine::automatic) {
    Query query;
    query.start = start;
    query.goal = goal;
    query.engine = engine;
    query.smoothing = Smoothing::none;
    query.try_direct_line = false;
    return query;
}

}  // namespace cairn::hpa::test
