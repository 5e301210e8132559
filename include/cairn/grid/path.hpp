#pragma once
// The result of a grid search.

#include <vector>

#include "cairn/cost.hpp"
#include "cairn/grid/moves.hpp"
#include "cairn/search_statistics.hpp"
#include "cairn/status.hpp"

namespace cairn::grid {

using cairn::SearchStatistics;

/// A path over cells. Reuse one object for many queries: its memory is kept.
struct Path {
    StatusCode status = StatusCode::no_path;
    Cost cost = kInfinity;  ///< cost of the path; kInfinity unless status is ok
    /// No path costs less: `cost`, or after budget_exhausted or cancelled what the search has
    /// proved. 0 with other statuses.
    Cost lower_bound = 0;
    /// Start to goal, both included. Empty if only the cost was requested or status is not ok,
    /// except as SearchLimits::partial_path says.
    std::vector<Cell> cells;
    SearchStatistics statistics;
};

}  // namespace cairn::grid
