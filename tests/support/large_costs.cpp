#include "support/large_costs.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <queue>
#include <utility>

namespace cairn::test {

std::vector<std::uint64_t> wide_distances(const grid::Map& map, grid::Point start) {
    std::vector<std::uint64_t> distance(map.size(), kUnreachable);
    if (!map.passable(map.cell(start))) return distance;
    using Entry = std::pair<std::uint64_t, grid::Cell>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
    distance[map.cell(start)] = 0;
    open.emplace(0, map.cell(start));
    while (!open.empty()) {
        const auto [cost, cell] = open.top();
        open.pop();
        if (cost != distance[cell]) continue;
        for (unsigned moves = map.moves(cell); moves != 0; moves &= moves - 1) {
            const int direction = std::countr_zero(moves);
            const grid::Cell to = map.step(cell, direction);
            const std::uint64_t there = cost + map.move_cost(cell, direction);
            if (there >= distance[to]) continue;
            distance[to] = there;
            open.emplace(there, to);
        }
    }
    return distance;
}

grid::Map with_large_costs(RandomMaps& random, const grid::Map& map) {
    constexpr std::array<CostModel, 4> kCosts{
        CostModel{899'658, 1'000'000}, CostModel{707'106, 1'000'000}, CostModel{574'100, 811'900},
        CostModel{70'000, 99'000}};
    grid::MapOptions options = map.options();
    options.costs = kCosts[static_cast<std::size_t>(random.number(0, 3))];
    const int factor = random.chance(50) ? random.number(1, 28) : random.number(150, 252);
    std::vector<std::uint8_t> terrain;
    for (grid::Cell cell = 0; cell < map.size(); ++cell) terrain.push_back(map.terrain(cell));
    for (std::uint8_t& weight : options.weights.weight)
        weight = static_cast<std::uint8_t>(std::min(weight * factor, 252));
    return grid::Map::create(map.width(), map.height(), terrain, options).value();
}

Serpentine serpentine(int width, int height) {
    grid::MapOptions options;
    options.costs = {899'658, 1'000'000};
    std::vector<std::uint8_t> terrain;
    std::vector<grid::Point> cells;
    for (int y = 0; y < height; ++y) {
        const bool gap_at_right = y % 4 == 1;
        for (int i = 0; i < width; ++i) {
            const int x = y % 4 == 2 ? width - 1 - i : i;
            const bool free = y % 2 == 0 || x == (gap_at_right ? width - 1 : 0);
            if (free) cells.push_back({x, y});
            terrain.push_back(y % 2 == 0 || i == (gap_at_right ? width - 1 : 0) ? '.' : '@');
        }
    }
    return {grid::Map::create(width, height, terrain, options).value(), cells};
}

}  // namespace cairn::test
