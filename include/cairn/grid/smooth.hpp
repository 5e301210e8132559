#pragma once
// Path smoothing: straightens a path without ever making it longer.
//
// After A. Botea, M. Müller, J. Schaeffer, "Near Optimal Hierarchical Path-Finding", section 3.2.3,
// which replaces sections of the path, from one end, by straight lines to later nodes. The paper's
// terms and ours:
//
//     straight line      a Line (line.hpp): a diagonal and a straight leg in either order
//     linear path        append_line
//     node               a cell of the path
//
// What we do instead, and why (docs/smoothing.md has the reasons at length): the path is pulled
// tight, turn by turn. Where it turns the same way twice, as in north-east, east, south-east, the
// run between the two turns slides towards their inside for as long as it is free (on weighted maps
// to either side, if that is cheaper). That takes one test of one run per turn instead of one line
// test per cell, and it ends nearer to the optimum than lines from chosen cells do. Lines, and any
// h-reachable path, are added at effort `thorough`, where they can carry the path to the other side
// of an obstacle.
//
// Guarantees: the smoothed path has the same ends, makes legal moves only, costs exactly what is
// returned, and that is never more than the cost of the path given. The result depends on nothing
// but the arguments.

#include <cstdint>
#include <span>
#include <vector>

#include "cairn/cost.hpp"
#include "cairn/grid/line.hpp"
#include "cairn/grid/map.hpp"
#include "cairn/grid/moves.hpp"

namespace cairn::grid {

/// How hard to try.
enum class SmoothEffort : std::uint8_t {
    /// The paper's method: from each cell a line to the last one before the first that no line
    /// reaches.
    paper,
    /// Pulls tight in one pass.
    quick,
    /// Pulls tight from both ends in turn until a pass gains nothing, eight passes at most.
    standard,
    /// Then replaces sections by lines and h-reachable paths and begins anew, four rounds at most.
    thorough,
};

struct SmoothOptions {
    SmoothEffort effort = SmoothEffort::standard;
};

/// Scratch memory of `smooth`; its contents mean nothing to the caller. One per thread; it
/// allocates only to grow.
struct Smoother {
    std::vector<Run> runs;
    std::vector<Run> next;
    HReach reach;
};

/// Straightens `path`, a legal path on `map` of cost `path_cost`, into `out` (replaced; `path` may
/// view it), and returns the cost of `out`. A path of fewer than two cells comes back as it is.
/// Time: O(cells) to read and write the path, plus for each turn and pass the length of a run or
/// two; at effort `paper` the length of two lines per cell; at `thorough` the area of a
/// parallelogram per turn.
Cost smooth(const Map& map, std::span<const Cell> path, Cost path_cost, Smoother& scratch,
            std::vector<Cell>& out, const SmoothOptions& options = {});

/// The turning points of a legal path on a map of this width into `out` (replaced): its first and
/// last cell and every cell between at which its direction changes. Consecutive ones are joined by
/// one run. O(cells).
void waypoints(std::int32_t width, std::span<const Cell> path, std::vector<Cell>& out);
inline void waypoints(const Map& map, std::span<const Cell> path, std::vector<Cell>& out) {
    waypoints(map.width(), path, out);
}

}  // namespace cairn::grid
