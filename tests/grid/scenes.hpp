#pragma once
// Small maps for tests: from ASCII scenes, from bit patterns and at random.

#include <cstdint>
#include <random>
#include <span>
#include <string_view>
#include <vector>

#include "cairn/grid/map.hpp"

namespace cairn::grid::test {

/// A map of rows of equal length: '.' free, '1'..'9' free with that weight, anything else an
/// obstacle.
inline Map scene(std::initializer_list<std::string_view> rows, MoveRules rules = {}) {
    MapOptions options;
    options.rules = rules;
    for (char c = '1'; c <= '9'; ++c) {
        options.weights.weight[static_cast<unsigned char>(c)] = static_cast<std::uint8_t>(c - '0');
    }
    std::vector<std::uint8_t> terrain;
    for (const std::string_view row : rows) terrain.insert(terrain.end(), row.begin(), row.end());
    return *Map::create(static_cast<int>(rows.begin()->size()), static_cast<int>(rows.size()),
                        terrain, options);
}

/// A map of weights 0 (obstacle) to `heaviest`, with about `blocked` per cent obstacles.
inline Map random_map(std::mt19937& random, int width, int height, MoveRules rules,
                      unsigned blocked, unsigned heaviest = 1) {
    MapOptions options;
    options.rules = rules;
    options.weights = TerrainWeights::literal();
    std::vector<std::uint8_t> terrain(static_cast<std::size_t>(width) *
                                      static_cast<std::size_t>(height));
    for (std::uint8_t& t : terrain) {
        t = static_cast<std::uint8_t>(random() % 100 < blocked ? 0 : 1 + random() % heaviest);
    }
    return *Map::create(width, height, terrain, options);
}

/// Every combination of neighbourhood and corner rule.
inline constexpr MoveRules kAllRules[] = {
    {Neighbourhood::eight, CornerRule::strict},
    {Neighbourhood::eight, CornerRule::both_blocked},
    {Neighbourhood::eight, CornerRule::free},
    {Neighbourhood::four, CornerRule::strict},
};

/// The cost from `start` to every cell, kInfinity where there is no path (Bellman-Ford: slow and
/// plain).
inline std::vector<Cost> costs_from(const Map& map, Cell start) {
    std::vector<Cost> cost(map.size(), kInfinity);
    if (map.passable(start)) cost[start] = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (Cell c = 0; c < map.size(); ++c) {
            for (int d = 0; d < kDirections && cost[c] != kInfinity; ++d) {
                if ((map.moves(c) >> d & 1) == 0) continue;
                const Cost through = cost[c] + map.move_cost(c, d);
                if (through >= cost[map.step(c, d)]) continue;
                cost[map.step(c, d)] = through;
                changed = true;
            }
        }
    }
    return cost;
}

}  // namespace cairn::grid::test
