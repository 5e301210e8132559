#pragma once
// The layout of a map on a sheet: the places of cells, the ground, paths and markers.

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "cairn/grid/map.hpp"
#include "cairn/render/map_picture.hpp"
#include "sheet.hpp"

namespace cairn::render {

class Canvas;

/// The colours of the cells of an area.
struct Ground {
    std::array<Colour, 256> colours;
    std::vector<std::uint8_t> cells;  ///< indices into `colours`, row by row
};

/// The terrain of a canvas's map. Adds the terrain present to the legend, except plain ground and
/// obstacles.
[[nodiscard]] Ground map_ground(Canvas& canvas);

/// A sheet with an area of a grid map.
class Canvas : public Sheet {
public:
    /// Checks the options and paints the ground; `ground` adds its colours to the legend. `map`
    /// must outlive the canvas.
    [[nodiscard]] static Result<Canvas> create(
        const grid::Map& map, const MapPicture& picture,
        const std::function<Ground(Canvas& canvas)>& ground = map_ground);

    [[nodiscard]] const grid::Map& map() const noexcept { return *map_; }
    [[nodiscard]] const grid::Rect& area() const noexcept { return area_; }
    /// Pixels per cell; less than 1 where cells share a pixel.
    [[nodiscard]] double scale() const noexcept { return scale_; }

    /// Calls visit(cell) for the cells of the area, row by row.
    template <class Visit>
    void for_each_cell(Visit&& visit) const {
        for (int y = area_.y; y < area_.y + area_.height; ++y) {
            for (int x = area_.x; x < area_.x + area_.width; ++x) visit(map_->cell({x, y}));
        }
    }

    /// The top left corner of a cell on the sheet.
    [[nodiscard]] Position corner(grid::Point p) const noexcept {
        return {frame().x + (p.x - area_.x) * scale_, frame().y + (p.y - area_.y) * scale_};
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

    /// Tints the free cells of some rectangles; all their cells if cells share a pixel or the
    /// ground has more than 128 colours. Call it before anything else is painted on them.
    void tint(const std::vector<grid::Rect>& rects, Colour colour);

    /// A path through cells that lie on the map.
    void path(Layer& layer, const std::vector<grid::Cell>& cells, Colour colour, std::string label,
              PathStyle style = PathStyle::line);
    void marker(Layer& layer, const Marker& marker);
    /// The markers of a query's start and goal, on a layer of their own.
    void ends(grid::Point start, grid::Point goal);
    /// The paths and the markers of a picture, with their labels.
    void paths(const MapPicture& picture);
    void markers(const MapPicture& picture);
    /// A label such as "refined path, length 12.3".
    [[nodiscard]] std::string with_length(const char* label, Cost cost) const;

private:
    Canvas() = default;
    [[nodiscard]] Status lay_out(const MapPicture& picture);
    [[nodiscard]] Status choose_scale(const MapPicture& picture);
    void add_grid_lines();

    const grid::Map* map_ = nullptr;
    grid::Rect area_;
    double scale_ = 1;
    int cells_per_pixel_ = 1;
};

/// The map of a figure's panel: `picture` with a title. If `picture` sets neither its longest side
/// nor the size of cells, `side` is the longest side.
[[nodiscard]] MapPicture panel_map(const MapPicture& picture, std::string title, int side);

/// A figure of the drawings that draw(panel) makes, one for each of `panels`.
template <class Panels, class Draw>
[[nodiscard]] Result<Drawing> figure_of(const Panels& panels, int columns, const Draw& draw) {
    std::vector<Drawing> drawings;
    for (const auto& panel : panels) {
        Result<Drawing> drawing = draw(panel);
        if (!drawing) return drawing;
        drawings.push_back(std::move(*drawing));
    }
    return figure(drawings, columns);
}

}  // namespace cairn::render
