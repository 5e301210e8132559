#include "cairn/grid/path_check.hpp"

#include <algorithm>

#include "cairn/grid/moves.hpp"

namespace cairn::grid {
namespace {

// The point of an area nearest to `p`, in both directions.
Point nearest_in(const Rect& area, Point p) noexcept {
    return {std::clamp(p.x, area.x, area.x + area.width - 1),
            std::clamp(p.y, area.y, area.y + area.height - 1)};
}

// The moves of a king from `p` to the nearest of the areas.
int steps_to(std::span<const Rect> areas, Point p) noexcept {
    int least = Map::kMaxSide;
    for (const Rect& area : areas) {
        const Point q = nearest_in(area, p);
        least = std::min(least, std::max(std::abs(p.x - q.x), std::abs(p.y - q.y)));
    }
    return least;
}

}  // namespace

std::size_t first_illegal_step(const Map& map, std::span<const Cell> path,
                               std::span<const Rect> changed) noexcept {
    for (std::size_t i = 0; i < path.size();) {
        if (path[i] >= map.size()) return i;
        // A step changes only if a cell next to it does.
        const int away = steps_to(changed, map.point(path[i]));
        if (away > 1) {
            i += static_cast<std::size_t>(away) - 1;
            continue;
        }
        const bool last = i + 1 == path.size();
        if (last ? !map.passable(path[i])
                 : path[i + 1] >= map.size() || legal_direction(map, path[i], path[i + 1]) < 0)
            return i;
        ++i;
    }
    return path.size();
}

bool may_be_cheaper(const Map& map, Point start, Point goal, const Rect& area, Cost cost) noexcept {
    const Rect beside{area.x - 1, area.y - 1, area.width + 2, area.height + 2};
    return std::uint64_t{map.distance_bound(start, nearest_in(beside, start))} +
               map.distance_bound(nearest_in(beside, goal), goal) <
           cost;
}

}  // namespace cairn::grid
