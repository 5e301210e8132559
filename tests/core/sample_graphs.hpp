#pragma once
// Graphs of all shapes for tests, and a plain Dijkstra to check against.

#include <cstdint>
#include <string>
#include <vector>

#include "cairn/graph.hpp"

namespace cairn::test {

struct SampleGraph {
    std::string name;
    Graph graph;
};

/// Small graphs of every shape that is awkward for somebody: none, one node, paths, trees, cliques,
/// stars of high degree, grids, random ones with loops, parallel edges, zero weights, many parts.
[[nodiscard]] std::vector<SampleGraph> sample_graphs();

/// `clusters` x `clusters` clusters of 4 to 8 nodes: cliques inside, links between neighbours, as
/// the HPA* paper's abstraction of an open map.
[[nodiscard]] Graph cluster_graph(std::uint32_t clusters, std::uint32_t seed);

[[nodiscard]] Graph random_graph(std::uint32_t nodes, std::uint32_t edges, Cost least, Cost most,
                                 std::uint32_t seed);

/// Distances from `root` to all nodes; kInfinity where there is no way below it.
[[nodiscard]] std::vector<Cost> dijkstra(const Graph& graph, std::uint32_t root);

/// The cost of going along `nodes` by the cheapest edges; kInfinity if it is not a path.
[[nodiscard]] Cost path_cost(const Graph& graph, const std::vector<std::uint32_t>& nodes);

}  // namespace cairn::test
