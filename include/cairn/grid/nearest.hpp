#pragma once
// The nearest cell to a point that satisfies a condition, and the nearest cell that can be reached.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include "cairn/grid/components.hpp"
#include "cairn/grid/map.hpp"

namespace cairn::grid {

/// The point of the map nearest to `p` in each coordinate; `p` itself if it lies inside.
[[nodiscard]] inline Point clamped(const Map& map, Point p) noexcept {
    return {std::clamp(p.x, 0, map.width() - 1), std::clamp(p.y, 0, map.height() - 1)};
}

/// The distance of two points on a map without obstacles, in cost units over terrain of weight 1:
/// the octile distance, or with four neighbours the Manhattan distance. O(1).
[[nodiscard]] inline std::uint64_t open_distance(const MapOptions& options, Point a,
                                                 Point b) noexcept {
    const auto dx = static_cast<std::uint64_t>(a.x < b.x ? b.x - a.x : a.x - b.x);
    const auto dy = static_cast<std::uint64_t>(a.y < b.y ? b.y - a.y : a.y - b.y);
    const bool eight = options.rules.neighbourhood == Neighbourhood::eight;
    const std::uint64_t diagonal = eight ? std::min(dx, dy) : 0;
    return (dx + dy - 2 * diagonal) * options.costs.straight + diagonal * options.costs.diagonal;
}

/// The cell nearest to `around` by open_distance for which `accept(Cell)` is true; std::nullopt if
/// there is none at most `max_radius` columns and rows away. `around` may be blocked; if it lies
/// outside the map, it is first moved to the nearest point inside. Of equally near cells the lowest
/// number wins (the topmost row, in it the leftmost column).
///
/// Searches square rings outwards. `accept` is called at most once for each cell: O(d^2) calls if
/// the result is d cells away. Allocates nothing. Thread-safe if `accept` is.
template <class Predicate>
[[nodiscard]] std::optional<Point> nearest_cell_where(const Map& map, Point around,
                                                      Predicate&& accept,
                                                      std::int32_t max_radius = Map::kMaxSide) {
    const Point centre = clamped(map, around);
    std::optional<Point> best;
    std::uint64_t best_distance = 0;
    const auto consider = [&](std::int32_t x, std::int32_t y) {
        const Point p{x, y};
        const std::uint64_t distance = open_distance(map.options(), centre, p);
        if (best && distance > best_distance) return;
        const Cell cell = map.cell(p);
        if (best && distance == best_distance && cell > map.cell(*best)) return;
        if (!accept(cell)) return;
        best = p;
        best_distance = distance;
    };

    const std::int32_t last =
        std::min(max_radius, std::max(std::max(centre.x, map.width() - 1 - centre.x),
                                      std::max(centre.y, map.height() - 1 - centre.y)));
    for (std::int32_t r = 0; r <= last; ++r) {
        // Every cell of the ring is at least r straight steps away.
        if (best && static_cast<std::uint64_t>(r) * map.options().costs.straight > best_distance)
            break;
        const std::int32_t left = std::max(centre.x - r, 0);
        const std::int32_t right = std::min(centre.x + r, map.width() - 1);
        const std::int32_t top = std::max(centre.y - r, 0);
        const std::int32_t bottom = std::min(centre.y + r, map.height() - 1);
        for (std::int32_t y = top; y <= bottom; ++y) {
            if (y == centre.y - r || y == centre.y + r) {
                for (std::int32_t x = left; x <= right; ++x) consider(x, y);
            } else {
                if (centre.x - r >= 0) consider(centre.x - r, y);
                if (centre.x + r < map.width()) consider(centre.x + r, y);
            }
        }
    }
    return best;
}

/// The free cell nearest to `around`, as of nearest_cell_where; std::nullopt if the map has none.
/// Thread-safe.
[[nodiscard]] std::optional<Point> nearest_passable(const Map& map, Point around);

/// The cell nearest to `goal`, as of nearest_cell_where, that can be reached from `start`: `goal`
/// itself if a path leads there. `goal` may be blocked or outside the map; std::nullopt if `start`
/// is. `components` must be those of `map`. O(1) if `goal` is reachable, otherwise O(d^2) if the
/// result is d cells away. Allocates nothing. Thread-safe.
[[nodiscard]] std::optional<Point> nearest_reachable(const Map& map, const Components& components,
                                                     Point start, Point goal);

}  // namespace cairn::grid
