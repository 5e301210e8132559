#include "canvas.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "cairn/grid/smooth.hpp"
#include "palette.hpp"

namespace cairn::render {
namespace {

constexpr int kMaxCell = 64;
constexpr int kMaxAutomaticCell = 24;
constexpr int kUsualSide = 1600;
constexpr int kLargestAutomaticSide = 4000;
constexpr double kGridLineCell = 10;
constexpr double kEdgedDotCell = 6;

Status bad_option(std::string message) { return {StatusCode::bad_option, std::move(message)}; }

bool within(const grid::Map& map, const grid::Rect& r) {
    return r.x >= 0 && r.y >= 0 && r.width > 0 && r.height > 0 && r.width <= map.width() - r.x &&
           r.height <= map.height() - r.y;
}

}  // namespace

Result<Canvas> Canvas::create(const grid::Map& map, const MapPicture& picture) {
    return create(map, picture, [&map](const Canvas& canvas, Legend& legend) {
        return map_ground(map, canvas.area(), legend);
    });
}

Result<Canvas> Canvas::create(const grid::Map& map, const MapPicture& picture,
                              const GroundOf& ground) {
    Canvas canvas;
    canvas.map_ = &map;
    if (Status s = canvas.lay_out(picture); !s.ok()) return tl::unexpected(std::move(s));

    Raster raster =
        paint_ground(ground(canvas, canvas.legend()), canvas.area_, canvas.cells_per_pixel_);
    raster.at = {canvas.sheet_.frame().x, canvas.sheet_.frame().y};
    raster.pixel = canvas.cells_per_pixel_ == 1 ? canvas.scale_ : 1;
    canvas.layer("terrain").shapes.emplace_back(std::move(raster));
    if (picture.grid_lines && canvas.scale_ >= kGridLineCell) canvas.add_grid_lines();
    return canvas;
}

Status Canvas::choose_scale(const MapPicture& picture) {
    const int longest = std::max(area_.width, area_.height);
    if (picture.cell < 0 || picture.cell > kMaxCell)
        return bad_option(
            fmt::format("cell must be 0 to {} pixels, not {}", kMaxCell, picture.cell));
    if (picture.longest_side != 0 && (picture.longest_side < 64 || picture.longest_side > 8192))
        return bad_option(fmt::format("longest_side must be 0 or 64 to 8192 pixels, not {}",
                                      picture.longest_side));
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
    const double width = std::ceil(area_.width * scale_);
    const double height = std::ceil(area_.height * scale_);
    sheet_ = Sheet(width, height, scale_, picture.title, picture.legend);
    return {};
}

double Canvas::covered(const Segments& lines) const noexcept {
    double length = 0;
    for (std::size_t i = 0; i + 1 < lines.ends.size(); i += 2) {
        const Position& a = lines.ends[i];
        const Position& b = lines.ends[i + 1];
        length += std::max(std::abs(a.x - b.x), std::abs(a.y - b.y));
    }
    return length * lines.stroke.width / (sheet_.frame().width * sheet_.frame().height);
}

void Canvas::add_grid_lines() {
    Segments lines{{}, {palette::hairline, 1, 0}};
    const Box& frame = sheet_.frame();
    for (int x = 1; x < area_.width; ++x) {
        const double at = frame.x + x * scale_;
        lines.ends.insert(lines.ends.end(), {{at, frame.y}, {at, frame.y + frame.height}});
    }
    for (int y = 1; y < area_.height; ++y) {
        const double at = frame.y + y * scale_;
        lines.ends.insert(lines.ends.end(), {{frame.x, at}, {frame.x + frame.width, at}});
    }
    layer("grid").shapes.emplace_back(std::move(lines));
}

void Canvas::tint(const std::vector<grid::Rect>& rects, Colour colour) {
    auto& raster = std::get<Raster>(sheet_.drawing().layers.front().shapes.front());
    const std::size_t plain = raster.palette.size();
    if (cells_per_pixel_ > 1 || plain > 128) {
        Boxes boxes{{}, colour.with_alpha(0x80)};
        for (const grid::Rect& r : rects) boxes.boxes.push_back(box(r));
        layer("tint").shapes.emplace_back(std::move(boxes));
        return;
    }
    // Multiplied, so that costlier terrain stays darker; free ground gets the colour itself.
    for (std::size_t i = 0; i < plain; ++i) {
        const auto mix = [](int ground, int wanted, int most) {
            return static_cast<std::uint8_t>(std::min(255, ground * wanted / most));
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

Stroke Canvas::path(Layer& layer, const std::vector<grid::Cell>& cells, Colour colour,
                    PathStyle style) {
    std::vector<grid::Cell> turns;
    grid::waypoints(*map_, cells, turns);
    std::vector<Position> points;
    points.reserve(turns.size());
    for (const grid::Cell cell : turns) points.push_back(centre(cell));
    return sheet_.path(layer, std::move(points), colour, scale_, style);
}

void Canvas::marker(Layer& layer, const Marker& marker) {
    sheet_.marker(layer, centre(marker.at), 0.46 * scale_, marker.colour, marker.letters);
}

void Canvas::dots(Layer& layer, Discs discs) const {
    if (scale_ >= kEdgedDotCell) {
        Discs edge = discs;
        edge.radius += 0.8 * hair();
        edge.fill = palette::paper;
        layer.shapes.emplace_back(std::move(edge));
    }
    layer.shapes.emplace_back(std::move(discs));
}

void Canvas::ends(grid::Point start, grid::Point goal) {
    Layer& on = layer("ends");
    marker(on, {start, palette::start, "S"});
    marker(on, {goal, palette::goal, "G"});
}

void Canvas::paths(const MapPicture& picture) {
    for (const PathLine& line : picture.paths) {
        const Stroke stroke = path(layer("path"), line.cells, line.colour);
        if (!line.label.empty()) legend().line(stroke, line.label);
    }
}

void Canvas::markers(const MapPicture& picture) {
    for (const Marker& m : picture.markers) marker(layer("marker"), m);
}

std::string Canvas::with_length(const char* what, Cost cost) const {
    return fmt::format("{}, length {:.1f}", what,
                       static_cast<double>(cost) / map_->options().costs.straight);
}

}  // namespace cairn::render
