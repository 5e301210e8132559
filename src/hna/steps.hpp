#pragma once
// An abstract path as the inter-edges that it crosses: the input of refining.

#include <cstdint>
#include <span>

#include "cairn/mesh/mesh.hpp"
#include "hna/hng_view.hpp"

namespace cairn::hna {

/// A step over one inter-edge, out of one cluster and into the next.
struct Step {
    mesh::Link exit = mesh::kNone;  // the inter-edge's link in the cluster that is left
    std::uint32_t exit_slot = 0;    // its slot in that cluster
    std::uint32_t cluster = 0;      // the cluster that is entered
    std::uint32_t entry_slot = 0;   // the slot of the exit's twin there
};

/// Calls put(step) for the steps of a path over vertices of an HNG (HngView or HngGraph), from
/// cluster `start` to cluster `goal`. An inter-edge that the path touches without crossing it is
/// left out: the path past it costs no more. False if the vertices are no path, which forged labels
/// may cause.
template <class Graph, class Put>
[[nodiscard]] CAIRN_HOST_DEVICE bool for_each_step(const Graph& hng,
                                                   std::span<const std::uint32_t> path,
                                                   std::uint32_t start, std::uint32_t goal,
                                                   Put&& put) {
    std::uint32_t cluster = start;
    mesh::Link last_exit = mesh::kNone;
    for (std::size_t i = 0; i < path.size(); ++i) {
        const InterEdge& edge = hng.edge(path[i]);
        const std::uint32_t side = edge.side_in(cluster);
        if (side == InterEdge::kNoSide) return false;
        const std::uint32_t across = edge.cluster[1 - side];
        if (i + 1 == path.size()) {
            if (across != goal) break;
        } else {
            const InterEdge& next = hng.edge(path[i + 1]);
            if (next.side_in(across) == InterEdge::kNoSide) continue;
            // Both clusters may border on the next inter-edge: then the cheaper intra-edge is
            // taken.
            if (next.side_in(cluster) != InterEdge::kNoSide &&
                hng.arc_cost(2 * path[i] + side, path[i + 1]) <
                    hng.arc_cost(2 * path[i] + 1 - side, path[i + 1])) {
                continue;
            }
        }
        // Only forged labels lead back over the inter-edge just crossed.
        const mesh::Link exit = 2 * hng.portal(path[i]) + side;
        if (last_exit == mesh::twin(exit)) return false;
        put(Step{exit, edge.slot[side], across, edge.slot[1 - side]});
        last_exit = exit;
        cluster = across;
    }
    return cluster == goal;
}

}  // namespace cairn::hna
