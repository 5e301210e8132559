#pragma once
// Navigation meshes for tests: drawn in characters, and random ones made from seeds.

#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "cairn/mesh/mesh.hpp"
#include "cairn/mesh/mesh_image.hpp"
#include "support/random_maps.hpp"

namespace cairn::test {

/// The parts of a mesh while a test assembles them.
struct MeshParts : mesh::MeshImage {
    std::vector<mesh::Polygon> blocked;  ///< build() blocks these by an edit of the built mesh

    /// Adds a vertex; returns its number.
    std::uint32_t vertex(float x, float y, float z);
    /// Adds a polygon with the given vertices as corners; returns its number.
    mesh::Polygon polygon(std::initializer_list<std::uint32_t> vertex_numbers);
    /// The mesh. Throws std::runtime_error if Mesh::build refuses the image.
    [[nodiscard]] mesh::Mesh build(const mesh::MeshOptions& options = {}) const;
};

enum class MeshKind : std::uint8_t {
    lattice,    ///< quads, triangles and unions of these, with jitter and holes
    flat,       ///< the same without jitter: corners in the middle of straight borders
    storeys,    ///< two lattices above each other, joined by one or two ramps
    islands,    ///< a lattice with so many holes that it falls into several parts
    corridors,  ///< a maze: chains and dead ends
};

struct RandomMeshOptions {
    int longest = 6;  ///< the most cells of a lattice's side; with 6, at most some 60 polygons
    // What some of the meshes have:
    bool areas = true;        ///< areas 1 to 3, at costs of 2.5, 0.5 and infinity; half of them
    bool blocks = true;       ///< blocked polygons
    bool connections = true;  ///< connections
    bool one_way = true;      ///< one-way portals and connections
    /// The options to build with, except for the area costs above and, in some meshes, the scoring.
    mesh::MeshOptions mesh;
};

/// The polygons of a random mesh of one kind, with neither areas nor portals nor connections.
[[nodiscard]] MeshParts mesh_of_kind(MeshKind kind, RandomMaps& random, int longest = 6);
/// Gives each polygon an area from 0 to 3.
void add_areas(MeshParts& parts, RandomMaps& random);
/// Adds one to three connections between polygons, some of them one-way.
void add_connections(MeshParts& parts, RandomMaps& random);
/// Lists the portals that Mesh::build finds as given portals. Each becomes one-way with a chance of
/// `percent`.
void give_portals(MeshParts& parts, RandomMaps& random, int percent);

/// A random mesh of any kind. Equal seeds and options give equal meshes. Whatever the options,
/// about a fifth of the meshes is scored by polygon centres and a fifth by portal parts.
[[nodiscard]] mesh::Mesh random_mesh(std::uint64_t seed, const RandomMeshOptions& options = {});

/// A random mesh cut along its gates, so that its portals have widths, for agents of a radius.
[[nodiscard]] mesh::Mesh mesh_with_widths(std::uint64_t seed, double radius,
                                          const RandomMeshOptions& options = {});

/// A random mesh with up to 16 connections that begin and end at few points: corners of polygons
/// and middles of portals. So polygons have several links at one point, and some connections have
/// no length. A third of the meshes has each scoring; some have areas, some one-way connections.
[[nodiscard]] mesh::Mesh mesh_with_links_at_points(std::uint64_t seed);

/// A random place in a polygon that is no connection, sometimes on an edge or at a corner.
[[nodiscard]] mesh::Place random_place(const mesh::Mesh& mesh, mesh::Polygon polygon,
                                       RandomMaps& random);
/// A random place in any polygon that is neither a connection nor removed. There must be one.
[[nodiscard]] mesh::Place random_place(const mesh::Mesh& mesh, RandomMaps& random);

/// A mesh of rectangles drawn in rows of characters. Equal characters form one rectangle; '.' and
/// '#' are walls. The character at column x of row z covers x to x + 1 and z to z + 1. Polygons are
/// numbered in the order in which their characters first occur, row by row. Where two rectangles
/// share a piece of edge there is a portal. Throws if equal characters form no rectangle.
[[nodiscard]] MeshParts drawn_parts(std::initializer_list<std::string_view> rows);
[[nodiscard]] mesh::Mesh drawn_mesh(std::initializer_list<std::string_view> rows,
                                    const mesh::MeshOptions& options = {});

}  // namespace cairn::test
