#pragma once
// A mesh as an image that its formats can be written from.

#include "cairn/mesh/mesh.hpp"
#include "cairn/mesh/mesh_image.hpp"

namespace cairn::app {

/// The polygons, areas and portals of a mesh; connections, whether portals are one way and what is
/// blocked are left out. O(n log n).
[[nodiscard]] mesh::MeshImage image_of(const mesh::Mesh& mesh);

/// Where a portal ends inside an edge, both polygons get a corner there, so that every portal is a
/// whole edge of both. Exact where no rounding stands in the way, as with grid maps. O(n log n) for
/// polygons of bounded size.
void split_edges(mesh::MeshImage& image);

}  // namespace cairn::app
