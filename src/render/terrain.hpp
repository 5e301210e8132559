#pragma once
// Terrain as a raster of colours.

#include "cairn/grid/map.hpp"
#include "cairn/render/drawing.hpp"
#include "legend.hpp"

namespace cairn::render {

/// The part `area` of a map, one entry per cell, or per square of `cells_per_pixel`^2 cells, whose
/// colours are blended. Adds the terrain present to the legend, but for plain ground and obstacles.
[[nodiscard]] Raster paint_terrain(const grid::Map& map, const grid::Rect& area,
                                   int cells_per_pixel, Legend& legend);

}  // namespace cairn::render
