#pragma once
// The steps of building a mesh: its polygons, the portals between them, and what the ways inside
// polygons cost, in whole units.

#include "mesh/mesh_data.hpp"

namespace cairn::mesh {

/// Coordinates are floats: a corner may lie this much beside a straight border, relative to its
/// largest coordinate.
inline constexpr double kNoise = 0x1p-20;

inline constexpr std::size_t kMostPolygons = std::size_t{1} << 26;
/// Of one polygon, so that no polygon is searched through for very long.
inline constexpr std::size_t kMostCorners = std::size_t{1} << 14;

/// Checks that the arrays of a source fit each other, the stated limits and the polygons there are
/// already; nothing is allocated for it before it has passed.
[[nodiscard]] Status check_arrays(const MeshSource& source, const MeshTopology& topology);

/// Adds vertices, corners and centres, connections included. Errors as Mesh::build.
[[nodiscard]] Status add_polygons(const MeshSource& source, MeshTopology& topology);

/// "polygon 7: <what>", as an error of the source.
[[nodiscard]] Status fault_of(std::string_view kind, std::size_t number, std::string_view what);

/// Finds the portals or takes those given, adds those of connections, and fills the arrays of
/// portals and links. The polygons are there already. Divides portals as the options ask, and
/// chooses longest_part where that is to be chosen. Errors as Mesh::build.
[[nodiscard]] Status add_portals(const MeshSource& source, MeshOptions& options,
                                 MeshTopology& topology);

/// Errors if a corner lies inside another polygon's edge and edges run along each other there (a
/// T-junction): polygons that touch so would get no portal. `partner` says for each corner whether
/// the edge from it is a border (kNone). O(n log n) unless very many edges lie upon each other;
/// gives up with too_large after some 1,000 comparisons an edge.
[[nodiscard]] Status check_borders(const MeshTopology& topology,
                                   const std::vector<std::uint32_t>& partner);

/// Errors if a given portal is not on the borders of both its polygons, or both lie on the same
/// side of it, or an end of a connection lies outside its polygon. O(corners) for each.
[[nodiscard]] Status check_joins(const MeshSource& source, const MeshTopology& topology);

/// Checks the options and fills what follows from them alone. Errors as Mesh::build.
[[nodiscard]] Status set_options(const MeshOptions& options, MeshData& data);

/// Says where each polygon's inside costs stand, and hashes all. too_large if there are too many.
[[nodiscard]] Status count_costs(MeshTopology& topology);

/// Chooses or checks the units to a length. Errors as Mesh::build.
[[nodiscard]] Status set_units(MeshData& data);

/// Keeps the units of a mesh that was changed, or coarser ones where they were chosen here and no
/// longer fit. Errors as Mesh::changed.
[[nodiscard]] Status keep_units(MeshData& data);

/// Whether a mesh could have come by its units, by changes and for its options; no path over it
/// reaches kInfinity then.
[[nodiscard]] bool units_fit(const MeshData& data);

/// All inside costs, and the halves if polygons' centres are what paths are scored by.
void set_costs(MeshData& data);
/// The costs of these polygons anew, as their areas have changed.
void change_costs(MeshData& data, std::span<const Polygon> polygons);

/// The costs of a changed mesh: those of polygons whose links are as they were are copied.
void carry_costs(MeshData& data, const MeshData& before);

/// Derives which links are open, the least area cost that occurs, and the fingerprint.
void finish(MeshData& data);

}  // namespace cairn::mesh
