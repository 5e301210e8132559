#include "haa/class_window.hpp"

#include <algorithm>

namespace cairn::haa {

void ClassWindow::read(const AnnotatedMap& map, Agent agent, const grid::Rect& cluster) {
    window = {cluster.x - 1, cluster.y - 1, cluster.width + 2, cluster.height + 2};
    weights.assign(static_cast<std::size_t>(window.width) * static_cast<std::size_t>(window.height),
                   0);
    const int first = std::max(window.x, 0);
    const int last = std::min(window.x + window.width, map.width());
    for (int y = std::max(window.y, 0); y < std::min(window.y + window.height, map.height()); ++y) {
        const std::size_t row = index({0, y});
        for (int x = first; x < last; ++x) {
            weights[row + static_cast<std::size_t>(x)] = map.weight(agent, map.cell({x, y}));
        }
    }
}

void ClassWindow::read_inside(const grid::Rect& cluster, std::vector<std::uint8_t>& inside) const {
    inside.clear();
    for (int y = cluster.y; y < cluster.y + cluster.height; ++y) {
        const auto row = weights.begin() + static_cast<std::ptrdiff_t>(index({cluster.x, y}));
        inside.insert(inside.end(), row, row + cluster.width);
    }
}

std::uint8_t ClassWindow::moves(const grid::MoveRules& rules, grid::Point p) const noexcept {
    if (weight(p) == 0) return 0;
    unsigned free = 0;
    for (std::size_t d = 0; d < grid::kDirections; ++d) {
        if (weight({p.x + grid::kDx[d], p.y + grid::kDy[d]}) != 0) free |= 1U << d;
    }
    return grid::legal_moves(static_cast<std::uint8_t>(free), rules);
}

}  // namespace cairn::haa
