#include "canvas.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>
#include <utility>

#include "cairn/grid/smooth.hpp"
#include "palette.hpp"

namespace cairn::render {
namespace {

// In pixels; see MapPicture.
constexpr int kMaxCell = 64;
constexpr int kMaxAutomaticCell = 24;
constexpr int kUsualSide = 1600;
constexpr int kLargestAutomaticSide = 4000;
constexpr double kGridLineCell = 10;  // the smallest cells with grid lines

Status bad_option(std::string message) { return {StatusCode::bad_option, std::move(message)}; }

bool within(const grid::Map& map, const grid::Rect& r) {
    return r.x >= 0 && r.y >= 0 && r.width > 0 && r.height > 0 && r.width <= map.width() - r.x &&
           r.height <= map.height() - r.y;
}

// Light to brown as the weight grows from `least` to `most`.
Colour ground_colour(std::uint32_t weight, std::uint32_t least, std::uint32_t most) {
    if (least == most) return palette::free_cell;
    const std::uint32_t part = 2 * (weight - least);
    const std::uint32_t whole = most - least;
    if (part <= whole)
        return palette::blend(palette::free_cell, palette::middling_terrain, part, whole);
    return palette::blend(palette::middling_terrain, palette::costly_terrain, part - whole, whole);
}

/// The colours of terrain, by its byte.
std::array<Colour, 256> terrain_colours(Canvas& canvas) {
    const grid::Map& map = canvas.map();
    std::array<bool, 256> present{};
    canvas.for_each_cell([&](grid::Cell c) { present[map.terrain(c)] = true; });
    const auto& weights = map.options().weights.weight;
    std::uint32_t least = 255;
    std::uint32_t most = 0;
    for (std::size_t t = 0; t < 256; ++t) {
        if (!present[t] || weights[t] == 0) continue;
        least = std::min<std::uint32_t>(least, weights[t]);
        most = std::max<std::uint32_t>(most, weights[t]);
    }
    std::array<Colour, 256> colours;
    colours.fill(palette::obstacle);
    for (std::size_t t = 0; t < 256; ++t) {
        if (present[t] && weights[t] != 0) colours[t] = ground_colour(weights[t], least, most);
    }
    for (const auto& [t, colour, label] :
         {std::tuple{std::size_t{'T'}, palette::trees, "trees (blocked)"},
          {'W', palette::water, "water (blocked)"}}) {
        if (!present[t] || weights[t] != 0) continue;
        colours[t] = colour;
        canvas.legend().box(colour, label);
    }
    if (least < most) {
        canvas.legend().box(ground_colour(least + (most - least) / 2, least, most),
                            fmt::format("terrain of weight {} to {}", least, most));
    }
    return colours;
}

// Fills a palette of at most 256 colours. While there is room, `nearest` adds colours; later it
// gives the nearest one. To it, colours with equal upper five bits in each channel are the same.
class Colours {
public:
    explicit Colours(std::vector<Colour>& palette) : palette_(&palette), known_(1U << 15, kNone) {}

