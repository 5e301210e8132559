#pragma once
// What searches on a navigation mesh return.

#include <span>
#include <vector>

#include "cairn/cost.hpp"
#include "cairn/mesh/mesh.hpp"
#include "cairn/search_statistics.hpp"
#include "cairn/status.hpp"

namespace cairn::mesh {

/// A path over polygons: its corridor. Reuse one object for many queries: its memory is kept.
struct Path {
    StatusCode status = StatusCode::no_path;
    Cost cost = kInfinity;  ///< for the mesh's scoring; kInfinity unless status is ok
    /// The links crossed, from the start to the goal, each of the polygon it leaves. Empty if both
    /// ends lie in one polygon, or only the cost was asked for.
    std::vector<Link> links;
    SearchStatistics statistics;
};

/// The polygons of the corridor that crosses `links` from polygon `start`, which is the first of
/// them, into `out`, whose memory is reused. O(links). Thread-safe.
void polygons(const Mesh& mesh, Polygon start, std::span<const Link> links,
              std::vector<Polygon>& out);

}  // namespace cairn::mesh
