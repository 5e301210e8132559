#pragma once
// Octants, and the pruning rule that is based on them: which edges and connectors can lie on a taut
// path (proof in docs/subgoal-graphs.md).
//
// Octant i has the directions i and i + 1 (mod 8): a cardinal one, C, and a diagonal one, D. A
// shortest path between h-reachable cells makes only moves of one octant. Other shortest paths
// bend: they leave one octant for another. Seen along the octant, a bend is one of these:
//
//   turn            a corner behind, on D's side. The path turns round it, to D's side.
//   rise and fall   a corner ahead and, further along C, a corner behind, both on the side opposite
//                   to D. The path runs straight past the obstacle between them and bends round its
//                   end.
//
// An octant is *useful* at a subgoal if D moves and then C moves lead from the subgoal to a bend.
// Of the shortest paths between two cells that are not h-reachable, take the one that meets the
// most subgoals. Its first and last connectors are useful, and each of its edges is useful in at
// least one direction. All connectors and edges without this property are pruned.

#include <cstdint>
#include <cstdlib>
#include <vector>

#include "cairn/grid/moves.hpp"
#include "subgoal/subgoal_bits.hpp"

namespace cairn::subgoal {

/// A set of octants: bit i is octant i.
using Octants = std::uint8_t;

/// The octant of two neighbouring directions, as a set.
[[nodiscard]] constexpr Octants octant_of(int a, int b) noexcept {
    return static_cast<Octants>(1U << (((a + 1) & 7) == b ? a : b));
}

/// The two octants that a direction belongs to.
[[nodiscard]] constexpr Octants octants_beside(int direction) noexcept {
    return static_cast<Octants>(1U << direction | 1U << ((direction + 7) & 7));
}

/// The octants of the same moves walked backwards.
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

/// For each subgoal, by number, the octants that are useful there. O(map / 64 + corners).
[[nodiscard]] std::vector<Octants> useful_octants(const SubgoalBits& bits);

/// If all subgoals have these, nothing is pruned.
inline constexpr Octants kAllOctants = 0xff;

/// Whether an edge is useful in one direction or the other. `octants` are those of the moves from
/// one end to the other, `from` and `to` those that are useful at its ends.
[[nodiscard]] constexpr bool is_taut(Octants from, Octants to, Octants octants) noexcept {
    return (to & octants) != 0 || (from & reversed(octants)) != 0;
}

}  // namespace cairn::subgoal
