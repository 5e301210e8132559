#include "hna/level_one_graph.hpp"

#include <algorithm>
#include <utility>

#include "overlay/arc_changes.hpp"
#include "overlay/levels.hpp"

namespace cairn::hna {

Result<Graph> LevelOneGraph::whole() const {
    if (directed()) {
        std::vector<Arc> arcs;
        for (std::uint32_t number = 0; number < nodes.size(); ++number) {
            for_each_arc(number, [&](std::uint32_t to, Cost cost, Cost) {
                if (cost < kInfinity) arcs.push_back({number, to, cost});
            });
        }
        return graph_from_arcs(nodes.size(), arcs);
    }
    std::vector<std::uint32_t> by_portal;
    by_portal.reserve(nodes.count());
    for (std::uint32_t number = 0; number < nodes.size(); ++number) {
        if (!nodes.is_removed(number)) by_portal.push_back(number);
    }
    if (!nodes.from_scratch()) {
        std::ranges::sort(by_portal, {},
                          [this](std::uint32_t number) { return nodes.portal(number); });
    }
    std::vector<Edge> edges;
    for (const std::uint32_t number : by_portal) {
        for (const std::size_t side : {0U, 1U}) {
            const std::uint32_t cluster = nodes[number].cluster[side];
            const ClusterView view = overlay.cluster(1, cluster);
            const std::uint32_t slot = nodes[number].slot[side];
            for (std::uint32_t lower = 0; lower < slot; ++lower) {
                const Cost cost = view.cost(slot, lower);
                if (cost < kInfinity) edges.push_back({number, nodes.of(cluster)[lower], cost});
            }
        }
    }
    return graph_from_edges(nodes.size(), edges);
}

std::vector<std::uint32_t> nodes_with_changed_arcs(const LevelOneGraph& before,
                                                   const LevelOneGraph& after,
                                                   std::span<const std::uint32_t> changed) {
    std::vector<std::uint32_t> numbers;
    const auto add = [&](const LevelOneGraph& graph, std::uint32_t cluster) {
        const auto of_cluster = graph.nodes.of(cluster);
        numbers.insert(numbers.end(), of_cluster.begin(), of_cluster.end());
    };
    for (const std::uint32_t cluster : changed) {
        if (cluster < before.overlay.base.clusters(1)) add(before, cluster);
        add(after, cluster);
    }
    sort_unique(numbers);
    keep_changed(before, after, numbers);
    return numbers;
}

}  // namespace cairn::hna
