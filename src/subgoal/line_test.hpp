#pragma once
// Tests whether a free line with at most two turns joins two cells, without walking along it.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "cairn/grid/line.hpp"
#include "cairn/grid/moves.hpp"
#include "grid/bit_grid.hpp"
#include "subgoal/subgoal_bits.hpp"

namespace cairn::subgoal {

/// The illegal diagonal moves, one bit for each cell and slant, stored diagonal by diagonal: a step
/// of a scan looks at 64 moves.
///
/// In the BitGrid of a slant, the row of a diagonal is its number modulo (the map's height + 1).
/// Diagonals that share a row have different columns, with a set bit between them.
class DiagonalBits {
public:
    DiagonalBits() = default;
    /// O(map).
    explicit DiagonalBits(const SubgoalBits& bits);
    /// The bits after `edits`; `bits` are those of the edited map. Shares unchanged memory.
    [[nodiscard]] DiagonalBits edited(const SubgoalBits& bits,
                                      std::span<const grid::TerrainEdit> edits) const;

    /// How many moves in a diagonal direction can be made from the free cell (x, y).
    [[nodiscard]] int moves(int diagonal, int x, int y) const noexcept {
        const std::size_t slant = slant_of(diagonal);
        const grid::BitGrid::Word* const row = illegal_[slant].row(row_of(slant, x, y));
        const bool east = grid::kDx[static_cast<std::size_t>(diagonal)] > 0;
        return east ? grid::BitGrid::next(row, x - 1) - x : x - 1 - grid::BitGrid::previous(row, x);
    }

    /// Whether all moves of `run` from the free cell `p` are legal. It must end on the map.
    [[nodiscard]] bool run_is_free(const SubgoalBits& bits, grid::Point p,
                                   grid::Run run) const noexcept;

    /// Whether the line of this shape between two free cells is free.
    [[nodiscard]] bool line_is_free(const grid::Map& map, const SubgoalBits& bits, grid::Point a,
                                    grid::Point b, grid::LineShape shape) const noexcept;

    /// The free line with at most one turn between two free cells (as grid::free_line), without
    /// walking it. Diagonal first if both lines are free.
    [[nodiscard]] grid::LineShape free_line(const grid::Map& map, const SubgoalBits& bits,
                                            grid::Point a, grid::Point b) const noexcept;

    [[nodiscard]] std::size_t bytes() const noexcept;
    friend bool operator==(const DiagonalBits&, const DiagonalBits&) noexcept = default;

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
    // Per slant, a bit for each cell: whether the move from it to the next column is illegal.
    std::array<grid::BitGrid, 2> illegal_;
};

using TwoTurnLine = std::array<grid::Run, 3>;

/// A free line with two turns from the free cell `a` to the free cell `b`: a straight, a diagonal
/// and a straight run, each of one step or more. The line has octile length, so both straight runs
/// have the same direction.
///
/// Start and goal can be h-reachable although the pruned graph has no path of octile length. Then a
/// free line with one or two turns joins them (proof in docs/subgoal-graphs.md, 6). Mostly two
/// scans along rows show that there is no such line; else it takes a few scans for each obstacle
/// between the rows.
[[nodiscard]] std::optional<TwoTurnLine> two_turn_line(const grid::Map& map,
                                                       const SubgoalBits& bits,
                                                       const DiagonalBits& diagonals, grid::Point a,
                                                       grid::Point b);

}  // namespace cairn::subgoal
