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

/// Small graphs of every shape that may be awkward for an algorithm: no nodes, one node, paths,
/// trees, cliques, a star, grids, and random graphs with loops, parallel edges and many components.
[[nodiscard]] std::vector<SampleGraph> sample_graphs();

/// Directed graphs of such shapes, and of edges whose costs differ by direction.
[[nodiscard]] std::vector<SampleGraph> directed_sample_graphs();

/// Both.
[[nodiscard]] std::vector<SampleGraph> all_sample_graphs();

/// The graph with other costs in the other direction of each edge, from `least` to `most`; every
/// fourth edge leads one way only. Of parallel edges the shortest remains.
[[nodiscard]] Graph directed_version(const Graph& graph, Cost least, Cost most, std::uint32_t seed);

/// The abstract graph of an open map, as in the HPA* paper: `clusters` x `clusters` clusters, each
/// a clique of 2 to 8 nodes, with one or two inter-edges between neighbouring clusters.
[[nodiscard]] Graph cluster_graph(std::uint32_t clusters, std::uint32_t seed);

/// A graph of random edges, loops and parallel ones included, with weights from `least` to `most`.
[[nodiscard]] Graph random_graph(std::uint32_t nodes, std::uint32_t edges, Cost least, Cost most,
                                 std::uint32_t seed);

/// Distances from `root` to all nodes; kInfinity where there is no path that costs less.
[[nodiscard]] std::vector<Cost> dijkstra(const Graph& graph, std::uint32_t root);

/// The cost of the path over `nodes` by the cheapest edges; kInfinity if it is not a path.
[[nodiscard]] Cost path_cost(const Graph& graph, const std::vector<std::uint32_t>& nodes);

}  // namespace cairn::test
