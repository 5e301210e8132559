#include "legend.hpp"

#include <algorithm>
#include <cmath>

#include "palette.hpp"

namespace cairn::render {

double text_width(const std::string& text, double font) {
    // UTF-8: every byte but those that continue a character.
    const auto characters =
        std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; });
    return 0.6 * font * static_cast<double>(characters);
}

double Legend::entry_width(double font) const {
    double width = 0;
    for (const LegendEntry& entry : entries_) {
        width = std::max(width, text_width(entry.label, font));
    }
    return width + 3.4 * font;
}

double Legend::paint(Layer& layer, Position at, double width, double font) const {
    const double column = entry_width(font);
    const double line = std::ceil(1.65 * font);
    const auto columns = static_cast<std::size_t>(std::max(1.0, std::floor(width / column)));
    const std::size_t rows = (entries_.size() + columns - 1) / columns;
    for (std::size_t i = 0; i < entries_.size(); ++i) {
        const std::size_t place = i / rows;
        const Position entry{at.x + static_cast<double>(place) * column,
                             at.y + static_cast<double>(i % rows) * line};
        paint_entry(layer, entries_[i], entry, font);
    }
    return static_cast<double>(rows) * line;
}

void Legend::paint_entry(Layer& layer, const LegendEntry& entry, Position at, double font) const {
    const double swatch = 1.7 * font;
    const double middle = at.y + 0.7 * font;
    const Box box{at.x, middle - 0.45 * font, swatch, 0.9 * font};
    if (entry.ground.a > 0) layer.shapes.emplace_back(Boxes{{box}, entry.ground});
    switch (entry.swatch) {
        case LegendEntry::Swatch::box:
            layer.shapes.emplace_back(Boxes{{box}, entry.stroke.colour});
            break;
        case LegendEntry::Swatch::edge:
            layer.shapes.emplace_back(
                Segments{{{at.x, middle}, {at.x + swatch, middle}}, entry.stroke});
            layer.shapes.emplace_back(
                Discs{{{at.x + 0.3 * font, middle}, {at.x + swatch - 0.3 * font, middle}},
                      0.3 * font,
                      entry.stroke.colour});
            break;
        case LegendEntry::Swatch::line:
            layer.shapes.emplace_back(
                Segments{{{at.x, middle}, {at.x + swatch, middle}}, entry.stroke});
            break;
        case LegendEntry::Swatch::disc:
            layer.shapes.emplace_back(
                Discs{{{at.x + swatch / 2, middle}}, 0.36 * font, entry.stroke.colour});
            break;
    }
    layer.shapes.emplace_back(Text{{at.x + swatch + 0.5 * font, middle + 0.35 * font},
                                   font,
                                   Anchor::start,
                                   false,
                                   palette::ink,
                                   entry.label});
}

}  // namespace cairn::render
