#pragma once
// Converts Detour's navigation meshes.
//
// A dtNavMesh in memory, of any number of tiles, becomes a mesh::Mesh with the same polygons and
// exactly the links that Detour has made. So paths exist exactly where Detour finds them.
//
//   Detour                                  ours
//   polygon, its area                       polygon, the same area
//   off-mesh connection                     connection: a polygon of two corners, after all others
//   links between two polygons              portals: the segments that getPortalPoints gives for
//                                           one of the two polygons, the one with more links to
//                                           the other; if both have as many, the one whose edges
//                                           there are shorter
//   links one way only                      one-way portals
//   filter: area costs                      MeshOptions::area_costs
//   filter: include and exclude flags       blocked polygons; an edit frees them
//
// Detour's path costs are distances between midpoints of portals (Scoring::portal_midpoints). Where
// two tiles meet, Detour rounds a shared piece of edge to 1/255 of either polygon's edge, so its
// costs there differ slightly by direction. Cairn's do not.

#include <DetourNavMesh.h>
#include <DetourNavMeshQuery.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "cairn/detour/poly_refs.hpp"
#include "cairn/mesh/mesh.hpp"
#include "cairn/mesh/mesh_image.hpp"
#include "cairn/status.hpp"

namespace cairn::detour {

/// Frees a dtNavMesh.
struct FreeNavMesh {
    void operator()(dtNavMesh* nav_mesh) const noexcept { dtFreeNavMesh(nav_mesh); }
};
/// A dtNavMesh and its owner.
using NavMesh = std::unique_ptr<dtNavMesh, FreeNavMesh>;

/// The polygons, portals and connections of a dtNavMesh, numbered as in `refs`. Only reads the
/// dtNavMesh, which must not change meanwhile. Errors: out_of_memory. O(n log n) for n polygons and
/// links. Thread-safe, like all functions here.
[[nodiscard]] Result<mesh::MeshImage> image_of(const dtNavMesh& nav_mesh,
                                               const PolyRefs& refs) noexcept;

/// The polygons numbered from `first` on in `refs`, and all their portals, as Mesh::changed takes
/// them (MeshChange::added). Reads the dtNavMesh as image_of. Errors: out_of_memory. O(n log n).
[[nodiscard]] Result<mesh::MeshImage> added_image(const dtNavMesh& nav_mesh, const PolyRefs& refs,
                                                  mesh::Polygon first) noexcept;

/// Whether a filter is a dtQueryFilter itself. If not, its class overrides virtual functions, which
/// Detour has where it was compiled with DT_VIRTUAL_QUERYFILTER. Cairn never calls them: it refuses
/// such a filter. O(1).
[[nodiscard]] bool plain_filter(const dtQueryFilter& filter) noexcept;

/// Whether a filter lets agents walk on polygons with these flags. O(1).
[[nodiscard]] bool passes(const dtQueryFilter& filter, std::uint16_t flags) noexcept;

/// A converted mesh, and the references of its polygons.
struct ConvertedMesh {
    mesh::Mesh mesh;
    PolyRefs refs;
};

/// The mesh of a dtNavMesh, with the area costs and blocked polygons of a filter; other options are
/// those of `options`. Only reads the dtNavMesh, which must not change meanwhile; the result does
/// not refer to it. Errors: those of Mesh::build, with the polygon's number; bad_option also for an
/// area cost of the filter out of range; unsupported if it is no plain_filter. O(n log n).
[[nodiscard]] Result<ConvertedMesh> convert(const dtNavMesh& nav_mesh, const dtQueryFilter& filter,
                                            const mesh::MeshOptions& options = {}) noexcept;

}  // namespace cairn::detour
