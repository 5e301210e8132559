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
    /// Start to goal, both included. Empty if only the cost was requested or status is not ok.
    std::vector<Cell> cells;
    SearchStatistics statistics;
};

}  // namespace cairn::grid
