#include "cairn/graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/guarded.hpp"

namespace cairn {
namespace {

using Arc = std::pair<std::uint32_t, Cost>;

bool is_weight(Cost cost) { return cost > 0 && cost < kInfinity; }

/// The graph with every arc reversed. Its rows are sorted by head.
Graph transposed(const Graph& graph) {
    Graph out;
    out.first_out.assign(graph.first_out.size(), 0);
    for (const std::uint32_t h : graph.head) ++out.first_out[h + 1];
    for (std::size_t v = 1; v < out.first_out.size(); ++v) out.first_out[v] += out.first_out[v - 1];
    out.head.resize(graph.head.size());
    out.weight.resize(graph.head.size());
    std::vector<std::uint32_t> next(out.first_out.begin(), out.first_out.end() - 1);
    for (std::uint32_t v = 0; v < graph.num_nodes(); ++v) {
        for (std::uint32_t e = graph.first_out[v]; e < graph.first_out[v + 1]; ++e) {
            const std::uint32_t reversed = next[graph.head[e]]++;
            out.head[reversed] = v;
            out.weight[reversed] = graph.weight[e];
        }
    }
    return out;
}

/// Sets `row` to the arcs of a node, sorted by head and weight.
void sorted_row(const Graph& graph, std::uint32_t node, std::vector<Arc>& row) {
    row.clear();
    for (std::uint32_t e = graph.first_out[node]; e < graph.first_out[node + 1]; ++e) {
        row.emplace_back(graph.head[e], graph.weight[e]);
    }
    std::sort(row.begin(), row.end());
}

tl::unexpected<Status> bad_graph(std::string message) {
    return fail(StatusCode::bad_option, std::move(message));
}

}  // namespace

Result<Graph> make_graph(std::vector<std::uint32_t> first_out, std::vector<std::uint32_t> head,
                         std::vector<Cost> weight) noexcept try {
    if (first_out.empty())
        return bad_graph("graph: first_out must have one entry more than there are nodes");
    if (first_out.size() - 1 > kMaxGraphNodes || head.size() > kMaxGraphArcs) {
        return fail(StatusCode::too_large,
                    fmt::format("graph: {} nodes and {} arcs pass the limit of 2^31 - 2 each",
                                first_out.size() - 1, head.size()));
    }
    if (head.size() != weight.size()) {
        return bad_graph(fmt::format("graph: {} heads but {} weights", head.size(), weight.size()));
    }
    if (first_out.front() != 0 || first_out.back() != head.size() ||
        !std::is_sorted(first_out.begin(), first_out.end())) {
        return bad_graph("graph: first_out must rise from 0 to the number of arcs");
    }
    Graph graph{std::move(first_out), std::move(head), std::move(weight)};
    for (std::size_t e = 0; e < graph.head.size(); ++e) {
        if (graph.head[e] >= graph.num_nodes()) {
            return bad_graph(fmt::format("graph: arc {} leads to node {} of {}", e, graph.head[e],
                                         graph.num_nodes()));
        }
        if (!is_weight(graph.weight[e])) {
            return bad_graph(fmt::format("graph: arc {} has weight {}, which is not 1 to 2^31 - 2",
                                         e, graph.weight[e]));
        }
    }
    const Graph reverse = transposed(graph);
    std::vector<Arc> row;
    std::vector<Arc> reverse_row;
    for (std::uint32_t v = 0; v < graph.num_nodes(); ++v) {
        sorted_row(graph, v, row);
        sorted_row(reverse, v, reverse_row);
        if (row != reverse_row) {
            return bad_graph(fmt::format("graph: an edge of node {} lacks its reverse", v));
        }
    }
    return graph;
} catch (...) {
    return out_of_memory();
}

Result<Graph> graph_from_edges(std::uint32_t nodes, std::span<const Edge> edges) noexcept try {
    if (nodes > kMaxGraphNodes || edges.size() > kMaxGraphArcs / 2) {
        return fail(StatusCode::too_large,
                    fmt::format("graph: {} nodes and {} edges pass the limit of 2^31 - 2 nodes and "
                                "half as many edges",
                                nodes, edges.size()));
    }
    Graph graph;
    graph.first_out.assign(std::size_t{nodes} + 1, 0);
    for (std::size_t i = 0; i < edges.size(); ++i) {
        const Edge& edge = edges[i];
        if (edge.a >= nodes || edge.b >= nodes || !is_weight(edge.cost)) {
            return bad_graph(fmt::format("graph: edge {} ({} to {}, cost {}) is out of range", i,
                                         edge.a, edge.b, edge.cost));
        }
        ++graph.first_out[edge.a + 1];
        ++graph.first_out[edge.b + 1];
    }
    for (std::size_t v = 0; v < nodes; ++v) graph.first_out[v + 1] += graph.first_out[v];
    graph.head.resize(edges.size() * 2);
    graph.weight.resize(edges.size() * 2);
    std::vector<std::uint32_t> next(graph.first_out.begin(), graph.first_out.end() - 1);
    const auto add_arc = [&](std::uint32_t from, std::uint32_t to, Cost cost) {
        const std::uint32_t arc = next[from]++;
        graph.head[arc] = to;
        graph.weight[arc] = cost;
    };
    for (const Edge& edge : edges) {
        add_arc(edge.a, edge.b, edge.cost);
        add_arc(edge.b, edge.a, edge.cost);
    }
    return graph;
} catch (...) {
    return out_of_memory();
}

}  // namespace cairn
