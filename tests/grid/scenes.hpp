#pragma once
// Small maps for grid tests, and their path costs by Bellman-Ford.

#include <cstdint>
#include <initializer_list>
#include <random>
#include <string_view>
#include <vector>

#include "cairn/grid/map.hpp"
#include "support/ascii_map.hpp"

namespace cairn::grid::test {

/// A map drawn as in tests/support/ascii_map.hpp, with these move rules.
inline Map scene(std::initializer_list<std::string_view> rows, MoveRules rules = {}) {
    MapOptions options;
    options.rules = rules;
    return cairn::test::ascii_map(rows, options);
}

/// A map whose cell c is free where bit c is set.
inline Map bit_map(int width, int height, std::uint32_t bits, MoveRules rules = {}) {
    std::vector<std::uint8_t> terrain;
    for (int c = 0; c < width * height; ++c) terrain.push_back((bits >> c & 1) != 0 ? '.' : '@');
    MapOptions options;
    options.rules = rules;
    return Map::create(width, height, terrain, options).value();
}

/// A map with about `blocked` per cent obstacles (weight 0); other cells weigh 1 to `heaviest`.
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

/// Every combination of neighbourhood and corner rule. With four neighbours all corner rules are
/// the same.
inline constexpr MoveRules kAllRules[] = {
    {Neighbourhood::eight, CornerRule::strict},
    {Neighbourhood::eight, CornerRule::both_blocked},
    {Neighbourhood::eight, CornerRule::free},
    {Neighbourhood::four, CornerRule::strict},
};

/// The cost from `start` to every cell, kInfinity if there is no path. Bellman-Ford: slow, but
/// independent of Dijkstra and A*.
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
