#pragma once
// Maps that are stored as tiles, a file each.

#include <string>
#include <string_view>

#include "cairn/formats/raster.hpp"

namespace cairn::formats {

/// Whether a path stands for many files: it contains {x} and {y}.
[[nodiscard]] bool is_tile_pattern(std::string_view path) noexcept;

/// The terrain of all tiles of a pattern, side by side. {x} and {y} become the column and the row
/// of a tile, from 0. The files from 0,0 to the right tell how many columns there are and their
/// widths, those downwards the rows and their heights. Errors: io_error (a tile is missing);
/// corrupt_file (one has another size than its column and row); too_large (a side above
/// grid::Map::kMaxSide); those of load_terrain for a tile.
[[nodiscard]] Result<TerrainImage> load_terrain_tiles(const std::string& pattern,
                                                      const PictureLimits& limits);

}  // namespace cairn::formats
