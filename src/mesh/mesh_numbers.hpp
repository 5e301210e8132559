#pragma once
// The numbers of a mesh whose polygons have come and gone, for writing it down and reading it back:
// such a mesh is one built of what is left, its dense mesh, with its numbers spread out again.

#include <cstdint>
#include <vector>

#include "cairn/mesh/mesh.hpp"
#include "cairn/mesh/mesh_image.hpp"

namespace cairn::mesh {

enum class PolygonKind : std::uint8_t { with_corners, connection, gone };

/// What is not in the dense mesh. The dense mesh has first the polygons with corners, then the
/// connections, both in the order of their numbers; its portals are those that are left.
struct MeshNumbers {
    std::vector<PolygonKind> polygons;
    std::vector<std::uint8_t> gone_portals;         ///< per portal: 1 if it is gone
    std::vector<std::uint32_t> connection_corners;  ///< numbers of vertices, two a connection
    std::vector<Link> links;                        ///< of all polygons, one after another
    double units = 1;                               ///< per length
};

[[nodiscard]] MeshNumbers numbers_of(const Mesh& mesh);

/// What the dense mesh of a mesh is built of, all vertices included; portals are given.
[[nodiscard]] MeshImage dense_image(const Mesh& mesh);

/// A value per polygon that is left, in the order of the dense mesh.
[[nodiscard]] std::vector<std::uint8_t> dense(const Mesh& mesh,
                                              const std::vector<std::uint8_t>& values);

/// The mesh with these numbers and options, from its dense mesh, which was built with these options
/// but for its units. Errors: corrupt_file if the numbers do not fit that mesh, or a path could
/// overflow a cost; too_large. O(mesh).
[[nodiscard]] Result<Mesh> renumbered(const Mesh& dense, const MeshNumbers& numbers,
                                      const MeshOptions& options);

}  // namespace cairn::mesh
