#pragma once
// Maps on which paths cost more than a Cost can hold, and Dijkstra's algorithm in 64 bits.

#include <cstdint>
#include <vector>

#include "cairn/grid/map.hpp"
#include "support/random_maps.hpp"

namespace cairn::test {

/// The distance of a cell that cannot be reached.
inline constexpr std::uint64_t kUnreachable = ~std::uint64_t{0};

/// As grid::dijkstra_distances, but in 64 bits.
[[nodiscard]] std::vector<std::uint64_t> wide_distances(const grid::Map& map, grid::Point start);

/// The map with the same terrain and rules, but with random costs of which a few to a few thousand
/// moves make kInfinity.
[[nodiscard]] grid::Map with_large_costs(RandomMaps& random, const grid::Map& map);

/// A map of one corridor, one cell wide, that winds from the first row to the last, and its cells
/// in order. Moves cost 899,658: 2,387 of them cost kInfinity - 1.
struct Serpentine {
    grid::Map map;
    std::vector<grid::Point> cells;
};
[[nodiscard]] Serpentine serpentine(int width, int height);
inline constexpr int kMostMoves = 2387;

}  // namespace cairn::test
