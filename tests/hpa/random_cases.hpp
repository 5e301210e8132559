#pragma once
// Seeded random maps, options and queries of every kind.

#include <cstdint>
#include <random>
#include <vector>

#include "cairn/grid/map.hpp"
#include "cairn/hpa/options.hpp"
#include "cairn/hpa/query.hpp"

namespace cairn::hpa::test {

/// The raw engine alone is used, so that every standard library gives the same cases.
class RandomCases {
public:
    explicit RandomCases(std::uint64_t seed) : random_(seed) {}

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

    /// A map of any generated kind, or of noise; weighted half the time.
    [[nodiscard]] grid::Map map(const Size& size, const grid::MoveRules& rules);
    /// Any valid options; levels 1 to 4, clusters of up to 16 cells, mostly complete ones.
    [[nodiscard]] Options options();
    /// Any cell, free or not.
    [[nodiscard]] grid::Point point(const grid::Map& map);
    /// One of `points`, which are not empty.
    [[nodiscard]] grid::Point one_of(const std::vector<grid::Point>& points) {
        return points[static_cast<std::size_t>(number(0, static_cast<int>(points.size()) - 1))];
    }
    /// Any query without limits. Its engine needs labels only if `labels`.
    [[nodiscard]] Query query(grid::Point start, grid::Point goal, bool labels);
    /// The same between any two cells.
    [[nodiscard]] Query query(const grid::Map& map, bool labels);
    /// The bare abstract path between any two cells, refined.
    [[nodiscard]] Query plain_query(const grid::Map& map);
    /// One to three changes of cells or rectangles to terrain that the map has, or to obstacles.
    [[nodiscard]] std::vector<grid::TerrainEdit> edits(const grid::Map& map);

private:
    std::mt19937_64 random_;
};

/// The map rotated by a quarter turn `turns` times, clockwise, and then mirrored left to right.
[[nodiscard]] grid::Map transformed(const grid::Map& map, int turns, bool mirrored);
/// Where a point of `map` is then.
[[nodiscard]] grid::Point transformed(const grid::Map& map, grid::Point p, int turns,
                                      bool mirrored);

}  // namespace cairn::hpa::test
