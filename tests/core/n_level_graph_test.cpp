// N-level graphs: levels and extra edges as in the paper (cited in cairn/n_level_graph.hpp), and
// exact distances whatever the options.

#include "cairn/n_level_graph.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/nlevel/n_level_search.hpp"
#include "sample_graphs.hpp"

namespace cairn {
namespace {

constexpr ContractionOrder kOrders[] = {
    ContractionOrder::number, ContractionOrder::ascending_degree,
    ContractionOrder::descending_degree, ContractionOrder::fewest_extra_edges,
    ContractionOrder::random};

/// Which extra edges a build may add.
struct Property {
    std::string name;
    ExtraEdgeProperty allows;
};

bool allow_every(std::uint32_t, std::uint32_t, Cost) { return true; }
/// An arbitrary two thirds of all extra edges, the same for p and q in either order.
bool allow_some(std::uint32_t p, std::uint32_t q, Cost length) {
    return (std::min(p, q) * 7 + std::max(p, q) * 3 + length) % 3 != 0;
}

std::vector<Property> properties() {
    return {{"none", {}}, {"every", allow_every}, {"some", allow_some}};
}

NLevelGraph built_levels(const Graph& graph, const NLevelOptions& options = {},
                         const ExtraEdgeProperty& property = {}) {
    auto result = NLevelGraph::build(graph, options, property);
    EXPECT_TRUE(result) << result.error().message;
    return std::move(result).value_or(NLevelGraph{});
}

/// All edges of the level graph, extra ones included, each once.
std::vector<Edge> edges_of(const NLevelGraph& levels) {
    std::vector<Edge> out;
    for (std::uint32_t v = 0; v < levels.num_nodes(); ++v) {
        for (const NLevelArc& arc : levels.rising_arcs(v)) {
            // An edge between levels is stored at its lower end only, one of the core at both ends.
            if (!levels.in_core(v) || v < arc.head) out.push_back({v, arc.head, arc.weight});
        }
        for (const NLevelArc& arc : levels.lateral_arcs(v)) {
            if (v < arc.head) out.push_back({v, arc.head, arc.weight});
        }
    }
    return out;
}

/// The level graph as a plain graph.
Graph flattened(const NLevelGraph& levels) {
    return graph_from_edges(levels.num_nodes(), edges_of(levels)).value();
}

/// Listing 15.3 of the paper: marks in `included` all vertices below the core that rising edges
/// lead to from s.
void add_connecting(const NLevelGraph& levels, std::uint32_t s, std::vector<bool>& included) {
    if (levels.in_core(s)) return;
    included[s] = true;
    for (const NLevelArc& arc : levels.rising_arcs(s)) add_connecting(levels, arc.head, included);
}

/// The graph that the paper searches between s and t: induced by the core and the vertices above s
/// and t.
Graph searched_graph(const NLevelGraph& levels, std::uint32_t s, std::uint32_t t) {
    std::vector<bool> included(levels.num_nodes());
    for (std::uint32_t v = 0; v < levels.num_nodes(); ++v) included[v] = levels.in_core(v);
    add_connecting(levels, s, included);
    add_connecting(levels, t, included);
    std::vector<Edge> edges = edges_of(levels);
    std::erase_if(edges, [&](const Edge& edge) { return !included[edge.a] || !included[edge.b]; });
    return graph_from_edges(levels.num_nodes(), edges).value();
}

/// Compares the distances of a seventh of all pairs with Dijkstra's algorithm, and for a third of
/// these the paths.
void expect_same_distances(const Graph& graph, const NLevelGraph& levels, NLevelScratch& scratch) {
    const Graph all_edges = flattened(levels);
    std::vector<std::uint32_t> nodes;
    for (std::uint32_t s = 0; s < graph.num_nodes(); ++s) {
        const std::vector<Cost> distance = test::dijkstra(graph, s);
        for (std::uint32_t t = s % 7; t < graph.num_nodes(); t += 7) {
            const std::vector<Connector> from{{s, 0}};
            const std::vector<Connector> to{{t, 0}};
            if ((s + t) % 3 != 0) {
                ASSERT_EQ(levels.distance(from, to, scratch), distance[t]) << s << " to " << t;
                continue;
            }
            ASSERT_EQ(levels.find_path(from, to, scratch, nodes), distance[t]) << s << " to " << t;
            ASSERT_EQ(nodes.empty(), distance[t] == kInfinity);
            if (nodes.empty()) continue;
            ASSERT_EQ(nodes.front(), s);
            ASSERT_EQ(nodes.back(), t);
            ASSERT_EQ(test::path_cost(all_edges, nodes), distance[t]);
        }
    }
}

TEST(NLevelGraph, DistancesDoNotDependOnTheOrderOrTheLevels) {
    NLevelScratch scratch;
    unsigned build = 0;  // the order and the lateral edges change with each build
    for (const auto& [sample, graph] : test::sample_graphs()) {
        for (const auto& [name, property] : properties()) {
            for (const std::uint32_t max_levels : {0U, 2U, 3U}) {
                NLevelOptions options;
                options.max_levels = max_levels;
                options.order = kOrders[build++ % std::size(kOrders)];
                options.lateral_extra_edges = build % 3 != 0;
                SCOPED_TRACE(sample + ", extra edges: " + name + ", at most " +
                             std::to_string(max_levels) + " levels, order " +
                             std::to_string(static_cast<int>(options.order)));
                const NLevelGraph levels = built_levels(graph, options, property);
                ASSERT_EQ(levels.num_nodes(), graph.num_nodes());
                if (max_levels > 0) {
                    EXPECT_LE(levels.num_levels(), max_levels);
                }
                expect_same_distances(graph, levels, scratch);
            }
        }
    }
}

RC_GTEST_PROP(NLevelGraph, TheGraphThatThePaperSearchesHasTheSameDistances, ()) {
    const auto count = *rc::gen::inRange(1U, 24U);
    const auto edges = *rc::gen::inRange(0U, 60U);
    const Cost most_weight = *rc::gen::element(Cost{1}, Cost{3}, Cost{50});
    const Graph graph =
        test::random_graph(count, edges, 1, most_weight, *rc::gen::arbitrary<std::uint32_t>());
    NLevelOptions options;
    options.max_levels = *rc::gen::element(0U, 2U, 3U);
    options.order = *rc::gen::elementOf(std::vector(std::begin(kOrders), std::end(kOrders)));
    options.seed = *rc::gen::arbitrary<std::uint64_t>();
    options.max_witness_settled = *rc::gen::element(0U, 3U, 1000U);
    options.lateral_extra_edges = *rc::gen::arbitrary<bool>();
    const Property property = properties()[*rc::gen::inRange(0U, 3U)];
    const NLevelGraph levels = built_levels(graph, options, property.allows);
    NLevelScratch scratch;
    for (std::uint32_t s = 0; s < count; ++s) {
        const std::vector<Cost> distance = test::dijkstra(graph, s);
        for (std::uint32_t t = 0; t < count; ++t) {
            const std::vector<Connector> from{{s, 0}};
            const std::vector<Connector> to{{t, 0}};
            RC_ASSERT(levels.distance(from, to, scratch) == distance[t]);
            RC_ASSERT(test::dijkstra(searched_graph(levels, s, t), s)[t] == distance[t]);
        }
    }
}

RC_GTEST_PROP(NLevelGraph, TheBuildAddsOnlyAllowedExtraEdges, ()) {
    const Graph graph = test::random_graph(40, *rc::gen::inRange(0U, 120U), 1, 9,
                                           *rc::gen::arbitrary<std::uint32_t>());
    NLevelOptions options;
    options.order = *rc::gen::elementOf(std::vector(std::begin(kOrders), std::end(kOrders)));
    const Property property = properties()[*rc::gen::inRange(0U, 3U)];
    const NLevelGraph levels = built_levels(graph, options, property.allows);
    const Graph all_edges = flattened(levels);
    std::uint64_t extra = 0;
    for (std::uint32_t s = 0; s < graph.num_nodes(); ++s) {
        for (std::uint32_t i = 0; i < all_edges.degree(s); ++i) {
            const std::uint32_t t = all_edges.neighbours(s)[i];
            const Cost length = all_edges.weights(s)[i];
            RC_ASSERT(levels.edge(s, t) == length);
            const Cost before = test::path_cost(graph, {s, t});
            RC_ASSERT(length <= before);
            if (length == before) continue;
            ++extra;  // counted at both ends
            RC_ASSERT(property.allows && property.allows(s, t, length));
        }
    }
    RC_ASSERT(extra / 2 <= levels.statistics().value().extra_edges);
}

TEST(NLevelGraph, OneLevelLeavesTheGraphAsItIs) {
    for (const auto& [name, graph] : test::sample_graphs()) {
        NLevelOptions options;
        options.max_levels = 1;
        const NLevelGraph levels = built_levels(graph, options, allow_every);
        EXPECT_EQ(levels.num_levels(), 1U);
        EXPECT_EQ(levels.statistics().value().extra_edges, 0U);
        for (std::uint32_t v = 0; v < graph.num_nodes(); ++v) {
            EXPECT_TRUE(levels.in_core(v));
            EXPECT_TRUE(levels.lateral_arcs(v).empty());
            EXPECT_LE(levels.rising_arcs(v).size(), graph.degree(v)) << name;
        }
    }
}

// Building ends on its own below max_levels: one more level than needed changes nothing.
TEST(NLevelGraph, EndsWhenNothingChanges) {
    for (const auto& [name, graph] : test::sample_graphs()) {
        const NLevelGraph levels = built_levels(graph, {}, allow_some);
        NLevelOptions one_level_more;
        one_level_more.max_levels = levels.num_levels() + 1;
        const NLevelGraph same = built_levels(graph, one_level_more, allow_some);
        EXPECT_EQ(same.num_levels(), levels.num_levels()) << name;
        EXPECT_TRUE(std::ranges::equal(same.arrays().arcs, levels.arrays().arcs)) << name;
    }
}

// A small Figure 15.9 of the paper: each level takes the dead ends that the level below left.
TEST(NLevelGraph, PeelsAPathFromBothEnds) {
    const Graph graph =
        graph_from_edges(5, std::vector<Edge>{{0, 1, 1}, {1, 2, 1}, {2, 3, 1}, {3, 4, 1}}).value();
    NLevelOptions options;
    options.order = ContractionOrder::number;
    const NLevelGraph levels = built_levels(graph, options);
    EXPECT_EQ(levels.num_levels(), 3U);
    const std::vector<std::uint16_t> expected{1, 2, 3, 2, 1};
    EXPECT_TRUE(std::ranges::equal(levels.arrays().levels, expected));
    EXPECT_EQ(levels.statistics().value().extra_edges, 0U);
}

// The middle of three vertices leaves the core if an edge may join the other two.
TEST(NLevelGraph, AddsAnExtraEdgeOnlyWhereItIsAllowed) {
    const Graph graph = graph_from_edges(3, std::vector<Edge>{{0, 1, 2}, {1, 2, 3}}).value();
    NLevelOptions options;
    options.max_levels = 2;
    options.order = ContractionOrder::descending_degree;
    std::vector<Cost> lengths;  // with which the property is called
    const auto property = [&](bool allowed) {
        return [&lengths, allowed](std::uint32_t p, std::uint32_t q, Cost length) {
            EXPECT_EQ(std::min(p, q), 0U);
            EXPECT_EQ(std::max(p, q), 2U);
            lengths.push_back(length);
            return allowed;
        };
    };
    const NLevelGraph without = built_levels(graph, options, property(false));
    EXPECT_TRUE(without.in_core(1));
    EXPECT_EQ(without.edge(0, 2), kInfinity);
    const NLevelGraph with = built_levels(graph, options, property(true));
    EXPECT_EQ(with.edge(0, 2), 5U);
    EXPECT_EQ(with.statistics().value().extra_edges, 1U);
    EXPECT_FALSE(lengths.empty());
    EXPECT_TRUE(std::ranges::all_of(lengths, [](Cost length) { return length == 5; }));
}

// Vertices 0 and 1 both become local in one pass. A check that left out neighbours that are local
// already would make 2 local as well, and cut 0 off from 1.
TEST(NLevelGraph, LocalVerticesOfOnePassStayConnected) {
    const Graph graph = graph_from_edges(3, std::vector<Edge>{{0, 2, 1}, {1, 2, 1}}).value();
    NLevelOptions options;
    options.max_levels = 2;
    options.order = ContractionOrder::number;
    const NLevelGraph levels = built_levels(graph, options);
    EXPECT_EQ(levels.level(0), 1U);
    EXPECT_EQ(levels.level(1), 1U);
    EXPECT_EQ(levels.level(2), 2U);
}

TEST(NLevelGraph, StopsAddingEdgesAtTheLimit) {
    const Graph graph = test::random_graph(150, 600, 1, 100, 3);
    NLevelOptions options;
    options.max_extra_edges = 40;
    NLevelScratch scratch;
    const NLevelGraph levels = built_levels(graph, options, allow_every);
    EXPECT_LE(levels.statistics().value().extra_edges, 40U);
    expect_same_distances(graph, levels, scratch);
}

TEST(NLevelGraph, ARandomOrderDependsOnTheSeedAlone) {
    const Graph graph = test::cluster_graph(6, 4);
    NLevelOptions options;
    options.order = ContractionOrder::random;
    const NLevelGraph first = built_levels(graph, options, allow_some);
    const NLevelGraph same = built_levels(graph, options, allow_some);
    options.seed = 2;
    const NLevelGraph other = built_levels(graph, options, allow_some);
    EXPECT_TRUE(std::ranges::equal(first.arrays().levels, same.arrays().levels));
    EXPECT_FALSE(std::ranges::equal(first.arrays().levels, other.arrays().levels));
}

TEST(NLevelGraph, StatisticsAddUp) {
    const Graph graph = test::cluster_graph(12, 4);
    const NLevelGraph levels = built_levels(graph, {}, allow_some);
    const NLevelStatistics stats = levels.statistics().value();
    ASSERT_EQ(stats.levels.size(), levels.num_levels());
    std::uint64_t vertices = 0;
    std::uint64_t edges = 0;
    for (const auto& level : stats.levels) {
        EXPECT_GT(level.vertices, 0U);
        vertices += level.vertices;
        edges += level.edges;
    }
    EXPECT_EQ(vertices, graph.num_nodes());
    EXPECT_EQ(edges, stats.edges);
    EXPECT_EQ(edges, edges_of(levels).size());
    EXPECT_GT(stats.extra_edges, 0U);
    EXPECT_GT(stats.edges, graph.num_arcs() / 2);
    EXPECT_LE(stats.edges, graph.num_arcs() / 2 + stats.extra_edges);
    EXPECT_GT(stats.bytes, 8 * stats.edges);
}

TEST(NLevelGraph, RefusesBadOptions) {
    BuildControl control;
    control.threads = -1;
    EXPECT_EQ(NLevelGraph::build({}, {}, {}, control).error().code, StatusCode::bad_option);
    EXPECT_EQ(NLevelGraph::build(graph_from_arcs(2, {}).value()).error().code,
              StatusCode::unsupported);
    NLevelOptions options;
    options.order = static_cast<ContractionOrder>(99);
    EXPECT_EQ(NLevelGraph::build({}, options).error().code, StatusCode::bad_option);
}

TEST(NLevelGraph, CanBeCancelledAtEveryReport) {
    const Graph graph = test::cluster_graph(8, 1);
    for (const ContractionOrder order : kOrders) {
        NLevelOptions options;
        options.order = order;
        int reports = 0;
        double last = 0;
        BuildControl control;
        control.progress = [&](double done) {
            EXPECT_GE(done, last);
            EXPECT_LE(done, 1.0);
            last = done;
            ++reports;
        };
        ASSERT_TRUE(NLevelGraph::build(graph, options, {}, control));
        EXPECT_EQ(last, 1.0);
        EXPECT_GE(reports, 3);
        EXPECT_LE(reports, 100);
        // The last report comes when nothing is left to cancel.
        for (int stop = 0; stop < reports - 1; ++stop) {
            CancelFlag flag;
            int seen = 0;
            control.cancel = &flag;
            control.progress = [&](double) {
                if (seen++ == stop) flag.cancel();
            };
            const auto result = NLevelGraph::build(graph, options, {}, control);
            ASSERT_FALSE(result);
            EXPECT_EQ(result.error().code, StatusCode::cancelled);
        }
    }
}

}  // namespace
}  // namespace cairn
