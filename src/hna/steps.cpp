#include "hna/steps.hpp"

namespace cairn::hna {

using navmesh::Link;

void steps_from_nodes(const Overlay& overlay, int level, std::span<const Link> nodes,
                      std::vector<Step>& steps) {
    steps.clear();
    for (std::size_t i = 0; i + 1 < nodes.size(); i += 2) {
        const Link exit = nodes[i];
        const Link entry = nodes[i + 1];
        const std::uint32_t left = overlay.cluster_of(level, exit);
        const std::uint32_t entered = overlay.cluster_of(level, entry);
        steps.push_back({exit, overlay.cluster(level, left).find(exit), entered,
                         overlay.cluster(level, entered).find(entry)});
    }
}

namespace {

/// The side of an inter-edge that lies in a cluster; 2 if none does.
[[nodiscard]] std::uint32_t side_in(const InterEdge& edge, std::uint32_t cluster) noexcept {
    if (edge.cluster[0] == cluster) return 0;
    return edge.cluster[1] == cluster ? 1 : 2;
}

/// The cost between two inter-edges inside a cluster; kInfinity unless it has both.
[[nodiscard]] Cost cost_inside(const Overlay& overlay, int level, std::uint32_t cluster,
                               const InterEdge& a, const InterEdge& b) noexcept {
    const std::uint32_t from = side_in(a, cluster);
    const std::uint32_t to = side_in(b, cluster);
    if (from == 2 || to == 2) return kInfinity;
    return overlay.cluster(level, cluster).cost(a.slot[from], b.slot[to]);
}

}  // namespace

bool steps_from_edges(const Overlay& overlay, int level, const InterEdges& edges,
                      std::span<const std::uint32_t> path, std::uint32_t start, std::uint32_t goal,
                      std::vector<Step>& steps) {
    steps.clear();
    std::uint32_t cluster = start;
    for (std::size_t i = 0; i < path.size(); ++i) {
        const InterEdge& edge = edges[path[i]];
        const std::uint32_t side = side_in(edge, cluster);
        if (side == 2) return false;
        const std::uint32_t across = edge.cluster[1 - side];
        if (i + 1 == path.size()) {
            if (across != goal) break;
        } else {
            const InterEdge& next = edges[path[i + 1]];
            // Only where the next one lies on the border of both clusters is there a choice.
            if (side_in(next, across) == 2) continue;
            if (side_in(next, cluster) != 2 &&
                cost_inside(overlay, level, cluster, edge, next) <
                    cost_inside(overlay, level, across, edge, next)) {
                continue;
            }
        }
        steps.push_back(
            {2 * edges.portal(path[i]) + side, edge.slot[side], across, edge.slot[1 - side]});
        cluster = across;
    }
    return cluster == goal;
}

void append_nodes(std::span<const Step> steps, std::vector<Link>& nodes) {
    for (const Step& step : steps) {
        nodes.push_back(step.exit);
        nodes.push_back(navmesh::twin(step.exit));
    }
}

}  // namespace cairn::hna
