#pragma once
// Sets of octants: in which directions a shortest way between two cells may move.
//
// Octant i lies between the directions i and i + 1 (mod 8), one cardinal and one diagonal; all
// shortest ways between h-reachable cells make moves of one octant's two directions only. A set has
// a bit for each of the eight.

#include <cstdint>
#include <cstdlib>

#include "cairn/grid/moves.hpp"

namespace cairn::subgoal {

using Octants = std::uint8_t;

/// The octant of two neighbouring directions.
[[nodiscard]] constexpr Octants octant_of(int a, int b) noexcept {
    return static_cast<Octants>(1U << (((a + 1) & 7) == b ? a : b));
}

/// The two octants that a direction belongs to.
[[nodiscard]] constexpr Octants octants_beside(int direction) noexcept {
    return static_cast<Octants>(1U << direction | 1U << ((direction + 7) & 7));
}

/// The same seen from the other end.
[[nodiscard]] constexpr Octants reversed(Octants octants) noexcept {
    return static_cast<Octants>(octants << 4 | octants >> 4);
}

/// The octants of the displacement (dx, dy), which is not (0, 0).
[[nodiscard]] inline Octants octants_between(int dx, int dy) noexcept {
    const int sx = (dx > 0) - (dx < 0);
    const int sy = (dy > 0) - (dy < 0);
    const int wide = std::abs(dx);
    const int high = std::abs(dy);
    const int direction = grid::direction_of(sx, sy);
    if (wide == high || wide == 0 || high == 0) return octants_beside(direction);
    const int cardinal = wide > high ? grid::direction_of(sx, 0) : grid::direction_of(0, sy);
    return octant_of(cardinal, direction);
}

}  // namespace cairn::subgoal
