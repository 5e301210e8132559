#pragma once
// What grid searches return.

#include <cstdint>
#include <vector>

#include "cairn/cost.hpp"
#include "cairn/grid/moves.hpp"
#include "cairn/status.hpp"

namespace cairn::grid {

/// Effort of a search, cheap enough to be always counted.
struct SearchStatistics {
    std::uint64_t expanded = 0;   ///< nodes taken from the open list and expanded
    std::uint64_t generated = 0;  ///< nodes put onto the open list
    std::uint64_t open_sum =
        0;  ///< open-list size summed over expansions (mean = open_sum / expanded)

    SearchStatistics& operator+=(const SearchStatistics& other) noexcept {
        expanded += other.expanded;
        generated += other.generated;
        open_sum += other.open_sum;
        return *this;
    }
};

/// A path over cells. Reuse one object for many queries: its memory is kept.
struct Path {
    StatusCode status = StatusCode::no_path;
    Cost cost = kInfinity;  ///< cost of the path; kInfinity unless status is ok
    std::vector<Cell>
        cells;  ///< start to goal, both included; empty if only the cost was asked for
    SearchStatistics statistics;
};

}  // namespace cairn::grid
