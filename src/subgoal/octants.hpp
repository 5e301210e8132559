#pragma once
// Sets of octants: in which directions a shortest path between two cells may move, and which ways
// of arriving at a subgoal can matter to a shortest path (docs/subgoal-graphs.md).
//
// Octant i lies between the directions i and i + 1 (mod 8), one cardinal and one diagonal; all
// shortest paths between h-reachable cells make moves of one octant's two directions only. A set
// has a bit for each of the eight.
//
// A path bends where it leaves the octant that it has kept to. Seen along an octant with the
// cardinal direction C and the diagonal one D, the bend is at a subgoal of one of two kinds:
//
//     a corner behind, on D's side: the path turns round it, to D's side;
//     a corner ahead, on the other side, and further along C one behind, on the same side: the path
//     runs straight over the obstacle between them and bends down behind it.
//
// An octant is *useful* at a subgoal if D moves and then C moves lead from it to such a bend. Take
// of the shortest paths between two ends the one that meets most subgoals. If the ends are not
// h-reachable, its first and last connectors are useful, and each of its edges in one direction or
// the other (proof in docs/subgoal-graphs.md).

#include <cstdint>
#include <cstdlib>
#include <vector>

#include "cairn/grid/moves.hpp"
#include "subgoal/subgoal_bits.hpp"

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

/// For each subgoal, by number, the octants useful when arriving at it. 64 cells at a step:
/// O(map / 64 + corners).
[[nodiscard]] std::vector<Octants> useful_octants(const SubgoalBits& bits);

/// With this for every subgoal nothing is pruned.
inline constexpr Octants kAllOctants = 0xff;

/// Whether moving between two subgoals in `octants` is useful, there or back.
[[nodiscard]] inline bool is_taut(const std::vector<Octants>& useful, std::uint32_t from,
                                  std::uint32_t to, Octants octants) noexcept {
    return (useful[to] & octants) != 0 || (useful[from] & reversed(octants)) != 0;
}

}  // namespace cairn::subgoal
