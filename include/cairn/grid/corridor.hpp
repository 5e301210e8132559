#pragma once
// Exact search within a corridor of blocks: shorter paths for some microseconds more.
//
// The optimum is usually close to a path that is already short, such as an abstract path of HPA*.
// Mark the blocks that the path passes, widen the corridor by a ring or two, and search it exactly.
// The result is a path and a lower bound of the optimum.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "cairn/control.hpp"
#include "cairn/cost.hpp"
#include "cairn/grid/map.hpp"
#include "cairn/grid/path.hpp"
#include "cairn/status.hpp"

namespace cairn::grid {

/// A set of square blocks of a map, such as HPA* clusters. Reuse one object: its memory is kept.
/// Const members may be called from any number of threads while no thread changes the object.
class Corridor {
public:
    /// No blocks, of no map.
    Corridor() = default;

    /// Empties the corridor and lays blocks of block_size x block_size cells (1 or more; those at
    /// the right and at the bottom may be cut off) over a map of width x height cells. O(blocks in
    /// the corridor) if the sizes are as before, else O(width + height + blocks of the map).
    void reset(int width, int height, int block_size);

    /// Empties the corridor. O(blocks in it).
    void clear() noexcept;

    /// Adds the block of a point of the map, if it is not in the corridor yet. O(1).
    void add(Point p);

    /// Adds all blocks at most `rings` blocks away from one in the corridor, diagonals included; 0
    /// adds none. O(blocks in it * rings^2).
    void widen(int rings);

    /// Whether a point of the map lies in the corridor. O(1).
    [[nodiscard]] bool contains(Point p) const noexcept { return used_[block_of(p)] != 0; }

    /// The numbers of the blocks in the corridor, row * columns() + column, in the order in which
    /// they were added.
    [[nodiscard]] std::span<const std::uint32_t> blocks() const noexcept { return blocks_; }
    [[nodiscard]] std::uint32_t columns() const noexcept { return columns_; }
    [[nodiscard]] std::uint32_t rows() const noexcept { return rows_; }
    [[nodiscard]] int block_size() const noexcept { return block_size_; }
    [[nodiscard]] int width() const noexcept { return width_; }
    [[nodiscard]] int height() const noexcept { return height_; }

    /// Bytes held now. O(1).
    [[nodiscard]] std::size_t memory() const noexcept;

    /// The directions in which one step from a point of the corridor leaves the corridor but not
    /// the map: bit d stands for grid::Direction d. O(1); slower only at the rim of the corridor.
    [[nodiscard]] unsigned exits(Point p) const noexcept {
        const Line& column = column_[static_cast<std::size_t>(p.x)];
        const Line& row = row_[static_cast<std::size_t>(p.y)];
        if ((column.edge | row.edge) == 0) return 0;
        const unsigned missing = missing_[column.block + row.block];
        return missing == 0 ? 0U : exits_over(column.edge, row.edge, missing);
    }

private:
    // A column or row of cells.
    struct Line {
        std::uint32_t block;  // number of the first block of its column or row of blocks
        std::uint8_t edge;    // the directions that lead into other blocks, as bits
    };

    [[nodiscard]] std::size_t block_of(Point p) const noexcept {
        return column_[static_cast<std::size_t>(p.x)].block +
               row_[static_cast<std::size_t>(p.y)].block;
    }
    [[nodiscard]] static unsigned exits_over(unsigned column_edge, unsigned row_edge,
                                             unsigned missing) noexcept;
    void add_block(std::uint32_t x, std::uint32_t y);

    int width_ = 0;
    int height_ = 0;
    int block_size_ = 0;
    std::uint32_t columns_ = 0;
    std::uint32_t rows_ = 0;
    std::vector<Line> column_;           // by x
    std::vector<Line> row_;              // by y
    std::vector<std::uint8_t> used_;     // by block: whether it is in the corridor
    std::vector<std::uint8_t> missing_;  // of used blocks: the directions of neighbours not used
    std::vector<std::uint32_t> blocks_;
};

/// A* inside corridors, with its scratch memory: 8 bytes for each cell of the largest map searched
/// so far, and the open list. Use one object per thread; memory grows when needed and is kept.
class CorridorSearch {
public:
    CorridorSearch();
    ~CorridorSearch();
    CorridorSearch(CorridorSearch&&) noexcept;
    CorridorSearch& operator=(CorridorSearch&&) noexcept;

    /// Writes the cheapest path from `start` to `goal` over moves of `map` between cells of
    /// `corridor` into `out`, if it costs at most `upper_bound` (kInfinity for any path).
    ///
    /// out.lower_bound becomes a lower bound of the cost of every path on the whole map: if it
    /// equals out.cost, the path is optimal. It is the minimum of the cost found and, over all
    /// moves that leave the corridor, of the cost up to and including the move plus
    /// Map::distance_bound from there. If paths were left out because they cost more than
    /// upper_bound or limits.max_cost, it is at most 1 above the lower of these.
    ///
    /// Returns out.status: ok; start_outside, start_blocked, goal_outside, goal_blocked (checked in
    /// this order); bad_option if the corridor was laid over a map of another size; no_path if
    /// there is certainly none on the whole map, and cost_too_large if all paths certainly cost
    /// kInfinity or more (lower_bound is then kInfinity); over_cost_limit if no path in the
    /// corridor costs at most upper_bound and limits.max_cost; budget_exhausted and cancelled, with
    /// a valid lower_bound. limits.partial_path is ignored. Deterministic. O(cells of the corridor)
    /// expansions; O(size) to tell no_path from cost_too_large.
    StatusCode find_path(const Map& map, const Corridor& corridor, Point start, Point goal,
                         Cost upper_bound, Path& out, const SearchLimits& limits = {});

    /// Bytes of scratch memory held now. O(1).
    [[nodiscard]] std::size_t memory() const noexcept;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace cairn::grid
