#pragma once
// Decodes PNG pictures.

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string_view>

#include "cairn/status.hpp"

namespace cairn::formats {

struct FreeDeleter {
    void operator()(unsigned char* p) const noexcept { std::free(p); }
};
using PngBytes = std::unique_ptr<unsigned char, FreeDeleter>;

/// Pixels of 8 bits a channel, row by row.
struct PngPixels {
    PngBytes bytes;
    unsigned width = 0;
    unsigned height = 0;
    bool grey = false;   ///< two channels, grey and alpha; else red, green, blue and alpha
    bool alpha = false;  ///< some pixel may be transparent
};

/// A grey picture stays grey unless `as_rgb`. Errors: as formats::parse_png.
[[nodiscard]] Result<PngPixels> decode_png(std::string_view bytes, std::string_view name,
                                           bool as_rgb);

}  // namespace cairn::formats
