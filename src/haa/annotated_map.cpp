#include "cairn/haa/annotated_map.hpp"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <bit>

#include "core/guarded.hpp"
#include "grid/map_checks.hpp"

namespace cairn::haa {

using grid::Cell;
using grid::Rect;

TerrainKey TerrainKey::movingai() noexcept {
    TerrainKey key;
    const auto set = [&](char letter, Terrain t) {
        key.terrain[static_cast<unsigned char>(letter)] = t;
    };
    set('.', kGround);
    set('G', kGround);
    set('T', kTrees);
    set('S', kSwamp);
    set('W', kWater);
    return key;
}

TerrainKey TerrainKey::literal() noexcept {
    TerrainKey key;
    for (Terrain t = 0; t < kMaxTerrains; ++t) key.terrain[t] = t;
    return key;
}

Status check(const AnnotationOptions& o) noexcept try {
    const auto bad = [](std::string message) {
        return Status{StatusCode::bad_option, std::move(message)};
    };
    if (o.capabilities.empty() || o.capabilities.size() > 16) {
        return bad(fmt::format("{} capabilities: there must be 1 to 16", o.capabilities.size()));
    }
    if (o.anchor > Anchor::centred) {
        return bad(fmt::format("anchor {}: there is no such anchor", static_cast<int>(o.anchor)));
    }
    if (o.max_size < 1 || o.max_size > 16) {
        return bad(fmt::format("max_size {}: must be 1 to 16", o.max_size));
    }
    constexpr std::size_t kMaxClasses = 127;
    if (o.capabilities.size() * static_cast<std::size_t>(o.max_size) > kMaxClasses) {
        return bad(fmt::format("{} capabilities of {} sizes: at most {} agent classes",
                               o.capabilities.size(), o.max_size, kMaxClasses));
    }
    for (std::size_t i = 0; i < o.capabilities.size(); ++i) {
        const Capability& c = o.capabilities[i];
        if (c.terrains == 0) return bad(fmt::format("capability {}: it has no terrain", i));
        for (Terrain t = 0; t < kMaxTerrains; ++t) {
            if (c.includes(t) && c.weight[t] == 0) {
                return bad(
                    fmt::format("capability {}: terrain {} has weight 0; leave it out of "
                                "the set instead",
                                i, t));
            }
        }
    }
    for (std::size_t byte = 0; byte < o.key.terrain.size(); ++byte) {
        const std::uint8_t t = o.key.terrain[byte];
        if (t != TerrainKey::kObstacle && t >= kMaxTerrains) {
            return bad(fmt::format("terrain key: byte {} stands for terrain {}, beyond {}", byte, t,
                                   kMaxTerrains - 1));
        }
    }
    return {};
} catch (...) {
    return out_of_memory();
}

namespace {

bool has_several_weights(const Capability& capability) {
    int first = 0;
    for (Terrain t = 0; t < kMaxTerrains; ++t) {
        if (!capability.includes(t)) continue;
        if (first == 0) first = capability.weight[t];
        if (capability.weight[t] != first) return true;
    }
    return false;
}

// The weight of each map byte for a capability; 0 where it cannot stand.
std::array<std::uint8_t, 256> weights_of(const AnnotationOptions& options,
                                         const Capability& capability) {
    std::array<std::uint8_t, 256> weights{};
    for (std::size_t byte = 0; byte < weights.size(); ++byte) {
        const std::uint8_t t = options.key.terrain[byte];
        if (t < kMaxTerrains && capability.includes(t)) weights[byte] = capability.weight[t];
    }
    return weights;
}

}  // namespace

Result<AnnotatedMap> AnnotatedMap::create(const grid::TerrainImage& image,
                                          const AnnotationOptions& options) noexcept try {
    if (Status s = check(options); !s.ok()) return tl::unexpected(std::move(s));
    const std::size_t cells = image.terrain.size();
    if (Status s =
            grid::check_shape(image.width, image.height, cells, options.costs, options.rules);
        !s.ok()) {
        return tl::unexpected(std::move(s));
    }
    AnnotatedMap map;
    map.width_ = image.width;
    map.height_ = image.height;
    map.options_ = options;
    map.terrain_ = PagedArray<std::uint8_t>(std::span<const std::uint8_t>(image.terrain));
    for (std::uint32_t c = 0; c < options.capabilities.size(); ++c) {
        map.weights_.push_back(weights_of(options, options.capabilities[c]));
        map.weighted_.push_back(has_several_weights(options.capabilities[c]));
        map.clearance_.emplace_back(
            std::span<const std::uint8_t>(map.clearances_of(c, {0, 0, image.width, image.height})));
    }
    return map;
} catch (...) {
    return out_of_memory();
}

namespace {

// How far an agent of `size` reaches beyond its anchor to the left and up; the rest of its
// size - 1 cells lie to the right and below.
constexpr int reach_before(Anchor anchor, int size) noexcept {
    return anchor == Anchor::top_left ? 0 : (size - 1) / 2;
}

// For each cell of `area`, row by row: the side of the largest free square whose top-left cell it
// is, at most `max_size`. A free cell's side is one more than the least side of its neighbours in
// the east, south and south-east. Calls is_free(x, y) for cells up to max_size - 1 beyond the area.
template <class IsFree>
std::vector<std::uint8_t> free_squares(const Rect& area, int max_size, IsFree&& is_free) {
    const int width = area.width + max_size - 1;
    const int height = area.height + max_size - 1;
    std::vector<std::uint8_t> below(static_cast<std::size_t>(width) + 1, 0);
    std::vector<std::uint8_t> row(below.size(), 0);
    const auto columns = static_cast<std::size_t>(area.width);
    std::vector<std::uint8_t> out(columns * static_cast<std::size_t>(area.height));
    for (int y = height; y-- > 0; std::swap(row, below)) {
        for (auto x = static_cast<std::size_t>(width); x-- > 0;) {
            const int least = std::min({row[x + 1], below[x], below[x + 1]});
            const bool free = is_free(area.x + static_cast<int>(x), area.y + y);
            row[x] = static_cast<std::uint8_t>(free ? std::min(least + 1, max_size) : 0);
        }
        if (y >= area.height) continue;
        std::copy_n(row.begin(), columns, out.begin() + static_cast<std::ptrdiff_t>(columns) * y);
    }
    return out;
}

// The clearances of the cells of `area`, row by row, at most `max_size`. is_free(x, y) says whether
// the capability includes the terrain of a cell. It is called for the cells of `area` and those up
// to max_size - 1 beyond it, and must be false off the map. O(number of these cells).
template <class IsFree>
std::vector<std::uint8_t> clearances(const Rect& area, int max_size, Anchor anchor,
                                     IsFree&& is_free) {
    const int before = reach_before(anchor, max_size);
    if (before == 0) return free_squares(area, max_size, is_free);
    // The top-left cells of all squares with an anchor in `area`.
    const Rect corners{area.x - before, area.y - before, area.width + before, area.height + before};
    const std::vector<std::uint8_t> sides = free_squares(corners, max_size, is_free);
    std::vector<std::uint8_t> out;
    out.reserve(static_cast<std::size_t>(area.width) * static_cast<std::size_t>(area.height));
    for (int y = 0; y < area.height; ++y) {
        for (int x = 0; x < area.width; ++x) {
            // A square contains all smaller squares with the same anchor.
            int size = 0;
            while (size < max_size) {
                const int offset = before - reach_before(anchor, size + 1);
                const std::size_t corner =
                    static_cast<std::size_t>(y + offset) * static_cast<std::size_t>(corners.width) +
                    static_cast<std::size_t>(x + offset);
                if (sides[corner] <= size) break;
                ++size;
            }
            out.push_back(static_cast<std::uint8_t>(size));
        }
    }
    return out;
}

}  // namespace

std::vector<std::uint8_t> AnnotatedMap::clearances_of(std::uint32_t capability,
                                                      const Rect& area) const {
    return clearances(area, options_.max_size, options_.anchor, [&](int x, int y) {
        return contains({x, y}) && weights_[capability][terrain_[cell({x, y})]] != 0;
    });
}

Result<AnnotatedMap> AnnotatedMap::edited(std::span<const grid::TerrainEdit> edits) const noexcept
    try {
    if (Status s = grid::check_edits(width_, height_, edits); !s.ok()) {
        return tl::unexpected(std::move(s));
    }
    AnnotatedMap map = *this;
    Bytes::Editor terrain(terrain_);
    for (const auto& [area, value] : edits) {
        for (int y = area.y; y < area.y + area.height; ++y) {
            for (int x = area.x; x < area.x + area.width; ++x) terrain.set(cell({x, y}), value);
        }
    }
    map.terrain_ = terrain.take();
    for (std::uint32_t c = 0; c < clearance_.size(); ++c) {
        Bytes::Editor clearance(clearance_[c]);
        for (const grid::TerrainEdit& edit : edits) {
            const Rect area = anchors_over(edit.area);
            const std::vector<std::uint8_t> updated = map.clearances_of(c, area);
            auto next = updated.begin();
            for (int y = area.y; y < area.y + area.height; ++y) {
                for (int x = area.x; x < area.x + area.width; ++x, ++next) {
                    const Cell changed = cell({x, y});
                    if (clearance[changed] != *next) clearance.set(changed, *next);
                }
            }
        }
        map.clearance_[c] = clearance.take();
    }
    return map;
} catch (...) {
    return out_of_memory();
}

Result<AnnotatedMap> AnnotatedMap::with_costs(
    std::span<const Capability> capabilities) const noexcept try {
    const std::vector<Capability>& own = options_.capabilities;
    if (!std::equal(
            own.begin(), own.end(), capabilities.begin(), capabilities.end(),
            [](const Capability& a, const Capability& b) { return a.terrains == b.terrains; })) {
        return fail(StatusCode::bad_option,
                    "capabilities: they must include the same terrains as those of the map, in "
                    "their order");
    }
    AnnotatedMap map = *this;
    map.options_.capabilities.assign(capabilities.begin(), capabilities.end());
    if (Status s = check(map.options_); !s.ok()) return tl::unexpected(std::move(s));
    for (std::size_t c = 0; c < capabilities.size(); ++c) {
        map.weights_[c] = weights_of(map.options_, capabilities[c]);
        map.weighted_[c] = has_several_weights(capabilities[c]);
    }
    return map;
} catch (...) {
    return out_of_memory();
}

Rect AnnotatedMap::footprint(int size, grid::Point anchor) const noexcept {
    const int before = reach_before(options_.anchor, size);
    return {anchor.x - before, anchor.y - before, size, size};
}

Rect AnnotatedMap::anchors_over(const Rect& area) const noexcept {
    // An agent that reaches far up and left covers cells of the area from anchors below and right.
    const int after = reach_before(options_.anchor, options_.max_size);
    const int before = options_.max_size - 1 - after;
    const int x = std::max(area.x - before, 0);
    const int y = std::max(area.y - before, 0);
    return {x, y, std::min(area.x + area.width + after, width_) - x,
            std::min(area.y + area.height + after, height_) - y};
}

std::uint8_t AnnotatedMap::weight(Agent agent, Cell anchor) const noexcept {
    if (clearance(agent.capability, anchor) < agent.size) return 0;
    const std::array<std::uint8_t, 256>& weights = weights_[agent.capability];
    if (!weighted_[agent.capability]) return weights[terrain_[anchor]];
    const auto width = static_cast<Cell>(width_);
    const Rect covered =
        footprint(agent.size, {static_cast<int>(anchor % width), static_cast<int>(anchor / width)});
    std::uint8_t costliest = 0;
    for (int y = covered.y; y < covered.y + covered.height; ++y) {
        for (int x = covered.x; x < covered.x + covered.width; ++x) {
            costliest = std::max(costliest, weights[terrain_[cell({x, y})]]);
        }
    }
    return costliest;
}

Result<grid::Map> AnnotatedMap::class_map(Agent agent) const noexcept try {
    if (Status s = check(*this, agent); !s.ok()) return tl::unexpected(std::move(s));
    grid::MapOptions map_options{options_.rules, options_.costs, grid::TerrainWeights::literal()};
    if (shares_clearances(agent.capability)) {
        map_options.weights = {};
        const auto size = static_cast<std::ptrdiff_t>(agent.size);
        std::fill(map_options.weights.weight.begin() + size, map_options.weights.weight.end(),
                  common_weight(agent.capability));
        return grid::Map::create(width_, height_, clearance_[agent.capability], map_options);
    }
    std::vector<std::uint8_t> weights(this->size());
    for (Cell c = 0; c < weights.size(); ++c) weights[c] = weight(agent, c);
    return grid::Map::create(width_, height_, weights, map_options);
} catch (...) {
    return out_of_memory();
}

std::uint8_t AnnotatedMap::common_weight(std::uint32_t capability) const noexcept {
    const Capability& c = options_.capabilities[capability];
    return c.weight[static_cast<std::size_t>(std::countr_zero(c.terrains))];
}

Result<grid::Map> AnnotatedMap::edited_class_map(const grid::Map& before, Agent agent,
                                                 std::span<const grid::TerrainEdit> edits,
                                                 std::span<const grid::Rect> areas) const noexcept {
    return shares_clearances(agent.capability)
               ? before.with_terrain(clearance_[agent.capability], areas)
               : before.edited(edits);
}

Status check(const AnnotatedMap& map, Agent agent) noexcept try {
    if (map.knows(agent)) return {};
    return {StatusCode::bad_option,
            fmt::format("agent of size {} and capability {}: sizes are 1 to {}, capabilities 0 to "
                        "{}",
                        agent.size, agent.capability, map.options().max_size,
                        map.options().capabilities.size() - 1)};
} catch (...) {
    return out_of_memory();
}

std::uint64_t AnnotatedMap::fingerprint() const noexcept {
    const std::array<std::uint32_t, 8> header{
        static_cast<std::uint32_t>(width_),
        static_cast<std::uint32_t>(height_),
        static_cast<std::uint32_t>(options_.rules.neighbourhood),
        static_cast<std::uint32_t>(options_.rules.corner),
        options_.costs.straight,
        options_.costs.diagonal,
        static_cast<std::uint32_t>(options_.max_size),
        static_cast<std::uint32_t>(options_.anchor)};
    std::uint64_t hash = XXH3_64bits(header.data(), sizeof header);
    const auto& key = options_.key.terrain;
    hash = XXH3_64bits_withSeed(key.data(), key.size(), hash);
    for (const Capability& c : options_.capabilities) {
        hash = XXH3_64bits_withSeed(&c.terrains, sizeof c.terrains, hash);
        hash = XXH3_64bits_withSeed(c.weight.data(), c.weight.size(), hash);
    }
    terrain_.for_each_run([&](std::span<const std::uint8_t> run) {
        hash = XXH3_64bits_withSeed(run.data(), run.size(), hash);
    });
    return hash;
}

bool operator==(const AnnotatedMap& a, const AnnotatedMap& b) {
    if (a.width_ != b.width_ || a.height_ != b.height_ || !(a.options_ == b.options_)) return false;
    for (Cell c = 0; c < a.size(); ++c) {
        if (a.terrain_[c] != b.terrain_[c]) return false;
    }
    return true;
}

}  // namespace cairn::haa
