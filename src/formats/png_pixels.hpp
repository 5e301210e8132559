#pragma once
// Decodes PNG pictures, for grey pictures (raster.cpp) and terrain pictures (palette.cpp).

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string_view>

#include "cairn/formats/raster.hpp"
#include "cairn/status.hpp"

namespace cairn::formats {

/// The size of the largest picture in its longest form: plain PGM, five digits and a blank a pixel.
[[nodiscard]] std::size_t max_picture_bytes(const PictureLimits& limits);

struct FreeDeleter {
    void operator()(unsigned char* p) const noexcept { std::free(p); }
};
using PngBytes = std::unique_ptr<unsigned char, FreeDeleter>;

/// Pixels of 8 bits a channel, row by row, the channels of a pixel side by side.
struct PngPixels {
    PngBytes bytes;
    unsigned width = 0;
    unsigned height = 0;
    bool grey = false;   ///< two channels, grey and alpha; otherwise red, green, blue and alpha
    bool alpha = false;  ///< whether some pixel may be transparent
};

/// Decodes a PNG file. A grey picture stays grey unless `as_rgb`. `name` stands for the file in
/// messages. Errors: as parse_png.
[[nodiscard]] Result<PngPixels> decode_png(std::string_view bytes, std::string_view name,
                                           bool as_rgb, const PictureLimits& limits);

}  // namespace cairn::formats
