// Graphs made from arrays and from edges, and what both refuse.

#include "cairn/graph.hpp"

#include <gtest/gtest.h>

#include <array>

namespace cairn {
namespace {

StatusCode code_of(const Result<Graph>& result) {
    return result ? StatusCode::ok : result.error().code;
}

TEST(Graph, TakesValidArrays) {
    const auto graph = make_graph({0, 2, 3, 4, 4}, {1, 2, 0, 0}, {5, 1, 5, 1});
    ASSERT_TRUE(graph) << graph.error().message;
    EXPECT_EQ(graph->num_nodes(), 4U);
    EXPECT_EQ(graph->num_arcs(), 4U);
    EXPECT_EQ(graph->degree(0), 2U);
    EXPECT_EQ(graph->neighbours(0)[1], 2U);
    EXPECT_EQ(graph->weights(2)[0], 1U);
}

TEST(Graph, MayHaveNoNodes) {
    EXPECT_TRUE(make_graph({0}, {}, {}));
    EXPECT_EQ(graph_from_edges(0, {})->num_nodes(), 0U);
}

TEST(Graph, RefusesBadArrays) {
    const auto expect_refused = [](const char* what, const Result<Graph>& graph) {
        EXPECT_EQ(code_of(graph), StatusCode::bad_option) << what;
    };
    expect_refused("no first_out", make_graph({}, {}, {}));
    expect_refused("an arc without a weight", make_graph({0, 1}, {0}, {}));
    expect_refused("first_out descends", make_graph({0, 2, 1}, {1, 0}, {1, 1}));
    expect_refused("first_out begins above 0", make_graph({1, 1, 2}, {1, 0}, {1, 1}));
    expect_refused("first_out ends beyond the arcs", make_graph({0, 1, 3}, {1, 0}, {1, 1}));
    expect_refused("no such head", make_graph({0, 1, 2}, {1, 2}, {1, 1}));
    expect_refused("weights of zero", make_graph({0, 1, 2}, {1, 0}, {0, 0}));
    expect_refused("a loop of weight zero", make_graph({0, 2}, {0, 0}, {0, 0}));
    expect_refused("infinite weights", make_graph({0, 1, 2}, {1, 0}, {kInfinity, kInfinity}));
}

TEST(Graph, RefusesAnEdgeWithoutItsReverse) {
    EXPECT_EQ(code_of(make_graph({0, 1, 1}, {1}, {1})), StatusCode::bad_option);
    EXPECT_EQ(code_of(make_graph({0, 1, 2}, {1, 0}, {1, 2})), StatusCode::bad_option);
}

TEST(Graph, FromEdgesHasArraysThatMakeGraphAccepts) {
    const std::array<Edge, 4> edges{{{0, 1, 4}, {1, 0, 4}, {2, 2, 1}, {3, 1, 9}}};
    const auto graph = graph_from_edges(5, edges);
    ASSERT_TRUE(graph);
    const auto again = make_graph(graph->first_out, graph->head, graph->weight);
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(*graph, *again);
}

TEST(Graph, FromEdgesRefusesBadEdges) {
    const std::array<Edge, 1> outside{{{0, 2, 1}}};
    const std::array<Edge, 1> costly{{{0, 1, kInfinity}}};
    const std::array<Edge, 2> free{{{0, 1, 1}, {0, 1, 0}}};
    EXPECT_EQ(code_of(graph_from_edges(2, outside)), StatusCode::bad_option);
    EXPECT_EQ(code_of(graph_from_edges(2, costly)), StatusCode::bad_option);
    EXPECT_EQ(code_of(graph_from_edges(2, free)), StatusCode::bad_option);
    EXPECT_EQ(code_of(graph_from_edges(0xffff'ffff, {})), StatusCode::too_large);
}

TEST(Graph, TakesWeightsOfBothDirections) {
    // 0 to 1 costs 5, back 7; 2 leads to 0 only.
    const auto graph =
        make_graph({0, 2, 3, 4}, {1, 2, 0, 0}, {5, kInfinity, 7, 1}, {7, 1, 5, kInfinity});
    ASSERT_TRUE(graph) << graph.error().message;
    EXPECT_TRUE(graph->directed);
    EXPECT_EQ(graph->weights(1)[0], 7U);
    EXPECT_EQ(graph->back_weights(1)[0], 5U);
    EXPECT_FALSE(make_graph({0}, {}, {})->directed);
}

TEST(Graph, RefusesBadWeightsBack) {
    EXPECT_EQ(code_of(make_graph({0, 1, 2}, {1, 0}, {5, 7}, {7})), StatusCode::bad_option);
    EXPECT_EQ(code_of(make_graph({0, 1, 2}, {1, 0}, {5, 7}, {7, 6})), StatusCode::bad_option);
    EXPECT_EQ(code_of(make_graph({0, 1, 2}, {1, 0}, {5, 0}, {0, 5})), StatusCode::bad_option);
    EXPECT_EQ(
        code_of(make_graph({0, 1, 2}, {1, 0}, {kInfinity, kInfinity}, {kInfinity, kInfinity})),
        StatusCode::bad_option);
}

TEST(Graph, FromArcsHasOneEdgeForAllArcsBetweenTwoNodes) {
    const std::array<Arc, 6> arcs{
        {{2, 0, 9}, {0, 1, 4}, {1, 0, 6}, {0, 1, 3}, {1, 1, 1}, {3, 2, 8}}};
    const auto graph = graph_from_arcs(5, arcs);
    ASSERT_TRUE(graph);
    const auto expected =
        make_graph({0, 2, 3, 5, 6, 6}, {1, 2, 0, 0, 3, 2}, {3, kInfinity, 6, 9, kInfinity, 8},
                   {6, 9, 3, kInfinity, 8, kInfinity});
    ASSERT_TRUE(expected) << expected.error().message;
    EXPECT_EQ(*graph, *expected);
    EXPECT_TRUE(graph_from_arcs(3, {})->directed);
}

TEST(Graph, FromArcsRefusesBadArcs) {
    const std::array<Arc, 1> outside{{{0, 2, 1}}};
    const std::array<Arc, 1> costly{{{0, 1, kInfinity}}};
    const std::array<Arc, 1> free{{{0, 1, 0}}};
    EXPECT_EQ(code_of(graph_from_arcs(2, outside)), StatusCode::bad_option);
    EXPECT_EQ(code_of(graph_from_arcs(2, costly)), StatusCode::bad_option);
    EXPECT_EQ(code_of(graph_from_arcs(2, free)), StatusCode::bad_option);
    EXPECT_EQ(code_of(graph_from_arcs(0xffff'ffff, {})), StatusCode::too_large);
}

}  // namespace
}  // namespace cairn
