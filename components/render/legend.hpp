#pragma once
// The legend below a map: swatches and labels in columns.

#include <string>
#include <utility>
#include <vector>

#include "cairn/render/drawing.hpp"

namespace cairn::render {

struct LegendEntry {
    enum class Swatch : std::uint8_t { box, line, disc, edge };
    Swatch swatch = Swatch::box;
    Stroke stroke;  // of the line; else only its colour counts
    std::string label;
    Colour ground{0, 0, 0, 0};  // behind the line
};

class Legend {
public:
    void box(Colour colour, std::string label) { add(LegendEntry::Swatch::box, {colour}, label); }
    void disc(Colour colour, std::string label) { add(LegendEntry::Swatch::disc, {colour}, label); }
    void line(const Stroke& stroke, std::string label) {
        add(LegendEntry::Swatch::line, stroke, label);
    }

    /// A line on a ground of some colour.
    void line_on(Colour ground, const Stroke& stroke, std::string label) {
        line(stroke, std::move(label));
        entries_.back().ground = ground;
    }

    /// Two nodes and the line between them.
    void edge(const Stroke& stroke, std::string label) {
        add(LegendEntry::Swatch::edge, stroke, label);
    }

    [[nodiscard]] bool empty() const noexcept { return entries_.empty(); }
    /// The width that the widest entry takes.
    [[nodiscard]] double entry_width(double font) const;
    /// Paints into a box from `at` of the given width, and returns its height.
    double paint(Layer& layer, Position at, double width, double font) const;

private:
    void add(LegendEntry::Swatch swatch, const Stroke& stroke, std::string& label) {
        entries_.push_back({swatch, stroke, std::move(label), {0, 0, 0, 0}});
    }
    void paint_entry(Layer& layer, const LegendEntry& entry, Position at, double font) const;

    std::vector<LegendEntry> entries_;
};

/// An estimate of the width of a line of text, and mostly an upper bound.
[[nodiscard]] double text_width(const std::string& text, double font);

}  // namespace cairn::render
