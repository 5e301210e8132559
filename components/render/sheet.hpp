#pragma once
// The sheet on which a map or a mesh is drawn: its frame, title and legend, and the style of lines,
// paths and markers.

#include <string>
#include <utility>
#include <vector>

#include "cairn/render/drawing.hpp"

namespace cairn::render {

/// ok, or bad_option: the option longest_side must be 0 or 64 to 8192.
[[nodiscard]] Status check_longest_side(int pixels);

/// A label such as "edges: 12".
[[nodiscard]] std::string counted(const std::string& label, std::size_t count);

inline void add_line(Segments& lines, Position a, Position b) {
    lines.ends.insert(lines.ends.end(), {a, b});
}

/// The share of the frame that a layer of lines may cover, if lines are drawn only where they leave
/// the rest visible.
inline constexpr double kMostCovered = 0.125;

/// The border of a box.
[[nodiscard]] Polyline outline(const Box& box, const Stroke& stroke);

/// The legend below the frame: swatches and labels.
class Legend {
public:
    enum class Swatch : std::uint8_t { box, line, disc, edge };
    struct Entry {
        Swatch swatch = Swatch::box;
        Stroke stroke;  // of the line; other swatches use only its colour
        std::string label;
        Colour ground{0, 0, 0, 0};  // behind the line
    };

    void box(Colour colour, std::string label) { add({Swatch::box, {colour}, std::move(label)}); }
    void disc(Colour colour, std::string label) { add({Swatch::disc, {colour}, std::move(label)}); }
    void line(const Stroke& stroke, std::string label) {
        add({Swatch::line, stroke, std::move(label)});
    }
    /// A line on a box of another colour.
    void line_on(Colour ground, const Stroke& stroke, std::string label) {
        add({Swatch::line, stroke, std::move(label), ground});
    }
    /// Two nodes and the line between them.
    void edge(const Stroke& stroke, std::string label) {
        add({Swatch::edge, stroke, std::move(label)});
    }
    [[nodiscard]] const std::vector<Entry>& entries() const noexcept { return entries_; }

private:
    void add(Entry entry) { entries_.push_back(std::move(entry)); }

    std::vector<Entry> entries_;
};

class Sheet {
public:
    /// Sets the size of the frame. Lines get a width that suits `detail`, the size of a cell or
    /// polygon. All in pixels.
    void set_up(double width, double height, double detail, std::string title, bool show_legend);

    [[nodiscard]] const Box& frame() const noexcept { return frame_; }
    /// The width of a thin line.
    [[nodiscard]] double hair() const noexcept { return hair_; }
    /// The share of the frame that lines would cover if none overlapped.
    [[nodiscard]] double covered(const Segments& lines) const noexcept;
    Legend& legend() noexcept { return legend_; }
    Drawing& drawing() noexcept { return drawing_; }

    /// A new layer above all others, clipped to the frame.
    [[nodiscard]] Layer& layer(std::string name);
    /// A new layer with one shape.
    void add(std::string name, Shape shape) {
        layer(std::move(name)).shapes.push_back(std::move(shape));
    }
    /// A new layer with lines, and their entry in the legend; nothing if there are no lines.
    void add(std::string name, Segments lines, std::string label);

    /// A line with a pale edge, or a broad band to draw a line on.
    enum class PathStyle : std::uint8_t { line, band };
    /// Adds a path. `detail` is as in set_up. An empty label: no entry in the legend.
    void path(Layer& layer, std::vector<Position> points, Colour colour, double detail,
              std::string label, PathStyle style = PathStyle::line);
    /// Discs, with a pale edge if cells or polygons are large.
    void dots(Layer& layer, Discs discs) const;
    /// Dots of one colour and size, a multiple of a picture's radius.
    struct Rank {
        std::string label;
        Colour colour;
        double size = 1;
        std::vector<Position> centres;
    };
    /// Adds a layer with dots, the larger ones above the smaller. The legend counts them in the
    /// order of `ranks`; ranks without dots are left out.
    void ranks(std::string name, std::vector<Rank> ranks, double radius);
    /// Discs with a pale edge.
    static void edged_discs(Layer& layer, Discs discs, double edge);
    /// A disc with a letter or two on it. `radius` is its least radius.
    void marker(Layer& layer, Position at, double radius, Colour colour,
                const std::string& letters) const;

    /// Adds frame, title and legend.
    [[nodiscard]] Drawing finish();

private:
    /// Paints the legend below `at`, in columns that fit the width, and returns its height.
    double paint_legend(Layer& layer, Position at, double width) const;
    void paint_entry(Layer& layer, const Legend::Entry& entry, Position at) const;
    [[nodiscard]] double entry_width() const;

    Box frame_;
    double hair_ = 1;
    double detail_ = 1;
    double font_ = 12;  // size in pixels; the measures around the frame are multiples of it
    bool show_legend_ = true;
    std::string title_;
    Legend legend_;
    Drawing drawing_;
};

}  // namespace cairn::render