    std::uint8_t exact(Colour c) {
        const auto index = std::find(palette_->begin(), palette_->end(), c) - palette_->begin();
        if (static_cast<std::size_t>(index) == palette_->size()) palette_->push_back(c);
        return static_cast<std::uint8_t>(index);
    }
    std::uint8_t nearest(Colour c) {
        std::uint16_t& index = known_[(c.r >> 3) << 10 | (c.g >> 3) << 5 | c.b >> 3];
        if (index == kNone) index = palette_->size() < 256 ? exact(c) : closest(c);
        return static_cast<std::uint8_t>(index);
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

// The mean colour of a square of cells. Its position is relative to the area that `ground` covers,
// which is `width` cells wide.
Colour mean(const Ground& ground, int width, const grid::Rect& square) {
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

/// A pixel per cell, or per square of `cells_per_pixel`^2 cells, whose colours are blended.
Raster paint_ground(const Ground& ground, const grid::Rect& area, int cells_per_pixel) {
    const int k = cells_per_pixel;
    Raster raster;
    raster.width = (area.width + k - 1) / k;
    raster.height = (area.height + k - 1) / k;
    raster.pixels.reserve(static_cast<std::size_t>(raster.width) *
                          static_cast<std::size_t>(raster.height));
    Colours colours(raster.palette);
    if (k == 1) {
        std::array<std::optional<std::uint8_t>, 256> index;  // in the palette
        for (const std::uint8_t kind : ground.cells) {
            if (!index[kind]) index[kind] = colours.exact(ground.colours[kind]);
            raster.pixels.push_back(*index[kind]);
        }
        return raster;
    }
    for (int y = 0; y < area.height; y += k) {
        for (int x = 0; x < area.width; x += k) {
            const grid::Rect square{x, y, std::min(k, area.width - x),
                                    std::min(k, area.height - y)};
            raster.pixels.push_back(colours.nearest(mean(ground, area.width, square)));
        }
    }
    return raster;
}

}  // namespace

Ground map_ground(Canvas& canvas) {
    Ground ground{terrain_colours(canvas), {}};
    canvas.for_each_cell(
        [&](grid::Cell cell) { ground.cells.push_back(canvas.map().terrain(cell)); });
    return ground;
}

Result<Canvas> Canvas::create(const grid::Map& map, const MapPicture& picture,
                              const std::function<Ground(Canvas& canvas)>& ground) {
    Canvas canvas;
    canvas.map_ = &map;
    if (Status s = canvas.lay_out(picture); !s.ok()) return tl::unexpected(std::move(s));

    Raster raster = paint_ground(ground(canvas), canvas.area_, canvas.cells_per_pixel_);
    raster.at = {canvas.frame().x, canvas.frame().y};
    raster.pixel = canvas.cells_per_pixel_ == 1 ? canvas.scale_ : 1;
    canvas.add("terrain", std::move(raster));
    if (picture.grid_lines && canvas.scale_ >= kGridLineCell) canvas.add_grid_lines();
    return canvas;
}

Status Canvas::choose_scale(const MapPicture& picture) {
    const int longest = std::max(area_.width, area_.height);
    if (picture.cell < 0 || picture.cell > kMaxCell)
        return bad_option(
            fmt::format("cell must be 0 to {} pixels, not {}", kMaxCell, picture.cell));
    if (Status s = check_longest_side(picture.longest_side); !s.ok()) return s;
    if (picture.cell > 0) {
        scale_ = picture.cell;
        if (longest > kMaxPictureSide / picture.cell) {
            return {StatusCode::too_large,
                    fmt::format("{} cells of {} pixels make a picture larger than {} pixels; "
                                "choose a smaller cell or an area",
                                longest, picture.cell, kMaxPictureSide)};
        }
        return {};
    }
    const int wanted = picture.longest_side > 0 ? picture.longest_side : kUsualSide;
    const int most = picture.longest_side > 0 ? picture.longest_side : kLargestAutomaticSide;
    if (longest <= most) {
        scale_ = std::clamp(wanted / longest, 1, kMaxAutomaticCell);
    } else {
        cells_per_pixel_ = (longest + most - 1) / most;
        scale_ = 1.0 / cells_per_pixel_;
    }
    return {};
}

Status Canvas::lay_out(const MapPicture& picture) {
    area_ = picture.area.value_or(grid::Rect{0, 0, map_->width(), map_->height()});
    if (!within(*map_, area_))
        return bad_option(fmt::format("area {},{} of {} x {} cells must lie on the map", area_.x,
                                      area_.y, area_.width, area_.height));
    for (const PathLine& line : picture.paths) {
        for (const grid::Cell cell : line.cells) {
            if (cell >= map_->size())
                return bad_option(
                    fmt::format("path {}: cell {} lies outside the map", line.label, cell));
        }
    }
    for (const Marker& m : picture.markers) {
        if (!map_->contains(m.at))
            return bad_option(
                fmt::format("marker {}: {},{} lies outside the map", m.letters, m.at.x, m.at.y));
    }
    if (Status s = choose_scale(picture); !s.ok()) return s;
    set_up(std::ceil(area_.width * scale_), std::ceil(area_.height * scale_), scale_, picture.title,
           picture.legend);
    return {};
}

void Canvas::add_grid_lines() {
    Segments lines{{}, {palette::hairline, 1, 0}};
    const Box& f = frame();
    for (int x = 1; x < area_.width; ++x) {
        const double at = f.x + x * scale_;
        add_line(lines, {at, f.y}, {at, f.y + f.height});
    }
    for (int y = 1; y < area_.height; ++y) {
        const double at = f.y + y * scale_;
        add_line(lines, {f.x, at}, {f.x + f.width, at});
    }
    add("grid", std::move(lines));
}

void Canvas::tint(const std::vector<grid::Rect>& rects, Colour colour) {
    auto& raster = std::get<Raster>(drawing().layers.front().shapes.front());
    const std::size_t plain = raster.palette.size();
    if (cells_per_pixel_ > 1 || plain > 128) {
        Boxes boxes{{}, colour.with_alpha(0x80)};
        for (const grid::Rect& r : rects) boxes.boxes.push_back(box(r));
        add("tint", std::move(boxes));
        return;
    }
    // Adds a tinted copy of each colour of the palette. Colours are multiplied, so that costlier
    // terrain stays darker; plain free ground becomes `colour` itself.
    for (std::size_t i = 0; i < plain; ++i) {
        const auto mix = [](int ground, int tint, int light) {
            return static_cast<std::uint8_t>(std::min(255, ground * tint / light));
        };
        const Colour c = raster.palette[i];
        const Colour light = palette::free_cell;
        raster.palette.push_back({mix(c.r, colour.r, light.r), mix(c.g, colour.g, light.g),
                                  mix(c.b, colour.b, light.b)});
    }
    const int right = area_.x + area_.width;
    const int bottom = area_.y + area_.height;
    for (const grid::Rect& r : rects) {
        for (int y = std::max(r.y, area_.y); y < std::min(r.y + r.height, bottom); ++y) {
            for (int x = std::max(r.x, area_.x); x < std::min(r.x + r.width, right); ++x) {
                if (!map_->passable(map_->cell({x, y}))) continue;
                auto& pixel = raster.pixels[static_cast<std::size_t>(y - area_.y) *
                                                static_cast<std::size_t>(area_.width) +
                                            static_cast<std::size_t>(x - area_.x)];
                if (pixel < plain) pixel = static_cast<std::uint8_t>(pixel + plain);
            }
        }
    }
}

void Canvas::path(Layer& layer, const std::vector<grid::Cell>& cells, Colour colour,
                  std::string label, PathStyle style) {
    std::vector<grid::Cell> turns;
    grid::waypoints(*map_, cells, turns);
    std::vector<Position> points;
    points.reserve(turns.size());
    for (const grid::Cell cell : turns) points.push_back(centre(cell));
    Sheet::path(layer, std::move(points), colour, scale_, std::move(label), style);
}

void Canvas::marker(Layer& layer, const Marker& marker) {
    Sheet::marker(layer, centre(marker.at), 0.46 * scale_, marker.colour, marker.letters);
}

void Canvas::ends(grid::Point start, grid::Point goal) {
    Layer& on = layer("ends");
    marker(on, {start, palette::start, "S"});
    marker(on, {goal, palette::goal, "G"});
}

void Canvas::paths(const MapPicture& picture) {
    for (const PathLine& line : picture.paths)
        path(layer("path"), line.cells, line.colour, line.label);
}

void Canvas::markers(const MapPicture& picture) {
    for (const Marker& m : picture.markers) marker(layer("marker"), m);
}

std::string Canvas::with_length(const char* label, Cost cost) const {
    return fmt::format("{}, length {:.1f}", label,
                       static_cast<double>(cost) / map_->options().costs.straight);
}

MapPicture panel_map(const MapPicture& picture, std::string title, int side) {
    MapPicture map = picture;
    map.title = std::move(title);
    if (map.cell == 0 && map.longest_side == 0) map.longest_side = side;
    return map;
}

}  // namespace cairn::render
