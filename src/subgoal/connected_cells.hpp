#pragma once
// The cells of which a subgoal is a connector.

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "cairn/grid/moves.hpp"
#include "subgoal/connector_view.hpp"
#include "subgoal/direct_scan.hpp"
#include "subgoal/line_test.hpp"
#include "subgoal/octants.hpp"
#include "subgoal/subgoal_bits.hpp"

namespace cairn::subgoal {

/// The cells of which one subgoal is a connector, as a set of bits for each tile. Used for one
/// subgoal after another.
///
/// Direct-h-reachability is mutual: the cells are those that listing 15.1 finds from the subgoal,
/// in the octants opposite to the useful ones.
class ConnectedCells {
public:
    /// For a map of these sides.
    ConnectedCells(int width, int height)
        : across_(ConnectorView::tiles_along(width)),
          cells_(across_ * ConnectorView::tiles_along(height)),
          touched_(cells_.size() + 1) {}

    /// Adds the cells that the subgoal `p` sees in some octants.
    void add(const SubgoalBits& bits, const DiagonalBits& diagonals, grid::Point p,
             Octants octants) {
        const Sight sight{bits, diagonals, p, octants};
        add_octant<grid::kNorth, grid::kNorthEast>(sight);
        add_octant<grid::kEast, grid::kNorthEast>(sight);
        add_octant<grid::kEast, grid::kSouthEast>(sight);
        add_octant<grid::kSouth, grid::kSouthEast>(sight);
        add_octant<grid::kSouth, grid::kSouthWest>(sight);
        add_octant<grid::kWest, grid::kSouthWest>(sight);
        add_octant<grid::kWest, grid::kNorthWest>(sight);
        add_octant<grid::kNorth, grid::kNorthWest>(sight);
    }

    /// How many tiles have some of the cells.
    [[nodiscard]] std::size_t tiles() const noexcept { return count_; }
    /// The cells in a tile, which are removed.
    [[nodiscard]] std::uint64_t take_tile(std::size_t tile) noexcept {
        return std::exchange(cells_[tile], 0);
    }
    /// Calls use(tile, cells) for each such tile, and removes all cells. There are none in tiles
    /// that were taken before.
    template <class Use>
    void take(Use&& use) {
        for (std::size_t i = 0; i < count_; ++i) {
            const std::uint32_t tile = touched_[i];
            use(tile, cells_[tile]);
            cells_[tile] = 0;
        }
        count_ = 0;
    }

private:
    static constexpr unsigned kSide = ConnectorView::kTileSide;

    // A subgoal, and what it sees.
    struct Sight {
        const SubgoalBits& bits;
        const DiagonalBits& diagonals;
        grid::Point from;
        Octants octants;
    };

    // Adds the cells on the cardinal lines from (x, y) and from each cell of the diagonal. No line
    // is longer than the one before it. A subgoal that ends a line is one of the cells.
    template <int kCardinal, int kDiagonal>
    void add_octant(const Sight& sight) {
        if ((sight.octants & octant_of(kCardinal, kDiagonal)) == 0) return;
        const SubgoalBits& bits = sight.bits;
        auto [x, y] = sight.from;
        const Clearance straight = cardinal_clearance<kCardinal>(bits, x, y);
        int longest = straight.moves;
        const int reach = straight.moves + (straight.subgoal ? 1 : 0);
        if (reach > 0) {
            fill<kCardinal>(x + grid::kDx[kCardinal], y + grid::kDy[kCardinal], reach);
        }
        for (int left = sight.diagonals.moves(kDiagonal, x, y); left > 0; --left) {
            x += grid::kDx[kDiagonal];
            y += grid::kDy[kDiagonal];
            if (bits.stop_rows().test(x, y)) return fill<kCardinal>(x, y, 1);
            int length = longest;
            if (longest > 0) {
                const Clearance c = cardinal_clearance<kCardinal>(bits, x, y);
                if (c.moves < longest) {
                    longest = c.moves;
                    length = c.moves + (c.subgoal ? 1 : 0);
                }
            }
            fill<kCardinal>(x, y, length + 1);
        }
    }

    // Writes the tile's number even if it is known, to spare a branch; touched_ has room for it.
    void mark(std::size_t tile, std::uint64_t cells) {
        touched_[count_] = static_cast<std::uint32_t>(tile);
        if (cells_[tile] == 0) ++count_;
        cells_[tile] |= cells;
    }

    // Adds `count` > 0 cells in direction kCardinal; (x, y) is the first.
    template <int kCardinal>
    void fill(int x, int y, int count) {
        constexpr bool kHorizontal = grid::kDx[kCardinal] != 0;
        constexpr bool kDescending = grid::kDx[kCardinal] + grid::kDy[kCardinal] < 0;
        const auto along = static_cast<unsigned>(kHorizontal ? x : y);
        const auto beside = static_cast<unsigned>(kHorizontal ? y : x);
        const unsigned last = kDescending ? along : along + static_cast<unsigned>(count) - 1;
        const unsigned first = last + 1 - static_cast<unsigned>(count);
        // The bits of a whole row or column of a tile, and those in the line's first and last tile.
        const std::uint64_t line = kHorizontal
                                       ? std::uint64_t{0xff} << (beside % kSide * kSide)
                                       : std::uint64_t{0x0101'0101'0101'0101} << (beside % kSide);
        constexpr unsigned kStep = kHorizontal ? 1 : kSide;
        const std::uint64_t from = line & line << (first % kSide * kStep);
        const std::uint64_t to = line & line >> ((kSide - 1 - last % kSide) * kStep);
        const std::size_t stride = kHorizontal ? 1 : across_;
        std::size_t tile = kHorizontal ? beside / kSide * across_ + first / kSide
                                       : first / kSide * across_ + beside / kSide;
        const unsigned steps = last / kSide - first / kSide;
        if (steps == 0) return mark(tile, from & to);
        mark(tile, from);
        for (unsigned i = 1; i < steps; ++i) mark(tile += stride, line);
        mark(tile + stride, to);
    }

    std::size_t across_;                  // tiles in a row of tiles
    std::vector<std::uint64_t> cells_;    // per tile
    std::vector<std::uint32_t> touched_;  // the tiles with some cells; the first count_ are valid
    std::size_t count_ = 0;
};

}  // namespace cairn::subgoal
