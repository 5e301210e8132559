#pragma once
// A start or goal and its connections: for each level, the costs between it and the abstract nodes
// of the cluster that holds it.
//
// The HPA* paper inserts S and G into the graph (insertNode, Fig. 10). Here connections are kept
// outside the index, and later queries with the same start or goal reuse them (section 3.2.1).

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "cairn/search_statistics.hpp"
#include "core/memory.hpp"
#include "overlay/level_search.hpp"

namespace cairn {

template <BaseGraph Base>
struct Endpoint {
    typename Base::Place place{};
    /// Over a directed base graph: true if the costs are those from the nodes to the endpoint (a
    /// goal), false if to the nodes (a start). Over other graphs an endpoint serves as both.
    bool backward = false;
    int levels = 0;                        // connected up to this level
    std::vector<std::uint32_t> clusters;   // [level - 1]: the cluster that holds the endpoint
    std::vector<std::vector<Cost>> costs;  // [level - 1][slot in that cluster]

    [[nodiscard]] Terminal terminal(int level) const noexcept {
        const auto l = static_cast<std::size_t>(level - 1);
        return {clusters[l], costs[l]};
    }

    /// Moves the endpoint to a place in `cluster` of level 1. Returns the costs of that cluster's
    /// nodes, by slot, for the caller to fill in.
    std::span<Cost> move_to(const Overlay<Base>& overlay, const typename Base::Place& to,
                            std::uint32_t cluster) {
        place = to;
        levels = 0;
        if (clusters.size() < overlay.levels.size()) clusters.resize(overlay.levels.size());
        if (costs.size() < overlay.levels.size()) costs.resize(overlay.levels.size());
        return add_level(overlay, cluster);
    }

    /// Adds the next level, on which `cluster` holds the endpoint. Returns the costs of that
    /// cluster's nodes, by slot, for the caller to fill in.
    std::span<Cost> add_level(const Overlay<Base>& overlay, std::uint32_t cluster) {
        const auto l = static_cast<std::size_t>(levels++);
        clusters[l] = cluster;
        costs[l].reserve(overlay.most_nodes(levels));
        costs[l].resize(overlay.cluster(levels, cluster).count());
        return costs[l];
    }

    /// Bytes held now. O(levels).
    [[nodiscard]] std::size_t memory() const noexcept { return memory_of(clusters, costs); }
};

/// Connects an endpoint, level by level up to `level`, to the abstract nodes of its clusters. Each
/// level takes one search over the level below, confined to the endpoint's cluster (HPA* paper,
/// section 3.4). The endpoint is connected to level 1 already. Adds the searches to `effort`.
template <BaseGraph Base, class Observer = NoObserver>
void connect_to_level(const Overlay<Base>& overlay, int level, Endpoint<Base>& end,
                      LevelSearch<Base>& search, SearchStatistics& effort,
                      const Observer& observer = {}) {
    while (end.levels < level) {
        const int below = end.levels;
        const std::uint32_t cluster =
            overlay.base.parent(below + 1, end.clusters[static_cast<std::size_t>(below - 1)]);
        typename LevelSearch<Base>::Task task;
        task.level = below;
        task.confine = cluster;
        task.start = end.terminal(below);
        task.backward = end.backward;
        search.begin(overlay, task, observer);
        search.advance(std::numeric_limits<std::uint64_t>::max(), observer);
        effort += search.statistics();

        const ClusterView view = overlay.cluster(below + 1, cluster);
        const std::span<Cost> costs = end.add_level(overlay, cluster);
        for (std::uint32_t slot = 0; slot < view.count(); ++slot) {
            const std::uint32_t child = overlay.cluster_of(below, view.base(slot));
            costs[slot] = search.exit_cost(child, view.child_slot(slot));
        }
    }
}

}  // namespace cairn
