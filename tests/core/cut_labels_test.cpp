// Queries on cut labels: distances and paths equal those of Dijkstra's algorithm.

#include "cairn/cut_labels.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <random>

#include "sample_graphs.hpp"

namespace cairn {
namespace {

CutLabels built(const Graph& graph, const CutLabels::Options& options = {}) {
    auto labels = CutLabels::build(graph, options);
    EXPECT_TRUE(labels) << labels.error().message;
    return std::move(labels).value_or(CutLabels{});
}

/// Labels of `graph` with pieces of at most `piece` nodes.
CutLabels with_pieces(const Graph& graph, std::uint32_t piece) {
    CutLabels::Options options;
    options.piece = piece;
    CutLabels labels = built(graph, options);
    EXPECT_EQ(labels.piece(), piece);
    return labels;
}

/// The same in pages, as an edit leaves them.
CutLabels in_pages(const Graph& graph, std::uint32_t piece) {
    GraphEdit edit;  // that changes nothing
    edit.num_nodes = graph.num_nodes();
    edit.directed = graph.directed;
    const Closure closure = Closure::build(graph).value().edited(edit).value();
    CutLabels::Options options;
    options.piece = piece;
    const CutLabels labels = CutLabels(closure).repaired(options).value();
    EXPECT_EQ(labels.in_pages(), graph.num_nodes() > 0);
    return labels;
}

/// Labels of all nodes, then with pieces.
constexpr std::uint32_t kPieces[] = {0, 1, 2, 4, 16, 10'000};

using Connectors = std::vector<Connector>;

/// The least cost between two lists of connectors, by Dijkstra's algorithm.
Cost least_cost(const Graph& graph, const Connectors& from, const Connectors& to) {
    std::uint64_t best = kInfinity;  // 64 bits, as the sum of two costs may exceed 32
    for (const Connector& a : from) {
        if (a.node >= graph.num_nodes()) continue;
        const std::vector<Cost> distance = test::dijkstra(graph, a.node);
        for (const Connector& b : to) {
            if (b.node >= graph.num_nodes() || distance[b.node] == kInfinity) continue;
            best = std::min(best, std::uint64_t{a.cost} + distance[b.node] + b.cost);
        }
    }
    return static_cast<Cost>(best);
}

/// The least cost of the connectors at a node.
Cost connector_cost(const Connectors& connectors, std::uint32_t node) {
    Cost best = kInfinity;
    for (const Connector& c : connectors) {
        if (c.node == node) best = std::min(best, c.cost);
    }
    return best;
}

/// quick_distance and quick_path give the expected cost and path, or nothing; then quick_path
/// leaves its `nodes` alone.
void expect_quick_agrees(const CutLabels& labels, const Connectors& from, const Connectors& to,
                         Cost cost, const std::vector<std::uint32_t>& path,
                         CutLabels::Scratch& scratch) {
    const std::vector<std::uint32_t> before{7, 7};  // any nodes
    std::vector<std::uint32_t> nodes = before;
    const auto quick = labels.quick_distance(from, to, scratch);
    EXPECT_EQ(labels.quick_path(from, to, scratch, nodes), quick);
    EXPECT_EQ(quick.value_or(cost), cost);
    EXPECT_EQ(nodes, quick ? path : before);
}

/// Climbing must find the same cost and the same path.
void expect_climb_agrees(const CutLabels& labels, const Connectors& from, const Connectors& to,
                         Cost cost, const std::vector<std::uint32_t>& path,
                         Closure::Scratch& scratch) {
    EXPECT_EQ(labels.closure().distance(from, to, scratch), cost);
    std::vector<std::uint32_t> nodes{99};  // to be replaced
    EXPECT_EQ(labels.closure().find_path(from, to, scratch, nodes), cost);
    EXPECT_EQ(nodes, path);
}

/// Checks distance and path between two lists of connectors. No node may occur twice on the path.
void expect_query(const Graph& graph, const CutLabels& labels, const Connectors& from,
                  const Connectors& to, Cost expected, CutLabels::Scratch& scratch) {
    EXPECT_EQ(labels.distance(from, to, scratch), expected);
    std::vector<std::uint32_t> nodes{99};  // to be replaced
    EXPECT_EQ(labels.find_path(from, to, scratch, nodes), expected);
    EXPECT_EQ(nodes.empty(), expected == kInfinity);
    expect_quick_agrees(labels, from, to, expected, nodes, scratch);
    Closure::Scratch climb_scratch;
    expect_climb_agrees(labels, from, to, expected, nodes, climb_scratch);
    if (nodes.empty()) return;
    EXPECT_EQ(connector_cost(from, nodes.front()) + test::path_cost(graph, nodes) +
                  connector_cost(to, nodes.back()),
              expected);
    std::sort(nodes.begin(), nodes.end());
    EXPECT_EQ(std::adjacent_find(nodes.begin(), nodes.end()), nodes.end());
}

TEST(CutLabels, EveryPairOfEverySampleAgreesWithDijkstra) {
    CutLabels::Scratch scratch;
    for (const auto& [name, graph] : test::all_sample_graphs()) {
        SCOPED_TRACE(name);
        const CutLabels labels = built(graph);
        std::vector<CutLabels> others;
        for (const std::uint32_t piece : kPieces) {
            others.push_back(with_pieces(graph, piece));
            others.push_back(in_pages(graph, piece));
        }
        ASSERT_EQ(labels.num_nodes(), graph.num_nodes());
        for (std::uint32_t s = 0; s < graph.num_nodes(); ++s) {
            const std::vector<Cost> distance = test::dijkstra(graph, s);
            for (std::uint32_t t = 0; t < graph.num_nodes(); ++t) {
                ASSERT_EQ(labels.distance(s, t), distance[t]) << s << " to " << t;
                if ((s + t) % 3 != 0) continue;
                const CutLabels& tested = others[(s + t) / 3 % others.size()];
                expect_query(graph, tested, {{s, 0}}, {{t, 0}}, distance[t], scratch);
            }
        }
    }
}

TEST(CutLabels, ListsOfConnectorsAgreeWithDijkstra) {
    CutLabels::Scratch scratch;
    std::mt19937 dice(7);
    for (const auto& [name, graph] : test::all_sample_graphs()) {
        if (graph.num_nodes() == 0) continue;
        SCOPED_TRACE(name);
        std::vector<CutLabels> all;
        for (const std::uint32_t piece : kPieces) {
            all.push_back(with_pieces(graph, piece));
            all.push_back(in_pages(graph, piece));
        }
        const std::uint32_t count = graph.num_nodes();
        for (std::uint32_t round = 0; round < 60; ++round) {
            // The kinds of rounds in turn: all connectors spread over the graph, those of each list
            // near each other, and those of both lists near each other.
            const std::uint32_t kind = round % 3;
            constexpr std::uint32_t kSpread = 7919;  // a large prime
            const auto shared_centre = static_cast<std::uint32_t>(dice());
            const auto random_list = [&] {
                Connectors out(dice() % 9);
                const auto own_centre = static_cast<std::uint32_t>(dice());
                for (Connector& c : out) {
                    const auto offset = static_cast<std::uint32_t>(dice() % 12);
                    const std::uint32_t node = kind == 0   ? offset * kSpread
                                               : kind == 1 ? own_centre + offset
                                                           : shared_centre + offset;
                    c = {node % count, static_cast<Cost>(dice() % 40)};
                }
                return out;
            };
            const Connectors from = random_list();
            const Connectors to = random_list();
            const Cost expected = least_cost(graph, from, to);
            for (const CutLabels& labels : all)
                expect_query(graph, labels, from, to, expected, scratch);
        }
    }
}

// Edges that cost 1 and connectors of few costs give many equally short paths.
TEST(CutLabels, OfEquallyShortPathsPiecesGiveThatOfTheClosure) {
    CutLabels::Scratch scratch;
    Closure::Scratch climb_scratch;
    std::mt19937 dice(12);
    std::vector<std::uint32_t> nodes;
    std::vector<std::uint32_t> expected;
    for (std::uint32_t size : {5U, 9U, 20U}) {
        std::vector<Edge> edges;
        for (std::uint32_t v = 0; v < size * size; ++v) {
            if (v % size + 1 < size) edges.push_back({v, v + 1, 1});
            if (v + size < size * size) edges.push_back({v, v + size, 1});
            if (v % size + 1 < size && v + size < size * size && dice() % 4 == 0)
                edges.push_back({v, v + size + 1, 2});
        }
        const Graph graph = graph_from_edges(size * size, edges).value();
        std::vector<CutLabels> all;
        for (const std::uint32_t piece : {0U, 1U, 3U, 8U, 30U, 64U})
            all.push_back(with_pieces(graph, piece));
        for (int round = 0; round < 1500; ++round) {
            const auto list = [&] {
                Connectors out(1 + dice() % 6);
                const auto centre = static_cast<std::uint32_t>(dice());
                for (Connector& c : out)
                    c = {(centre + static_cast<std::uint32_t>(dice() % (2 * size))) % (size * size),
                         static_cast<Cost>(dice() % 3)};
                return out;
            };
            const Connectors from = list();
            const Connectors to = list();
            const Closure& closure = all.front().closure();
            const Cost cost = closure.find_path(from, to, climb_scratch, expected);
            for (const CutLabels& labels : all) {
                ASSERT_EQ(labels.find_path(from, to, scratch, nodes), cost);
                ASSERT_EQ(nodes, expected) << "pieces of " << labels.piece();
            }
        }
    }
}

TEST(CutLabels, LongListsGiveTheSamePathsAsShortOnes) {
    // Appends connectors that queries ignore. Long lists are then searched by another algorithm.
    constexpr std::size_t kLongList = 40;
    CutLabels::Scratch scratch;
    std::mt19937 dice(8);
    std::vector<std::uint32_t> nodes;
    std::vector<std::uint32_t> expected;
    for (const auto& [name, graph] : test::all_sample_graphs()) {
        if (graph.num_nodes() == 0) continue;
        SCOPED_TRACE(name);
        const CutLabels all[] = {built(graph), with_pieces(graph, 4)};
        const std::uint32_t count = graph.num_nodes();
        for (int round = 0; round < 120; ++round) {
            const CutLabels& labels = all[round % 2];
            const auto centre = static_cast<std::uint32_t>(dice());
            const auto random_list = [&] {
                Connectors out(1 + dice() % 9);
                for (Connector& c : out) {
                    const auto offset = static_cast<std::uint32_t>(dice() % 12);
                    c = {(centre + offset) % count, static_cast<Cost>(dice() % 6)};
                }
                return out;
            };
            Connectors from = random_list();
            Connectors to = random_list();
            const Cost cost = labels.find_path(from, to, scratch, expected);
            from.resize(kLongList, {count, 0});
            to.resize(kLongList, {0, kInfinity});
            ASSERT_EQ(labels.find_path(from, to, scratch, nodes), cost);
            ASSERT_EQ(nodes, expected);
            ASSERT_EQ(labels.distance(from, to, scratch), cost);
        }
    }
}

// On a strip of 4 x 300 nodes the nodes of opposite ends have few ancestors in common, neighbours
// have many.
TEST(CutLabels, IsQuickBetweenListsThatAreFarApart) {
    constexpr std::uint32_t kWidth = 4;
    constexpr std::uint32_t kNodes = kWidth * 300;
    std::vector<Edge> edges;
    edges.reserve(2 * kNodes);
    for (std::uint32_t v = 0; v < kNodes; ++v) {
        if (v % kWidth != kWidth - 1) edges.push_back({v, v + 1, 10});
        if (v + kWidth < kNodes) edges.push_back({v, v + kWidth, 10});
    }
    const Graph graph = graph_from_edges(kNodes, edges).value();
    const CutLabels labels = built(graph);
    CutLabels::Scratch scratch;
    const Connectors start{{0, 3}, {1, 2}, {6, 9}};
    const Connectors near{{3, 1}, {8, 2}, {5, 0}};
    const Connectors far{{1198, 4}, {1190, 1}};
    EXPECT_EQ(labels.quick_distance(start, far, scratch), labels.distance(start, far, scratch));
    EXPECT_FALSE(labels.quick_distance(start, near, scratch).has_value());
    EXPECT_EQ(labels.quick_distance(start, {}, scratch), kInfinity);
    EXPECT_FALSE(with_pieces(graph, 4).quick_distance(start, far, scratch).has_value());
}

TEST(CutLabels, IgnoresConnectorsWithoutANodeOrAFiniteCost) {
    const Graph graph = test::cluster_graph(4, 1);
    CutLabels::Scratch scratch;
    const std::uint32_t outside = graph.num_nodes();
    for (const std::uint32_t piece : kPieces) {
        const CutLabels labels = with_pieces(graph, piece);
        expect_query(graph, labels, {{outside, 0}, {3, 5}}, {{0xffff'ffff, 0}, {3, 6}}, 11,
                     scratch);
        expect_query(graph, labels, {{outside, 0}}, {{3, 0}}, kInfinity, scratch);
        expect_query(graph, labels, {{3, kInfinity}}, {{3, 0}}, kInfinity, scratch);
        expect_query(graph, labels, {{3, kInfinity - 1}}, {{3, 0}}, kInfinity - 1, scratch);
        expect_query(graph, labels, {{3, kInfinity - 1}}, {{3, 1}}, kInfinity, scratch);
        expect_query(graph, labels, {}, {{3, 0}}, kInfinity, scratch);
    }
}

TEST(CutLabels, FirstGoalConnectorThenFirstStartConnectorWins) {
    const Graph graph = graph_from_edges(3, std::vector<Edge>{{0, 1, 5}, {1, 2, 5}}).value();
    CutLabels::Scratch scratch;
    std::vector<std::uint32_t> nodes;
    const Connectors ends{{0, 1}, {2, 1}};
    const Connectors middle{{1, 1}};
    for (const std::uint32_t piece : kPieces) {
        const CutLabels labels = with_pieces(graph, piece);
        EXPECT_EQ(labels.find_path(ends, middle, scratch, nodes), 7U);
        EXPECT_EQ(nodes, (std::vector<std::uint32_t>{0, 1}));
        EXPECT_EQ(labels.find_path(middle, ends, scratch, nodes), 7U);
        EXPECT_EQ(nodes, (std::vector<std::uint32_t>{1, 0}));
        const Connectors reversed{{2, 1}, {0, 1}};
        EXPECT_EQ(labels.find_path(middle, reversed, scratch, nodes), 7U);
        EXPECT_EQ(nodes, (std::vector<std::uint32_t>{1, 2}));
    }
}

TEST(CutLabels, PathsAreFoundAtAnyNumberOfHopsFromTheTopmostAncestor) {
    // A chain, in the order from one node, `cut`, outwards. The topmost ancestor of a path is `cut`
    // if the path passes it, else the end of the path that is nearer to `cut`.
    constexpr std::uint32_t kNodes = 301;
    std::vector<Edge> edges;
    for (std::uint32_t v = 1; v < kNodes; ++v) edges.push_back({v - 1, v, 3});
    const Graph graph = graph_from_edges(kNodes, edges).value();
    CutLabels::Scratch scratch;
    std::vector<std::uint32_t> nodes;
    for (const std::uint32_t cut : {0U, 1U, 63U, 64U, 65U, 150U, 299U, 300U}) {
        std::vector<std::uint32_t> order{cut};
        for (std::uint32_t v = cut; v-- > 0;) order.push_back(v);
        for (std::uint32_t v = cut + 1; v < kNodes; ++v) order.push_back(v);
        CutLabels::Options options;
        options.piece = cut % 4;
        const CutLabels labels = CutLabels::build_in_order(graph, order, options).value();
        for (const std::uint32_t s : {0U, 1U, 62U, 64U, 150U, 151U, 298U, 300U}) {
            for (const std::uint32_t t : {0U, 1U, 63U, 65U, 149U, 150U, 299U, 300U}) {
                std::vector<std::uint32_t> expected{s};
                while (expected.back() < t) expected.push_back(expected.back() + 1);
                while (expected.back() > t) expected.push_back(expected.back() - 1);
                const Connectors from{{s, 2}};
                const Connectors to{{t, 5}};
                ASSERT_EQ(labels.find_path(from, to, scratch, nodes),
                          3 * (expected.size() - 1) + 7);
                ASSERT_EQ(nodes, expected) << s << " to " << t << ", cut at " << cut;
            }
        }
    }
}

TEST(CutLabels, WithoutHopsThereAreDistancesButNoPaths) {
    const Graph graph = test::cluster_graph(5, 2);
    CutLabels::Options options;
    options.hops = false;
    const CutLabels plain = built(graph, options);
    const CutLabels full = built(graph);
    EXPECT_FALSE(plain.has_hops());
    EXPECT_TRUE(full.has_hops());
    EXPECT_EQ(plain.distance(0, 50), full.distance(0, 50));
    CutLabels::Scratch scratch;
    std::vector<std::uint32_t> nodes{1};
    const Connectors from{{0, 0}};
    const Connectors to{{50, 0}};
    EXPECT_EQ(plain.find_path(from, to, scratch, nodes), kInfinity);
    EXPECT_TRUE(nodes.empty());
    options.piece = 4;
    const CutLabels pieced = built(graph, options);
    EXPECT_FALSE(pieced.has_hops());
    EXPECT_EQ(pieced.distance(from, to, scratch), full.distance(0, 50));
    EXPECT_EQ(pieced.find_path(from, to, scratch, nodes), kInfinity);
}

TEST(CutLabels, OfAGraphWithoutNodesHaveNoPaths) {
    const CutLabels labels;
    CutLabels::Scratch scratch;
    const Connectors ends{{0, 0}};
    EXPECT_EQ(labels.distance(ends, ends, scratch), kInfinity);
    EXPECT_EQ(labels.statistics().value().entries, 0U);
}

RC_GTEST_PROP(CutLabels, AgreesWithDijkstraOnAnyGraph, ()) {
    const auto count = *rc::gen::inRange<std::uint32_t>(1, 200);
    const auto node = rc::gen::inRange<std::uint32_t>(0, count);
    const auto cost = rc::gen::inRange<Cost>(0, 12);
    const auto weight = rc::gen::inRange<Cost>(1, 12);
    const auto edges = *rc::gen::container<std::vector<Edge>>(
        rc::gen::build<Edge>(rc::gen::set(&Edge::a, node), rc::gen::set(&Edge::b, node),
                             rc::gen::set(&Edge::cost, weight)));
    const auto list = rc::gen::container<Connectors>(rc::gen::build<Connector>(
        rc::gen::set(&Connector::node, node), rc::gen::set(&Connector::cost, cost)));
    const Connectors from = *list;
    const Connectors to = *list;
    const Graph graph = graph_from_edges(count, edges).value();
    const CutLabels labels = with_pieces(graph, *rc::gen::element<std::uint32_t>(0, 1, 2, 5, 20));
    CutLabels::Scratch scratch;
    const Cost expected = least_cost(graph, from, to);
    RC_ASSERT(labels.distance(from, to, scratch) == expected);
    std::vector<std::uint32_t> nodes;
    RC_ASSERT(labels.find_path(from, to, scratch, nodes) == expected);
    Closure::Scratch climb_scratch;
    RC_ASSERT(labels.closure().distance(from, to, climb_scratch) == expected);
    std::vector<std::uint32_t> climbed;
    RC_ASSERT(labels.closure().find_path(from, to, climb_scratch, climbed) == expected);
    RC_ASSERT(climbed == nodes);
    if (!nodes.empty()) {
        RC_ASSERT(connector_cost(from, nodes.front()) + test::path_cost(graph, nodes) +
                      connector_cost(to, nodes.back()) ==
                  expected);
    }
}

}  // namespace
}  // namespace cairn
