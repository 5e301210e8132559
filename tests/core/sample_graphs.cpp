// How the sample graphs are made.

#include "sample_graphs.hpp"

#include <algorithm>
#include <functional>
#include <queue>
#include <random>
#include <utility>

namespace cairn::test {
namespace {

/// Random numbers without std::uniform_int_distribution, whose results differ between libraries.
class Dice {
public:
    explicit Dice(std::uint32_t seed) : engine_(seed) {}
    /// From 0 to `bound` - 1.
    std::uint32_t below(std::uint32_t bound) {
        return static_cast<std::uint32_t>(engine_()) % bound;
    }

private:
    std::mt19937 engine_;
};

Graph made(std::uint32_t nodes, const std::vector<Edge>& edges) {
    return graph_from_edges(nodes, edges).value();
}

Graph path(std::uint32_t nodes, Cost weight) {
    std::vector<Edge> edges;
    for (std::uint32_t v = 1; v < nodes; ++v) edges.push_back({v - 1, v, weight});
    return made(nodes, edges);
}

Graph tree(std::uint32_t nodes, std::uint32_t seed) {
    Dice dice(seed);
    std::vector<Edge> edges;
    for (std::uint32_t v = 1; v < nodes; ++v)
        edges.push_back({dice.below(v), v, 1 + dice.below(9)});
    return made(nodes, edges);
}

Graph clique(std::uint32_t nodes, std::uint32_t seed) {
    Dice dice(seed);
    std::vector<Edge> edges;
    for (std::uint32_t a = 0; a < nodes; ++a) {
        for (std::uint32_t b = a + 1; b < nodes; ++b) edges.push_back({a, b, 1 + dice.below(50)});
    }
    return made(nodes, edges);
}

/// A star. Its centre has a number in the middle. A chain joins every third node.
Graph star(std::uint32_t leaves) {
    std::vector<Edge> edges;
    const std::uint32_t centre = leaves / 2;
    for (std::uint32_t v = 0; v <= leaves; ++v) {
        if (v != centre) edges.push_back({centre, v, 1 + v % 7});
        if (v % 3 == 0 && v + 3 <= leaves) edges.push_back({v, v + 3, 1 + v % 5});
    }
    return made(leaves + 1, edges);
}

/// Weights are random, from 1 to `most`.
Graph grid(std::uint32_t width, std::uint32_t height, Cost most, std::uint32_t seed) {
    Dice dice(seed);
    const auto weight = [&] { return 1 + dice.below(most); };
    std::vector<Edge> edges;
    for (std::uint32_t y = 0; y < height; ++y) {
        for (std::uint32_t x = 0; x < width; ++x) {
            const std::uint32_t v = y * width + x;
            if (x > 0) edges.push_back({v - 1, v, weight()});
            if (y > 0) edges.push_back({v - width, v, weight()});
        }
    }
    return made(width * height, edges);
}

}  // namespace

Graph random_graph(std::uint32_t nodes, std::uint32_t edges, Cost least, Cost most,
                   std::uint32_t seed) {
    Dice dice(seed);
    std::vector<Edge> list;
    for (std::uint32_t i = 0; i < edges; ++i) {
        list.push_back(
            {dice.below(nodes), dice.below(nodes), least + dice.below(most - least + 1)});
    }
    return made(nodes, list);
}

Graph cluster_graph(std::uint32_t clusters, std::uint32_t seed) {
    constexpr Cost kStraight = CostModel::standard().straight;
    Dice dice(seed);
    std::vector<Edge> edges;
    // The nodes of each cluster, clusters row by row.
    std::vector<std::vector<std::uint32_t>> members(std::size_t{clusters} * clusters);
    std::uint32_t nodes = 0;
    // One or two entrances between clusters a and b, with a node on either side.
    const auto link = [&](std::size_t a, std::size_t b) {
        const std::uint32_t entrances = 1 + dice.below(2);
        for (std::uint32_t i = 0; i < entrances; ++i) {
            edges.push_back({nodes, nodes + 1, kStraight});
            members[a].push_back(nodes++);
            members[b].push_back(nodes++);
        }
    };
    for (std::size_t y = 0; y < clusters; ++y) {
        for (std::size_t x = 0; x < clusters; ++x) {
            if (x + 1 < clusters) link(y * clusters + x, y * clusters + x + 1);
            if (y + 1 < clusters) link(y * clusters + x, (y + 1) * clusters + x);
        }
    }
    for (const auto& cluster : members) {
        for (std::size_t i = 0; i < cluster.size(); ++i) {
            for (std::size_t j = 0; j < i; ++j) {
                edges.push_back({cluster[j], cluster[i], kStraight * (2 + dice.below(9))});
            }
        }
    }
    return made(nodes, edges);
}

std::vector<SampleGraph> sample_graphs() {
    std::vector<SampleGraph> out;
    const auto add = [&](std::string name, Graph graph) {
        out.push_back({std::move(name), std::move(graph)});
    };
    add("nothing", Graph{});
    add("one node", made(1, {}));
    add("one node with loops", made(1, {{0, 0, 1}, {0, 0, 3}}));
    add("two nodes", made(2, {{0, 1, 7}}));
    add("two nodes apart", made(2, {}));
    add("parallel edges", made(2, {{0, 1, 7}, {0, 1, 5}, {1, 0, 5}, {1, 1, 2}}));
    add("isolated nodes", made(100, {}));
    add("path", path(150, 3));
    add("path of the least weights", path(150, 1));
    add("tree", tree(200, 1));
    add("clique", clique(90, 2));
    add("star", star(400));
    add("unit grid", grid(13, 17, 1, 3));
    add("grid with weights", grid(15, 15, 20, 4));
    add("clusters", cluster_graph(7, 5));
    add("nearly infinite", made(4, {{0, 1, 0x7000'0000}, {1, 2, 0x7000'0000}, {2, 3, 5}}));
    for (std::uint32_t seed = 0; seed < 4; ++seed) {
        add("sparse random", random_graph(180, 150, 1, 9, seed));
        add("random", random_graph(180, 400, 1, 1000, seed));
        add("dense random", random_graph(120, 2000, 1, 3, seed));
    }
    return out;
}

Graph directed_version(const Graph& graph, Cost least, Cost most, std::uint32_t seed) {
    Dice dice(seed);
    std::vector<Arc> arcs;
    for (std::uint32_t v = 0; v < graph.num_nodes(); ++v) {
        for (std::uint32_t i = 0; i < graph.degree(v); ++i) {
            const std::uint32_t to = graph.neighbours(v)[i];
            if (v >= to) continue;
            const Cost cost = graph.weights(v)[i];
            const Cost back = least + dice.below(most - least + 1);
            const std::uint32_t kind = dice.below(8);
            if (kind > 0) arcs.push_back({v, to, cost});
            if (kind != 1) arcs.push_back({to, v, back});
        }
    }
    return graph_from_arcs(graph.num_nodes(), arcs).value();
}

std::vector<SampleGraph> directed_sample_graphs() {
    const auto made_of = [](std::uint32_t nodes, const std::vector<Arc>& arcs) {
        return graph_from_arcs(nodes, arcs).value();
    };
    std::vector<SampleGraph> out;
    const auto add = [&](std::string name, Graph graph) {
        out.push_back({"directed: " + std::move(name), std::move(graph)});
    };
    add("nothing", made_of(0, {}));
    add("nodes without arcs", made_of(3, {}));
    add("one arc", made_of(2, {{1, 0, 7}}));
    add("two arcs", made_of(2, {{1, 0, 7}, {0, 1, 5}, {0, 1, 6}, {0, 0, 1}}));
    std::vector<Arc> ring;
    for (std::uint32_t v = 0; v < 120; ++v) ring.push_back({v, (v + 1) % 120, 1 + v % 4});
    add("ring", made_of(120, ring));
    ring.pop_back();
    add("one way", made_of(120, ring));
    std::vector<Arc> far{{0, 1, 0x7000'0000}, {1, 2, 0x7000'0000}, {2, 3, 5}, {3, 2, 0x7fff'fffe}};
    add("nearly infinite", made_of(4, far));
    std::uint32_t seed = 40;
    for (const auto& [name, graph] : sample_graphs()) {
        if (graph.num_arcs() > 100) add(name, directed_version(graph, 1, 1 + seed % 20, seed));
        ++seed;
    }
    return out;
}

std::vector<SampleGraph> all_sample_graphs() {
    std::vector<SampleGraph> out = sample_graphs();
    for (SampleGraph& sample : directed_sample_graphs()) out.push_back(std::move(sample));
    return out;
}

std::vector<Cost> dijkstra(const Graph& graph, std::uint32_t root) {
    using Item = std::pair<Cost, std::uint32_t>;
    std::vector<Cost> distance(graph.num_nodes(), kInfinity);
    std::priority_queue<Item, std::vector<Item>, std::greater<>> queue;
    distance[root] = 0;
    queue.emplace(0, root);
    while (!queue.empty()) {
        const auto [cost, node] = queue.top();
        queue.pop();
        if (cost > distance[node]) continue;
        for (std::uint32_t i = 0; i < graph.degree(node); ++i) {
            const std::uint32_t to = graph.neighbours(node)[i];
            const Cost there = cost + graph.weights(node)[i];
            if (there >= distance[to]) continue;
            distance[to] = there;
            queue.emplace(there, to);
        }
    }
    return distance;
}

Cost path_cost(const Graph& graph, const std::vector<std::uint32_t>& nodes) {
    Cost cost = 0;
    for (std::size_t i = 1; i < nodes.size(); ++i) {
        Cost step = kInfinity;
        for (std::uint32_t e = 0; e < graph.degree(nodes[i - 1]); ++e) {
            if (graph.neighbours(nodes[i - 1])[e] == nodes[i]) {
                step = std::min(step, graph.weights(nodes[i - 1])[e]);
            }
        }
        if (step == kInfinity) return kInfinity;
        cost += step;
    }
    return cost;
}

}  // namespace cairn::test
