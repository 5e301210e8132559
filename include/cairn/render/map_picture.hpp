#pragma once
// A picture of a map: terrain, and paths and markers on it.

#include <optional>
#include <string>
#include <vector>

#include "cairn/grid/map.hpp"
#include "cairn/render/drawing.hpp"
#include "cairn/status.hpp"

namespace cairn::render {

/// A path over cells, drawn as a line through their centres.
struct PathLine {
    std::vector<grid::Cell> cells{};
    Colour colour{0xc2, 0x2f, 0x52};
    std::string label{};  ///< in the legend; none if empty
};

/// A disc with a letter or two on it.
struct Marker {
    grid::Point at{};
    Colour colour{};
    std::string letters{};
};

/// What a picture shows of a map, and how.
struct MapPicture {
    /// The side of a cell in pixels, 1 to 64. 0: `longest_side` decides.
    int cell = 0;
    /// The longest side of the map in pixels, 64 to 8192. A cell gets as many whole pixels as fit
    /// (at most 24), or several whole cells share a pixel. 0: 1600, or up to 4000 if cells would
    /// otherwise be smaller than a pixel.
    int longest_side = 0;
    std::optional<grid::Rect> area{};  ///< the part of the map that is shown; all if empty
    bool legend = true;
    bool grid_lines = true;  ///< hairlines between cells of at least 10 pixels
    std::string title{};
    std::vector<PathLine> paths{};
    std::vector<Marker> markers{};
};

/// The picture of a map. Free cells are light, obstacles dark. Blocked trees ('T') and water ('W')
/// have their own colours, and costlier terrain is browner. Cells that share a pixel are blended.
/// Errors: bad_option (names the option; an area that is empty or reaches outside the map; a cell
/// of a path or a marker outside the map); too_large (the picture would be larger than
/// kMaxPictureSide). O(cells of the area), in memory about 2 bytes for each. Thread-safe.
[[nodiscard]] Result<Drawing> draw_map(const grid::Map& map,
                                       const MapPicture& picture = {}) noexcept;

/// Drawings side by side, `columns` (at least 1) in a row, each at the top left of its panel.
/// Errors: bad_option (no drawings, or columns out of range); too_large (larger than
/// kMaxPictureSide). O(drawings). Thread-safe.
[[nodiscard]] Result<Drawing> figure(const std::vector<Drawing>& panels, int columns) noexcept;

}  // namespace cairn::render
