#pragma once
// The result of a search on a navigation mesh.

#include <span>
#include <vector>

#include "cairn/cost.hpp"
#include "cairn/mesh/mesh.hpp"
#include "cairn/search_statistics.hpp"
#include "cairn/status.hpp"

namespace cairn::mesh {

/// A path over polygons, as the corridor of links. Reuse one object for many queries: its memory is
/// kept.
struct Path {
    StatusCode status = StatusCode::no_path;
    Cost cost = kInfinity;  ///< for the mesh's scoring; kInfinity unless status is ok
    /// No path costs less: `cost`, or after budget_exhausted or cancelled what the search has
    /// proved. 0 with other statuses.
    Cost lower_bound = 0;
    /// The links crossed, from the start to the goal; each belongs to the polygon it leaves. Empty
    /// if start and goal lie in one polygon, only the cost was requested, or status is not ok,
    /// except as SearchLimits::partial_path says.
    std::vector<Link> links;
    SearchStatistics statistics;
};

/// Writes the polygons of the corridor that crosses `links` from polygon `start` into `out`, whose
/// memory is reused; `start` is the first. O(links). Thread-safe.
void polygons(const Mesh& mesh, Polygon start, std::span<const Link> links,
              std::vector<Polygon>& out);

}  // namespace cairn::mesh
