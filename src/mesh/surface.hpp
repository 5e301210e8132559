#pragma once
// Where a point lies on or beside a polygon's surface. Polygons here are neither connections nor
// removed.

#include "mesh/mesh_data.hpp"

namespace cairn::mesh {

/// Whether a polygon contains a point, seen from above; its border is part of it.
[[nodiscard]] bool contains(const MeshData& mesh, Polygon polygon, const Point& point) noexcept;

/// The height of a polygon's surface at a point it contains, seen from above.
[[nodiscard]] double height_inside(const MeshData& mesh, Polygon polygon,
                                   const Point& point) noexcept;

/// The point of a polygon's border that is nearest to a point, seen from above.
[[nodiscard]] Point nearest_on_border(const MeshData& mesh, Polygon polygon,
                                      const Point& point) noexcept;

}  // namespace cairn::mesh
