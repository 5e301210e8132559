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

/// The cost of the intra-edge between two inter-edges on one side of the first; kInfinity if there
/// is none.
[[nodiscard]] Cost arc_cost(const Hng& hng, std::uint32_t vertex, std::uint32_t side,
                            std::uint32_t head) noexcept {
    for (const Hng::Arc& arc : hng.arcs(2 * vertex + side)) {
        if (arc.vertex() == head) return arc.cost;
    }
    return kInfinity;
}

}  // namespace

bool steps_from_vertices(const Hng& hng, std::span<const std::uint32_t> path, std::uint32_t start,
                         std::uint32_t goal, std::vector<Step>& steps) {
    steps.clear();
    std::uint32_t cluster = start;
    for (std::size_t i = 0; i < path.size(); ++i) {
        const InterEdge& edge = hng[path[i]];
        const std::uint32_t side = edge.side_in(cluster);
        if (side == InterEdge::kNoSide) return false;
        const std::uint32_t across = edge.cluster[1 - side];
        if (i + 1 == path.size()) {
            if (across != goal) break;
        } else {
            const InterEdge& next = hng[path[i + 1]];
            if (next.side_in(across) == InterEdge::kNoSide) continue;
            // Only where the next one lies on the border of both clusters is there a choice.
            if (next.side_in(cluster) != InterEdge::kNoSide &&
                arc_cost(hng, path[i], side, path[i + 1]) <
                    arc_cost(hng, path[i], 1 - side, path[i + 1])) {
                continue;
            }
        }
        // Back over what has just been crossed, as only forged labels would have it.
        if (!steps.empty() && steps.back().exit == 2 * hng.portal(path[i]) + 1 - side) return false;
        steps.push_back(
            {2 * hng.portal(path[i]) + side, edge.slot[side], across, edge.slot[1 - side]});
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
