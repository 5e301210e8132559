#pragma once
// Straight jumps under the strict corner rule. A jump finds where a straight walk is stopped by an
// obstacle, or comes to a jump point: a cell at which a shortest path may turn (Harabor and
// Grastien 2011, "Online graph pruning for pathfinding on grid maps", and 2014, "Improving jump
// point search", section on block-based scanning).
//
// Let a walk come from cell p to the free cell n. It may turn at n to a side if, on that side, the
// cell beside p is blocked and the cell beside n is free: the path turns round that corner. The
// subgoal graph paper calls n a subgoal. A step looks at 64 cells, in the words of three rows:
//
//     above  # . . .        bit 0 of JumpStop::sides: a corner above, in the row of smaller y
//     here   p n . .        forward is towards larger x
//     below  . . . .        bit 1: a corner below, in the row of larger y
//
// In a transposed grid forward is south, above is west and below is east.

#include <bit>

#include "grid/bit_grid.hpp"

namespace cairn::grid {

/// The obstacle bits of a row and of the rows on both sides of it.
struct JumpRows {
    const BitGrid::Word* above;
    const BitGrid::Word* here;
    const BitGrid::Word* below;
};

/// Row y, from 0 to height() - 1, and its neighbours.
[[nodiscard]] inline JumpRows jump_rows(const BitGrid& grid, int y) noexcept {
    return {grid.row(y - 1), grid.row(y), grid.row(y + 1)};
}

/// Where a walk stops.
struct JumpStop {
    static constexpr unsigned kAbove = 1;
    static constexpr unsigned kBelow = 2;

    int x;           ///< the first obstacle or jump point after the start
    unsigned sides;  ///< of a jump point: to which sides a path may turn; 0 at an obstacle

    [[nodiscard]] bool jump_point() const noexcept { return sides != 0; }
};

namespace jump_scan {

using Word = BitGrid::Word;

// A walk with kStep = 1 goes towards larger x, from a word's low bits to its high bits; a walk with
// kStep = -1 goes the other way.

// The bits of a word, moved by one step of the walk.
template <int kStep>
[[nodiscard]] constexpr Word moved(Word word) noexcept {
    return kStep > 0 ? word << 1 : word >> 1;
}
// The bit that moves into a word from the one before it in the walk.
template <int kStep>
[[nodiscard]] constexpr Word carried(Word before) noexcept {
    return kStep > 0 ? before >> (BitGrid::kWordBits - 1) : before << (BitGrid::kWordBits - 1);
}
// The bits after `bit` in the walk.
template <int kStep>
[[nodiscard]] constexpr Word after(unsigned bit) noexcept {
    return kStep > 0 ? ~Word{0} << bit << 1 : (Word{1} << bit) - 1;
}
// The first set bit in the walk; needs one.
template <int kStep>
[[nodiscard]] constexpr int first_bit(Word word) noexcept {
    return kStep > 0 ? std::countr_zero(word) : BitGrid::kWordBits - 1 - std::countl_zero(word);
}

// Whether the walk comes to one of `corners` before any of `walls`. No bit may be set in both.
template <int kStep>
[[nodiscard]] constexpr bool corner_first(Word corners, Word walls) noexcept {
    return kStep > 0 ? (corners & (walls - 1)) != 0 : corners > walls;
}

// The cells of one word where an obstacle in the row beside ends: the cell before, in the walk, is
// blocked and the cell itself is free. `carry` is the bit of the cell before the word.
template <int kStep>
[[nodiscard]] constexpr Word corners(Word beside, Word carry) noexcept {
    return (moved<kStep>(beside) | carry) & ~beside;
}

// The stops of a walk in one word: obstacles, and corners above and below.
template <int kStep>
struct Stops {
    Word walls_here;
    Word above;
    Word below;

