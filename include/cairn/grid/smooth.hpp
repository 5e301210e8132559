#pragma once
// Path smoothing: straightens a path without ever making it longer.
//
// After A. Botea, M. Müller, J. Schaeffer, "Near Optimal Hierarchical Path-Finding", section 3.2.3:
// the paper goes along the path and replaces sections of it by straight lines to later nodes. The
// paper's terms and ours:
//
//     straight line      a Line (line.hpp): a diagonal and a straight leg in either order
//     linear path        append_line
//     node               a cell of the path
//
// Departure from the paper (docs/smoothing.md has the reasons): the path is pulled tight, turn by
// turn. Where it turns twice to the same side, as in north-east, east, south-east, the run between
// the two turns slides towards the inside of the turns as far as it is free (on weighted maps to
// either side, if that is cheaper). That takes one test of a run for each turn, where the paper
// tests a line for each cell, and gives shorter paths than lines from chosen cells. The effort
// `thorough` adds lines and h-reachable paths, which can move the path to the other side of an
// obstacle.
//
// Guarantees: the smoothed path has the same start and goal, makes only legal moves, has exactly
// the cost returned, and costs at most as much as the given path. The result depends only on the
// arguments. All functions are thread-safe, with one Smoother per thread.

#include <cstdint>
#include <span>
#include <vector>

#include "cairn/cost.hpp"
#include "cairn/grid/line.hpp"
#include "cairn/grid/map.hpp"
#include "cairn/grid/moves.hpp"
#include "cairn/status.hpp"

namespace cairn::grid {

/// How much time smoothing may take.
enum class SmoothEffort : std::uint8_t {
    /// The paper's method: lines from a cell to later cells are tried until one is blocked or costs
    /// more than the path. The last line before that replaces the section of the path between its
    /// ends, and its end is the next cell to start from.
    paper,
    /// One pass of pulling tight.
    quick,
    /// Passes from both ends in turn until one gains nothing, at most eight.
    standard,
    /// As standard, then replaces sections by lines and h-reachable paths and starts again, at most
    /// four rounds.
    thorough,
};

struct SmoothOptions {
    SmoothEffort effort = SmoothEffort::standard;
};

/// Scratch memory of `smooth`; callers need not read it. Use one per thread; it allocates only to
/// grow.
struct Smoother {
    std::vector<Run> runs;
    std::vector<Run> next;
    HReach reach;
};

/// Smooths `path`, a legal path on `map` of cost `cost` < kInfinity, and sets `cost` to the cost of
/// the result. The result replaces the contents of `out`; `path` may be a view of `out`. A path of
/// fewer than two cells is returned unchanged. Errors: bad_option (options); out_of_memory, after
/// which `out` holds no path. Time: O(cells) to read and write the path, plus for each turn
/// and pass the length of one or two runs; at effort `paper` the length of two lines for each cell;
/// at `thorough` the area of a parallelogram for each turn.
StatusCode smooth(const Map& map, std::span<const Cell> path, Cost& cost, Smoother& scratch,
                  std::vector<Cell>& out, const SmoothOptions& options = {}) noexcept;

/// Writes the turning points of a legal path on a map of this width into `out`, whose contents are
/// replaced: the first and last cell, and every cell between them where the direction changes.
/// Consecutive turning points are joined by one run. O(cells).
void waypoints(std::int32_t width, std::span<const Cell> path, std::vector<Cell>& out);
inline void waypoints(const Map& map, std::span<const Cell> path, std::vector<Cell>& out) {
    waypoints(map.width(), path, out);
}

}  // namespace cairn::grid
