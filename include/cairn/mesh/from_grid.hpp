#pragma once
// A navigation mesh of a grid map: its free cells, merged into rectangles.

#include "cairn/grid/map.hpp"
#include "cairn/mesh/mesh.hpp"

namespace cairn::mesh {

/// The free cells of a map as a mesh. Row by row each cell not yet covered becomes the top-left one
/// of a rectangle of free cells of its weight: stretched right and then down as far as they go, or
/// down and then right, whichever covers more (the first if equal). Polygons are numbered as they
/// are made. The cell at (x, y) covers x to x + 1 and z = y to y + 1 at height 0, so that
/// grid::Point {x, y} stands at Point {x + 0.5, 0, y + 0.5}; wherever two rectangles touch along
/// an edge they have a portal.
///
/// Paths over the mesh are not those over the map: agents are points that may touch obstacles and
/// go in any direction, but pass between two obstacles that touch at a corner under no move rules.
///
/// Area i is the i-th lowest weight that occurs and costs as much; of `options` all but area
/// costs counts. Errors: unsupported (more than 64 weights); too_large as Mesh::build, whose other
/// errors do not occur but for the units'. O(cells), some 5 bytes each besides the mesh.
[[nodiscard]] Result<Mesh> mesh_from_grid(const grid::Map& map, const MeshOptions& options = {});

}  // namespace cairn::mesh
