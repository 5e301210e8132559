#pragma once
// The mesh in an HNA* index file, and the checks of the file's other parts against it, so that on
// an accepted file no query and no edit reads out of bounds, runs forever or overflows a cost.

#include <cstdint>
#include <optional>
#include <string_view>

#include "cairn/mesh/mesh.hpp"
#include "hna/snapshot.hpp"
#include "index_file/frame.hpp"

namespace cairn::index_file {

/// Adds the sections from which read_mesh makes an equal mesh, with the same numbers of polygons
/// and portals. Portals are written only if Mesh::build would not find the same ones. After
/// polygons were added or removed, the sections hold the dense mesh and the original numbers (see
/// mesh::MeshNumbers). O(n log n).
void write_mesh(const mesh::Mesh& mesh, FrameWriter& out);

/// Builds the mesh of a file. It must equal `wanted`, unless that is null. Returns false if the
/// file is refused.
[[nodiscard]] bool read_mesh(Frame& file, const mesh::Mesh* wanted,
                             std::optional<mesh::Mesh>& mesh);

/// The fault of a cluster; empty if there is none. Without a fault, its record and rows equal those
/// that a build gives, except for the choice among paths of equal cost. Needs the snapshot's
/// options, mesh, partition and rows, the records of the level to check, and valid records with
/// slot bits of all levels below.
[[nodiscard]] std::string_view cluster_fault(const hna::Snapshot& snapshot, int level,
                                             std::uint32_t cluster);

}  // namespace cairn::index_file
