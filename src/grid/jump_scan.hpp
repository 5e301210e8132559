#pragma once
// Cardinal jumps under the strict corner rule: where a straight walk is stopped by an obstacle, or
// comes to a cell at which a shortest path may turn (Harabor and Grastien 2011, "Online graph
// pruning for pathfinding on grid maps", and 2014, "Improving jump point search", section on
// block-based scanning).
//
// A walk that comes to the free cell n from the cell p beside it may turn there to a side if the
// cell of that side beside p is blocked and the one beside n is free: a path round that corner. In
// the terms of the subgoal graph paper n is a subgoal. 64 cells are looked at in a step, on the fly
// from the words of three rows:
//
//     above  . # . .        bit 0 of JumpStop::sides: a corner above, in the row of smaller y
//     here   p n . .        forward is towards larger x
//     below  . . . .        bit 1: a corner below, in the row of larger y
//
// In a transposed grid forward is south, above is west and below is east.

#include <bit>

#include "grid/bit_grid.hpp"

namespace cairn::grid {

/// A row of blocked bits and those beside it.
struct JumpRows {
    const BitGrid::Word* above;
    const BitGrid::Word* here;
    const BitGrid::Word* below;
};

/// Row y, 0 to height() - 1, and its neighbours.
[[nodiscard]] inline JumpRows jump_rows(const BitGrid& grid, int y) noexcept {
    return {grid.row(y - 1), grid.row(y), grid.row(y + 1)};
}

struct JumpStop {
    static constexpr unsigned kAbove = 1;
    static constexpr unsigned kBelow = 2;

    int x;           ///< the first obstacle or jump point after the start
    unsigned sides;  ///< to which sides a path may turn there; 0 if it is an obstacle

    [[nodiscard]] bool jump_point() const noexcept { return sides != 0; }
};

namespace jump_scan {

using Word = BitGrid::Word;

// The corners and obstacles of one word of the three rows. `before_above` and `before_below` are
// the bits of the side rows, each moved on by one cell in the direction of the walk.
template <bool kAbove, bool kBelow>
struct Stops {
    Word here;
    Word above;
    Word below;

    Stops(const JumpRows& rows, unsigned w, Word before_above, Word before_below) noexcept
        : here(rows.here[w]),
          above(kAbove ? before_above & ~rows.above[w] : 0),
          below(kBelow ? before_below & ~rows.below[w] : 0) {}

    [[nodiscard]] Word any() const noexcept { return here | above | below; }
    [[nodiscard]] JumpStop at(unsigned w, int bit) const noexcept {
        const auto side = [&](Word corners) {
            return static_cast<unsigned>((corners & ~here) >> bit & 1);
        };
        return {static_cast<int>(w * BitGrid::kWordBits) + bit - 1, side(above) | side(below) << 1};
    }
};

}  // namespace jump_scan

/// The first stop after cell x, -1 to width() - 1, towards larger x. Only corners of the sides
/// asked for count: with neither, the first obstacle.
template <bool kAbove = true, bool kBelow = true>
[[nodiscard]] inline JumpStop jump_forward(const JumpRows& rows, int x) noexcept {
    using jump_scan::Word;
    using Stops = jump_scan::Stops<kAbove, kBelow>;
    constexpr int kLast = BitGrid::kWordBits - 1;
    // The first word is the one of cell x itself, so that nothing need be carried into it.
    const auto bit = static_cast<unsigned>(x + 1);
    unsigned w = bit / BitGrid::kWordBits;
    const Stops first(rows, w, rows.above[w] << 1, rows.below[w] << 1);
    const Word after = ~Word{0} << (bit % BitGrid::kWordBits) << 1;
    if (const Word stops = first.any() & after; stops != 0) {
        return first.at(w, std::countr_zero(stops));
    }
    for (;;) {
        ++w;
        const Stops next(rows, w, rows.above[w] << 1 | rows.above[w - 1] >> kLast,
                         rows.below[w] << 1 | rows.below[w - 1] >> kLast);
        if (const Word stops = next.any(); stops != 0) return next.at(w, std::countr_zero(stops));
    }
}

/// The first stop before cell x, 0 to width(), towards smaller x.
template <bool kAbove = true, bool kBelow = true>
[[nodiscard]] inline JumpStop jump_backward(const JumpRows& rows, int x) noexcept {
    using jump_scan::Word;
    using Stops = jump_scan::Stops<kAbove, kBelow>;
    constexpr int kLast = BitGrid::kWordBits - 1;
    const auto bit = static_cast<unsigned>(x + 1);
    unsigned w = bit / BitGrid::kWordBits;
    const Stops first(rows, w, rows.above[w] >> 1, rows.below[w] >> 1);
    const Word before = (Word{1} << (bit % BitGrid::kWordBits)) - 1;
    if (const Word stops = first.any() & before; stops != 0) {
        return first.at(w, kLast - std::countl_zero(stops));
    }
    for (;;) {
        --w;
        const Stops next(rows, w, rows.above[w] >> 1 | rows.above[w + 1] << kLast,
                         rows.below[w] >> 1 | rows.below[w + 1] << kLast);
        if (const Word stops = next.any(); stops != 0) {
            return next.at(w, kLast - std::countl_zero(stops));
        }
    }
}

}  // namespace cairn::grid
