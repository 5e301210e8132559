#include "footprint.hpp"

#include <algorithm>
#include <vector>

namespace cairn::app {

std::uint8_t Footprint::weight(grid::Point anchor) const {
    const int back = map_.options().anchor == haa::Anchor::centred ? (agent_.size - 1) / 2 : 0;
    std::uint8_t dearest = 1;
    for (int dy = 0; dy < agent_.size; ++dy) {
        for (int dx = 0; dx < agent_.size; ++dx) {
            const std::uint8_t w = cell_weight({anchor.x - back + dx, anchor.y - back + dy});
            if (w == 0) return 0;
            dearest = std::max(dearest, w);
        }
    }
    return dearest;
}

Result<grid::Map> Footprint::class_map() const {
    std::vector<std::uint8_t> weights;
    weights.reserve(map_.size());
    for (std::int32_t y = 0; y < map_.height(); ++y) {
        for (std::int32_t x = 0; x < map_.width(); ++x) weights.push_back(weight({x, y}));
    }
    const haa::AnnotationOptions& o = map_.options();
    return grid::Map::create(map_.width(), map_.height(), weights,
                             {o.rules, o.costs, grid::TerrainWeights::literal()});
}

std::uint8_t Footprint::cell_weight(grid::Point p) const {
    if (!map_.contains(p)) return 0;
    const haa::Capability& capability = map_.options().capabilities[agent_.capability];
    const std::uint8_t terrain = map_.options().key.terrain[map_.terrain(map_.cell(p))];
    const bool free = terrain < haa::kMaxTerrains && capability.includes(terrain);
    return free ? capability.weight[terrain] : std::uint8_t{0};
}

}  // namespace cairn::app
