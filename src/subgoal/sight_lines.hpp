#pragma once
// For connecting a cell without walking its surroundings: which lines of Listing 15.1 end in a
// subgoal that matters.
//
// Of the hundreds of lines that the scan of a cell casts from its diagonals, few end in a subgoal,
// and fewer in one that a taut path can go on from. One bit for each cell and octant says whether
// the line from that cell does. The bits are kept diagonal by diagonal, so that those beside a
// cell's diagonal are found 64 at a step; likewise the diagonal moves that are illegal, and the
// subgoals. Twelve bits a cell.
//
// A diagonal becomes a row of a BitGrid by its number modulo the map's height + 1: diagonals that
// share a row then have different columns, with a gap between.

#include <array>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "cairn/grid/line.hpp"
#include "cairn/grid/moves.hpp"
#include "grid/bit_grid.hpp"
#include "subgoal/direct_scan.hpp"
#include "subgoal/octants.hpp"
#include "subgoal/subgoal_bits.hpp"

namespace cairn::subgoal {

class SightLines {
public:
    SightLines() = default;
    /// `useful` as useful_octants gives it. O(map).
    SightLines(const SubgoalBits& bits, const std::vector<Octants>& useful);

    /// `emit(number, x, y)` for subgoals h-reachable from the free cell (x, y) by moving diagonally
    /// and then straight: at least for the direct-h-reachable ones that are useful.
    template <class Emit>
    void for_each_connector(const SubgoalBits& bits, const std::vector<Octants>& useful, int x,
                            int y, Emit&& emit) const;

    /// How many diagonal moves in direction `kDiagonal` can be made from the free cell (x, y).
    template <int kDiagonal>
    [[nodiscard]] int diagonal_moves(int x, int y) const noexcept {
        const Slant& slant = slants_[slant_of(kDiagonal)];
        const grid::BitGrid::Word* const row = slant.illegal.row(row_of(slant_of(kDiagonal), x, y));
        return forward<kDiagonal>() ? grid::BitGrid::next(row, x - 1) - x
                                    : x - 1 - grid::BitGrid::previous(row, x);
    }

    /// Whether all moves of `run` from the free cell `p` are legal; its end must lie on the map.
    [[nodiscard]] bool run_is_free(const SubgoalBits& bits, grid::Point p,
                                   grid::Run run) const noexcept;

    [[nodiscard]] std::size_t bytes() const noexcept;

private:
    // The diagonals of one slant: north-east to south-west, or north-west to south-east.
    struct Slant {
        grid::BitGrid illegal;  // the move from this cell to the next column's is
        grid::BitGrid subgoals;
        // Lines north, east, south, west; by an octant that has this slant's diagonal in it.
        std::array<grid::BitGrid, 4> lines;
    };
    static constexpr std::size_t kRising = 0;
    static constexpr std::size_t kFalling = 1;

    template <int kDiagonal>
    [[nodiscard]] static constexpr bool forward() noexcept {
        return grid::kDx[kDiagonal] > 0;
    }
    [[nodiscard]] static constexpr std::size_t slant_of(int diagonal) noexcept {
        const auto d = static_cast<std::size_t>(diagonal);
        return grid::kDx[d] == grid::kDy[d] ? kFalling : kRising;
    }
    [[nodiscard]] int row_of(std::size_t slant, int x, int y) const noexcept {
        const auto diagonal = static_cast<std::uint32_t>(slant == kRising ? x + y : x + rows_ - y);
        return static_cast<int>(diagonal % static_cast<std::uint32_t>(rows_));
    }

    template <class Emit>
    class Scan;

    void mark_illegal(const SubgoalBits& bits);
    void mark_line(grid::BitGrid::Editor& lines, std::size_t slant, int x, int y, int cardinal,
                   int length) const;

