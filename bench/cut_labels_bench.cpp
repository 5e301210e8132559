// Cut labels on graphs like those of HPA* on open maps: clusters of 10 x 10 cells, one or two
// transitions to each neighbouring cluster, and a clique of the nodes in each cluster.
//
// The first argument is the number of clusters along a side; 41 gives 8,062 nodes.

#include <benchmark/benchmark.h>

#include <algorithm>
#include <random>
#include <vector>

#include "cairn/cut_labels.hpp"

namespace {

using cairn::Connector;
using cairn::Cost;
using cairn::CutLabels;
using cairn::Graph;

/// The costs of moves on grid maps.
constexpr Cost kStraight = cairn::CostModel::standard().straight;
constexpr Cost kDiagonal = cairn::CostModel::standard().diagonal;

struct Abstraction {
    struct Node {
        std::uint32_t x, y;  // cell
    };
    std::vector<Node> nodes;
    std::vector<std::vector<std::uint32_t>> clusters;  // the nodes of each
    Graph graph;
};

Cost octile(Abstraction::Node a, Abstraction::Node b) {
    const std::uint32_t dx = a.x > b.x ? a.x - b.x : b.x - a.x;
    const std::uint32_t dy = a.y > b.y ? a.y - b.y : b.y - a.y;
    return kStraight * std::max(dx, dy) + (kDiagonal - kStraight) * std::min(dx, dy);
}

/// An abstraction of `side` x `side` clusters.
Abstraction make_abstraction(std::uint32_t side) {
    constexpr std::uint32_t kSize = 10;  // of a cluster, in cells
    enum class Neighbour { right, below };
    Abstraction out;
    std::mt19937 random(1);
    std::vector<cairn::Edge> edges;
    out.clusters.resize(std::size_t{side} * side);
    // Adds the transitions from cluster (x, y) to a neighbour.
    const auto link = [&](std::uint32_t x, std::uint32_t y, Neighbour neighbour) {
        const bool right = neighbour == Neighbour::right;
        const std::size_t here = std::size_t{y} * side + x;
        const std::size_t there = here + (right ? 1 : side);
        const auto links = static_cast<std::uint32_t>(random() % 4 == 0 ? 2 : 1);
        for (std::uint32_t i = 0; i < links; ++i) {
            const auto at =
                static_cast<std::uint32_t>(random() % (kSize / links)) + i * kSize / links;
            const auto node = static_cast<std::uint32_t>(out.nodes.size());
            const std::uint32_t border = kSize - 1;
            out.nodes.push_back(right ? Abstraction::Node{x * kSize + border, y * kSize + at}
                                      : Abstraction::Node{x * kSize + at, y * kSize + border});
            out.nodes.push_back(right ? Abstraction::Node{x * kSize + kSize, y * kSize + at}
                                      : Abstraction::Node{x * kSize + at, y * kSize + kSize});
            out.clusters[here].push_back(node);
            out.clusters[there].push_back(node + 1);
            edges.push_back({node, node + 1, kStraight});
        }
    };
    for (std::uint32_t y = 0; y < side; ++y) {
        for (std::uint32_t x = 0; x < side; ++x) {
            if (x + 1 < side) link(x, y, Neighbour::right);
            if (y + 1 < side) link(x, y, Neighbour::below);
        }
    }
    for (const auto& cluster : out.clusters) {
        for (std::size_t i = 0; i < cluster.size(); ++i) {
            for (std::size_t j = 0; j < i; ++j) {
                const std::uint32_t a = cluster[j];
                const std::uint32_t b = cluster[i];
                // Two nodes may share a cell at a corner, but edges must cost at least 1.
                edges.push_back({a, b, std::max(octile(out.nodes[a], out.nodes[b]), Cost{1})});
            }
        }
    }
    out.graph =
        cairn::graph_from_edges(static_cast<std::uint32_t>(out.nodes.size()), edges).value();
    return out;
}

/// An abstraction and its labels.
struct LabelledGraph {
    explicit LabelledGraph(std::uint32_t side)
        : abstraction(make_abstraction(side)),
          labels(CutLabels::build(abstraction.graph).value()) {}

    /// Connectors to all nodes of a random cluster, at random costs.
    [[nodiscard]] std::vector<Connector> connectors(std::mt19937& random) const {
        const auto& cluster = abstraction.clusters[random() % abstraction.clusters.size()];
        std::vector<Connector> out;
        for (const std::uint32_t node : cluster) {
            out.push_back({node, static_cast<Cost>(kStraight * (random() % 10))});
        }
        return out;
    }

