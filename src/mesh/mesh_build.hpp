#pragma once
// The steps of building a mesh: its polygons, the portals between them, and the costs of paths
// inside polygons, in whole units.

#include "mesh/mesh_data.hpp"

namespace cairn::mesh {

/// Coordinates are floats: a corner may lie this much beside a straight border, relative to its
/// largest coordinate.
inline constexpr double kNoise = 0x1p-20;

inline constexpr std::size_t kMostPolygons = std::size_t{1} << 26;
/// Of one polygon, which bounds the time to search through it.
inline constexpr std::size_t kMostCorners = std::size_t{1} << 14;

/// Checks that the arrays of a source fit each other, the limits, and the polygons of `topology`.
/// Nothing is allocated for a source before it has passed.
[[nodiscard]] Status check_arrays(const MeshSource& source, const MeshTopology& topology);

/// Adds vertices, corners and centres, connections included. Errors as Mesh::build.
[[nodiscard]] Status add_polygons(const MeshSource& source, MeshTopology& topology);

/// "polygon 7: <what>", as an error of the source.
[[nodiscard]] Status fault_of(std::string_view kind, std::size_t number, std::string_view what);

/// Finds the portals or takes those given, adds those of connections, and fills the arrays of
/// portals and links. The polygons are there already. Divides portals as the options say, and
/// chooses longest_part if the options leave it open. Errors as Mesh::build.
[[nodiscard]] Status add_portals(const MeshSource& source, MeshOptions& options,
                                 MeshTopology& topology);

/// Errors if a corner lies inside another polygon's edge and edges run along each other there (a
/// T-junction): polygons that touch so would get no portal. `partner` says for each corner whether
/// the edge from it is a border (kNone). O(n log n) unless very many edges lie upon each other;
/// gives up with too_large after some 1,000 comparisons an edge.
[[nodiscard]] Status check_borders(const MeshTopology& topology,
                                   const std::vector<std::uint32_t>& partner);

/// Errors if a given portal is not on the borders of both its polygons, or both lie on the same
/// side of it, or a connection lands outside its polygon. O(corners) for each.
[[nodiscard]] Status check_joins(const MeshSource& source, const MeshTopology& topology);

/// Checks the options and sets what depends on them alone. Errors as Mesh::build.
[[nodiscard]] Status set_options(const MeshOptions& options, MeshData& data);

/// Computes where each polygon's inside costs are stored, and the hash of the topology. too_large
/// if there are too many costs.
[[nodiscard]] Status count_costs(MeshTopology& topology);

/// Chooses or checks the units to a length. Errors as Mesh::build.
[[nodiscard]] Status set_units(MeshData& data);

/// Keeps the units of a mesh that was changed; takes coarser ones if Cairn chose them and they no
/// longer fit. Errors as Mesh::changed.
[[nodiscard]] Status keep_units(MeshData& data);

/// Whether a mesh with these options can have these units, perhaps after changes. Then no path over
/// it reaches kInfinity.
[[nodiscard]] bool units_fit(const MeshData& data);

/// Computes all inside costs, and the halves if paths are scored by the centres of polygons.
void set_costs(MeshData& data);
/// Computes the costs of polygons whose areas have changed.
void change_costs(MeshData& data, std::span<const Polygon> polygons);

/// Computes the costs of a changed mesh; copies those of polygons whose links are unchanged.
void carry_costs(MeshData& data, const MeshData& before);

/// Derives the open links, the least area cost that occurs, and the fingerprint.
void finish(MeshData& data);

}  // namespace cairn::mesh
