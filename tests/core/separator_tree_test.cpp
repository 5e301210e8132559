// The order of cut labels by separators, and the separator tree of an order.

#include "core/separator/separator_tree.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "core/separator/separator_order.hpp"
#include "core/separator/vertex_separator.hpp"
#include "sample_graphs.hpp"

namespace cairn {
namespace {

constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();
constexpr double kWholeProgress = 1;

std::vector<std::uint32_t> order_of(const Graph& graph) {
    return separator_order(graph, kNoLimit, {}, kWholeProgress);
}

TEST(SeparatorOrder, IsAPermutationAndTheSameEveryTime) {
    for (const auto& [name, graph] : test::sample_graphs()) {
        auto order = order_of(graph);
        EXPECT_EQ(order, order_of(graph)) << name;
        std::sort(order.begin(), order.end());
        std::vector<std::uint32_t> all(graph.num_nodes());
        std::iota(all.begin(), all.end(), 0U);
        EXPECT_EQ(order, all) << name;
    }
}

TEST(SeparatorOrder, StopsWhenCancelled) {
    CancelFlag flag;
    flag.cancel();
    BuildControl control;
    control.cancel = &flag;
    EXPECT_TRUE(
        separator_order(test::cluster_graph(5, 1), kNoLimit, control, kWholeProgress).empty());
}

TEST(SeparatorOrder, StopsWhenTheLabelsWouldBeFarTooLarge) {
    const Graph graph = test::cluster_graph(40, 1);
    const std::uint64_t entries = separator_tree(graph, order_of(graph)).entries;
    EXPECT_FALSE(separator_order(graph, entries, {}, kWholeProgress).empty());
    EXPECT_TRUE(separator_order(graph, entries / 8, {}, kWholeProgress).empty());
}

TEST(SeparatorTree, ParentsComeFirstAndEdgesJoinAncestors) {
    for (const auto& [name, graph] : test::sample_graphs()) {
        const SeparatorTree tree = separator_tree(graph, order_of(graph));
        std::uint64_t entries = 0;
        for (std::uint32_t p = 0; p < graph.num_nodes(); ++p) {
            EXPECT_EQ(tree.position[tree.node[p]], p);
            const std::uint32_t parent = tree.parent[p];
            if (parent == SeparatorTree::kNoParent) {
                EXPECT_EQ(tree.depth[p], 0U);
            } else {
                ASSERT_LT(parent, p) << name;
                EXPECT_LE(tree.end[p], tree.end[parent]) << name;
                EXPECT_EQ(tree.depth[p], tree.depth[parent] + 1) << name;
            }
            for (const std::uint32_t to : graph.neighbours(tree.node[p])) {
                const auto [high, low] = std::minmax(p, tree.position[to]);
                EXPECT_LT(low, tree.end[high]) << name;
            }
            entries += std::uint64_t{tree.depth[p]} + 1;
        }
        EXPECT_EQ(entries, tree.entries) << name;
    }
}

TEST(SeparatorTree, GroupsAreChainsWithoutABranching) {
    for (const auto& [name, graph] : test::sample_graphs()) {
        const SeparatorTree tree = separator_tree(graph, order_of(graph));
        const GroupTable table = group_table(tree);
        for (std::uint32_t p = 1; p < graph.num_nodes(); ++p) {
            if (table.group[p] != table.group[p - 1]) continue;
            EXPECT_EQ(tree.parent[p], p - 1) << name;
            EXPECT_EQ(tree.end[p], tree.end[p - 1]) << name;
        }
    }
}

TEST(SeparatorTree, TheTreeOfALongPathIsLow) {
    constexpr std::uint32_t kNodes = 200'000;
    std::vector<Edge> edges;
    for (std::uint32_t v = 1; v < kNodes; ++v) edges.push_back({v - 1, v, 1});
    const Graph graph = graph_from_edges(kNodes, edges).value();
    const SeparatorTree tree = separator_tree(graph, order_of(graph));
    EXPECT_LE(*std::max_element(tree.depth.begin(), tree.depth.end()), 60U);
}

TEST(SeparatorTree, AnyOrderGivesATreeWhoseEdgesJoinAncestors) {
    const Graph graph = test::random_graph(300, 500, 1, 5, 9);
    std::vector<std::uint32_t> order(graph.num_nodes());
    std::iota(order.rbegin(), order.rend(), 0U);
    const SeparatorTree tree = separator_tree(graph, order);
    for (std::uint32_t p = 0; p < graph.num_nodes(); ++p) {
        for (const std::uint32_t to : graph.neighbours(tree.node[p])) {
            const auto [high, low] = std::minmax(p, tree.position[to]);
            EXPECT_LT(low, tree.end[high]);
        }
    }
}

/// A connected graph without loops and parallel edges as a piece.
Piece piece_of(const Graph& graph) {
    Piece piece;
    for (const std::uint32_t first : graph.first_out) {
        piece.first_out.push_back(static_cast<std::int32_t>(first));
    }
    for (const std::uint32_t head : graph.head) {
        piece.head.push_back(static_cast<std::int32_t>(head));
    }
    return piece;
}

/// Fails the test if the separator is empty or an edge joins left and right.
void expect_separates(const Piece& piece) {
    std::vector<Side> sides;
    static_cast<void>(find_separator(piece, sides));
    ASSERT_EQ(sides.size(), piece.num_nodes());
    EXPECT_NE(std::count(sides.begin(), sides.end(), Side::separator), 0);
    for (std::size_t v = 0; v < sides.size(); ++v) {
        for (auto e = piece.first_out[v]; e < piece.first_out[v + 1]; ++e) {
            const Side other =
                sides[static_cast<std::size_t>(piece.head[static_cast<std::size_t>(e)])];
            EXPECT_FALSE(sides[v] == Side::left && other == Side::right);
        }
    }
}

TEST(VertexSeparator, SeparatesStarsCliquesAndShortPaths) {
    std::vector<Edge> star;
    std::vector<Edge> clique;
    std::vector<Edge> double_star{{0, 1, 1}};
    for (std::uint32_t v = 1; v < 500; ++v) star.push_back({0, v, 1});
    for (std::uint32_t v = 2; v < 500; ++v) double_star.push_back({v % 2, v, 1});
    for (std::uint32_t a = 0; a < 100; ++a) {
        for (std::uint32_t b = 0; b < a; ++b) clique.push_back({a, b, 1});
    }
    expect_separates(piece_of(graph_from_edges(500, star).value()));
    expect_separates(piece_of(graph_from_edges(500, double_star).value()));
    expect_separates(piece_of(graph_from_edges(100, clique).value()));
    expect_separates(
        piece_of(graph_from_edges(3, std::vector<Edge>{{0, 1, 1}, {1, 2, 1}}).value()));
    expect_separates(piece_of(test::cluster_graph(12, 1)));
}

TEST(SeparatorTree, TheTreeOfAStarIsLow) {
    std::vector<Edge> edges;
    for (std::uint32_t v = 1; v < 20'000; ++v) edges.push_back({0, v, 1});
    const Graph graph = graph_from_edges(20'000, edges).value();
    const SeparatorTree tree = separator_tree(graph, order_of(graph));
    EXPECT_LE(tree.entries, std::uint64_t{20'000} * 20);
}

}  // namespace
}  // namespace cairn
