#pragma once
// The taut graph: the nodes of the engines, and the edges of the subgoal graph that are taut.

#include <cstdint>
#include <span>
#include <vector>

#include "cairn/cost.hpp"
#include "cairn/graph.hpp"
#include "cairn/status.hpp"
#include "subgoal/octants.hpp"
#include "subgoal/snapshot.hpp"

namespace cairn::subgoal {

/// Whether an edge of the subgoal graph between two nodes at `p` and `q` is taut.
[[nodiscard]] inline bool is_taut(const Nodes& nodes, grid::Point p, grid::Point q) noexcept {
    return is_taut(nodes.useful(nodes.number(p.x, p.y)), nodes.useful(nodes.number(q.x, q.y)),
                   octants_between(q.x - p.x, q.y - p.y));
}

/// Calls use(to, cost) for each taut arc of a node, in the order of the cells. Those of a removed
/// node are none. O(edges of the node).
template <class Use>
void for_each_taut_arc(const Snapshot& snapshot, std::uint32_t node, Use&& use) {
    const Nodes& nodes = snapshot.nodes;
    if (nodes.removed(node)) return;
    const grid::Point p = nodes.point(node);
    for (const grid::Cell cell : snapshot.graph.neighbours(p.x, p.y)) {
        const grid::Point q = snapshot.map.point(cell);
        const std::uint32_t to = nodes.number(q.x, q.y);
        if (!is_taut(nodes.useful(node), nodes.useful(to), octants_between(q.x - p.x, q.y - p.y)))
            continue;
        const Cost cost = snapshot.map.distance_bound(p, q);
        if (cost != kInfinity) use(to, cost);  // else no path can use it
    }
}

/// The taut graph of a snapshot. O(edges).
[[nodiscard]] Result<Graph> taut_graph(const Snapshot& snapshot);

/// The nodes of `after`, which is an edit of `before`, whose taut arcs differ, ascending: new and
/// removed ones with arcs, too. `relinked` has the nodes whose edges differ, `reoriented` those
/// whose octants do. O(edges of these nodes).
[[nodiscard]] std::vector<std::uint32_t> taut_changes(const Snapshot& before, const Snapshot& after,
                                                      std::span<const std::uint32_t> relinked,
                                                      std::span<const std::uint32_t> reoriented);

}  // namespace cairn::subgoal
