#pragma once
// Terrain edits at random places, for `cairn verify` and `cairn-lab`.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <random>

#include "cairn/grid/map.hpp"
#include "cairn/haa/annotated_map.hpp"

namespace cairn::app {

/// Draws edits of squares with sides of `side` cells, cut to the map's size. The first edit blocks
/// its square, the second frees its own, and so on in turn. If the map has no terrain for that, the
/// edit is of one cell and keeps its terrain. A seed gives the same edits on every platform.
class RandomEdits {
public:
    RandomEdits(std::uint64_t seed, int side) : random_(seed), side_(side) {}

    [[nodiscard]] grid::TerrainEdit next(const grid::Map& map) {
        frees_ = !frees_;
        return edit_of(map, square(map.width(), map.height()), terrain(map, frees_));
    }
    /// On maps of agents blocked squares become obstacles for all agents, and freed squares get the
    /// terrain of a random cell, which may be an obstacle.
    [[nodiscard]] grid::TerrainEdit next(const haa::AnnotatedMap& map) {
        frees_ = !frees_;
        const grid::Rect area = square(map.width(), map.height());
        if (frees_) return {area, map.terrain(static_cast<grid::Cell>(random_() % map.size()))};
        return edit_of(map, area, find_byte(map.options().key.terrain, [](std::uint8_t terrain) {
                           return terrain == haa::TerrainKey::kObstacle;
                       }));
    }

private:
    template <class Map>
    static grid::TerrainEdit edit_of(const Map& map, const grid::Rect& area,
                                     std::optional<std::uint8_t> terrain) {
        if (terrain) return {area, *terrain};
        return {{area.x, area.y, 1, 1}, map.terrain(map.cell({area.x, area.y}))};
    }

    grid::Rect square(std::int32_t map_width, std::int32_t map_height) {
        const std::int32_t width = std::min(side_, map_width);
        const std::int32_t height = std::min(side_, map_height);
        const auto below = [this](std::int32_t end) {
            return static_cast<std::int32_t>(random_() % static_cast<std::uint64_t>(end));
        };
        const std::int32_t x = below(map_width - width + 1);
        const std::int32_t y = below(map_height - height + 1);
        return {x, y, width, height};
    }

    /// A terrain that is free, or one that is blocked; preferably one that occurs on the map.
    static std::optional<std::uint8_t> terrain(const grid::Map& map, bool free) {
        for (grid::Cell c = 0; c < map.size(); ++c) {
            if (map.passable(c) == free) return map.terrain(c);
        }
        return find_byte(map.options().weights.weight,
                         [free](std::uint8_t weight) { return (weight != 0) == free; });
    }

    /// The first terrain byte whose entry in `table` fits.
    template <class Table, class Fits>
    static std::optional<std::uint8_t> find_byte(const Table& table, const Fits& fits) {
        const auto found = std::find_if(table.begin(), table.end(), fits);
        if (found == table.end()) return std::nullopt;
        return static_cast<std::uint8_t>(found - table.begin());
    }

    std::mt19937_64 random_;
    std::int32_t side_;
    bool frees_ = true;  // whether the last edit freed its square
};

}  // namespace cairn::app
