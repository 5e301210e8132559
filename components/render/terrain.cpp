#include "terrain.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "palette.hpp"

namespace cairn::render {

using grid::Map;
using grid::Rect;

Colour blend(Colour a, Colour b, std::uint32_t part, std::uint32_t whole) {
    const auto mix = [&](std::uint8_t from, std::uint8_t to) {
        return static_cast<std::uint8_t>((from * (whole - part) + to * part + whole / 2) / whole);
    };
    return {mix(a.r, b.r), mix(a.g, b.g), mix(a.b, b.b)};
}

namespace {

// Light to brown as the weight grows from `least` to `most`.
Colour ground(std::uint32_t weight, std::uint32_t least, std::uint32_t most) {
    if (least == most) return palette::free_cell;
    const std::uint32_t part = 2 * (weight - least);
    const std::uint32_t whole = most - least;
    if (part <= whole) return blend(palette::free_cell, palette::middling_terrain, part, whole);
    return blend(palette::middling_terrain, palette::costly_terrain, part - whole, whole);
}

template <class Visit>
void each_cell(const Map& map, const Rect& area, Visit&& visit) {
    for (int y = area.y; y < area.y + area.height; ++y) {
        const grid::Cell first = map.cell({area.x, y});
        for (int x = 0; x < area.width; ++x) visit(first + static_cast<grid::Cell>(x));
    }
}

struct Terrains {
    std::array<Colour, 256> colour;

    Terrains(const Map& map, const Rect& area, Legend& legend) {
        std::array<bool, 256> present{};
        each_cell(map, area, [&](grid::Cell c) { present[map.terrain(c)] = true; });
        const auto& weights = map.options().weights.weight;
        std::uint32_t least = 255;
        std::uint32_t most = 0;
        for (std::size_t t = 0; t < 256; ++t) {
            if (!present[t] || weights[t] == 0) continue;
            least = std::min<std::uint32_t>(least, weights[t]);
            most = std::max<std::uint32_t>(most, weights[t]);
        }
        bool has_trees = false;
        bool has_water = false;
        for (std::size_t t = 0; t < 256; ++t) {
            if (!present[t]) {
                colour[t] = palette::obstacle;
            } else if (weights[t] != 0) {
                colour[t] = ground(weights[t], least, most);
            } else {
                has_trees |= t == 'T';
                has_water |= t == 'W';
                colour[t] = t == 'T'   ? palette::trees
                            : t == 'W' ? palette::water
                                       : palette::obstacle;
            }
        }
        if (has_trees) legend.box(palette::trees, "trees (blocked)");
        if (has_water) legend.box(palette::water, "water (blocked)");
        if (least < most) {
            legend.box(ground(least + (most - least) / 2, least, most),
                       fmt::format("terrain of weight {} to {}", least, most));
        }
    }
};

// At most 256 colours: exact ones as long as there is room, then the nearest existing one.
class Colours {
public:
    explicit Colours(std::vector<Colour>& palette) : palette_(&palette), known_(1U << 15, kNone) {}

    std::uint8_t exact(Colour c) {
        const auto found = std::find(palette_->begin(), palette_->end(), c);
        if (found == palette_->end()) {
            palette_->push_back(c);
            return static_cast<std::uint8_t>(palette_->size() - 1);
        }
        return static_cast<std::uint8_t>(found - palette_->begin());
    }
    std::uint8_t nearest(Colour c) {
        std::uint16_t& slot = known_[(c.r >> 3) << 10 | (c.g >> 3) << 5 | c.b >> 3];
        if (slot == kNone) slot = palette_->size() < 256 ? exact(c) : closest(c);
        return static_cast<std::uint8_t>(slot);
    }

private:
    static constexpr std::uint16_t kNone = 0xffff;

    [[nodiscard]] std::uint8_t closest(Colour c) const {
        const auto distance = [c](Colour p) {
            const int r = p.r - c.r;
            const int g = p.g - c.g;
            const int b = p.b - c.b;
            return r * r + g * g + b * b;
        };
        const auto best =
            std::min_element(palette_->begin(), palette_->end(),
                             [&](Colour a, Colour b) { return distance(a) < distance(b); });
        return static_cast<std::uint8_t>(best - palette_->begin());
    }

    std::vector<Colour>* palette_;
    std::vector<std::uint16_t> known_;
};

// The mean colour of a square of cells, given by its place in the area.
Colour mean(const Ground& ground, int width, const Rect& square) {
    std::uint64_t r = 0;
    std::uint64_t g = 0;
    std::uint64_t b = 0;
    for (int y = square.y; y < square.y + square.height; ++y) {
        const std::size_t row = static_cast<std::size_t>(y) * static_cast<std::size_t>(width);
        for (int x = square.x; x < square.x + square.width; ++x) {
            const Colour c = ground.colours[ground.cells[row + static_cast<std::size_t>(x)]];
            r += c.r;
            g += c.g;
            b += c.b;
        }
    }
    const auto n = static_cast<std::uint64_t>(square.width) * square.height;
    const auto part = [n](std::uint64_t sum) {
        return static_cast<std::uint8_t>((sum + n / 2) / n);
    };
    return {part(r), part(g), part(b)};
}

}  // namespace

Ground map_ground(const Map& map, const Rect& area, Legend& legend) {
    Ground ground{Terrains(map, area, legend).colour, {}};
    ground.cells.reserve(static_cast<std::size_t>(area.width) *
                         static_cast<std::size_t>(area.height));
    each_cell(map, area, [&](grid::Cell cell) { ground.cells.push_back(map.terrain(cell)); });
    return ground;
}

Raster paint_ground(const Ground& ground, const Rect& area, int cells_per_pixel) {
    const int k = cells_per_pixel;
    Raster raster;
    raster.width = (area.width + k - 1) / k;
    raster.height = (area.height + k - 1) / k;
    raster.pixels.reserve(static_cast<std::size_t>(raster.width) *
                          static_cast<std::size_t>(raster.height));
    Colours colours(raster.palette);
    if (k == 1) {
        std::array<std::uint16_t, 256> entry;
        entry.fill(0xffff);
        for (const std::uint8_t kind : ground.cells) {
            if (entry[kind] == 0xffff) entry[kind] = colours.exact(ground.colours[kind]);
            raster.pixels.push_back(static_cast<std::uint8_t>(entry[kind]));
        }
        return raster;
    }
    for (int y = 0; y < area.height; y += k) {
        for (int x = 0; x < area.width; x += k) {
            const Rect square{x, y, std::min(k, area.width - x), std::min(k, area.height - y)};
            raster.pixels.push_back(colours.nearest(mean(ground, area.width, square)));
        }
    }
    return raster;
}

}  // namespace cairn::render
