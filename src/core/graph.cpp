#include "cairn/graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>

#include "core/guarded.hpp"

namespace cairn {
namespace {

/// An entry of a row: head, weight and weight back.
using Entry = std::tuple<std::uint32_t, Cost, Cost>;

bool is_weight(Cost cost) { return cost > 0 && cost < kInfinity; }

/// The graph with the entry of each edge at its other node. Its rows are sorted by head.
Graph transposed(const Graph& graph) {
    Graph out;
    out.directed = graph.directed;
    out.first_out.assign(graph.first_out.size(), 0);
    for (const std::uint32_t h : graph.head) ++out.first_out[h + 1];
    for (std::size_t v = 1; v < out.first_out.size(); ++v) out.first_out[v] += out.first_out[v - 1];
    out.head.resize(graph.head.size());
    out.weight.resize(graph.head.size());
    out.back.resize(graph.back.size());
    std::vector<std::uint32_t> next(out.first_out.begin(), out.first_out.end() - 1);
    for (std::uint32_t v = 0; v < graph.num_nodes(); ++v) {
        for (std::uint32_t e = graph.first_out[v]; e < graph.first_out[v + 1]; ++e) {
            const std::uint32_t reversed = next[graph.head[e]]++;
            out.head[reversed] = v;
            out.weight[reversed] = graph.directed ? graph.back[e] : graph.weight[e];
            if (graph.directed) out.back[reversed] = graph.weight[e];
        }
    }
    return out;
}

/// Sets `row` to the entries of a node, sorted.
void sorted_row(const Graph& graph, std::uint32_t node, std::vector<Entry>& row) {
    row.clear();
    for (std::uint32_t i = 0; i < graph.degree(node); ++i) {
        row.emplace_back(graph.neighbours(node)[i], graph.weights(node)[i],
                         graph.back_weights(node)[i]);
    }
    std::sort(row.begin(), row.end());
}

/// Whether the weights of an edge are allowed.
bool is_edge(const Graph& graph, std::size_t e) {
    if (!graph.directed) return is_weight(graph.weight[e]);
    const auto allowed = [](Cost cost) { return is_weight(cost) || cost == kInfinity; };
    return allowed(graph.weight[e]) && allowed(graph.back[e]) &&
           std::min(graph.weight[e], graph.back[e]) < kInfinity;
}

tl::unexpected<Status> bad_graph(std::string message) {
    return fail(StatusCode::bad_option, std::move(message));
}

/// ok, or too_large for a list of so many edges or arcs, each of which takes two entries.
Status check_size(std::uint32_t nodes, std::size_t listed) {
    if (nodes <= kMaxGraphNodes && listed <= kMaxGraphArcs / 2) return {};
    return {StatusCode::too_large,
            fmt::format("graph: {} nodes and {} edges pass the limit of 2^31 - 2 nodes and half as "
                        "many edges",
                        nodes, listed)};
}

}  // namespace

Result<Graph> make_graph(std::vector<std::uint32_t> first_out, std::vector<std::uint32_t> head,
                         std::vector<Cost> weight, std::vector<Cost> back) noexcept try {
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
    if (!back.empty() && back.size() != weight.size()) {
        return bad_graph(
            fmt::format("graph: {} weights but {} weights back", weight.size(), back.size()));
    }
    if (first_out.front() != 0 || first_out.back() != head.size() ||
        !std::is_sorted(first_out.begin(), first_out.end())) {
        return bad_graph("graph: first_out must rise from 0 to the number of arcs");
    }
    const bool directed = !back.empty();
    Graph graph{std::move(first_out), std::move(head), std::move(weight), std::move(back),
                directed};
    for (std::size_t e = 0; e < graph.head.size(); ++e) {
        if (graph.head[e] >= graph.num_nodes()) {
            return bad_graph(fmt::format("graph: arc {} leads to node {} of {}", e, graph.head[e],
                                         graph.num_nodes()));
        }
        if (!is_edge(graph, e)) {
            const std::string and_back =
                graph.directed ? fmt::format(" and {} back", graph.back[e]) : std::string();
            return bad_graph(
                fmt::format("graph: arc {} has weight {}{}, which must be 1 to 2^31 - 2", e,
                            graph.weight[e], and_back));
        }
    }
    const Graph reverse = transposed(graph);
    std::vector<Entry> row;
    std::vector<Entry> reverse_row;
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
    if (Status s = check_size(nodes, edges.size()); !s.ok()) return tl::unexpected(std::move(s));
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

Result<Graph> graph_from_arcs(std::uint32_t nodes, std::span<const Arc> arcs) noexcept try {
    if (Status s = check_size(nodes, arcs.size()); !s.ok()) return tl::unexpected(std::move(s));
    std::vector<Arc> sorted;  // each arc as an entry of both its nodes
    sorted.reserve(2 * arcs.size());
    Graph graph;
    graph.directed = true;
    graph.first_out.assign(std::size_t{nodes} + 1, 0);
    for (std::size_t i = 0; i < arcs.size(); ++i) {
        const Arc& arc = arcs[i];
        if (arc.from >= nodes || arc.to >= nodes || !is_weight(arc.cost)) {
            return bad_graph(fmt::format("graph: arc {} ({} to {}, cost {}) is out of range", i,
                                         arc.from, arc.to, arc.cost));
        }
        if (arc.from == arc.to) continue;
        sorted.push_back(arc);
        sorted.push_back({arc.to, arc.from, kInfinity});
    }
    std::sort(sorted.begin(), sorted.end(), [](const Arc& a, const Arc& b) {
        return std::tie(a.from, a.to, a.cost) < std::tie(b.from, b.to, b.cost);
    });
    const auto same = [](const Arc& a, const Arc& b) { return a.from == b.from && a.to == b.to; };
    sorted.erase(std::unique(sorted.begin(), sorted.end(), same), sorted.end());
    for (const Arc& arc : sorted) {
        ++graph.first_out[arc.from + 1];
        graph.head.push_back(arc.to);
        graph.weight.push_back(arc.cost);
    }
    for (std::size_t v = 0; v < nodes; ++v) graph.first_out[v + 1] += graph.first_out[v];
    // By rising `from`, so the reverse arcs of a row come one after the other.
    graph.back.resize(graph.head.size());
    std::vector<std::uint32_t> next(graph.first_out.begin(), graph.first_out.end() - 1);
    for (const Arc& arc : sorted) graph.back[next[arc.to]++] = arc.cost;
    return graph;
} catch (...) {
    return out_of_memory();
}

}  // namespace cairn
