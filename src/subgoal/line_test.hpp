#pragma once
// Whether a free line with one turn or two joins two cells, without walking it.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "cairn/grid/line.hpp"
#include "cairn/grid/moves.hpp"
#include "grid/bit_grid.hpp"
#include "subgoal/subgoal_bits.hpp"

namespace cairn::subgoal {

struct Snapshot;

/// Diagonal runs: one bit a cell and slant says whether the diagonal move from there is illegal,
/// stored diagonal by diagonal, so that 64 moves are looked at in a step.
///
/// A diagonal becomes a row of a BitGrid by its number modulo the map's height + 1: diagonals that
/// share a row then have different columns, with a gap between.
class DiagonalBits {
public:
    DiagonalBits() = default;
    /// O(map).
    explicit DiagonalBits(const SubgoalBits& bits);

    /// How many moves in direction `kDiagonal` can be made from the free cell (x, y).
    template <int kDiagonal>
    [[nodiscard]] int moves(int x, int y) const noexcept {
        const grid::BitGrid::Word* const row =
            illegal_[slant_of(kDiagonal)].row(row_of(slant_of(kDiagonal), x, y));
        return grid::kDx[kDiagonal] > 0 ? grid::BitGrid::next(row, x - 1) - x
                                        : x - 1 - grid::BitGrid::previous(row, x);
    }

    /// The same for a diagonal direction known only now.
    [[nodiscard]] int moves(int diagonal, grid::Point p) const noexcept;

    /// Whether all moves of `run`, straight or diagonal, from the free cell `p` are legal; its end
    /// must lie on the map.
    [[nodiscard]] bool run_is_free(const SubgoalBits& bits, grid::Point p,
                                   grid::Run run) const noexcept;

    /// The free line with one turn at most between two free cells (grid::free_line), without
    /// walking it; diagonal first if both are free.
    [[nodiscard]] grid::LineShape free_line(const grid::Map& map, const SubgoalBits& bits,
                                            grid::Point a, grid::Point b) const noexcept;

    [[nodiscard]] std::size_t bytes() const noexcept;

private:
    // The slants: south-west to north-east, and north-west to south-east.
    static constexpr std::size_t kRising = 0;
    static constexpr std::size_t kFalling = 1;

    [[nodiscard]] static constexpr std::size_t slant_of(int diagonal) noexcept {
        const auto d = static_cast<std::size_t>(diagonal);
        return grid::kDx[d] == grid::kDy[d] ? kFalling : kRising;
    }
    [[nodiscard]] int row_of(std::size_t slant, int x, int y) const noexcept {
        const auto diagonal = static_cast<std::uint32_t>(slant == kRising ? x + y : x + rows_ - y);
        return static_cast<int>(diagonal % static_cast<std::uint32_t>(rows_));
    }

    int rows_ = 1;
    std::array<grid::BitGrid, 2> illegal_;  // the move from this cell to the next column's is
};

/// The free line with one turn at most between two free cells of a snapshot: by its diagonal bits,
/// or by walking where an edit has left it without engines. Both give the same.
[[nodiscard]] grid::LineShape free_line(const Snapshot& snapshot, grid::Point a, grid::Point b);

using TwoTurnLine = std::array<grid::Run, 3>;

/// Lines with two turns: straight, diagonal, straight. Start and goal can be h-reachable although
/// the pruned graph has no path of that length. Then a free line with one turn or with two joins
/// them (proof in docs/subgoal-graphs.md, 6).
///
/// A free line from `a` to `b`, two free cells, of a straight, a diagonal and a straight run, each
/// of one step or more; of octile length, so that both straight runs have the same direction.
/// Mostly two scans along a row tell that there is none; else a few for each obstacle between the
/// rows.
[[nodiscard]] std::optional<TwoTurnLine> two_turn_line(const grid::Map& map,
                                                       const SubgoalBits& bits,
                                                       const DiagonalBits& diagonals, grid::Point a,
                                                       grid::Point b);

}  // namespace cairn::subgoal
