#pragma once
// A graph in compressed sparse row form: the input of CutLabels and NLevelGraph. Its edges have one
// weight, or one for each direction.

#include <cstdint>
#include <span>
#include <vector>

#include "cairn/cost.hpp"
#include "cairn/status.hpp"

namespace cairn {

/// One undirected edge between nodes a and b, as `graph_from_edges` takes it.
struct Edge {
    std::uint32_t a = 0;
    std::uint32_t b = 0;
    Cost cost = 1;  ///< from 1 to below kInfinity
    friend bool operator==(const Edge&, const Edge&) = default;
};

/// One arc, as `graph_from_arcs` takes it.
struct Arc {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    Cost cost = 1;  ///< from 1 to below kInfinity
    friend bool operator==(const Arc&, const Arc&) = default;
};

/// Nodes are numbered from 0. The neighbours of node v are head[first_out[v]] up to, not including,
/// head[first_out[v + 1]]; weight[i] is the weight of the edge from v to head[i]. Every edge is
/// stored at both its nodes, a loop twice at its node. Weights are from 1 to below kInfinity, so no
/// cycle costs 0. Parallel edges, isolated nodes, disconnected graphs and the empty graph are
/// allowed. Member functions are O(1) and need node < num_nodes().
///
/// In a directed graph back[i] is the weight of the same edge from head[i] to v. An edge that leads
/// one way only weighs kInfinity in the other direction.
struct Graph {
    std::vector<std::uint32_t> first_out{0};
    std::vector<std::uint32_t> head;
    std::vector<Cost> weight;
    std::vector<Cost> back;  ///< empty in an undirected graph
    bool directed = false;

    [[nodiscard]] std::uint32_t num_nodes() const noexcept {
        return static_cast<std::uint32_t>(first_out.size() - 1);
    }
    /// Entries of `head`: twice the edges.
    [[nodiscard]] std::uint32_t num_arcs() const noexcept {
        return static_cast<std::uint32_t>(head.size());
    }
    [[nodiscard]] std::uint32_t degree(std::uint32_t node) const noexcept {
        return first_out[node + 1] - first_out[node];
    }
    [[nodiscard]] std::span<const std::uint32_t> neighbours(std::uint32_t node) const noexcept {
        return std::span(head).subspan(first_out[node], degree(node));
    }
    [[nodiscard]] std::span<const Cost> weights(std::uint32_t node) const noexcept {
        return std::span(weight).subspan(first_out[node], degree(node));
    }
    /// The weights of the same edges towards the node.
    [[nodiscard]] std::span<const Cost> back_weights(std::uint32_t node) const noexcept {
        return std::span(directed ? back : weight).subspan(first_out[node], degree(node));
    }

    friend bool operator==(const Graph&, const Graph&) = default;
};

/// Where a node of a graph lies, in any unit.
struct NodePoint {
    std::int32_t x = 0;
    std::int32_t y = 0;
    friend bool operator==(const NodePoint&, const NodePoint&) = default;
};

/// The most nodes and arcs of a graph: both are counted in signed 32-bit integers.
inline constexpr std::uint32_t kMaxGraphNodes = 0x7fff'fffe;
inline constexpr std::uint32_t kMaxGraphArcs = 0x7fff'fffe;

/// The graph of these arrays, which are checked and moved into it; directed unless `back` is empty.
/// Errors: bad_option, with the first entry that breaks the rules of Graph (lengths, order of
/// first_out, range of head and weight, an edge that is not stored at both its nodes); too_large
/// for a graph beyond the limits above. O((n + m) log d) for n nodes, m arcs and degrees of at most
/// d. Thread-safe.
[[nodiscard]] Result<Graph> make_graph(std::vector<std::uint32_t> first_out,
                                       std::vector<std::uint32_t> head, std::vector<Cost> weight,
                                       std::vector<Cost> back = {}) noexcept;

/// The graph of `nodes` nodes and the given edges; the neighbours of each node are in the order of
/// `edges`. Errors: as make_graph. O(nodes + edges). Thread-safe.
[[nodiscard]] Result<Graph> graph_from_edges(std::uint32_t nodes,
                                             std::span<const Edge> edges) noexcept;

/// The directed graph of `nodes` nodes and the given arcs. All arcs between two nodes become one
/// edge, with the least cost of each direction; the neighbours of each node ascend. Loops are left
/// out. Errors: as make_graph, where each arc counts twice. O(nodes + arcs * log arcs).
/// Thread-safe.
[[nodiscard]] Result<Graph> graph_from_arcs(std::uint32_t nodes,
                                            std::span<const Arc> arcs) noexcept;

}  // namespace cairn
