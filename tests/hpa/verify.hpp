#pragma once
// What every answer of an HPA* index must be, whatever was asked: checked against the optimum.

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
[[nodiscard]] std::string name(const grid::MoveRules& rules);
[[nodiscard]] inline std::string case_name(const testing::TestParamInfo<grid::MoveRules>& rules) {
    return name(rules.param);
}

/// Whether the index answers every query that has a path: all but DiagonalCrossings::none under
/// free corners.
[[nodiscard]] bool complete(const Index& index);

/// What is wrong with an answer, where the cheapest path costs `optimum` (kInfinity: there is
/// none); empty if nothing. Judges ok and no_path: a query without limits, its ends on free cells.
[[nodiscard]] std::string fault_of(const Index& index, const Query& query, const Answer& answer,
                                   Cost optimum);

/// The map and the query in words and letters, for a failure's message.
[[nodiscard]] std::string describe(const Index& index, const Query& query);

/// The index of a map, built by the calling thread alone: thousands of small ones are, and waking
/// workers for each takes longer than the work. Fails the test if there is none.
[[nodiscard]] Index build(const grid::Map& map, const Options& options = {});

/// An edited index with its labels, by the calling thread alone.
[[nodiscard]] Index with_labels(const Index& index);

/// The answer to a query by a fresh Searcher.
[[nodiscard]] Answer answer_to(const Index& index, const Query& query);

/// A query for the bare abstract path, refined: the cost is the abstract cost.
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
