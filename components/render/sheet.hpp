#pragma once
// The sheet on which a map or a mesh is drawn: its frame, title and legend, and the style of paths
// and markers.

#include <string>
#include <vector>

#include "cairn/render/drawing.hpp"
#include "legend.hpp"

namespace cairn::render {

class Sheet {
public:
    Sheet() = default;
    /// A sheet with a frame of that size; lines are fitted to `detail`, a size in pixels.
    Sheet(double width, double height, double detail, std::string title, bool show_legend);

    [[nodiscard]] const Box& frame() const noexcept { return frame_; }
    /// The width of a thin line.
    [[nodiscard]] double hair() const noexcept { return hair_; }
    Legend& legend() noexcept { return legend_; }
    Drawing& drawing() noexcept { return drawing_; }

    /// A new layer above all others, clipped to the frame.
    [[nodiscard]] Layer& layer(std::string name);

    /// A line with a pale edge, or a broad band on which a line can lie, `detail` as above. Returns
    /// its stroke.
    enum class PathStyle : std::uint8_t { line, band };
    Stroke path(Layer& layer, std::vector<Position> points, Colour colour, double detail,
                PathStyle style = PathStyle::line) const;
    /// A disc with a letter or two on it, of at least that radius.
    void marker(Layer& layer, Position at, double radius, Colour colour,
                const std::string& letters) const;

    /// Adds frame, title and legend.
    [[nodiscard]] Drawing finish();

private:
    Box frame_;
    double hair_ = 1;
    double font_ = 12;
    bool show_legend_ = true;
    std::string title_;
    Legend legend_;
    Drawing drawing_;
};

}  // namespace cairn::render
