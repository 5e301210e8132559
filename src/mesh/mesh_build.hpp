#pragma once
// The steps of building a mesh, in order: its polygons, the portals between them, and the costs of
// paths inside polygons, in whole units.

#include "mesh/mesh_data.hpp"

namespace cairn::mesh {

/// How far rounding may move a corner off a straight border, as a share of the largest coordinate.
inline constexpr double kNoise = 0x1p-20;

/// Also the most corners, and the most portals, of a mesh.
inline constexpr std::size_t kMostPolygons = std::size_t{1} << 26;
/// The most corners of one polygon. Bounds the time to search through it.
inline constexpr std::size_t kMostCorners = std::size_t{1} << 14;

/// Checks that the arrays of a source fit each other, the limits, and the polygons of `topology`,
/// to which they shall be added. Nothing is allocated for a source before it has passed.
[[nodiscard]] Status check_arrays(const MeshSource& source, const MeshTopology& topology);

/// Adds the source's vertices, corners, centres and oddities, connections included. Errors as
/// Mesh::build.
[[nodiscard]] Status add_polygons(const MeshSource& source, MeshTopology& topology);

/// "polygon 7: <what>", as an error of the source.
[[nodiscard]] Status fault_of(std::string_view kind, std::size_t number, std::string_view what);

/// Finds the portals or takes those given, adds those of connections, and fills the arrays of
/// portals and links. The polygons are there already. Divides portals as the options say, and
/// chooses longest_part if the options leave it open. Errors as Mesh::build.
[[nodiscard]] Status add_portals(const MeshSource& source, MeshOptions& options,
                                 MeshTopology& topology);

/// Errors if the mesh has a T-junction: a corner inside another polygon's edge, where edges run
/// along each other. Polygons that touch so would get no portal. partner[c] is kNone where the edge
/// from corner c has no polygon beyond it. O(n log n) unless very many edges lie upon each other:
/// after 1,000 comparisons per edge and a million more the error is too_large.
[[nodiscard]] Status check_borders(const MeshTopology& topology,
                                   const std::vector<std::uint32_t>& partner);

/// Errors if a given portal does not lie on the borders of both its polygons, if both polygons lie
/// on the same side of it, or if a connection lands outside its polygon. O(corners) for each.
[[nodiscard]] Status check_joins(const MeshSource& source, const MeshTopology& topology);

/// Checks the options and sets what depends on them alone. Errors as Mesh::build.
[[nodiscard]] Status set_options(const MeshOptions& options, MeshData& data);

/// Computes first_cost and the hash of a topology. Errors: too_large (too many costs).
[[nodiscard]] Status count_costs(MeshTopology& topology);

/// A topology without some polygons, ascending, and without their portals; all others keep their
/// numbers. It has room for what `added` will add. first_cost and the hash are left for
/// count_costs. O(removed polygons and their neighbours * log), and copies of arrays.
[[nodiscard]] MeshTopology without(const MeshTopology& old, std::span<const Polygon> removed,
                                   const MeshSource& added);
/// The polygons, ascending, that a change has removed, added, or given other links.
[[nodiscard]] std::vector<Polygon> relinked(const MeshTopology& before,
                                            std::span<const Polygon> removed,
                                            const MeshTopology& after);

/// Chooses MeshData::units, or checks those of the options. Errors as Mesh::build.
[[nodiscard]] Status set_units(MeshData& data);

/// Keeps the units of a mesh that was changed; `relinked` as above. If they no longer fit and Cairn
/// chose them, takes coarser ones. Errors as Mesh::changed.
[[nodiscard]] Status keep_units(MeshData& data, const MeshData& before,
                                std::span<const Polygon> relinked);

/// Whether set_units or keep_units can have chosen the units of `data`.
[[nodiscard]] bool units_fit(MeshData& data);

/// Computes all inside costs, and with Scoring::polygon_centres the halves.
void set_costs(MeshData& data);
/// Computes the costs of polygons whose areas have changed.
void change_costs(MeshData& data, std::span<const Polygon> polygons);

/// Computes the costs of a changed mesh: copies those of all polygons but `changed`, ascending,
/// which holds all that have other links or another area, unless the units have changed.
void carry_costs(MeshData& data, const MeshData& before, std::span<const Polygon> changed);

/// Computes what depends on areas and blocked polygons: open links, least_factor, fingerprint.
void finish(MeshData& data);
/// The same where only links of some polygons may open or close.
void finish_edit(MeshData& data, std::span<const Polygon> polygons);

}  // namespace cairn::mesh
