#pragma once
// A map of Tiled whose bytes were read already.

#include <string>
#include <string_view>

#include "cairn/formats/tiled.hpp"

namespace cairn::formats {

/// load_tiled of the file at `path`, which holds `bytes`: only its tilesets are still read.
[[nodiscard]] Result<TiledMap> parse_tiled_file(std::string_view bytes, const std::string& path,
                                                const PictureLimits& limits);

}  // namespace cairn::formats
