#pragma once
// A navigation mesh made from a grid map: the free cells, merged into rectangles.

#include "cairn/grid/map.hpp"
#include "cairn/mesh/mesh.hpp"

namespace cairn::mesh {

/// The free cells of a map as a mesh. Row by row, each cell not yet covered becomes the top-left
/// cell of a rectangle of free cells of its weight. The rectangle grows right and then down, or
/// down and then right, whichever covers more (the former if equal). Polygons are numbered in this
/// order. The cell at (x, y) covers x to x + 1 and z = y to y + 1 at height 0, so grid::Point
/// {x, y} is at Point {x + 0.5, 0, y + 0.5}. Two rectangles that touch along an edge get a portal.
///
/// Paths over the mesh differ from paths over the map: agents are points that move in any direction
/// and may touch obstacles. Whatever the map's move rules, they cannot pass between two obstacles
/// that touch at a corner.
///
/// Area i, counted from 0, stands for the i-th lowest weight that occurs, and has that weight as
/// its cost; the area costs in `options` are ignored. Errors: unsupported (more than 64 weights);
/// too_large, and bad_option for the units, as Mesh::build. O(cells) time besides that of
/// Mesh::build, and about 5 bytes a cell besides the mesh. Thread-safe.
[[nodiscard]] Result<Mesh> mesh_from_grid(const grid::Map& map,
                                          const MeshOptions& options = {}) noexcept;

}  // namespace cairn::mesh
