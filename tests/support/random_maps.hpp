#pragma once
// Seeded random numbers, and maps and edits of every kind made from them.

#include <cstdint>
#include <random>
#include <vector>

#include "cairn/grid/map.hpp"

namespace cairn::test {

/// The raw engine alone is used, so that every standard library gives the same cases.
class RandomMaps {
public:
    explicit RandomMaps(std::uint64_t seed) : random_(seed) {}

    /// A number from `least` to `most`.
    [[nodiscard]] int number(int least, int most) {
        return least + static_cast<int>(random_() % static_cast<std::uint64_t>(most - least + 1));
    }
    [[nodiscard]] bool chance(int percent) { return number(1, 100) <= percent; }

    /// Sides of 1 to `longest` cells, sometimes a single row or column.
    struct Size {
        int width;
        int height;
    };
    [[nodiscard]] Size size(int longest);

    /// The standard cost model, mostly, or one of the others.
    [[nodiscard]] CostModel costs();
    /// A map of any generated kind, or of noise; weighted half the time.
    [[nodiscard]] grid::Map map(const Size& size, const grid::MoveRules& rules);
    /// The same, eight neighbours, strict corners and one weight: for subgoal graphs.
    [[nodiscard]] grid::Map uniform_map(const Size& size, const CostModel& costs = {});
    /// Each cell an obstacle with a chance of `density` percent; uniform as above.
    [[nodiscard]] grid::Map noise(const Size& size, int density);
    /// Any cell, free or not.
    [[nodiscard]] grid::Point point(const grid::Map& map);
    /// One of `points`, which are not empty.
    [[nodiscard]] grid::Point one_of(const std::vector<grid::Point>& points) {
        return points[static_cast<std::size_t>(number(0, static_cast<int>(points.size()) - 1))];
    }
    /// One to three changes of cells or rectangles to terrain that the map has, or to obstacles.
    [[nodiscard]] std::vector<grid::TerrainEdit> edits(const grid::Map& map);

private:
    [[nodiscard]] std::vector<std::uint8_t> terrain(const Size& size, int kinds);

    std::mt19937_64 random_;
};

/// The map rotated by a quarter turn `turns` times, clockwise, and then mirrored left to right.
[[nodiscard]] grid::Map transformed(const grid::Map& map, int turns, bool mirrored);
/// Where a point of `map` is then.
[[nodiscard]] grid::Point transformed(const grid::Map& map, grid::Point p, int turns,
                                      bool mirrored);

/// The free cells of a map, by ascending number.
[[nodiscard]] std::vector<grid::Point> free_points(const grid::Map& map);

/// A map of literal weights of which bit i of `free` says whether cell i is free.
[[nodiscard]] grid::Map small_map(int width, int height, std::uint64_t free,
                                  const grid::MoveRules& rules = {});

}  // namespace cairn::test
