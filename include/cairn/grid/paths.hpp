#pragma once
// Batches on grids (cairn/batch/batch.hpp): their requests and the paths returned.

#include "cairn/grid/moves.hpp"
#include "cairn/lists.hpp"

namespace cairn::grid {

/// The start and goal of one agent.
struct Request {
    Point start;
    Point goal;
    friend bool operator==(const Request&, const Request&) = default;
};

/// The results of a batch, in the order of its requests.
struct Paths : PathCosts {
    /// Every cell of each path, or its turning points.
    Lists<Cell> cells;
    friend bool operator==(const Paths&, const Paths&) = default;
};

}  // namespace cairn::grid
