#pragma once
// Finds all direct-h-reachable subgoals of a cell (section 15.3.3, listing 15.1). Clearances are
// not stored; each is a scan along a row or column, 64 cells at a step.

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "cairn/grid/moves.hpp"
#include "subgoal/octants.hpp"
#include "subgoal/subgoal_bits.hpp"

namespace cairn::subgoal {

/// How far a line of moves in one direction goes.
struct Clearance {
    int moves = 0;         ///< before a subgoal or an obstacle
    bool subgoal = false;  ///< whether a subgoal comes next
};

/// The clearance from the free cell (x, y) in a cardinal direction.
template <int kDirection>
[[nodiscard]] inline Clearance cardinal_clearance(const SubgoalBits& bits, int x, int y) noexcept {
    using grid::BitGrid;
    if constexpr (kDirection == grid::kEast) {
        const int stop = BitGrid::next(bits.stop_rows().row(y), x);
        return {stop - x - 1, !bits.blocked(stop, y)};
    } else if constexpr (kDirection == grid::kWest) {
        const int stop = BitGrid::previous(bits.stop_rows().row(y), x);
        return {x - stop - 1, !bits.blocked(stop, y)};
    } else if constexpr (kDirection == grid::kSouth) {
        const int stop = BitGrid::next(bits.stop_columns().row(x), y);
        return {stop - y - 1, !bits.blocked(x, stop)};
    } else {
        const int stop = BitGrid::previous(bits.stop_columns().row(x), y);
        return {y - stop - 1, !bits.blocked(x, stop)};
    }
}

/// Scans one cell's surroundings, and calls emit(x, y, octants) for each direct-h-reachable
/// subgoal. `octants` are those of the moves to it: two if all moves have one direction, else one.
template <class Emit>
class DirectScan {
public:
    DirectScan(const SubgoalBits& bits, int x, int y, Emit& emit) noexcept
        : bits_(bits), emit_(emit), x_(x), y_(y) {}

    void run(Corners quadrants) {
        const auto any = [quadrants](Corners of) { return (quadrants & of) != 0; };
        const int north = any(kNorthWest | kNorthEast) ? line<grid::kNorth>() : 0;
        const int east = any(kNorthEast | kSouthEast) ? line<grid::kEast>() : 0;
        const int south = any(kSouthEast | kSouthWest) ? line<grid::kSouth>() : 0;
        const int west = any(kSouthWest | kNorthWest) ? line<grid::kWest>() : 0;
        if (any(kNorthEast)) diagonal<grid::kNorthEast>(north, east);
        if (any(kSouthEast)) diagonal<grid::kSouthEast>(east, south);
        if (any(kSouthWest)) diagonal<grid::kSouthWest>(south, west);
        if (any(kNorthWest)) diagonal<grid::kNorthWest>(west, north);
    }

private:
    static constexpr Corners kNorthEast = corner_bit(grid::kNorthEast);
    static constexpr Corners kSouthEast = corner_bit(grid::kSouthEast);
    static constexpr Corners kSouthWest = corner_bit(grid::kSouthWest);
    static constexpr Corners kNorthWest = corner_bit(grid::kNorthWest);

    /// Phase 1, for a cardinal direction. Returns the clearance, which limits the lines beside it.
    template <int kCardinal>
    [[nodiscard]] int line() {
        const Clearance c = cardinal_clearance<kCardinal>(bits_, x_, y_);
        if (c.subgoal) {
            emit_(x_ + grid::kDx[kCardinal] * (c.moves + 1),
                  y_ + grid::kDy[kCardinal] * (c.moves + 1), octants_beside(kCardinal));
        }
        return c.moves;
    }

    /// Phases 1 and 2, for a diagonal and the cardinal lines on both sides of it. A subgoal at the
    /// end of a line is direct-h-reachable only if the line is shorter than all before it. `left`
    /// and `right` are the shortest clearances so far.
    template <int kDiagonal>
    void diagonal(int left, int right) {
        constexpr int kLeft = (kDiagonal + 7) & 7;
        constexpr int kRight = (kDiagonal + 1) & 7;
        constexpr auto kStepX = grid::kDx[kDiagonal];
        constexpr auto kStepY = grid::kDy[kDiagonal];
        int x = x_;
        int y = y_;
        for (;;) {
            // A diagonal move needs both cells beside it free.
            if (bits_.blocked(x + kStepX, y) || bits_.blocked(x, y + kStepY)) return;
            x += kStepX;
            y += kStepY;
            if (bits_.stop_rows().test(x, y)) {
                if (!bits_.blocked(x, y)) emit_(x, y, octants_beside(kDiagonal));
                return;
            }
            if (left > 0) left = side<kDiagonal, kLeft>(x, y, left);
            if (right > 0) right = side<kDiagonal, kRight>(x, y, right);
        }
    }

    /// A cardinal line from a cell of the diagonal. Returns the shortest clearance so far.
    template <int kDiagonal, int kCardinal>
    [[nodiscard]] int side(int x, int y, int longest) {
        const Clearance c = cardinal_clearance<kCardinal>(bits_, x, y);
        if (c.moves >= longest) return longest;
        if (c.subgoal) {
            emit_(x + grid::kDx[kCardinal] * (c.moves + 1),
                  y + grid::kDy[kCardinal] * (c.moves + 1), octant_of(kCardinal, kDiagonal));
        }
        return c.moves;
    }

    const SubgoalBits& bits_;
    Emit& emit_;
    int x_;
    int y_;
};

/// Calls emit(x, y, octants) for each direct-h-reachable subgoal of the free cell (x, y), without
/// that cell itself, in some quadrants. A quadrant has the bit of its diagonal, and includes the
/// cardinal lines on both sides. O(cells on the diagonals in sight).
template <class Emit>
void for_each_direct(const SubgoalBits& bits, int x, int y, Corners quadrants, Emit&& emit) {
    DirectScan<std::remove_reference_t<Emit>>(bits, x, y, emit).run(quadrants);
}
template <class Emit>
void for_each_direct(const SubgoalBits& bits, int x, int y, Emit&& emit) {
    for_each_direct(bits, x, y, kAllCorners, emit);
}

}  // namespace cairn::subgoal
