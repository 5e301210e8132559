#include "sheet.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "palette.hpp"

namespace cairn::render {
namespace {

constexpr double kEdgedDotDetail = 6;  // the least detail with edges around dots

/// An estimate of the width of a line of text, and mostly an upper bound.
double text_width(const std::string& text, double font) {
    // In UTF-8, a character begins at each byte that does not continue one.
    const auto characters =
        std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; });
    return 0.6 * font * static_cast<double>(characters);
}

}  // namespace

Status check_longest_side(int pixels) {
    if (pixels == 0 || (pixels >= 64 && pixels <= 8192)) return {};
    return {StatusCode::bad_option,
            fmt::format("longest_side must be 0 or 64 to 8192 pixels, not {}", pixels)};
}

std::string counted(const std::string& label, std::size_t count) {
    return fmt::format("{}: {}", label, count);
}

Polyline outline(const Box& b, const Stroke& stroke) {
    const Position last{b.x + b.width, b.y + b.height};
    return {{{b.x, b.y}, {last.x, b.y}, last, {b.x, last.y}, {b.x, b.y}}, stroke};
}

void Sheet::set_up(double width, double height, double detail, std::string title,
                   bool show_legend) {
    show_legend_ = show_legend;
    title_ = std::move(title);
    detail_ = detail;
    const double longest = std::max(width, height);
    font_ = std::round(std::clamp(longest / 68, 12.0, 22.0));
    hair_ = std::clamp(std::max(detail / 16, longest / 1200), 0.75, 2.0);
    frame_ = {font_, font_ + (title_.empty() ? 0 : 1.9 * font_), width, height};
}

Layer& Sheet::layer(std::string name) {
    drawing_.layers.push_back({std::move(name), frame_, {}});
    return drawing_.layers.back();
}

void Sheet::add(std::string name, Segments lines, std::string label) {
    if (lines.ends.empty()) return;
    legend_.line(lines.stroke, std::move(label));
    add(std::move(name), std::move(lines));
}

void Sheet::path(Layer& layer, std::vector<Position> points, Colour colour, double detail,
                 std::string label, PathStyle style) {
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
    if (!label.empty()) legend_.line(line.stroke, std::move(label));
    layer.shapes.emplace_back(std::move(line));
}

double Sheet::covered(const Segments& lines) const noexcept {
    double length = 0;
    for (std::size_t i = 0; i + 1 < lines.ends.size(); i += 2)
        length += std::hypot(lines.ends[i + 1].x - lines.ends[i].x,
                             lines.ends[i + 1].y - lines.ends[i].y);
    return length * lines.stroke.width / (frame().width * frame().height);
}

void Sheet::dots(Layer& layer, Discs discs) const {
    if (detail_ >= kEdgedDotDetail) return edged_discs(layer, std::move(discs), 0.8 * hair());
    layer.shapes.emplace_back(std::move(discs));
}

void Sheet::ranks(std::string name, std::vector<Rank> ranks, double radius) {
    std::erase_if(ranks, [](const Rank& rank) { return rank.centres.empty(); });
    if (ranks.empty()) return;
    for (const Rank& rank : ranks)
        legend_.disc(rank.colour, counted(rank.label, rank.centres.size()));
    std::sort(ranks.begin(), ranks.end(),
              [](const Rank& a, const Rank& b) { return a.size < b.size; });
    Layer& on = layer(std::move(name));
    for (Rank& rank : ranks) dots(on, {std::move(rank.centres), rank.size * radius, rank.colour});
}

void Sheet::edged_discs(Layer& layer, Discs discs, double edge) {
    layer.shapes.emplace_back(Discs{discs.centres, discs.radius + edge, palette::paper});
    layer.shapes.emplace_back(std::move(discs));
}

void Sheet::marker(Layer& layer, Position at, double radius, Colour colour,
                   const std::string& letters) const {
    radius = std::max(radius, 0.72 * font_);
    edged_discs(layer, {{at}, radius, colour}, 1.4 * hair_);
    at.y += 0.44 * radius;
    layer.shapes.emplace_back(
        Text{at, 1.22 * radius, Anchor::middle, /*bold=*/true, palette::paper, letters});
}

Drawing Sheet::finish() {
    Layer around{"labels", {}, {}};
    around.shapes.emplace_back(outline(frame_, {palette::ink, hair_, 0}));
    double bottom = frame_.y + frame_.height;
    if (!title_.empty()) {
        const Position at{frame_.x, frame_.y - 0.75 * font_};
        around.shapes.emplace_back(
            Text{at, 1.15 * font_, Anchor::start, /*bold=*/true, palette::ink, title_});
    }
    double width = frame_.width;
    if (show_legend_ && !legend_.entries().empty()) {
        width = std::max(width, entry_width());
        bottom += 0.9 * font_;
        bottom += paint_legend(around, {frame_.x, bottom}, width);
    }
    drawing_.width = std::ceil(width + 2 * frame_.x);
    drawing_.height = std::ceil(bottom + frame_.x);
    drawing_.layers.push_back(std::move(around));
    return std::move(drawing_);
}

double Sheet::entry_width() const {
    double width = 0;
    for (const Legend::Entry& entry : legend_.entries())
        width = std::max(width, text_width(entry.label, font_));
    return width + 3.4 * font_;
}

double Sheet::paint_legend(Layer& layer, Position at, double width) const {
    const double column = entry_width();
    const double line = std::ceil(1.65 * font_);
    const auto columns = static_cast<std::size_t>(std::max(1.0, std::floor(width / column)));
    const std::size_t rows = (legend_.entries().size() + columns - 1) / columns;
    for (std::size_t i = 0; i < legend_.entries().size(); ++i) {
        const std::size_t place = i / rows;
        const Position entry{at.x + static_cast<double>(place) * column,
                             at.y + static_cast<double>(i % rows) * line};
        paint_entry(layer, legend_.entries()[i], entry);
    }
    return static_cast<double>(rows) * line;
}

void Sheet::paint_entry(Layer& layer, const Legend::Entry& entry, Position at) const {
    const double swatch = 1.7 * font_;
    const double middle = at.y + 0.7 * font_;
    const Box box{at.x, middle - 0.45 * font_, swatch, 0.9 * font_};
    if (entry.ground.a > 0) layer.shapes.emplace_back(Boxes{{box}, entry.ground});
    const Colour colour = entry.stroke.colour;
    const double inset = 0.3 * font_;
    if (entry.swatch == Legend::Swatch::box) layer.shapes.emplace_back(Boxes{{box}, colour});
    if (entry.swatch == Legend::Swatch::line || entry.swatch == Legend::Swatch::edge)
        layer.shapes.emplace_back(
            Segments{{{at.x, middle}, {at.x + swatch, middle}}, entry.stroke});
    if (entry.swatch == Legend::Swatch::edge)
        layer.shapes.emplace_back(
            Discs{{{at.x + inset, middle}, {at.x + swatch - inset, middle}}, inset, colour});
    if (entry.swatch == Legend::Swatch::disc)
        layer.shapes.emplace_back(Discs{{{at.x + swatch / 2, middle}}, 0.36 * font_, colour});
    const Position label{at.x + swatch + 0.5 * font_, middle + 0.35 * font_};
    layer.shapes.emplace_back(
        Text{label, font_, Anchor::start, /*bold=*/false, palette::ink, entry.label});
}

}  // namespace cairn::render
