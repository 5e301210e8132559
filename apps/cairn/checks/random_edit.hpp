#pragma once
// Edits at random places, for `verify` and `bench`.

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>
#include <vector>

#include "cairn/grid/map.hpp"
#include "cairn/haa/annotated_map.hpp"

namespace cairn::app {

/// Draws squares with sides of `side` cells. The first is blocked, the second freed, and so on in
/// turn. A seed gives the same edits on every platform.
class RandomEdits {
public:
    RandomEdits(std::uint64_t seed, int side) : random_(seed), side_(side) {}

    [[nodiscard]] grid::TerrainEdit next(const grid::Map& map) {
        frees_ = !frees_;
        const grid::Rect area = square(map.width(), map.height());
        return {area, terrain(map, frees_)};
    }
    /// The same for maps of agents: blocked squares become obstacles, the others get the terrain of
    /// a random cell of the map.
    [[nodiscard]] grid::TerrainEdit next(const haa::AnnotatedMap& map) {
        frees_ = !frees_;
        const grid::Rect area = square(map.width(), map.height());
        const auto& key = map.options().key.terrain;
        if (frees_) return {area, map.terrain(static_cast<grid::Cell>(random_() % map.size()))};
        const auto* obstacle = std::find(key.begin(), key.end(), haa::TerrainKey::kObstacle);
        return {area, static_cast<std::uint8_t>(obstacle - key.begin())};
    }

private:
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

    /// A terrain that is free, or one that is blocked: one that occurs on the map if there is any.
    static std::uint8_t terrain(const grid::Map& map, bool free) {
        for (grid::Cell c = 0; c < map.size(); ++c) {
            if (map.passable(c) == free) return map.terrain(c);
        }
        const auto& weights = map.options().weights.weight;
        const auto fits =
            std::find_if(weights.begin(), weights.end(), [&](auto w) { return (w != 0) == free; });
        return static_cast<std::uint8_t>(fits - weights.begin());
    }

    std::mt19937_64 random_;
    std::int32_t side_;
    bool frees_ = true;  // whether the last edit freed its square
};

}  // namespace cairn::app
