#pragma once
// The portals of a mesh and the links that are their sides.

#include "mesh/mesh_data.hpp"

namespace cairn::mesh {

/// Finds the portals or takes those given, adds those of connections, and fills the arrays of
/// portals and links. The polygons are there already. Divides portals as the options ask, and
/// chooses longest_part where that is to be chosen. Errors as Mesh::build.
[[nodiscard]] Status add_portals(const MeshSource& source, MeshOptions& options,
                                 MeshTopology& topology);

}  // namespace cairn::mesh
