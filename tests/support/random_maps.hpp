#pragma once
// Seeded random numbers, and maps and edits of every kind made from them.

#include <cstdint>
#include <random>
#include <vector>

#include "cairn/grid/map.hpp"

namespace cairn::test {

/// A random source. It uses the standard engine without distributions, so that every standard
/// library gives the same cases.
class RandomMaps {
public:
    explicit RandomMaps(std::uint64_t seed) : random_(seed) {}

    /// A number from `least` to `most`.
    [[nodiscard]] int number(int least, int most) {
        return least + static_cast<int>(random_() % static_cast<std::uint64_t>(most - least + 1));
    }
    [[nodiscard]] bool chance(int percent) { return number(1, 100) <= percent; }

    /// In cells.
    struct Size {
        int width;
        int height;
    };
    /// Sides of 1 to `longest`; sometimes a single row or column.
    [[nodiscard]] Size size(int longest);

    /// The standard cost model in 60 of 100 cases, else one of four others.
    [[nodiscard]] CostModel costs();
    /// A map of any grid::MapKind; about half of the maps have weights.
    [[nodiscard]] grid::Map map(const Size& size, const grid::MoveRules& rules);
    /// A map as subgoal graphs need it: eight neighbours, strict corners and no weights.
    [[nodiscard]] grid::Map uniform_map(const Size& size, const CostModel& costs = {});
    /// A map as uniform_map, each cell an obstacle with a chance of `density` percent.
    [[nodiscard]] grid::Map noise(const Size& size, int density);
    /// Any cell, free or not.
    [[nodiscard]] grid::Point point(const grid::Map& map);
    /// One of `points`, of which there must be some.
    [[nodiscard]] grid::Point one_of(const std::vector<grid::Point>& points) {
        return points[static_cast<std::size_t>(number(0, static_cast<int>(points.size()) - 1))];
    }
    /// One to three edits of single cells or rectangles: to obstacles, to the terrain of another
    /// cell or, on maps with weights, to a weight.
    [[nodiscard]] std::vector<grid::TerrainEdit> edits(const grid::Map& map);

private:
    [[nodiscard]] std::vector<std::uint8_t> terrain(const Size& size, int kinds);

    std::mt19937_64 random_;
};

/// The map rotated by a quarter turn `turns` times, clockwise, and then mirrored left to right.
[[nodiscard]] grid::Map transformed(const grid::Map& map, int turns, bool mirrored);
/// Where the point `p` of `map` lies on the transformed map.
[[nodiscard]] grid::Point transformed(const grid::Map& map, grid::Point p, int turns,
                                      bool mirrored);

/// The free cells of a map, in the order of their numbers.
[[nodiscard]] std::vector<grid::Point> free_points(const grid::Map& map);

/// A map in which cell i is free if bit i of `free` is set. Its terrain bytes are weights, 0 or 1.
[[nodiscard]] grid::Map small_map(int width, int height, std::uint64_t free,
                                  const grid::MoveRules& rules = {});

}  // namespace cairn::test
