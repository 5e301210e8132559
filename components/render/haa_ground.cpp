#include "haa_ground.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "cairn/formats/palette.hpp"
#include "palette.hpp"

namespace cairn::render {
namespace {

using haa::AnnotatedMap;
using haa::Terrain;
using haa::TerrainKey;

// A terrain as an agent sees it: closed to its capability, too narrow for its size, or free, in
// steps of clearance from the greatest down.
enum State : std::uint8_t { kClosed, kNarrow, kFree };
constexpr int kSteps = 4;
constexpr int kStates = kFree + kSteps;
constexpr std::uint8_t kObstacle = haa::kMaxTerrains * kStates;

Colour terrain_colour(Terrain t) {
    switch (t) {
        case haa::kGround:
            return palette::free_cell;
        case haa::kTrees:
            return palette::open_trees;
        case haa::kSwamp:
            return palette::swamp;
        case haa::kWater:
            return palette::open_water;
        default:
            return blend(palette::free_cell, palette::ramp((t - 4) / 11.0), 2, 5);
    }
}

Colour colour_of(Terrain t, int state) {
    const Colour light = terrain_colour(t);
    if (state == kClosed) return blend(light, palette::obstacle, 9, 20);
    if (state == kNarrow) return blend(light, palette::too_narrow, 9, 20);
    return blend(light, palette::ink, static_cast<std::uint32_t>(5 * (state - kFree)), 100);
}

class AgentGround {
public:
    AgentGround(const AnnotatedMap& map, haa::Agent agent, bool shades)
        : map_(&map), agent_(agent), shades_(shades && agent.size < map.options().max_size) {
        ground_.colours.fill(palette::obstacle);
        for (int kind = 0; kind < kObstacle; ++kind) {
            ground_.colours[static_cast<std::size_t>(kind)] =
                colour_of(static_cast<Terrain>(kind / kStates), kind % kStates);
        }
    }

    void read(const grid::Rect& area) {
        ground_.cells.reserve(static_cast<std::size_t>(area.width) *
                              static_cast<std::size_t>(area.height));
        for (int y = area.y; y < area.y + area.height; ++y) {
            for (int x = area.x; x < area.x + area.width; ++x) {
                ground_.cells.push_back(kind(map_->cell({x, y})));
                present_[ground_.cells.back()] = true;
            }
        }
    }

    void explain(Legend& legend) const {
        const haa::Capability& capability = map_->options().capabilities[agent_.capability];
        Colour narrow;
        bool any_narrow = false;
        for (Terrain t = 0; t < haa::kMaxTerrains; ++t) {
            if (has(t, kNarrow) && !any_narrow) narrow = colour_of(t, kNarrow);
            any_narrow |= has(t, kNarrow);
            const std::string name = formats::terrain_name(t);
            const bool enters = capability.includes(t);
            if (enters && (t != haa::kGround || capability.weight[t] != 1) && any_state(t)) {
                legend.box(colour_of(t, kFree),
                           capability.weight[t] == 1
                               ? name
                               : fmt::format("{}, weight {}", name, capability.weight[t]));
            } else if (has(t, kClosed)) {
                legend.box(colour_of(t, kClosed), name + " (closed)");
            }
        }
        if (any_narrow) legend.box(narrow, fmt::format("clearance below {}", agent_.size));
        if (shades_) {
            legend.box(
                colour_of(haa::kGround, kFree + kSteps - 1),
                fmt::format("clearance {}; {} is light", agent_.size, map_->options().max_size));
        }
    }

    [[nodiscard]] Ground take() { return std::move(ground_); }

private:
    [[nodiscard]] std::uint8_t kind(grid::Cell cell) const noexcept {
        const std::uint8_t t = map_->options().key.terrain[map_->terrain(cell)];
        if (t == TerrainKey::kObstacle) return kObstacle;
        return static_cast<std::uint8_t>(t * kStates +
                                         state(map_->clearance(agent_.capability, cell)));
    }
    [[nodiscard]] int state(int clearance) const noexcept {
        if (clearance == 0) return kClosed;
        if (clearance < agent_.size) return kNarrow;
        if (!shades_) return kFree;
        const int most = map_->options().max_size;
        return kFree + (kSteps - 1) * (most - clearance) / (most - agent_.size);
    }
    [[nodiscard]] bool has(Terrain t, int state) const noexcept {
        return present_[static_cast<std::size_t>(t * kStates + state)];
    }
    [[nodiscard]] bool any_state(Terrain t) const noexcept {
        const auto first = present_.begin() + t * kStates;
        return std::find(first, first + kStates, true) != first + kStates;
    }

    const AnnotatedMap* map_;
    haa::Agent agent_;
    bool shades_;
    Ground ground_;
    std::array<bool, 256> present_{};
};

}  // namespace

Ground agent_ground(const AnnotatedMap& map, haa::Agent agent, bool shades, const grid::Rect& area,
                    Legend& legend) {
    AgentGround ground(map, agent, shades);
    ground.read(area);
    ground.explain(legend);
    return ground.take();
}

std::string terrains_text(const haa::Capability& capability) {
    std::vector<std::string> names;
    for (Terrain t = 0; t < haa::kMaxTerrains; ++t) {
        if (capability.includes(t)) names.push_back(formats::terrain_name(t));
    }
    return fmt::format("{}", fmt::join(names, "+"));
}

}  // namespace cairn::render
