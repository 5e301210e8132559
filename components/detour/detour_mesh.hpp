#pragma once
// What is read from a dtNavMesh, and compared with a mesh made from it.

#include <DetourNavMesh.h>
#include <DetourNavMeshQuery.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "cairn/detour/poly_refs.hpp"
#include "cairn/mesh/mesh.hpp"
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
/// Those of a reference, which the mesh must have.
[[nodiscard]] inline TilePoly poly_of(const dtNavMesh& nav_mesh, dtPolyRef ref) noexcept {
    TilePoly found;
    nav_mesh.getTileAndPolyByRefUnsafe(ref, &found.tile, &found.poly);
    return found;
}

/// Appends the edit of a polygon whose area differs from the mesh's, or which the filter now
/// blocks or frees. Polygons with numbers beyond the mesh's will be added to it unblocked.
void append_change(const mesh::MeshData& mesh, mesh::Polygon polygon, const dtPoly& poly,
                   const dtQueryFilter& filter, std::vector<mesh::PolygonEdit>& edits);
/// The edits of all present polygons.
[[nodiscard]] std::vector<mesh::PolygonEdit> changes_since(const mesh::MeshData& mesh,
                                                           const dtNavMesh& nav_mesh,
                                                           const PolyRefs& now,
                                                           const dtQueryFilter& filter);

/// Whether all values, coordinates or lengths, are finite and at most 1e7. A comparison with NaN is
/// false.
[[nodiscard]] inline bool usable(const float* values, int count) noexcept {
    return std::all_of(values, values + count, [](float value) { return std::abs(value) <= 1e7F; });
}

}  // namespace cairn::detour
