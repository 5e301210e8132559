#pragma once
// A grid map: terrain, move rules and costs, as one immutable snapshot.

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

#include "cairn/cost.hpp"
#include "cairn/grid/moves.hpp"
#include "cairn/paged_array.hpp"
#include "cairn/status.hpp"

namespace cairn::grid {

/// The weight of each terrain byte: 0 is an obstacle, w > 0 multiplies the cost of moves over it.
struct TerrainWeights {
    std::array<std::uint8_t, 256> weight{};

    /// MovingAI letters: '.', 'G' and 'S' are free with weight 1, all other bytes are obstacles.
    [[nodiscard]] static TerrainWeights movingai() noexcept;
    /// MovingAI letters and, as Cairn's extension of .map files, the digits '1' to '9' as weights.
    [[nodiscard]] static TerrainWeights weighted() noexcept;
    /// The byte is the weight, so 0 is an obstacle.
    [[nodiscard]] static TerrainWeights literal() noexcept;

    friend bool operator==(const TerrainWeights&, const TerrainWeights&) = default;
};

/// The move rules, costs and terrain weights of a map.
struct MapOptions {
    MoveRules rules;
    CostModel costs;
    TerrainWeights weights = TerrainWeights::movingai();
};

/// A rectangle of cells; (x, y) is its top-left cell.
struct Rect {
    std::int32_t x = 0;
    std::int32_t y = 0;
    std::int32_t width = 0;
    std::int32_t height = 0;
    friend bool operator==(const Rect&, const Rect&) = default;
};

/// Sets every cell of `area` to `terrain`.
struct TerrainEdit {
    Rect area;
    std::uint8_t terrain = 0;
};

/// An immutable map. Copies share their cells, so passing one by value is cheap; all const members
/// may be called from any number of threads. They are O(1) unless they say otherwise. A
/// default-constructed map has no cells.
///
/// The cost of a move is base * (w_from + w_to) / 2, rounded down, where base is the cost model's
/// straight or diagonal cost: symmetric, so that a path costs the same in both directions.
class Map {
public:
    /// The greatest width and height, in cells.
    static constexpr int kMaxSide = 1 << 15;

    /// A map of width x height cells from row-major terrain bytes, which are copied. Errors:
    /// bad_option (sides outside 1..kMaxSide, terrain.size() != width * height, a cost model
    /// outside the ranges of CostModel, or no such rules). O(size).
    [[nodiscard]] static Result<Map> create(int width, int height,
                                            std::span<const std::uint8_t> terrain,
                                            const MapOptions& options = {}) noexcept;

    /// The same over terrain bytes in pages, which the map shares: only its moves, a byte a cell,
    /// take new memory.
    [[nodiscard]] static Result<Map> create(int width, int height, PagedArray<std::uint8_t> terrain,
                                            const MapOptions& options = {}) noexcept;

    /// This map with `edits` applied in order. Time and new memory grow with the edited area, plus
    /// one pointer for each 4,096 cells of the map. Errors: bad_option (an area that is empty or
    /// reaches outside).
    [[nodiscard]] Result<Map> edited(std::span<const TerrainEdit> edits) const noexcept;

    /// This map over other terrain bytes, which it shares. They may differ from those of this map
    /// only in `areas`. Errors: bad_option (not as many bytes; an area that is empty or reaches
    /// outside); out_of_memory. Time and new memory: as `edited`.
    [[nodiscard]] Result<Map> with_terrain(PagedArray<std::uint8_t> terrain,
                                           std::span<const Rect> areas) const noexcept;

    /// This map under other weights, with the terrain and moves of this one, which it shares. The
    /// weights of the terrain bytes on the map must be 0 exactly where those of this map are.
    /// Errors: bad_option, naming the first byte at fault; out_of_memory. O(1) in the cells.
    [[nodiscard]] Result<Map> with_weights(const TerrainWeights& weights) const noexcept;

    [[nodiscard]] int width() const noexcept { return width_; }
    [[nodiscard]] int height() const noexcept { return height_; }
    /// The number of cells, free or not.
    [[nodiscard]] std::size_t size() const noexcept { return terrain_.size(); }
    [[nodiscard]] const MapOptions& options() const noexcept { return options_; }

    [[nodiscard]] bool contains(Point p) const noexcept {
        return p.x >= 0 && p.y >= 0 && p.x < width_ && p.y < height_;
    }
    /// Needs contains(p).
    [[nodiscard]] Cell cell(Point p) const noexcept { return cell_of(width_, p); }
    /// Needs c < size().
    [[nodiscard]] Point point(Cell c) const noexcept { return point_of(width_, c); }

    /// The terrain byte of a cell. Needs c < size(), like the functions below that take a cell.
    [[nodiscard]] std::uint8_t terrain(Cell c) const noexcept { return terrain_[c]; }
    /// The weight of a cell's terrain; 0 for an obstacle.
    [[nodiscard]] std::uint32_t weight(Cell c) const noexcept {
        return options_.weights.weight[terrain_[c]];
    }
    /// Whether a cell is free.
    [[nodiscard]] bool passable(Cell c) const noexcept { return weight(c) != 0; }

