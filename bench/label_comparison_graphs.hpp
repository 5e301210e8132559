#pragma once
// The graphs that cut labels are compared on.

#include <filesystem>
#include <vector>

#include "cairn/graph.hpp"
#include "cairn/status.hpp"

namespace cairn::bench {

/// A graph and where its nodes lie.
struct PlacedGraph {
    Graph graph;
    std::vector<NodePoint> points;  ///< by node
};

/// The abstract graph of level 1 that HPA* builds of a `.map` file by default.
[[nodiscard]] Result<PlacedGraph> hpa_graph(const std::filesystem::path& map);

/// The subgoal graph of a `.map` file: all direct edges, or only the taut ones, which its
/// engines use.
[[nodiscard]] Result<PlacedGraph> subgoal_graph(const std::filesystem::path& map, bool taut);

}  // namespace cairn::bench
