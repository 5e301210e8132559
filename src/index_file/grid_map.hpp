#pragma once
// The grid map in an index file that holds it.

#include "cairn/grid/map.hpp"
#include "index_file/frame.hpp"

namespace cairn::index_file {

/// Adds the sections of a map.
void write_map(const grid::Map& map, FrameWriter& out);

/// Sets `map` to the map of a file: `given`, if it is not null, and the file's own otherwise. The
/// file's own map shares its terrain, and if the file is trusted, its moves. False if the file is
/// refused, or belongs to another map than the one given.
[[nodiscard]] bool read_map(Frame& file, const grid::Map* given, grid::Map& map);

}  // namespace cairn::index_file