    Abstraction abstraction;
    CutLabels labels;
};

/// The graph of a number of clusters along a side, built at the first call.
const LabelledGraph& labelled_graph(std::int64_t side) {
    static std::vector<std::pair<std::int64_t, LabelledGraph>> graphs;
    for (const auto& [key, value] : graphs) {
        if (key == side) return value;
    }
    return graphs.emplace_back(side, LabelledGraph(static_cast<std::uint32_t>(side))).second;
}

constexpr std::size_t kQueries = 4096;

void build(benchmark::State& state) {
    const Abstraction abstraction = make_abstraction(static_cast<std::uint32_t>(state.range(0)));
    cairn::BuildControl control;
    control.threads = 1;
    CutLabels::Options options;
    options.closure.recuts = static_cast<int>(state.range(1));
    CutLabels labels;
    for (auto _ : state) labels = CutLabels::build(abstraction.graph, options, control).value();
    const CutLabels::Statistics stats = labels.statistics().value();
    state.counters["nodes"] = labels.num_nodes();
    state.counters["entries"] = stats.mean_entries;
    state.counters["longest"] = stats.max_entries;
    state.counters["root"] = stats.root_separator;
    state.counters["groups"] = stats.groups;
    state.counters["MB"] =
        static_cast<double>(stats.label_bytes + stats.hop_bytes + stats.tree_bytes) / 1e6;
}
BENCHMARK(build)
    ->ArgNames({"side", "recuts"})
    ->Args({10, 2})
    ->Args({41, 2})
    ->Args({41, 0})
    ->Args({120, 2})
    ->Args({120, 0})
    ->Unit(benchmark::kMillisecond);

void node_to_node(benchmark::State& state) {
    const CutLabels& labels = labelled_graph(state.range(0)).labels;
    std::mt19937 random(2);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs(kQueries);
    for (auto& [s, t] : pairs) {
        s = static_cast<std::uint32_t>(random() % labels.num_nodes());
        t = static_cast<std::uint32_t>(random() % labels.num_nodes());
    }
    std::size_t i = 0;
    for (auto _ : state) {
        const auto [s, t] = pairs[i++ % kQueries];
        benchmark::DoNotOptimize(labels.distance(s, t));
    }
}
BENCHMARK(node_to_node)->Arg(41)->Arg(120);

struct Query {
    std::vector<Connector> from;
    std::vector<Connector> to;
};

/// Queries between random clusters, or, if `near`, between the nodes of one cluster.
std::vector<Query> make_queries(const LabelledGraph& graph, bool near) {
    std::mt19937 random(3);
    std::vector<Query> queries(kQueries);
    for (Query& query : queries) {
        query.from = graph.connectors(random);
        query.to = near ? query.from : graph.connectors(random);
        if (near) std::swap(query.to.front().cost, query.to.back().cost);
    }
    return queries;
}

void cluster_to_cluster(benchmark::State& state) {
    const LabelledGraph& graph = labelled_graph(state.range(0));
    const std::vector<Query> queries = make_queries(graph, state.range(1) != 0);
    CutLabels::Scratch scratch;
    std::size_t i = 0;
    for (auto _ : state) {
        const Query& query = queries[i++ % kQueries];
        benchmark::DoNotOptimize(graph.labels.distance(query.from, query.to, scratch));
    }
}
BENCHMARK(cluster_to_cluster)
    ->ArgNames({"side", "near"})
    ->Args({41, 0})
    ->Args({41, 1})
    ->Args({120, 0});

void path(benchmark::State& state) {
    const LabelledGraph& graph = labelled_graph(state.range(0));
    const std::vector<Query> queries = make_queries(graph, /*near=*/false);
    CutLabels::Scratch scratch;
    std::vector<std::uint32_t> nodes;
    std::size_t i = 0;
    std::size_t hops = 0;
    for (auto _ : state) {
        const Query& query = queries[i++ % kQueries];
        benchmark::DoNotOptimize(graph.labels.find_path(query.from, query.to, scratch, nodes));
        hops += nodes.size();
    }
    state.counters["hops"] =
        benchmark::Counter(static_cast<double>(hops), benchmark::Counter::kAvgIterations);
}
BENCHMARK(path)->Arg(41)->Arg(120);

}  // namespace
