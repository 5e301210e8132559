// Cut labels, plain hub labels, a contraction hierarchy, N-level graphs and A* on the same graphs:
// building time on one core, bytes, and the time of distance and path queries between random nodes.
// All distances must agree, and each path must cost its distance; else the program exits with 1.
// Also, for cut labels with lists of connectors: the cache lines that a distance query reads, and
// its time.

#include <fmt/format.h>

#include <algorithm>
#include <CLI/CLI.hpp>
#include <ctime>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "cairn/cut_labels.hpp"
#include "cairn/n_level_graph.hpp"
#include "contraction_hierarchy.hpp"
#include "core/nlevel/n_level_search.hpp"
#include "hub_labels.hpp"
#include "label_comparison_graphs.hpp"
#include "label_comparison_lines.hpp"

namespace {

using cairn::Closure;
using cairn::Connector;
using cairn::Cost;
using cairn::CutLabels;
using cairn::Graph;
using cairn::kInfinity;
using cairn::bench::PlacedGraph;
using Nodes = std::vector<std::uint32_t>;

/// The two nodes of a query.
struct Pair {
    std::uint32_t from;
    std::uint32_t to;
};

/// An engine on one graph, after its build.
struct Engine {
    std::string name;
    double build_ms = 0;
    double entries_a_node = 0;  ///< or arcs, on average
    std::uint64_t distance_bytes = 0;
    std::uint64_t path_bytes = 0;
    std::function<Cost(Pair)> distance;
    std::function<Cost(Pair, Nodes&)> path;
    std::function<Cost(Pair)> edge = {};  ///< of the engine's paths, if they have edges of its own
};

/// The processor time of some work on one thread.
double seconds_of(const std::function<void()>& work) {
    const std::clock_t begin = std::clock();
    work();
    return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

/// The mean processor time of a query, in the best of a few runs over all pairs.
double seconds_a_query(const std::vector<Pair>& pairs, const std::function<void(Pair)>& query) {
    constexpr int kRuns = 5;
    double best = std::numeric_limits<double>::infinity();
    for (int run = 0; run < kRuns; ++run) {
        best = std::min(best, seconds_of([&] {
                            for (const Pair pair : pairs) query(pair);
                        }));
    }
    return best / static_cast<double>(pairs.size());
}

constexpr std::uint64_t kMostLabelBytes = std::uint64_t{1} << 33;

/// Bytes and queries of labels. The name and the time to build are left out.
Engine engine_of(const CutLabels& labels) {
    Engine engine;
    const CutLabels::Statistics stats = labels.statistics().value();
    engine.entries_a_node = stats.mean_entries;
    engine.distance_bytes = stats.label_bytes + stats.tree_bytes;
    engine.path_bytes = stats.hop_bytes;
    if (labels.piece() == 0) {
        engine.distance = [labels](Pair pair) { return labels.distance(pair.from, pair.to); };
    } else {
        engine.distance = [labels, scratch = CutLabels::Scratch{}](Pair pair) mutable {
            const Connector from{pair.from, 0};
            const Connector to{pair.to, 0};
            return labels.distance({&from, 1}, {&to, 1}, scratch);
        };
    }
    engine.path = [labels, scratch = CutLabels::Scratch{}](Pair pair, Nodes& nodes) mutable {
        const Connector from{pair.from, 0};
        const Connector to{pair.to, 0};
        return labels.find_path({&from, 1}, {&to, 1}, scratch, nodes);
    };
    return engine;
}

/// Labels of all nodes, or with pieces of at most `piece` nodes that have none.
Engine labels_with_pieces(const PlacedGraph& placed, std::uint32_t piece) {
    cairn::BuildControl control;
    control.threads = 1;
    CutLabels::Options options;
    options.max_bytes = kMostLabelBytes;
    options.closure.points = placed.points;
    options.piece = piece;
    CutLabels labels;
    const double seconds =
        seconds_of([&] { labels = CutLabels::build(placed.graph, options, control).value(); });
    Engine engine = engine_of(labels);
    engine.name = piece == 0 ? "cut labels" : fmt::format("pieces of {}", piece);
    engine.build_ms = 1e3 * seconds;
    return engine;
}

/// Labels as edits leave them, of a closure that an edit without a change has made. They are built
/// from nothing, but for the closure.
template <std::uint32_t kPiece>
Engine labels_in_pages(const PlacedGraph& placed) {
    CutLabels::Options options;
    options.max_bytes = kMostLabelBytes;
    options.piece = kPiece;
    options.closure.points = placed.points;
    cairn::GraphEdit edit;
    edit.num_nodes = placed.graph.num_nodes();
    edit.directed = placed.graph.directed;
    const CutLabels outdated(
        Closure::build(placed.graph, options.closure).value().edited(edit).value());
    CutLabels labels;
    const double seconds = seconds_of([&] { labels = outdated.repaired(options).value(); });
    Engine engine = engine_of(labels);
    engine.name = kPiece == 0 ? "in pages" : fmt::format("pieces of {}, in pages", kPiece);
    engine.build_ms = 1e3 * seconds;
    return engine;
}

Engine cut_labels(const PlacedGraph& placed) { return labels_with_pieces(placed, 0); }
template <std::uint32_t kPiece>
Engine pieces_of(const PlacedGraph& placed) {
    return labels_with_pieces(placed, kPiece);
}

/// The closure of cut labels, without the labels.
Engine climbing(const PlacedGraph& placed) {
    Engine engine;
    engine.name = "climbing";
    cairn::BuildControl control;
    control.threads = 1;
    Closure::Options options;
    options.points = placed.points;
    Closure closure;
    engine.build_ms =
        1e3 * seconds_of([&] { closure = Closure::build(placed.graph, options, control).value(); });
    engine.entries_a_node =
        static_cast<double>(closure.num_edges()) / std::max(1U, closure.num_nodes());
    engine.distance_bytes = closure.bytes();
    const auto scratch = std::make_shared<Closure::Scratch>();
    engine.distance = [closure, scratch](Pair pair) {
        const Connector from{pair.from, 0};
        const Connector to{pair.to, 0};
        return closure.distance({&from, 1}, {&to, 1}, *scratch);
    };
    engine.path = [closure, scratch](Pair pair, Nodes& nodes) {
        const Connector from{pair.from, 0};
        const Connector to{pair.to, 0};
        return closure.find_path({&from, 1}, {&to, 1}, *scratch, nodes);
    };
    return engine;
}

Engine hub_labels(const PlacedGraph& placed) {
    const Graph& graph = placed.graph;
    Engine engine;
    engine.name = "hub labels";
    std::shared_ptr<const cairn::bench::HubLabels> labels;
    engine.build_ms =
        1e3 * seconds_of([&] { labels = std::make_shared<const cairn::bench::HubLabels>(graph); });
    engine.entries_a_node = labels->mean_entries();
    engine.distance_bytes = labels->distance_bytes();
    engine.path_bytes = labels->path_bytes();
    engine.distance = [labels](Pair pair) { return labels->distance(pair.from, pair.to); };
    engine.path = [labels](Pair pair, Nodes& nodes) {
        return labels->find_path(pair.from, pair.to, nodes);
    };
    return engine;
}

Engine contraction_hierarchy(const PlacedGraph& placed) {
    const Graph& graph = placed.graph;
    using cairn::bench::ContractionHierarchy;
    Engine engine;
    engine.name = "contraction";
    std::shared_ptr<const ContractionHierarchy> hierarchy;
    engine.build_ms =
        1e3 * seconds_of([&] { hierarchy = std::make_shared<const ContractionHierarchy>(graph); });
    engine.entries_a_node = hierarchy->mean_arcs();
    engine.distance_bytes = hierarchy->bytes();
    const auto search = std::make_shared<ContractionHierarchy::Search>(*hierarchy);
    engine.distance = [hierarchy, search](Pair pair) {
        return hierarchy->distance(pair.from, pair.to, *search);
    };
    engine.path = [hierarchy, search](Pair pair, Nodes& nodes) {
        return hierarchy->find_path(pair.from, pair.to, *search, nodes);
    };
    return engine;
}

/// An N-level graph, searched by A*. With one level it is the graph itself.
Engine n_level(const PlacedGraph& placed, const char* name, std::uint32_t most_levels,
               const cairn::ExtraEdgeProperty& property) {
    Engine engine;
    engine.name = name;
    cairn::NLevelGraph levels;
    cairn::NLevelOptions options;
    options.max_levels = most_levels;
    engine.build_ms = 1e3 * seconds_of([&] {
                          levels =
                              cairn::NLevelGraph::build(placed.graph, options, property).value();
                      });
    engine.entries_a_node = static_cast<double>(levels.arrays().arcs.size()) / levels.num_nodes();
    engine.distance_bytes = levels.bytes();
    const auto search = std::make_shared<cairn::NLevelSearch>();
    engine.distance = [levels, search, &placed](Pair pair) {
        const Connector from{pair.from, 0};
        const Connector to{pair.to, 0};
        return search->run(levels, {&from, 1}, {&to, 1}, kInfinity,
                           [&](std::uint32_t node) { return placed.bound(node, pair.to); });
    };
    engine.path = [search, distance = engine.distance](Pair pair, Nodes& nodes) {
        const Cost cost = distance(pair);
        search->path(nodes);
        return cost;
    };
    engine.edge = [levels](Pair pair) { return levels.edge(pair.from, pair.to); };
    return engine;
}

Engine astar(const PlacedGraph& placed) { return n_level(placed, "A*", 1, {}); }
Engine n_level_without(const PlacedGraph& placed) {
    return n_level(placed, "N-level, no extra edges", 0, {});
}
Engine n_level_with(const PlacedGraph& placed) {
    return n_level(placed, "N-level, any extra edge", 0,
                   [](std::uint32_t, std::uint32_t, Cost) { return true; });
}

/// The least weight of an edge between two nodes; kInfinity if there is none.
Cost edge_cost(const Graph& graph, Pair pair) {
    Cost least = kInfinity;
    const auto heads = graph.neighbours(pair.from);
    for (std::size_t e = 0; e < heads.size(); ++e) {
        if (heads[e] == pair.to) least = std::min(least, graph.weights(pair.from)[e]);
    }
    return least;
}

/// The cost of a path; kInfinity if two successive nodes have no edge.
Cost path_cost(const Graph& graph, const Engine& engine, const Nodes& nodes) {
    Cost sum = 0;
    for (std::size_t i = 1; i < nodes.size(); ++i) {
        const Pair pair{nodes[i - 1], nodes[i]};
        const Cost step = engine.edge ? engine.edge(pair) : edge_cost(graph, pair);
        if (step == kInfinity) return kInfinity;
        sum += step;
    }
    return sum;
}

/// Whether the distance and the path of a query are right.
bool answers_right(const Graph& graph, const Engine& engine, Pair pair, Cost expected) {
    Nodes nodes;
    if (engine.distance(pair) != expected || engine.path(pair, nodes) != expected) return false;
    if (expected == kInfinity) return nodes.empty();
    return nodes.front() == pair.from && nodes.back() == pair.to &&
           path_cost(graph, engine, nodes) == expected;
}

/// Prints one row for each engine, or only those of cut labels. False if an answer is wrong.
bool compare(const std::string& name, const PlacedGraph& placed, std::size_t queries,
             bool only_cut) {
    const Graph& graph = placed.graph;
    if (graph.num_nodes() == 0) return true;
    std::mt19937 random(1);
    const auto node = [&] { return static_cast<std::uint32_t>(random() % graph.num_nodes()); };
    std::vector<Pair> pairs(queries);
    for (Pair& pair : pairs) {
        pair.from = node();
        pair.to = node();
    }
    std::vector<Cost> expected;
    for (const auto& make :
         {cut_labels, labels_in_pages<0>, pieces_of<64>, labels_in_pages<64>, pieces_of<256>,
          labels_in_pages<256>, pieces_of<1024>, climbing, hub_labels, contraction_hierarchy, astar,
          n_level_without, n_level_with}) {
        if (only_cut && make == hub_labels) break;
        const Engine engine = make(placed);
        if (expected.empty()) {
            for (const Pair pair : pairs) expected.push_back(engine.distance(pair));
        }
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            if (answers_right(graph, engine, pairs[i], expected[i])) continue;
            fmt::print(stderr, "{}: {} is wrong from {} to {}\n", name, engine.name, pairs[i].from,
                       pairs[i].to);
            return false;
        }
        Cost sum = 0;
        Nodes nodes;
        const double distance = seconds_a_query(pairs, [&](Pair p) { sum += engine.distance(p); });
        const double path = seconds_a_query(pairs, [&](Pair p) { sum += engine.path(p, nodes); });
        fmt::print("| {} | {} | {} | {:.0f} | {:.1f} | {:.1f} | {:.1f} | {:.0f} | {:.1f} |\n", name,
                   graph.num_nodes(), engine.name, engine.build_ms, engine.entries_a_node,
                   static_cast<double>(engine.distance_bytes) / 1e6,
                   static_cast<double>(engine.path_bytes) / 1e6, distance * 1e9, path * 1e6);
        if (sum == 0) fmt::print("\n");  // uses the sum, so that no query is optimised away
        std::fflush(stdout);
    }
    return true;
}

/// Prints the cache lines that cut labels read and the time they take, for one connector at each
/// end and for up to ten.
void measure_lists(const std::string& name, const PlacedGraph& placed, std::size_t queries) {
    const Graph& graph = placed.graph;
    constexpr std::size_t kConnectors = 10;
    if (graph.num_nodes() == 0) return;
    CutLabels::Options options;
    options.max_bytes = std::uint64_t{1} << 33;
    options.closure.points = placed.points;
    const CutLabels labels = CutLabels::build(graph, options).value();
    std::mt19937 random(2);
    struct List {
        Nodes nodes;
        std::vector<Connector> connectors;
    };
    std::vector<List> lists(queries);
    for (List& list : lists) {
        const auto node = static_cast<std::uint32_t>(random() % graph.num_nodes());
        list.nodes = cairn::bench::near_nodes(graph, node, kConnectors);
        for (const std::uint32_t v : list.nodes) {
            list.connectors.push_back({v, static_cast<Cost>(random() % 4096)});
        }
    }
    std::vector<Pair> pairs;
    for (std::uint32_t i = 0; i < queries; ++i) {
        pairs.push_back({i, static_cast<std::uint32_t>(random() % queries)});
    }
    std::size_t lines_of_one = 0;
    std::size_t lines_of_all = 0;
    std::size_t connectors = 0;
    for (const auto& [from, to] : pairs) {
        const Nodes& a = lists[from].nodes;
        const Nodes& b = lists[to].nodes;
        lines_of_one += cairn::bench::lines_read(labels, {a.data(), 1}, {b.data(), 1});
        lines_of_all += cairn::bench::lines_read(labels, a, b);
        connectors += a.size() + b.size();
    }
    CutLabels::Scratch scratch;
    Cost sum = 0;
    const double seconds = seconds_a_query(pairs, [&](Pair pair) {
        sum += labels.distance(lists[pair.from].connectors, lists[pair.to].connectors, scratch);
    });
    const auto mean = [&](std::size_t total) {
        return static_cast<double>(total) / static_cast<double>(queries);
    };
    fmt::print("| {} | {:.1f} | {:.1f} | {:.1f} | {:.0f} |\n", name, mean(lines_of_one),
               mean(connectors) / 2, mean(lines_of_all), seconds * 1e9);
    if (sum == 0) fmt::print("\n");  // uses the sum
}

struct NamedGraph {
    std::string name;
    PlacedGraph graph;
};

}  // namespace

