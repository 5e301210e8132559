#pragma once
// Where polygons touch without sharing an edge, and where given portals lie.

#include "mesh/mesh_data.hpp"

namespace cairn::mesh {

/// Errors if a corner lies inside another polygon's edge and edges run along each other there (a
/// T-junction): polygons that touch so would get no portal. `partner` says for each corner whether
/// the edge from it is a border (kNone). O(n log n) unless very many edges lie upon each other;
/// gives up with too_large after some 1,000 comparisons an edge.
[[nodiscard]] Status check_borders(const MeshTopology& topology,
                                   const std::vector<std::uint32_t>& partner);

/// Errors if a given portal is not on the borders of both its polygons, or both lie on the same
/// side of it, or an end of a connection lies outside its polygon. O(corners) for each.
[[nodiscard]] Status check_joins(const MeshSource& source, const MeshTopology& topology);

}  // namespace cairn::mesh
