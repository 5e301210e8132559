#pragma once
// Batches on grids: what is asked, and the paths that come back.

#include "cairn/grid/moves.hpp"
#include "cairn/lists.hpp"

namespace cairn::grid {

/// From where to where.
struct Request {
    Point start;
    Point goal;
    friend bool operator==(const Request&, const Request&) = default;
};

struct Paths : PathCosts {
    /// Every cell of each path, or its turning points.
    Lists<Cell> cells;
    friend bool operator==(const Paths&, const Paths&) = default;
};

}  // namespace cairn::grid
