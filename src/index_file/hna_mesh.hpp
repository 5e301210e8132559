#pragma once
// The mesh in an HNA* index file.

#include <optional>

#include "cairn/mesh/mesh.hpp"
#include "index_file/frame.hpp"

namespace cairn::index_file {

/// Adds what builds the mesh's topology and areas again, number by number, and which polygons are
/// blocked. Portals are given unless those that are found are the same. Where polygons were added
/// or removed, it is the dense mesh, and its numbers (see mesh::MeshNumbers). O(n log n).
void write_mesh(const mesh::Mesh& mesh, FrameWriter& out);

/// Builds the mesh, which must be `wanted` where there is that. False if there is something wrong
/// with it.
[[nodiscard]] bool read_mesh(Frame& file, const mesh::Mesh* wanted,
                             std::optional<mesh::Mesh>& mesh);

}  // namespace cairn::index_file
