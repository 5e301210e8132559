// Cut labels of edited graphs, in the order inherited from the labels before the edit.

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <random>
#include <span>

#include "cairn/cut_labels.hpp"
#include "core/separator/separator_order.hpp"
#include "sample_graphs.hpp"

namespace cairn {
namespace {

constexpr std::uint32_t kNewNode = CutLabels::kNewNode;

/// A graph after some edits.
struct Edited {
    Graph graph;
    std::vector<std::uint32_t> old_node;  // per node: its number before the edits, or kNewNode
};

/// The edges of a graph, each once; loops are left out.
std::vector<Edge> edges_of(const Graph& graph) {
    std::vector<Edge> edges;
    for (std::uint32_t v = 0; v < graph.num_nodes(); ++v) {
        for (std::uint32_t e = graph.first_out[v]; e < graph.first_out[v + 1]; ++e) {
            if (v < graph.head[e]) edges.push_back({v, graph.head[e], graph.weight[e]});
        }
    }
    return edges;
}

/// The numbers of all nodes, in order: the `old_node` of a graph that keeps its nodes.
std::vector<std::uint32_t> all_nodes(const Graph& graph) {
    std::vector<std::uint32_t> nodes(graph.num_nodes());
    std::iota(nodes.begin(), nodes.end(), 0U);
    return nodes;
}

/// Makes `edits` random edits: removes a node or an edge, changes a weight, or adds an edge or a
/// node of four edges. Then shuffles the numbers of the nodes.
Edited edited(const Graph& graph, std::uint32_t edits, std::mt19937& dice) {
    const auto below = [&](std::size_t n) { return static_cast<std::uint32_t>(dice() % n); };
    std::vector<Edge> edges = edges_of(graph);
    std::uint32_t count = graph.num_nodes();
    std::vector<bool> removed(count, false);
    for (std::uint32_t i = 0; i < edits; ++i) {
        const std::uint32_t kind = below(5);
        if (kind == 0 && count > 0) removed[below(count)] = true;
        if (kind == 1 && !edges.empty()) edges.erase(edges.begin() + below(edges.size()));
        if (kind == 2 && !edges.empty()) edges[below(edges.size())].cost = 1 + below(30);
        if (kind == 3 && count > 0) edges.push_back({below(count), below(count), 1 + below(30)});
        if (kind == 4) {
            for (std::uint32_t k = 0; k < 4 && count > 0; ++k) {
                edges.push_back({below(count), count, 1 + below(30)});
            }
            removed.push_back(false);
            ++count;
        }
    }
    std::vector<std::uint32_t> kept;
    for (std::uint32_t v = 0; v < count; ++v) {
        if (!removed[v]) kept.push_back(v);
    }
    std::shuffle(kept.begin(), kept.end(), dice);
    std::vector<std::uint32_t> number(count, kNewNode);
    Edited next;
    for (const std::uint32_t v : kept) {
        number[v] = static_cast<std::uint32_t>(next.old_node.size());
        next.old_node.push_back(v < graph.num_nodes() ? v : kNewNode);
    }
    std::erase_if(edges, [&](const Edge& edge) { return removed[edge.a] || removed[edge.b]; });
    for (Edge& edge : edges) edge = {number[edge.a], number[edge.b], edge.cost};
    next.graph = graph_from_edges(static_cast<std::uint32_t>(kept.size()), edges).value();
    return next;
}

/// Compares all distances, and a fifth of the paths, with Dijkstra's algorithm.
void expect_correct(const Graph& graph, const CutLabels& labels) {
    ASSERT_EQ(labels.num_nodes(), graph.num_nodes());
    CutLabels::Scratch scratch;
    std::vector<std::uint32_t> nodes;
    for (std::uint32_t s = 0; s < graph.num_nodes(); ++s) {
        const std::vector<Cost> distance = test::dijkstra(graph, s);
        for (std::uint32_t t = 0; t < graph.num_nodes(); ++t) {
            ASSERT_EQ(labels.distance(s, t), distance[t]) << s << " to " << t;
            if ((s + t) % 5 != 0 || distance[t] == kInfinity) continue;
            const std::vector<Connector> from{{s, 0}};
            const std::vector<Connector> to{{t, 0}};
            ASSERT_EQ(labels.find_path(from, to, scratch, nodes), distance[t]);
            ASSERT_EQ(test::path_cost(graph, nodes), distance[t]);
        }
    }
}

template <class T>
bool same(std::span<const T> a, std::span<const T> b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

bool same(const CutLabels& a, const CutLabels& b) {
    const CutLabelArrays& left = a.arrays();
    const CutLabelArrays& right = b.arrays();
    return same(left.nodes, right.nodes) && same(left.entries, right.entries) &&
           same(left.hops, right.hops) && same(left.group_common, right.group_common) &&
           same(left.block_common, right.block_common) && same(left.wide_hops, right.wide_hops) &&
           same(left.places, right.places) && same(left.head, right.head) &&
           same(left.groups, right.groups);
}

TEST(CutLabelsRebuilt, EqualsABuildInTheInheritedOrderAndIsCorrect) {
    std::mt19937 dice(3);
    for (const auto& [name, graph] : test::sample_graphs()) {
        SCOPED_TRACE(name);
        const CutLabels labels = CutLabels::build(graph).value();
        for (const std::uint32_t edits : {0U, 1U, 3U, 20U}) {
            const Edited next = edited(graph, edits, dice);
            const auto result = labels.rebuilt(next.graph, next.old_node);
            ASSERT_TRUE(result) << result.error().message;
            expect_correct(next.graph, *result);
            if (graph.num_nodes() == 0) continue;
            const auto order = inherited_order(labels.arrays(), next.graph, next.old_node);
            const auto expected = CutLabels::build_in_order(next.graph, order);
            ASSERT_TRUE(expected) << expected.error().message;
            EXPECT_TRUE(same(*result, *expected));
        }
    }
}

TEST(CutLabelsRebuilt, FromAnUnchangedGraphIsTheSame) {
    for (const auto& [name, graph] : test::sample_graphs()) {
        const CutLabels labels = CutLabels::build(graph).value();
        const auto again = labels.rebuilt(graph, all_nodes(graph));
        ASSERT_TRUE(again) << name;
        EXPECT_TRUE(same(labels, *again)) << name;
        EXPECT_EQ(again->wear(), 1.0);
    }
}

TEST(CutLabelsRebuilt, AfterManyEditsIsCorrectAndShowsItsWear) {
    std::mt19937 dice(5);
    Graph graph = test::cluster_graph(10, 1);
    CutLabels labels = CutLabels::build(graph).value();
    const double fresh = labels.statistics().value().mean_entries;
    for (int round = 0; round < 12; ++round) {
        const Edited next = edited(graph, 4, dice);
        labels = labels.rebuilt(next.graph, next.old_node).value();
        graph = next.graph;
        EXPECT_DOUBLE_EQ(labels.wear(), labels.statistics().value().mean_entries / fresh);
    }
    expect_correct(graph, labels);
    EXPECT_GT(labels.wear(), 1.0);
    EXPECT_EQ(CutLabels::build(graph)->wear(), 1.0);
}

TEST(CutLabelsRebuilt, AnEdgeBetweenBranchesCostsEachNodeOneEntryAtMost) {
    const Graph graph = test::cluster_graph(12, 2);
    const CutLabels labels = CutLabels::build(graph).value();
    std::vector<Edge> edges = edges_of(graph);
    edges.push_back({0, graph.num_nodes() - 1, 1});  // from one corner of the graph to the other
    const Graph next = graph_from_edges(graph.num_nodes(), edges).value();
    const CutLabels rebuilt = labels.rebuilt(next, all_nodes(graph)).value();
    EXPECT_LE(rebuilt.statistics().value().entries,
              labels.statistics().value().entries + graph.num_nodes());
    EXPECT_EQ(rebuilt.distance(0, graph.num_nodes() - 1), 1U);
}

TEST(CutLabelsRebuilt, FromEmptyLabelsIsABuild) {
    const Graph graph = test::cluster_graph(6, 1);
    const std::vector<std::uint32_t> all_new(graph.num_nodes(), kNewNode);
    const CutLabels built = CutLabels::build(graph).value();
    const CutLabels rebuilt = CutLabels{}.rebuilt(graph, all_new).value();
    EXPECT_TRUE(same(built, rebuilt));
}

TEST(CutLabelsRebuilt, RefusesWrongOldNodes) {
    const Graph graph = test::cluster_graph(3, 1);
    const CutLabels labels = CutLabels::build(graph).value();
    const std::vector<std::uint32_t> all = all_nodes(graph);
    const auto refused = [&](std::vector<std::uint32_t> old_node) {
        const auto result = labels.rebuilt(graph, old_node);
        return !result && result.error().code == StatusCode::bad_option;
    };
    EXPECT_FALSE(refused(all));
    auto twice = all;
    twice[1] = twice[0];
    EXPECT_TRUE(refused(twice));
    auto outside = all;
    outside[2] = graph.num_nodes();
    EXPECT_TRUE(refused(outside));
    EXPECT_TRUE(refused({}));
}

TEST(CutLabelsRebuilt, FromDamagedLabelsTakesAFreshOrder) {
    const Graph graph = test::cluster_graph(5, 1);
    const CutLabels labels = CutLabels::build(graph).value();
    std::vector<CutLabelNode> nodes(labels.arrays().nodes.begin(), labels.arrays().nodes.end());
    nodes[3].place = nodes[4].place;  // two nodes at one place: no tree to inherit an order from
    CutLabelArrays arrays = labels.arrays();
    arrays.nodes = nodes;
    arrays.closure = {};
    const auto damaged = CutLabels::from_arrays(arrays, nullptr);
    ASSERT_TRUE(damaged);
    const auto rebuilt = damaged->rebuilt(graph, all_nodes(graph));
    ASSERT_TRUE(rebuilt);
    EXPECT_TRUE(same(labels, *rebuilt));
}

TEST(CutLabelsInOrder, AnyPermutationIsCorrectAndOtherListsAreRefused) {
    std::mt19937 dice(9);
    const Graph graph = test::cluster_graph(5, 3);
    std::vector<std::uint32_t> order = all_nodes(graph);
    for (int round = 0; round < 5; ++round) {
        std::shuffle(order.begin(), order.end(), dice);
        expect_correct(graph, CutLabels::build_in_order(graph, order).value());
    }
    order[0] = order[1];
    EXPECT_EQ(CutLabels::build_in_order(graph, order).error().code, StatusCode::bad_option);
    order[0] = graph.num_nodes();
    EXPECT_EQ(CutLabels::build_in_order(graph, order).error().code, StatusCode::bad_option);
    order.pop_back();
    EXPECT_EQ(CutLabels::build_in_order(graph, order).error().code, StatusCode::bad_option);
}

RC_GTEST_PROP(CutLabelsRebuilt, AgreesWithDijkstraOnAnyEdit, ()) {
    const auto count = *rc::gen::inRange<std::uint32_t>(1, 80);
    const auto num_edges = *rc::gen::inRange<std::uint32_t>(0, 200);
    const auto edits = *rc::gen::inRange<std::uint32_t>(0, 40);
    const auto seed = *rc::gen::arbitrary<std::uint32_t>();
    std::mt19937 dice(seed);
    const Graph graph = test::random_graph(count, num_edges, 1, 9, seed);
    const Edited next = edited(graph, edits, dice);
    const CutLabels labels =
        CutLabels::build(graph).value().rebuilt(next.graph, next.old_node).value();
    for (std::uint32_t s = 0; s < next.graph.num_nodes(); ++s) {
        const std::vector<Cost> distance = test::dijkstra(next.graph, s);
        for (std::uint32_t t = 0; t < next.graph.num_nodes(); ++t) {
            RC_ASSERT(labels.distance(s, t) == distance[t]);
        }
    }
}

}  // namespace
}  // namespace cairn
