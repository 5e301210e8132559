#include "cairn/grid/nearest.hpp"

namespace cairn::grid {

std::optional<Point> nearest_passable(const Map& map, Point around) {
    return nearest_cell_where(map, around, [&](Cell c) { return map.passable(c); });
}

std::optional<Point> nearest_reachable(const Map& map, const Components& components, Point start,
                                       Point goal) {
    if (!map.contains(start)) return std::nullopt;
    const std::uint32_t home = components.of(map.cell(start));
    if (home == kNoComponent) return std::nullopt;
    return nearest_cell_where(map, goal, [&](Cell c) { return components.of(c) == home; });
}

}  // namespace cairn::grid
