#pragma once
// Navigation meshes for tests: drawn, and made from seeds.

#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "cairn/mesh/mesh.hpp"
#include "cairn/mesh/mesh_image.hpp"
#include "support/random_maps.hpp"

namespace cairn::test {

/// A mesh image to be put together and changed before it is built.
struct MeshParts : mesh::MeshImage {
    std::vector<mesh::Polygon> blocked;  // by an edit, once built

    /// The number of a new vertex.
    std::uint32_t vertex(float x, float y, float z);
    /// The number of a new polygon.
    mesh::Polygon polygon(std::initializer_list<std::uint32_t> numbers);
    /// Built and edited. Throws if a mesh refuses it.
    [[nodiscard]] mesh::Mesh build(const mesh::MeshOptions& options = {}) const;
};

enum class MeshKind : std::uint8_t {
    lattice,    ///< quads, triangles and some of them merged, with holes
    flat,       ///< the same without jitter: corners in the middle of straight borders
    storeys,    ///< two lattices above each other, joined by one or two ramps
    islands,    ///< a lattice with so many holes that it falls apart
    corridors,  ///< a maze: chains and dead ends
};

struct RandomMeshOptions {
    int longest = 6;  ///< cells of a side of a lattice; the polygons are at most some 60
    bool areas = true;
    bool blocks = true;
    bool connections = true;
    bool one_way = true;  ///< in some meshes, on some portals
    /// Of the options given: areas 1 to 3 then cost 2.5, 0.5 and infinity, in half of the meshes.
    mesh::MeshOptions mesh;
};

/// The parts of a mesh of one kind; nothing but its polygons.
[[nodiscard]] MeshParts mesh_of_kind(MeshKind kind, RandomMaps& random, int longest = 6);
/// Each polygon gets an area from 0 to 3.
void add_areas(MeshParts& parts, RandomMaps& random);
/// Up to three connections between polygons, some of them one way.
void add_connections(MeshParts& parts, RandomMaps& random);
/// Portals as found, but given, each one way only with a chance of `percent`.
void give_portals(MeshParts& parts, RandomMaps& random, int percent);

/// A mesh of any kind; equal seeds and options give equal ones. Every fifth is scored by centres
/// and every fifth by parts of portals, whatever the options.
[[nodiscard]] mesh::Mesh random_mesh(std::uint64_t seed, const RandomMeshOptions& options = {});

/// A place in a polygon that is no connection, sometimes on its border or a corner of it.
[[nodiscard]] mesh::Place random_place(const mesh::Mesh& mesh, mesh::Polygon polygon,
                                       RandomMaps& random);
/// One in any polygon but connections; needs one.
[[nodiscard]] mesh::Place random_place(const mesh::Mesh& mesh, RandomMaps& random);

/// A mesh of rectangles: equal characters form one each, '.' and '#' are walls. The character at
/// column x of row z covers x to x + 1 and z to z + 1; polygons are numbered as they are met row by
/// row, portals are wherever two touch.
[[nodiscard]] MeshParts drawn_parts(std::initializer_list<std::string_view> rows);
[[nodiscard]] mesh::Mesh drawn_mesh(std::initializer_list<std::string_view> rows,
                                    const mesh::MeshOptions& options = {});

}  // namespace cairn::test