    /// Bit d is set if the move from `c` in Direction d is legal: it stays on the map, starts and
    /// ends on free cells, and obeys the corner rule.
    [[nodiscard]] std::uint8_t moves(Cell c) const noexcept { return moves_[c]; }
    /// The cell one step from `c`. Has no meaning if the step leaves the map.
    [[nodiscard]] Cell step(Cell c, int direction) const noexcept {
        return c + offsets_[static_cast<std::size_t>(direction)];
    }
    /// The cost of a legal move from `c`; the move back costs the same.
    [[nodiscard]] Cost move_cost(Cell c, int direction) const noexcept {
        if (uniform_) return uniform_cost_[direction & 1];
        const std::uint32_t base =
            is_diagonal(direction) ? options_.costs.diagonal : options_.costs.straight;
        return base * (weight(c) + weight(step(c, direction))) / 2;
    }
    /// Whether all free cells have one weight, so that a move's cost depends only on whether it is
    /// diagonal.
    [[nodiscard]] bool uniform() const noexcept { return uniform_; }
    /// The cost of a straight move over the cheapest terrain present.
    [[nodiscard]] Cost min_straight() const noexcept { return min_cost_[0]; }
    /// The cost of a diagonal move over the cheapest terrain present.
    [[nodiscard]] Cost min_diagonal() const noexcept { return min_cost_[1]; }
    /// The cost of the costliest move over the terrain present.
    [[nodiscard]] Cost max_move() const noexcept { return max_move_; }
    /// Whether no shortest path can cost kInfinity or more: it visits no free cell twice, and as
    /// many of the costliest moves cost less.
    [[nodiscard]] bool costs_fit() const noexcept {
        return std::uint64_t{max_move_} * free_cells_ < kInfinity;
    }

    /// A consistent lower bound of the cost of a path between two points: the octile distance, or
    /// with four neighbours the Manhattan distance, over the cheapest terrain present; at most
    /// kInfinity.
    [[nodiscard]] Cost distance_bound(Point a, Point b) const noexcept {
        const auto dx = static_cast<Cost>(std::abs(a.x - b.x));
        const auto dy = static_cast<Cost>(std::abs(a.y - b.y));
        const Cost diagonal = dx < dy ? dx : dy;
        const Cost straight = dx + dy - 2 * diagonal;
        if (bounds_fit_) return straight * min_cost_[0] + diagonal * bound_diagonal_;
        return saturated(std::uint64_t{straight} * min_cost_[0] +
                         std::uint64_t{diagonal} * bound_diagonal_);
    }

    /// The number of passable cells.
    [[nodiscard]] std::size_t free_cells() const noexcept { return free_cells_; }
    /// The number of legal moves, each counted once for both directions. O(size).
    [[nodiscard]] std::size_t edge_count() const noexcept;
    /// The bytes of terrain and moves, including memory shared with other snapshots.
    [[nodiscard]] std::size_t bytes() const noexcept { return terrain_.size() + moves_.size(); }
    /// A hash of size, terrain, rules, costs and weights, the same on every machine. O(size).
    [[nodiscard]] std::uint64_t fingerprint() const noexcept;

    /// Equal sizes, terrain and options. O(size).
    friend bool operator==(const Map& a, const Map& b);

    /// What a map consists of, for index files that hold their map.
    struct Parts {
        int width = 0;
        int height = 0;
        MapOptions options;
        PagedArray<std::uint8_t> terrain;            ///< by cell
        PagedArray<std::uint8_t> moves;              ///< by cell: Map::moves
        std::array<std::uint64_t, 256> histogram{};  ///< by terrain byte: how many cells have it
    };
    /// Shares the cells of the map. O(1).
    [[nodiscard]] Parts parts() const;
    /// The map of its parts, which it shares. Sizes and options are checked as by `create`, moves
    /// and histogram are trusted. Errors: as `create`. O(1).
    [[nodiscard]] static Result<Map> of_parts(Parts parts) noexcept;

private:
    void set_shape(int width, int height, const MapOptions& options);
    void derive_costs() noexcept;
    void edit_moves(std::span<const Rect> areas);

    int width_ = 0;
    int height_ = 0;
    bool uniform_ = true;
    bool bounds_fit_ = true;  // whether no distance_bound on the map is kInfinity
    MapOptions options_;
    PagedArray<std::uint8_t> terrain_;
    PagedArray<std::uint8_t> moves_;
    std::array<Cell, 8> offsets_{};
    std::array<std::uint64_t, 256> histogram_{};  // cells of each terrain
    std::size_t free_cells_ = 0;
    std::array<Cost, 2> uniform_cost_{};  // equal to min_cost_; read if uniform_
    std::array<Cost, 2> min_cost_{};      // straight, diagonal
    Cost bound_diagonal_ = 0;             // least cost of moving one column and one row
    Cost max_move_ = 0;
};

/// The direction of the legal move between two cells of the map; -1 if there is none. O(1).
/// Thread-safe.
[[nodiscard]] int legal_direction(const Map& map, Cell from, Cell to) noexcept;

/// The length of a legal path: 1 for a straight and sqrt 2 for a diagonal step, weighted by terrain
/// like move costs. For output and for comparison with published optima; searches use the integer
/// costs. O(path). Thread-safe.
[[nodiscard]] double path_length(const Map& map, std::span<const Cell> path);

/// The cost of a path, or kInfinity if it is not below that, the path is empty, its first cell is
/// not passable, or one of its steps is not a legal move. O(path). Thread-safe.
[[nodiscard]] Cost path_cost(const Map& map, std::span<const Cell> path);

}  // namespace cairn::grid
