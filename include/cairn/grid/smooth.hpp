#pragma once
// Path smoothing: straightens a path without ever making it longer.
//
// After A. Botea, M. Müller, J. Schaeffer, "Near Optimal Hierarchical Path-Finding", section 3.2.3:
// from one end of the path, sections are replaced by straight lines to later cells. The paper's
// terms and ours:
//
//     straight line      a Line (line.hpp): a diagonal and a straight leg in either order
//     node               at effort `paper` each cell of the path; above it the ends of its runs
//
// What we do beyond the paper: we work on runs of equal moves rather than on cells, so that time
// depends on the number of turns; a section that is already as short as its ends are apart is
// recognised without a test; a second pass comes from the goal; and effort `thorough` accepts every
// h-reachable cell, not only those on a line. The reasons and measurements are in
// docs/smoothing.md.
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

/// How hard to try, from the paper's method upwards.
enum class SmoothEffort : std::uint8_t {
    paper,  ///< from each cell the farthest straight line before the first failure; one pass, start
            ///< to goal
    quick,  ///< the same over runs: one pass
    standard,  ///< a pass from each end
    thorough,  ///< passes from both ends with h-reachability until none shortens the path, eight at
               ///< most
};

struct SmoothOptions {
    SmoothEffort effort = SmoothEffort::standard;
};

/// Scratch memory of `smooth`. Reuse one per thread; it allocates only to grow.
class Smoother {
public:
    Smoother() = default;

private:
    friend class Pull;
    friend Cost smooth(const Map&, std::span<const Cell>, Cost, Smoother&, std::vector<Cell>&,
                       const SmoothOptions&);
    std::vector<Run> runs_;  // the path so far
    std::vector<Run> next_;  // what a pass makes of it
    HReach reach_;
};

/// Straightens `path`, a legal path on `map` of cost `path_cost`, into `out` (replaced; `path` may
/// view it), and returns the cost of `out`. A path of fewer than two cells comes back as it is.
/// Time: O(cells) to read and write, plus one or two line tests per turn.
Cost smooth(const Map& map, std::span<const Cell> path, Cost path_cost, Smoother& scratch,
            std::vector<Cell>& out, const SmoothOptions& options = {});

/// The turning points of a legal path into `out` (replaced): its first and last cell and every cell
/// between at which its direction changes. Consecutive ones are joined by one run. O(cells).
void waypoints(const Map& map, std::span<const Cell> path, std::vector<Cell>& out);

}  // namespace cairn::grid
