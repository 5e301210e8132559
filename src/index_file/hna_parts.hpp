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

/// Adds what builds the mesh's topology and areas again, number by number, and which polygons are
/// blocked. Portals are given unless those that are found are the same. Where polygons were added
/// or removed, it is the dense mesh, and its numbers (see mesh::MeshNumbers). O(n log n).
void write_mesh(const mesh::Mesh& mesh, FrameWriter& out);

/// Builds the mesh, which must be `wanted` where there is that. False if there is something wrong
/// with it.
[[nodiscard]] bool read_mesh(Frame& file, const mesh::Mesh* wanted,
                             std::optional<mesh::Mesh>& mesh);

/// The fault of a cluster; empty if there is none. Its record and rows then equal those that a
/// build gives, except for the choice among paths of equal cost. Needs the snapshot's options,
/// mesh, partition and rows, the records of the level to check, and valid records with slot bits of
/// all levels below.
[[nodiscard]] std::string_view cluster_fault(const hna::Snapshot& snapshot, int level,
                                             std::uint32_t cluster);

}  // namespace cairn::index_file
