#pragma once
// Rasters as rectangles and as PNG bytes.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "cairn/render/drawing.hpp"

namespace cairn::render {

struct PixelRect {
    int x = 0;
    int y = 0;
    int width = 0;
    int height = 0;
};

/// Whether sizes and palette fit together.
[[nodiscard]] bool valid(const Raster& raster) noexcept;

/// Per palette entry the rectangles that cover its pixels: runs of a row, merged with equal runs
/// below. Empty if there are more than `most` of them in all. `background` gets the entry whose
/// rectangles are the most, so that it may be painted as one.
[[nodiscard]] std::vector<std::vector<PixelRect>> rectangles(const Raster& raster, std::size_t most,
                                                             std::size_t& background);

/// A palette PNG of one pixel per entry; empty if it cannot be encoded.
[[nodiscard]] std::string encode_png(const Raster& raster);

/// Standard base 64 with padding.
[[nodiscard]] std::string base64(const std::string& bytes);

}  // namespace cairn::render