    // Whether there is a stop among the bits of `mask`; if so, `stop` is the first. `w` is the
    // number of the word in its row.
    [[nodiscard]] bool first(Word mask, unsigned w, JumpStop& stop) const noexcept {
        const Word walls = walls_here & mask;
        const Word points = (above | below) & mask & ~walls_here;
        if (corner_first<kStep>(points, walls)) {
            const int bit = first_bit<kStep>(points);
            stop.x = static_cast<int>(w * BitGrid::kWordBits) + bit - 1;
            stop.sides = static_cast<unsigned>(above >> bit & 1) |
                         static_cast<unsigned>(below >> bit & 1) << 1;
            return true;
        }
        if (walls == 0) return false;
        stop = {static_cast<int>(w * BitGrid::kWordBits) + first_bit<kStep>(walls) - 1, 0};
        return true;
    }
};

// The first stop in the words after word w.
template <int kStep, bool kAbove, bool kBelow>
[[nodiscard]] inline JumpStop onward(const JumpRows& rows, unsigned w) noexcept {
    for (JumpStop stop{};;) {
        const unsigned before = w;
        w += static_cast<unsigned>(kStep);
        const auto beside = [&](const Word* row) {
            return corners<kStep>(row[w], carried<kStep>(row[before]));
        };
        const Stops<kStep> stops{rows.here[w], kAbove ? beside(rows.above) : 0,
                                 kBelow ? beside(rows.below) : 0};
        if (stops.first(~Word{0}, w, stop)) return stop;
    }
}

// The first stop after cell x.
template <int kStep, bool kAbove, bool kBelow>
[[nodiscard]] inline JumpStop jump(const JumpRows& rows, int x) noexcept {
    // No carry into the first word: a bit carried in would be at x or before x in the walk.
    const unsigned w = static_cast<unsigned>(x + 1) / BitGrid::kWordBits;
    const unsigned bit = static_cast<unsigned>(x + 1) % BitGrid::kWordBits;
    const Stops<kStep> stops{rows.here[w], kAbove ? corners<kStep>(rows.above[w], 0) : 0,
                             kBelow ? corners<kStep>(rows.below[w], 0) : 0};
    if (JumpStop stop{}; stops.first(after<kStep>(bit), w, stop)) return stop;
    return onward<kStep, kAbove, kBelow>(rows, w);
}

}  // namespace jump_scan

/// The first stop after cell x, from -1 to width() - 1, towards larger x. Corners count only on the
/// chosen sides; without a side it is the first obstacle.
template <bool kAbove = true, bool kBelow = true>
[[nodiscard]] inline JumpStop jump_forward(const JumpRows& rows, int x) noexcept {
    return jump_scan::jump<1, kAbove, kBelow>(rows, x);
}

/// The same towards smaller x, with x from 0 to width().
template <bool kAbove = true, bool kBelow = true>
[[nodiscard]] inline JumpStop jump_backward(const JumpRows& rows, int x) noexcept {
    return jump_scan::jump<-1, kAbove, kBelow>(rows, x);
}

/// Follows a diagonal walk and scans along the row from each of its cells. A step of the walk moves
/// by kAlong along the rows of a grid and by kAcross to the next row. Words that consecutive scans
/// share stay in registers: of the three rows that a scan reads, the next scan reads two, mostly in
/// the same word.
template <int kAlong, int kAcross>
class JumpSweep {
public:
    /// The walk starts at x, y.
    JumpSweep(const BitGrid& grid, int x, int y) noexcept
        : grid_(grid), here_(grid.row(y)[word(x)]), ahead_(grid.row(y + kAcross)[word(x)]) {}

    /// Whether the cell of column x in the walk's row is free.
    [[nodiscard]] bool here_free(int x) const noexcept { return (here_ >> bit(x) & 1) == 0; }
    /// The same in the next row.
    [[nodiscard]] bool ahead_free(int x) const noexcept { return (ahead_ >> bit(x) & 1) == 0; }

    /// Moves the walk to x, y. Needs ahead_free() before.
    void advance(int x, int y) noexcept {
        if (bit(x) != (kAlong > 0 ? 0 : BitGrid::kWordBits - 1)) {
            behind_ = here_;
            here_ = ahead_;
        } else {
            behind_ = grid_.row(y - kAcross)[word(x)];
            here_ = grid_.row(y)[word(x)];
        }
        ahead_ = grid_.row(y + kAcross)[word(x)];
    }

    /// The first stop along row y after x, as of jump_forward or jump_backward. Needs advance().
    [[nodiscard]] JumpStop stop(int x, int y) const noexcept {
        const jump_scan::Stops<kAlong> stops{
            here_, jump_scan::corners<kAlong>(kAcross > 0 ? behind_ : ahead_, 0),
            jump_scan::corners<kAlong>(kAcross > 0 ? ahead_ : behind_, 0)};
        JumpStop stop{};
        if (stops.first(jump_scan::after<kAlong>(bit(x)), word(x), stop)) return stop;
        return jump_scan::onward<kAlong, true, true>(jump_rows(grid_, y), word(x));
    }

private:
    using Word = BitGrid::Word;

    [[nodiscard]] static unsigned word(int x) noexcept {
        return static_cast<unsigned>(x + 1) / BitGrid::kWordBits;
    }
    [[nodiscard]] static unsigned bit(int x) noexcept {
        return static_cast<unsigned>(x + 1) % BitGrid::kWordBits;
    }

    const BitGrid& grid_;
    Word behind_ = 0;  // the words of the three rows that hold the walk's column
    Word here_;
    Word ahead_;
};

}  // namespace cairn::grid
