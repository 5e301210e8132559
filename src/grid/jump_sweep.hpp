#pragma once
// Jump scans from the cells of a diagonal, one after the other.

#include "grid/jump_scan.hpp"

namespace cairn::grid {

// Follows a diagonal walk, which moves by kAlong along the rows of a grid and by kAcross to the
// next row, and scans along the row from each of its cells. Words that consecutive scans share stay
// in registers: of the three rows that a scan reads, the next scan reads two, mostly in the same
// word.
template <int kAlong, int kAcross>
class JumpSweep {
public:
    // The walk starts at x, y.
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

    /// The first stop along row y after x, as jump_forward's or jump_backward's. Needs advance().
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
