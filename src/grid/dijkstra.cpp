#include "cairn/grid/dijkstra.hpp"

#include <queue>
#include <utility>

#include "core/guarded.hpp"

namespace cairn::grid {
namespace {

// The terrain weight at (x, y); 0 for an obstacle and outside the map.
std::uint32_t weight_at(const Map& map, int x, int y) {
    const bool inside = x >= 0 && y >= 0 && x < map.width() && y < map.height();
    if (!inside) return 0;
    return map.options().weights.weight[map.terrain(map.cell({x, y}))];
}

// The cost of the step (dx, dy) from (x, y), or kInfinity if the rules forbid it.
Cost step_cost(const Map& map, int x, int y, int dx, int dy) {
    const auto& [rules, costs, weights] = map.options();
    const std::uint32_t from = weight_at(map, x, y);
    const std::uint32_t to = weight_at(map, x + dx, y + dy);
    if (from == 0 || to == 0) return kInfinity;
    if (dx == 0 || dy == 0) return costs.straight * (from + to) / 2;

    if (rules.neighbourhood == Neighbourhood::four) return kInfinity;
    const bool free_beside_x = weight_at(map, x + dx, y) != 0;
    const bool free_beside_y = weight_at(map, x, y + dy) != 0;
    if (rules.corner == CornerRule::strict && !(free_beside_x && free_beside_y)) return kInfinity;
    if (rules.corner == CornerRule::both_blocked && !(free_beside_x || free_beside_y))
        return kInfinity;
    return costs.diagonal * (from + to) / 2;
}

}  // namespace

Result<std::vector<Cost>> dijkstra_distances(const Map& map, Point start) noexcept try {
    std::vector<Cost> distance(map.size(), kInfinity);
    if (!map.contains(start) || weight_at(map, start.x, start.y) == 0) return distance;

    using Entry = std::pair<Cost, Cell>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
    distance[map.cell(start)] = 0;
    open.emplace(0, map.cell(start));
    while (!open.empty()) {
        const auto [cost, cell] = open.top();
        open.pop();
        if (cost != distance[cell]) continue;
        const Point p = map.point(cell);
        for (int dy = -1; dy <= 1; ++dy) {
            for (int dx = -1; dx <= 1; ++dx) {
                if (dx == 0 && dy == 0) continue;
                const Cost step = step_cost(map, p.x, p.y, dx, dy);
                if (step == kInfinity) continue;
                const Cell to = map.cell({p.x + dx, p.y + dy});
                if (cost + step >= distance[to]) continue;
                distance[to] = cost + step;
                open.emplace(distance[to], to);
            }
        }
    }
    return distance;
} catch (...) {
    return out_of_memory();
}

}  // namespace cairn::grid