    int rows_ = 1;
    std::array<Slant, 2> slants_;
};

template <class Emit>
class SightLines::Scan {
public:
    Scan(const SightLines& lines, const SubgoalBits& bits, const std::vector<Octants>& useful,
         int x, int y, Emit& emit) noexcept
        : lines_(lines), bits_(bits), useful_(useful), emit_(emit), x_(x), y_(y) {}

    void run() {
        const int north = line<grid::kNorth>();
        const int east = line<grid::kEast>();
        const int south = line<grid::kSouth>();
        const int west = line<grid::kWest>();
        diagonal<grid::kNorthEast>(north, east);
        diagonal<grid::kSouthEast>(east, south);
        diagonal<grid::kSouthWest>(south, west);
        diagonal<grid::kNorthWest>(west, north);
    }

private:
    void emit_if_useful(int x, int y, Octants octants) {
        const std::uint32_t number = bits_.number(x, y);
        if ((useful_[number] & octants) != 0) emit_(number, x, y);
    }

    template <int kCardinal>
    [[nodiscard]] int line() {
        const Clearance c = cardinal_clearance<kCardinal>(bits_, x_, y_);
        if (c.subgoal) {
            emit_if_useful(x_ + grid::kDx[kCardinal] * (c.moves + 1),
                           y_ + grid::kDy[kCardinal] * (c.moves + 1), octants_beside(kCardinal));
        }
        return c.moves;
    }

    template <int kDiagonal>
    void diagonal(int left, int right) {
        using grid::BitGrid;
        const Slant& slant = lines_.slants_[slant_of(kDiagonal)];
        const int row = lines_.row_of(slant_of(kDiagonal), x_, y_);
        int moves = lines_.template diagonal_moves<kDiagonal>(x_, y_);
        const BitGrid::Word* const subgoals = slant.subgoals.row(row);
        const int subgoal = forward<kDiagonal>() ? BitGrid::next(subgoals, x_) - x_
                                                 : x_ - BitGrid::previous(subgoals, x_);
        if (subgoal <= moves) {
            emit_if_useful(x_ + grid::kDx[kDiagonal] * subgoal, y_ + grid::kDy[kDiagonal] * subgoal,
                           octants_beside(kDiagonal));
            moves = subgoal - 1;
        }
        if (moves == 0) return;
        if (left > 0) side<kDiagonal, (kDiagonal + 7) & 7>(slant, row, moves, left);
        if (right > 0) side<kDiagonal, (kDiagonal + 1) & 7>(slant, row, moves, right);
    }

    /// The marked lines on one side of the diagonal, none longer than the one before it.
    template <int kDiagonal, int kCardinal>
    void side(const Slant& slant, int row, int moves, int longest) {
        using grid::BitGrid;
        const BitGrid::Word* const lines = slant.lines[kCardinal >> 1].row(row);
        for (int x = x_;;) {
            x = forward<kDiagonal>() ? BitGrid::next(lines, x) : BitGrid::previous(lines, x);
            const int step = forward<kDiagonal>() ? x - x_ : x_ - x;
            if (step > moves) return;
            const int y = y_ + grid::kDy[kDiagonal] * step;
            const Clearance c = cardinal_clearance<kCardinal>(bits_, x, y);
            if (c.moves >= longest) continue;
            longest = c.moves;
            const int to_x = x + grid::kDx[kCardinal] * (c.moves + 1);
            const int to_y = y + grid::kDy[kCardinal] * (c.moves + 1);
            emit_(bits_.number(to_x, to_y), to_x, to_y);
        }
    }

    const SightLines& lines_;
    const SubgoalBits& bits_;
    const std::vector<Octants>& useful_;
    Emit& emit_;
    int x_;
    int y_;
};

template <class Emit>
void SightLines::for_each_connector(const SubgoalBits& bits, const std::vector<Octants>& useful,
                                    int x, int y, Emit&& emit) const {
    Scan<std::remove_reference_t<Emit>>(*this, bits, useful, x, y, emit).run();
}

}  // namespace cairn::subgoal