int main(int argc, char** argv) {
    CLI::App app{"Compares exact engines on the abstract graphs of maps."};
    std::vector<std::string> maps;
    std::size_t queries = 10'000;
    std::string kind = "hpa";
    app.add_option("--graph", kind, "hpa, subgoal (all direct edges), taut (those kept) or hna")
        ->check(CLI::IsMember({"hpa", "subgoal", "taut", "hna"}));
    app.add_option("maps", maps, "MovingAI maps; with hna meshes of Polyanya")
        ->required()
        ->check(CLI::ExistingFile);
    app.add_option("--queries", queries, "pairs of nodes a graph")
        ->check(CLI::Range(1, 10'000'000));
    bool only_cut = false;
    app.add_flag("--only-cut", only_cut, "leave out other engines than cut labels and climbing");
    CLI11_PARSE(app, argc, argv);
    std::vector<NamedGraph> graphs;
    for (const std::string& map : maps) {
        auto graph = kind == "hpa"   ? cairn::bench::hpa_graph(map)
                     : kind == "hna" ? cairn::bench::hna_graph(map)
                                     : cairn::bench::subgoal_graph(map, kind == "taut");
        if (!graph) {
            fmt::print(stderr, "{}\n", graph.error().message);
            return 1;
        }
        graphs.push_back(
            {kind + " " + std::filesystem::path(map).stem().string(), std::move(*graph)});
    }
    fmt::print("| graph | node to node: lines | connectors an end | lines | ns |\n");
    fmt::print("| --- | --- | --- | --- | --- |\n");
    for (const auto& [name, graph] : graphs) measure_lists(name, graph, queries);
    fmt::print("\n| graph | nodes | engine | build ms | entries a node | MB | MB more for paths ");
    fmt::print("| distance ns | path us |\n");
    fmt::print("| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
    for (const auto& [name, graph] : graphs) {
        if (!compare(name, graph, queries, only_cut)) return 1;
    }
    return 0;
}
