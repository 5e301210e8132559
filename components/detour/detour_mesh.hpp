#pragma once
// Reads a dtNavMesh: points, polygons, and the edits that bring a mesh made from it up to date.

#include <DetourNavMesh.h>
#include <DetourNavMeshQuery.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <vector>

#include "cairn/detour/poly_refs.hpp"
#include "cairn/mesh/mesh.hpp"
#include "cairn/status.hpp"
#include "mesh/mesh_data.hpp"

namespace cairn::detour {

/// Detour's points are three floats in a row.
[[nodiscard]] inline mesh::Point point_at(const float* v) noexcept { return {v[0], v[1], v[2]}; }

[[nodiscard]] inline mesh::Point corner_of(const dtMeshTile& tile, const dtPoly& poly,
                                           std::size_t place) noexcept {
    return point_at(&tile.verts[std::size_t{poly.verts[place]} * 3]);
}

/// A polygon and its tile.
struct TilePoly {
    const dtMeshTile* tile = nullptr;
    const dtPoly* poly = nullptr;
};
/// The polygon and tile of a reference, which must be valid.
[[nodiscard]] inline TilePoly poly_of(const dtNavMesh& nav_mesh, dtPolyRef ref) noexcept {
    TilePoly found;
    nav_mesh.getTileAndPolyByRefUnsafe(ref, &found.tile, &found.poly);
    return found;
}

/// A link from one polygon to another that can be crossed unless an edit blocks a polygon; kNone if
/// there is none. Of several, the first; but an agent leaves a connection, whose both ends can lie
/// in one polygon, by another link than `back`, the one by which it could return.
[[nodiscard]] inline mesh::Link link_between(const mesh::MeshData& mesh, mesh::Polygon from,
                                             mesh::Polygon to, mesh::Link back) noexcept {
    mesh::Link found = mesh::kNone;
    if (from == mesh::kNone || to == mesh::kNone) return found;
    for (const mesh::Link link : mesh.links(from)) {
        if (mesh.polygon_of(mesh::twin(link)) != to || mesh.topology->passable[link] == 0) continue;
        if (link != back || !mesh.topology->is_connection(from)) return link;
        found = link;
    }
    return found;
}

/// The point of a connection that is nearest to a point, seen from above.
[[nodiscard]] inline mesh::Point nearest_on_connection(const mesh::Mesh& mesh,
                                                       mesh::Polygon connection,
                                                       const mesh::Point& point) noexcept {
    const auto ends = mesh.corners(connection);
    return mesh::nearest_between(mesh.vertices()[ends[0]], mesh.vertices()[ends[1]], point);
}

/// The numbers of all tiles that a dtNavMesh has room for.
[[nodiscard]] std::vector<int> all_tiles(const dtNavMesh& nav_mesh);
/// Appends the numbers of the tiles at the position of a tile and at those around it. Detour links
/// a tile with no others.
void append_around(const dtNavMesh& nav_mesh, const dtMeshTile& tile, std::vector<int>& tiles);

/// The error for a filter that is no plain_filter.
[[nodiscard]] tl::unexpected<Status> derived_filter();
[[nodiscard]] std::array<float, mesh::kAreas> area_costs_of(const dtQueryFilter& filter) noexcept;

/// Appends an edit if the area of a polygon differs from that in `mesh`, or if the filter blocks
/// the polygon and `mesh` does not, or the reverse. A polygon that `mesh` does not have yet counts
/// as added with its area, unblocked.
void append_change(const mesh::MeshData& mesh, mesh::Polygon polygon, const dtPoly& poly,
                   const dtQueryFilter& filter, std::vector<mesh::PolygonEdit>& edits);
/// The edits of the polygons of some tiles, of which `now` holds the references.
[[nodiscard]] std::vector<mesh::PolygonEdit> changes_since(const mesh::MeshData& mesh,
                                                           const dtNavMesh& nav_mesh,
                                                           const PolyRefs& now,
                                                           const dtQueryFilter& filter,
                                                           std::span<const int> tiles);

/// Whether all values, coordinates or lengths, are finite and not beyond 1e7 or -1e7.
[[nodiscard]] inline bool usable(const float* values, int count) noexcept {
    const auto in_range = [](float value) { return std::abs(value) <= 1e7F; };  // false for NaN
    return std::all_of(values, values + count, in_range);
}

}  // namespace cairn::detour
