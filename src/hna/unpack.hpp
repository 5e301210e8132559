#pragma once
// The refine step: from the steps of an abstract path to the links of its corridor.

#include <span>
#include <vector>

#include "hna/connect.hpp"
#include "hna/snapshot.hpp"
#include "hna/steps.hpp"

namespace cairn::hna {

/// Appends the links that a path of a level with rows crosses, from S over `steps`, at least one,
/// to G. Both ends are connected to that level, by rows or by a search. O(links).
void unpack(const Snapshot& snapshot, int level, const End& start, std::span<const Step> steps,
            const End& goal, std::vector<navmesh::Link>& links);

/// Appends the links that lead from a start to the end that `search`, towards it, was run from;
/// nothing if there is no way. The polygons of both differ.
void unpack_search(const Snapshot& snapshot, const End& start, const ClusterSearch& search,
                   std::vector<navmesh::Link>& links);

/// The cost of that way, or kInfinity.
[[nodiscard]] Cost search_cost(const End& start, const ClusterSearch& search);

}  // namespace cairn::hna
