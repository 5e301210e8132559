#pragma once
// The layout of a map on a drawing: the places of cells, the widths of lines, and what is drawn
// around the map.

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "cairn/grid/map.hpp"
#include "cairn/render/map_picture.hpp"
#include "sheet.hpp"
#include "terrain.hpp"

namespace cairn::render {

class Canvas {
public:
    /// Checks the options and paints the terrain. `map` must outlive the canvas.
    [[nodiscard]] static Result<Canvas> create(const grid::Map& map, const MapPicture& picture);
    /// Gives the ground of a canvas, and adds its colours to the legend.
    using GroundOf = std::function<Ground(const Canvas& canvas, Legend& legend)>;
    /// The same with another ground than the map's own.
    [[nodiscard]] static Result<Canvas> create(const grid::Map& map, const MapPicture& picture,
                                               const GroundOf& ground);

    [[nodiscard]] const grid::Map& map() const noexcept { return *map_; }
    [[nodiscard]] const grid::Rect& area() const noexcept { return area_; }
    /// Pixels per cell; less than 1 where cells share a pixel.
    [[nodiscard]] double scale() const noexcept { return scale_; }
    /// The width of a thin line.
    [[nodiscard]] double hair() const noexcept { return sheet_.hair(); }

    [[nodiscard]] Position corner(grid::Point p) const noexcept {
        const Box& frame = sheet_.frame();
        return {frame.x + (p.x - area_.x) * scale_, frame.y + (p.y - area_.y) * scale_};
    }
    [[nodiscard]] Position centre(grid::Point p) const noexcept {
        const Position c = corner(p);
        return {c.x + scale_ / 2, c.y + scale_ / 2};
    }
    [[nodiscard]] Position centre(grid::Cell cell) const noexcept {
        return centre(map_->point(cell));
    }
    [[nodiscard]] Box box(const grid::Rect& r) const noexcept {
        const Position c = corner({r.x, r.y});
        return {c.x, c.y, r.width * scale_, r.height * scale_};
    }

    /// The share of the map's picture that lines would cover if none overlapped.
    [[nodiscard]] double covered(const Segments& lines) const noexcept;

    /// A new layer above all others, clipped to the map.
    [[nodiscard]] Layer& layer(std::string name) { return sheet_.layer(std::move(name)); }
    Legend& legend() noexcept { return sheet_.legend(); }

    /// Tints the free cells of some rectangles, before anything else is painted on them.
    void tint(const std::vector<grid::Rect>& rects, Colour colour);

    using PathStyle = Sheet::PathStyle;
    /// A path through cells that lie on the map: a line with a pale edge, or a broad band on which
    /// a line can lie. Returns its stroke.
    Stroke path(Layer& layer, const std::vector<grid::Cell>& cells, Colour colour,
                PathStyle style = PathStyle::line);
    void marker(Layer& layer, const Marker& marker);
    /// Discs, with a pale edge where cells are large.
    void dots(Layer& layer, Discs discs) const;
    /// The markers of a query's start and goal, on a layer of their own.
    void ends(grid::Point start, grid::Point goal);
    /// The paths and markers that a picture asks for, with their labels.
    void paths(const MapPicture& picture);
    void markers(const MapPicture& picture);
    /// "what, length 12.3": a label.
    [[nodiscard]] std::string with_length(const char* what, Cost cost) const;

    /// Adds frame, title and legend.
    [[nodiscard]] Drawing finish() { return sheet_.finish(); }

private:
    Canvas() = default;
    [[nodiscard]] Status lay_out(const MapPicture& picture);
    [[nodiscard]] Status choose_scale(const MapPicture& picture);
    void add_grid_lines();

    const grid::Map* map_ = nullptr;
    grid::Rect area_;
    double scale_ = 1;
    int cells_per_pixel_ = 1;
    Sheet sheet_;  // its frame is around the map
};

}  // namespace cairn::render
