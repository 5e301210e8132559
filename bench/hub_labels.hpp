#pragma once
// Plain hub labels, to compare cut labels with. Each node has a list of (hub, distance), sorted by
// hub; the distance of two nodes is the least sum over their common hubs. The labels are built by
// pruned Dijkstra searches from all nodes, the most important first: the node with the most
// descendants in some sampled shortest-path trees.
//
// T. Akiba, Y. Iwata, Y. Yoshida, "Fast Exact Shortest-Path Distance Queries on Large Networks by
// Pruned Landmark Labeling", SIGMOD 2013.

#include <cstdint>
#include <vector>

#include "cairn/graph.hpp"

namespace cairn::bench {

class HubLabels {
public:
    explicit HubLabels(const Graph& graph);

    /// kInfinity if there is no path.
    [[nodiscard]] Cost distance(std::uint32_t from, std::uint32_t to) const;

    /// The distance; `nodes` becomes the nodes of a shortest path, empty if there is none.
    Cost find_path(std::uint32_t from, std::uint32_t to, std::vector<std::uint32_t>& nodes) const;

    [[nodiscard]] double mean_entries() const;
    [[nodiscard]] std::uint64_t distance_bytes() const;
    [[nodiscard]] std::uint64_t path_bytes() const { return next_.size() * sizeof(std::uint32_t); }

private:
    struct Entry {
        std::uint32_t hub;  ///< the rank of the hub: 0 is the most important node
        Cost distance;
    };
    /// The best common hub of two nodes.
    struct Meeting {
        Cost cost;  ///< kInfinity without a common hub
        std::uint32_t hub;
    };

    [[nodiscard]] Meeting meet(std::uint32_t from, std::uint32_t to) const;
    /// Appends the nodes from `node` to the hub of rank `hub`, both included.
    void climb(std::uint32_t node, std::uint32_t hub, std::vector<std::uint32_t>& nodes) const;

    std::vector<std::uint64_t> first_;  ///< of each node, its first entry; then their number
    std::vector<Entry> entries_;        ///< by node, then by hub
    std::vector<std::uint32_t> next_;   ///< for each entry, the next node on the path to its hub
};

}  // namespace cairn::bench
