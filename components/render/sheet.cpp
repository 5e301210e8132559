#include "sheet.hpp"

#include <algorithm>
#include <cmath>

#include "palette.hpp"

namespace cairn::render {

Sheet::Sheet(double width, double height, double detail, std::string title, bool show_legend)
    : show_legend_(show_legend), title_(std::move(title)) {
    const double longest = std::max(width, height);
    font_ = std::round(std::clamp(longest / 68, 12.0, 22.0));
    hair_ = std::clamp(std::max(detail / 16, longest / 1200), 0.75, 2.0);
    frame_ = {font_, font_ + (title_.empty() ? 0 : 1.9 * font_), width, height};
}

Layer& Sheet::layer(std::string name) {
    drawing_.layers.push_back({std::move(name), frame_, {}});
    return drawing_.layers.back();
}

Stroke Sheet::path(Layer& layer, std::vector<Position> points, Colour colour, double detail,
                   PathStyle style) const {
    const bool band = style == PathStyle::band;
    const double width =
        std::max(2.8 * hair_, std::clamp(0.2 * detail, 2.0, 6.0)) * (band ? 2.4 : 1);
    Polyline line{std::move(points), {colour, width, 0}};
    if (line.points.size() == 1) line.points.push_back(line.points.front());
    if (!band) {
        Polyline edge = line;
        edge.stroke = {palette::paper.with_alpha(0xd0), width + 1.6 * hair_, 0};
        layer.shapes.emplace_back(std::move(edge));
    }
    const Stroke stroke = line.stroke;
    layer.shapes.emplace_back(std::move(line));
    return stroke;
}

void Sheet::marker(Layer& layer, Position at, double radius, Colour colour,
                   const std::string& letters) const {
    radius = std::max(radius, 0.72 * font_);
    layer.shapes.emplace_back(Discs{{at}, radius + 1.4 * hair_, palette::paper});
    layer.shapes.emplace_back(Discs{{at}, radius, colour});
    layer.shapes.emplace_back(Text{{at.x, at.y + 0.44 * radius},
                                   1.22 * radius,
                                   Anchor::middle,
                                   true,
                                   palette::paper,
                                   letters});
}

Drawing Sheet::finish() {
    Layer around{"labels", {}, {}};
    const double right = frame_.x + frame_.width;
    double bottom = frame_.y + frame_.height;
    around.shapes.emplace_back(Polyline{{{frame_.x, frame_.y},
                                         {right, frame_.y},
                                         {right, bottom},
                                         {frame_.x, bottom},
                                         {frame_.x, frame_.y}},
                                        {palette::ink, hair_, 0}});
    if (!title_.empty()) {
        around.shapes.emplace_back(Text{{frame_.x, frame_.y - 0.75 * font_},
                                        1.15 * font_,
                                        Anchor::start,
                                        true,
                                        palette::ink,
                                        title_});
    }
    double width = frame_.width;
    if (show_legend_ && !legend_.empty()) {
        width = std::max(width, legend_.entry_width(font_));
        bottom += 0.9 * font_;
        bottom += legend_.paint(around, {frame_.x, bottom}, width, font_);
    }
    drawing_.width = std::ceil(width + 2 * frame_.x);
    drawing_.height = std::ceil(bottom + frame_.x);
    drawing_.layers.push_back(std::move(around));
    return std::move(drawing_);
}

}  // namespace cairn::render
