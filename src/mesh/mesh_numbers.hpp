#pragma once
// Stores a mesh whose polygons were added and removed, for index files. Such a mesh is stored as
// its dense mesh, which has only the remaining polygons, and as MeshNumbers, which say what numbers
// its polygons, portals and links have in the mesh itself.

#include <cstdint>
#include <vector>

#include "cairn/mesh/mesh.hpp"
#include "cairn/mesh/mesh_image.hpp"

namespace cairn::mesh {

enum class PolygonKind : std::uint8_t { with_corners, connection, removed };

/// What the dense mesh lacks. It has first the polygons with corners, then the connections, both in
/// the order of their numbers in the mesh; its portals are the remaining ones, in their order.
struct MeshNumbers {
    std::vector<PolygonKind> polygons;              ///< per polygon of the mesh
    std::vector<std::uint8_t> removed_portals;      ///< per portal of the mesh: 1 if removed
    std::vector<std::uint32_t> connection_corners;  ///< vertices, two per connection
    std::vector<Link> links;                        ///< of the mesh, polygon by polygon
    double units = 1;                               ///< MeshData::units
};

[[nodiscard]] MeshNumbers numbers_of(const Mesh& mesh);

/// A whole portal, as a source gives it.
[[nodiscard]] PortalSource portal_source(const Mesh& mesh, Portal portal);

/// The image of the dense mesh of a mesh, with all vertices and with given portals.
[[nodiscard]] MeshImage dense_image(const Mesh& mesh);

/// A value per remaining polygon, in the order of the dense mesh.
[[nodiscard]] std::vector<std::uint8_t> dense(const Mesh& mesh,
                                              const std::vector<std::uint8_t>& values);

/// The mesh with these numbers and options. `dense` is its dense mesh, built with these options
/// except the units. Errors: corrupt_file if the numbers do not fit the dense mesh, or a path could
/// overflow a cost; too_large. O(mesh).
[[nodiscard]] Result<Mesh> renumbered(const Mesh& dense, const MeshNumbers& numbers,
                                      const MeshOptions& options);

}  // namespace cairn::mesh
