#pragma once
// The polygons of a mesh source: checked, turned the same way round, copied.

#include "mesh/mesh_data.hpp"

namespace cairn::mesh {

/// Coordinates are floats: a corner may lie this much beside a straight border, relative to its
/// largest coordinate.
inline constexpr double kNoise = 0x1p-20;

inline constexpr std::size_t kMostPolygons = std::size_t{1} << 26;
/// Of one polygon, so that no polygon is searched through for very long.
inline constexpr std::size_t kMostCorners = std::size_t{1} << 14;

/// Checks that the arrays of a source fit each other, the stated limits and the polygons there are
/// already; nothing is allocated for it before it has passed.
[[nodiscard]] Status check_arrays(const MeshSource& source, const MeshTopology& topology);

/// Adds vertices, corners and centres, connections included. Errors as Mesh::build.
[[nodiscard]] Status add_polygons(const MeshSource& source, MeshTopology& topology);

/// "polygon 7: <what>", as an error of the source.
[[nodiscard]] Status fault_of(std::string_view kind, std::size_t number, std::string_view what);

}  // namespace cairn::mesh
