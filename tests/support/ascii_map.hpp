#pragma once
// Maps drawn in test code, and paths drawn on maps: one character for each cell.

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cairn/grid/map.hpp"

namespace cairn::test {

/// A map drawn in rows of equal length. '1' to '9' are free cells of that weight. The options give
/// the weights of all other characters; by default '.' is free and '@' an obstacle.
inline grid::Map ascii_map(std::initializer_list<std::string_view> rows,
                           grid::MapOptions options = {}) {
    for (unsigned char c = '1'; c <= '9'; ++c) {
        options.weights.weight[c] = static_cast<std::uint8_t>(c - '0');
    }
    std::vector<std::uint8_t> terrain;
    for (const std::string_view row : rows) terrain.insert(terrain.end(), row.begin(), row.end());
    return grid::Map::create(static_cast<int>(rows.begin()->size()), static_cast<int>(rows.size()),
                             terrain, options)
        .value();
}

/// The map's terrain with 'o' on the cells of `path`. Each row ends with '\n'.
inline std::string draw(const grid::Map& map, std::span<const grid::Cell> path) {
    std::string cells;
    for (grid::Cell c = 0; c < map.size(); ++c) cells += static_cast<char>(map.terrain(c));
    for (const grid::Cell c : path) cells[c] = 'o';
    std::string drawing;
    const auto width = static_cast<std::size_t>(map.width());
    for (std::size_t first = 0; first < cells.size(); first += width) {
        drawing += cells.substr(first, width) + '\n';
    }
    return drawing;
}

}  // namespace cairn::test
