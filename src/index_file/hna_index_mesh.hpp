#pragma once
// The mesh in an index file.

#include "cairn/mesh/mesh.hpp"
#include "cairn/mesh/mesh_image.hpp"
#include "hna_index_generated.h"

namespace cairn::index_file {

/// What builds a mesh's topology and areas again, number by number; blocks left aside. Portals are
/// given unless those that are found are the same. Where polygons have come and gone, it builds
/// the dense mesh (see mesh::MeshNumbers). O(n log n).
[[nodiscard]] mesh::MeshImage image_of(const mesh::Mesh& mesh);

/// The bytes that an image takes in a file, about.
[[nodiscard]] std::size_t image_bytes(const mesh::MeshImage& image);

/// A mesh, by its image and, where polygons have come and gone, its numbers.
[[nodiscard]] flatbuffers::Offset<schema::HnaMesh> add_mesh(flatbuffers::FlatBufferBuilder& builder,
                                                            const mesh::Mesh& mesh,
                                                            const mesh::MeshImage& image);

/// Builds the mesh. Errors as Mesh::build, and corrupt_file.
[[nodiscard]] Result<mesh::Mesh> read_mesh(const schema::HnaMesh& file);

/// How many polygons a file says that the mesh has, those that are gone included.
[[nodiscard]] std::size_t num_polygons(const schema::HnaMesh& file);

/// The bytes that a mesh takes in its file.
[[nodiscard]] std::size_t mesh_bytes(const schema::HnaMesh& file);

}  // namespace cairn::index_file
