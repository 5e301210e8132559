#pragma once
// Lines with two turns: straight, diagonal, straight.
//
// Ends can be h-reachable although the pruned graph has no path of that length. Then a free line
// with one turn or with two joins them (proof in docs/subgoal-graphs.md, 6).

#include <array>
#include <optional>

#include "cairn/grid/line.hpp"
#include "subgoal/diagonal_bits.hpp"
#include "subgoal/subgoal_bits.hpp"

namespace cairn::subgoal {

using TwoTurnLine = std::array<grid::Run, 3>;

/// A free line from `a` to `b`, two free cells, of a straight, a diagonal and a straight run, each
/// of one step or more; of octile length, so that both straight runs have the same direction.
/// Mostly two scans along a row tell that there is none; else a few for each obstacle between the
/// rows.
[[nodiscard]] std::optional<TwoTurnLine> two_turn_line(const grid::Map& map,
                                                       const SubgoalBits& bits,
                                                       const DiagonalBits& diagonals, grid::Point a,
                                                       grid::Point b);

}  // namespace cairn::subgoal
