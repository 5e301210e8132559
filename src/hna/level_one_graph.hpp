#pragma once
// The HNG of level 1 as a graph with edges in both directions. Labels are built over it.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cairn/cost.hpp"
#include "cairn/graph.hpp"
#include "cairn/status.hpp"
#include "hna/hng.hpp"

namespace cairn::hna {

/// The graph of level 1 of a snapshot. Valid while its parts live.
struct LevelOneGraph {
    const Overlay& overlay;
    const Hng& nodes;  // of level 1

    /// Whether intra-edges may have other costs in the other direction.
    [[nodiscard]] bool directed() const noexcept { return overlay.base.directed(); }

    /// Calls use(number, cost, back) for the intra-edges of a node: the costs to and from another
    /// node, of which one may be kInfinity. First come those to lower portals, in the cluster of
    /// its even link and then in that of its odd link, then those to higher portals. Two nodes may
    /// have an arc in each of two clusters. A removed node has no arcs.
    template <class Use>
    void for_each_arc(std::uint32_t number, Use&& use) const;

    /// The whole graph. Unless it is directed, the arcs of each node are in this order. Errors: as
    /// graph_from_edges. O(arcs * log).
    [[nodiscard]] Result<Graph> whole() const;
};

/// The nodes whose arcs differ between two graphs, ascending, new and removed nodes included.
/// `after` must be `before` after an edit that changed the records of no clusters of level 1 but
/// `changed` (sorted). O(arcs of these clusters).
[[nodiscard]] std::vector<std::uint32_t> nodes_with_changed_arcs(
    const LevelOneGraph& before, const LevelOneGraph& after,
    std::span<const std::uint32_t> changed);

template <class Use>
void LevelOneGraph::for_each_arc(std::uint32_t number, Use&& use) const {
    if (nodes.is_removed(number)) return;
    // One of the node's two clusters.
    struct Side {
        ClusterView view;
        RecordStore::Record numbers;
        std::uint32_t slot;
        std::uint32_t next;  // the slot that follows
    };
    const InterEdge& edge = nodes[number];
    const auto side_of = [&](std::size_t side) {
        const std::uint32_t cluster = edge.cluster[side];
        const std::uint32_t slot = edge.slot[side];
        return Side{overlay.cluster(1, cluster), nodes.of(cluster), slot, slot + 1};
    };
    const auto use_slot = [&](const Side& side, std::uint32_t other) {
        const Cost cost = side.view.cost(side.slot, other);
        const Cost back = directed() ? side.view.cost(other, side.slot) : cost;
        if (std::min(cost, back) < kInfinity) use(side.numbers[other], cost, back);
    };
    Side even = side_of(0);
    Side odd = side_of(1);
    for (std::uint32_t other = 0; other < even.slot; ++other) use_slot(even, other);
    for (std::uint32_t other = 0; other < odd.slot; ++other) use_slot(odd, other);
    while (even.next < even.view.count() || odd.next < odd.view.count()) {
        const bool from_even =
            odd.next == odd.view.count() ||
            (even.next < even.view.count() && even.view.base(even.next) < odd.view.base(odd.next));
        Side& side = from_even ? even : odd;
        use_slot(side, side.next++);
    }
}

}  // namespace cairn::hna
