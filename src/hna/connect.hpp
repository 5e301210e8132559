#pragma once
// The connect step: the costs between an end of a query and the inter-edges of its clusters (HNA*
// paper, linkNodeToGraph, and section 5).

#include <cstdint>
#include <vector>

#include "cairn/search_statistics.hpp"
#include "hna/cluster_search.hpp"
#include "hna/snapshot.hpp"
#include "overlay/end.hpp"

namespace cairn::hna {

/// An end of a query, and what connects it to the top level by other ways than level by level.
struct End {
    navmesh::Place place;
    cairn::End<MeshBase> levels;  // connected by rows of level 1
    std::uint32_t top_cluster = 0;
    std::vector<Cost> top_costs;  // per inter-edge of that cluster
    bool searched = false;        // top_costs are those of `search`
    ClusterSearch search;
};

/// Puts an end at a place and connects it to level 1 by the rows of its polygon's portals.
/// `backward` for a goal.
void connect_to_first_level(const Snapshot& snapshot, const navmesh::Place& place, bool backward,
                            End& end);

/// Connects an end to the top level: by its rows, or by one search from the end inside the top
/// cluster. Needs rows of the top level unless `by_search`.
void connect_to_top(const Snapshot& snapshot, bool by_search, End& end, SearchStatistics& effort);

}  // namespace cairn::hna
