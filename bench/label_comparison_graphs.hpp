#pragma once
// The graphs that cut labels are compared on.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <vector>

#include "cairn/graph.hpp"
#include "cairn/status.hpp"

namespace cairn::bench {

/// A graph and where its nodes lie.
struct PlacedGraph {
    Graph graph;
    std::vector<NodePoint> points;  ///< by node
    /// A lower bound on the distance between two nodes, for A*; 0 on meshes.
    std::function<Cost(std::uint32_t, std::uint32_t)> bound;
};

/// The abstract graph of level 1 that HPA* builds of a `.map` file by default.
[[nodiscard]] Result<PlacedGraph> hpa_graph(const std::filesystem::path& map);

/// The subgoal graph of a `.map` file: all direct edges, or only the taut ones, which its
/// engines use.
[[nodiscard]] Result<PlacedGraph> subgoal_graph(const std::filesystem::path& map, bool taut);

/// The hierarchical navigation graph of level 1 that HNA* builds of a Polyanya mesh by default.
[[nodiscard]] Result<PlacedGraph> hna_graph(const std::filesystem::path& mesh);

}  // namespace cairn::bench
