#pragma once
// Straight lines on octile grids, and h-reachability.
//
// A straight line between two cells, in the sense of path smoothing (HPA* paper, section 3.2.3),
// is a path as long as the octile distance with at most one turn: a diagonal leg and a straight
// leg, in either order. On a map with four neighbours it is a horizontal and a vertical leg. Two
// cells are h-reachable (subgoal graph paper) if some path between them is as long as the octile
// distance. Such a path makes the moves of the two legs in some order, and stays inside the
// parallelogram that they span.
//
// Everything here uses Map::moves and Map::move_cost, so it holds for every corner rule. All
// functions may be called from any number of threads; HReach needs one object per thread.

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "cairn/cost.hpp"
#include "cairn/grid/map.hpp"
#include "cairn/grid/moves.hpp"

namespace cairn::grid {

/// Moves in one direction.
struct Run {
    std::uint8_t direction = 0;  ///< a Direction
    std::int32_t steps = 0;      ///< 0 or more
    friend bool operator==(const Run&, const Run&) = default;
};

/// The diagonal and the straight leg of a displacement; with four neighbours the horizontal and the
/// vertical one. A leg of 0 steps has any direction.
using Legs = std::array<Run, 2>;

/// Which leg of a line comes first. With four neighbours `diagonal` means horizontal, and
/// `straight` vertical.
enum class LineShape : std::uint8_t { none, diagonal_first, straight_first };

/// The result of free_line: the shape and cost of a line, or none with cost kInfinity.
struct Line {
    LineShape shape = LineShape::none;
    Cost cost = kInfinity;
    friend bool operator==(const Line&, const Line&) = default;
};

/// The legs from `a` to `b`. Both must lie on the map. O(1).
[[nodiscard]] Legs legs(const Map& map, Point a, Point b) noexcept;

/// The legs of `shape` in the order in which they are walked. O(1).
[[nodiscard]] constexpr Legs in_order(const Legs& legs, LineShape shape) noexcept {
    return shape == LineShape::straight_first ? Legs{legs[1], legs[0]} : legs;
}

/// The end of `run` from `p`. O(1).
[[nodiscard]] constexpr Point run_end(Point p, Run run) noexcept {
    return {p.x + kDx[run.direction] * run.steps, p.y + kDy[run.direction] * run.steps};
}

/// Whether every move of `run` from cell `c` is legal. `c` must lie on the map. O(steps).
[[nodiscard]] inline bool run_is_free(const Map& map, Cell c, Run run) noexcept {
    for (std::int32_t i = 0; i < run.steps; ++i, c = map.step(c, run.direction)) {
        if ((map.moves(c) >> run.direction & 1) == 0) return false;
    }
    return true;
}

/// The cost of `run` from cell `c`, at most kInfinity; all its moves must be legal. O(1) on uniform
/// maps, otherwise O(steps).
[[nodiscard]] Cost run_cost(const Map& map, Cell c, Run run) noexcept;

/// Appends the cells of `run` from cell `c`, without `c` itself, to `out`. O(steps).
void append_run(const Map& map, Cell c, Run run, std::vector<Cell>& out);

/// The cheaper of the lines from `a` to `b` whose moves are all legal; diagonal_first if their
/// costs are equal. Both points must lie on the map. If `a` equals `b`, the cost is 0, even on an
/// obstacle. A line that does not cost less than kInfinity counts as none, except on uniform maps:
/// there it has the cost kInfinity. O(distance).
[[nodiscard]] Line free_line(const Map& map, Point a, Point b) noexcept;

/// Appends the cells of the line of `shape` (not none) from `a` to `b`, without `a` itself, to
/// `out`. free_line must have found this line. O(distance).
void append_line(const Map& map, Point a, Point b, LineShape shape, std::vector<Cell>& out);

struct ObstacleBits;

/// Tests h-reachability by sweeping the parallelogram between two cells row by row, and keeps the
/// result so that a path can be read from it. Reuse one object per thread: it allocates only to
/// grow.
class HReach {
public:
    /// Whether `b` is h-reachable from `a`: some path between them is as long as the octile
    /// distance (with four neighbours, the Manhattan distance), counted in moves and ignoring
    /// terrain weights. Both must lie on the map. Symmetric. Time O(area of the parallelogram);
    /// memory one bit for each of its cells.
    [[nodiscard]] bool test(const Map& map, Point a, Point b);

    /// The same for maps with eight neighbours and the strict corner rule, from their obstacles as
    /// bits, 64 cells at a time: about ten times as fast. For Cairn's own parts.
    [[nodiscard]] bool test(const Map& map, const ObstacleBits& bits, Point a, Point b);

    /// Appends the runs of such a path from `a` to `b` of the last test, which must have succeeded,
    /// on the same map. Deterministic. O(distance).
    void append_runs(const Map& map, std::vector<Run>& out) const;

    /// Appends the cells of the same path, without `a` itself. O(distance).
    void append_path(const Map& map, std::vector<Cell>& out);

    /// Bytes of scratch memory held now. O(1).
    [[nodiscard]] std::size_t memory() const noexcept;

private:
    void begin(const Map& map, Point a, Point b);
    template <class LegalMoves>
    [[nodiscard]] bool sweep(const LegalMoves& legal);
    void trace_back(const Map& map, std::vector<Run>& out) const;

    Point a_;
    Legs legs_;
    bool swapped_ = false;   // the sweep went from `b` to `a`
    std::size_t words_ = 0;  // 64-bit words in a row
    std::vector<std::uint64_t>
        rows_;  // bit j of row i: i moves of legs_[0] and j of legs_[1] reach a cell
    std::vector<Run> runs_;
};

}  // namespace cairn::grid
