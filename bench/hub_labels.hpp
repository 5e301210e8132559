#pragma once
// Plain hub labels, to compare cut labels with: each node has a list of (hub, distance), sorted by
// hub, and a distance is the least sum over common hubs. Found by pruned Dijkstra searches from the
// nodes in order of importance: how many of some sampled shortest-path trees' nodes lie below them.
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

    /// The same, and the nodes of such a path, replacing what is there.
    Cost find_path(std::uint32_t from, std::uint32_t to, std::vector<std::uint32_t>& nodes) const;

    [[nodiscard]] double mean_entries() const;
    [[nodiscard]] std::uint64_t distance_bytes() const;
    [[nodiscard]] std::uint64_t path_bytes() const { return next_.size() * sizeof(std::uint32_t); }

private:
    struct Entry {
        std::uint32_t hub;
        Cost distance;
    };
    struct Meeting {
        Cost cost;
        std::uint32_t hub;
    };

    [[nodiscard]] Meeting meet(std::uint32_t from, std::uint32_t to) const;
    void climb(std::uint32_t node, std::uint32_t hub, std::vector<std::uint32_t>& nodes) const;

    std::vector<std::uint64_t> first_;
    std::vector<Entry> entries_;
    std::vector<std::uint32_t> next_;  ///< beside each entry: the next node on the way to its hub
};

}  // namespace cairn::bench
