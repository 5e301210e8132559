#pragma once
// The numbers of a mesh whose polygons were added and removed, for writing it to a file and reading
// it back. Such a mesh is stored as its dense mesh, which is built of the remaining polygons, and
// the numbers that they had.

#include <cstdint>
#include <vector>

#include "cairn/mesh/mesh.hpp"
#include "cairn/mesh/mesh_image.hpp"

namespace cairn::mesh {

enum class PolygonKind : std::uint8_t { with_corners, connection, removed };

/// What the dense mesh lacks. The dense mesh has first the polygons with corners, then the
/// connections, both in the order of their numbers; its portals are the remaining ones.
struct MeshNumbers {
    std::vector<PolygonKind> polygons;
    std::vector<std::uint8_t> removed_portals;      ///< per portal: 1 if it is removed
    std::vector<std::uint32_t> connection_corners;  ///< numbers of vertices, two a connection
    std::vector<Link> links;                        ///< of all polygons, one after another
    double units = 1;                               ///< per length
};

[[nodiscard]] MeshNumbers numbers_of(const Mesh& mesh);

/// The image of the dense mesh of a mesh, with all vertices and with given portals.
[[nodiscard]] MeshImage dense_image(const Mesh& mesh);

/// A value per remaining polygon, in the order of the dense mesh.
[[nodiscard]] std::vector<std::uint8_t> dense(const Mesh& mesh,
                                              const std::vector<std::uint8_t>& values);

/// The mesh with these numbers and options, from its dense mesh, which was built with these options
/// but for its units. Errors: corrupt_file if the numbers do not fit that mesh, or a path could
/// overflow a cost; too_large. O(mesh).
[[nodiscard]] Result<Mesh> renumbered(const Mesh& dense, const MeshNumbers& numbers,
                                      const MeshOptions& options);

}  // namespace cairn::mesh
