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

}  // namespace
}  // namespace cairn
