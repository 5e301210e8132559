#pragma once
// Access to the terrain raster of a drawing.

#include <cstddef>
#include <variant>

#include "cairn/render/drawing.hpp"

namespace cairn::render {

/// The raster of the lowest layer.
[[nodiscard]] inline const Raster& terrain_of(const Drawing& d) {
    return std::get<Raster>(d.layers.at(0).shapes.at(0));
}

/// The colour of the pixel in column x and row y of the raster.
[[nodiscard]] inline Colour colour_at(const Raster& r, int x, int y) {
    return r.palette.at(r.pixels.at(static_cast<std::size_t>(y * r.width + x)));
}

}  // namespace cairn::render
