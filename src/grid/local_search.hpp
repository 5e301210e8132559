#pragma once
// Shortest paths confined to a small rectangle of a map: the inside of a cluster.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "cairn/grid/map.hpp"
#include "cairn/grid/path.hpp"
#include "core/memory.hpp"

namespace cairn::grid {

/// Dijkstra from one cell over the cells of a window, with a bucket queue. Local cells are numbered
/// from 0, row by row, inside the window. Memory is kept: it allocates only to grow.
class LocalSearch {
public:
    /// Sets the window to a rectangle of `map`. O(window).
    void set_window(const Map& map, const Rect& window);
    /// Sets a window without a map. `weights` has the terrain weight of each local cell, 0 for
    /// obstacles. Global cells are then equal to local ones.
    void set_window(const Rect& window, std::span<const std::uint8_t> weights,
                    const MoveRules& rules, const CostModel& costs);

    /// The local cell of a point of the map inside the window.
    [[nodiscard]] std::uint32_t local(Point p) const noexcept {
        return static_cast<std::uint32_t>((p.y - window_.y) * window_.width + (p.x - window_.x));
    }
    /// The map's cell of a local cell.
    [[nodiscard]] Cell global(std::uint32_t local) const noexcept {
        const auto w = static_cast<std::uint32_t>(window_.width);
        return first_ + local / w * stride_ + local % w;
    }
    [[nodiscard]] std::uint32_t size() const noexcept { return size_; }
    [[nodiscard]] const Rect& window() const noexcept { return window_; }

    /// Finds the distances from local cell `source` to all cells of the window. Adds the effort to
    /// `statistics`, if given.
    void run(std::uint32_t source, SearchStatistics* statistics = nullptr);

    /// The distance found by the last run; kInfinity if no path inside the window connects the
    /// cells.
    [[nodiscard]] Cost distance(std::uint32_t local) const noexcept { return distance_[local]; }
    /// The direction of the first move of a shortest path from `local` to the last run's source; of
    /// several, the lowest. Needs a finite, non-zero distance.
    [[nodiscard]] int move_to_source(std::uint32_t local) const noexcept;
    /// The local cell one step away.
    [[nodiscard]] std::uint32_t step(std::uint32_t local, int direction) const noexcept {
        return local + offsets_[static_cast<std::size_t>(direction)];
    }

    /// Bytes held now. O(buckets).
    [[nodiscard]] std::size_t memory() const noexcept {
        return memory_of(moves_, weighted_cost_, distance_, buckets_);
    }

private:
    struct Entry {
        Cost distance;
        std::uint32_t cell;  // local
    };
    void set_size(const Rect& window);
    void set_buckets(Cost min_straight, Cost max_move);
    [[nodiscard]] Cost move_cost(std::uint32_t local, int direction) const noexcept {
        if (uniform_) return step_cost_[direction & 1];
        return weighted_cost_[local * 8 + static_cast<std::uint32_t>(direction)];
    }

    Rect window_;
    Cell first_ = 0;   // the map's cell of local cell 0
    Cell stride_ = 0;  // from a row of the map to the next
    std::uint32_t size_ = 0;
    bool uniform_ = true;
    std::array<Cost, 2> step_cost_{};         // if uniform: of straight and diagonal moves
    std::array<std::uint32_t, 8> offsets_{};  // from a local cell to its neighbours
    int bucket_shift_ = 0;
    std::uint32_t bucket_mask_ = 0;
    std::vector<std::uint8_t> moves_;  // as Map::moves, inside the window
    std::vector<Cost> weighted_cost_;  // if not uniform: of the eight moves of each cell
    std::vector<Cost> distance_;
    std::vector<std::vector<Entry>> buckets_;
};

}  // namespace cairn::grid
