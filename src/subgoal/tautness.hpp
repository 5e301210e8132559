#pragma once
// Which ways of arriving at a subgoal can matter to a shortest path (docs/subgoal-graphs.md).
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

#include <vector>

#include "subgoal/octants.hpp"
#include "subgoal/subgoal_bits.hpp"

namespace cairn::subgoal {

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
