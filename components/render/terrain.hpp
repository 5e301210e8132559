#pragma once
// Terrain as a raster of colours.

#include <array>
#include <cstdint>
#include <vector>

#include "cairn/grid/map.hpp"
#include "cairn/render/drawing.hpp"
#include "legend.hpp"

namespace cairn::render {

/// The colours of the cells of an area.
struct Ground {
    std::array<Colour, 256> colours;
    std::vector<std::uint8_t> cells;  ///< row by row, positions in `colours`
};

/// The terrain of a map. Adds the terrain present to the legend, except plain ground and obstacles.
[[nodiscard]] Ground map_ground(const grid::Map& map, const grid::Rect& area, Legend& legend);

/// Colour `a` with `part` of `whole` replaced by `b`.
[[nodiscard]] Colour blend(Colour a, Colour b, std::uint32_t part, std::uint32_t whole);

/// The ground of an area, one entry per cell, or per square of `cells_per_pixel`^2 cells, whose
/// colours are blended.
[[nodiscard]] Raster paint_ground(const Ground& ground, const grid::Rect& area,
                                  int cells_per_pixel);

}  // namespace cairn::render
