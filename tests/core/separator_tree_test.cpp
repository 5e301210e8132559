// The order of cut labels by separators, and the separator tree of an order.

#include "core/separator/separator_tree.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include "core/separator/separator_order.hpp"
#include "sample_graphs.hpp"

namespace cairn {
namespace {

std::vector<std::uint32_t> order_of(const Graph& graph, std::span<const NodePoint> points = {}) {
    return separator_order(graph, {points, 2}).value();
}

/// Points that have nothing to do with the graph; many nodes may share one.
std::vector<NodePoint> random_points(std::uint32_t nodes, std::uint32_t seed) {
    std::mt19937 random(seed);
    const std::array<std::uint32_t, 4> ranges{1, 3, 1000, 0xffff'ffff};
    const std::uint32_t range = ranges[random() % ranges.size()];
    std::vector<NodePoint> points(nodes);
    for (NodePoint& p : points) {
        p = {static_cast<std::int32_t>(static_cast<std::uint32_t>(random()) % range - range / 2),
             static_cast<std::int32_t>(static_cast<std::uint32_t>(random()) % range - range / 2)};
    }
    return points;
}

TEST(SeparatorOrder, IsAPermutationAndTheSameEveryTime) {
    std::uint32_t seed = 0;
    for (const auto& [name, graph] : test::sample_graphs()) {
        std::vector<std::uint32_t> all(graph.num_nodes());
        std::iota(all.begin(), all.end(), 0U);
        for (const auto& points :
             {std::vector<NodePoint>{}, random_points(graph.num_nodes(), ++seed)}) {
            auto order = order_of(graph, points);
            EXPECT_EQ(order, order_of(graph, points)) << name;
            std::sort(order.begin(), order.end());
            EXPECT_EQ(order, all) << name;
        }
    }
}

TEST(SeparatorOrder, IsTheSameForAnyNumberOfThreads) {
    for (std::uint32_t seed = 0; seed < 8; ++seed) {
        const bool clusters = seed % 2 == 0;
        const Graph graph =
            clusters ? test::cluster_graph(20, seed) : test::random_graph(4000, 4400, 1, 9, seed);
        std::vector<NodePoint> points;
        if (seed % 4 < 2) points = random_points(graph.num_nodes(), seed);
        BuildControl control;
        control.threads = 1;
        const SeparatorOrderOptions options{points, 1};
        const auto order = separator_order(graph, options, control).value();
        EXPECT_EQ(order.size(), graph.num_nodes());
        for (const int threads : {2, 3, 8}) {
            control.threads = threads;
            EXPECT_EQ(separator_order(graph, options, control).value(), order)
                << threads << ", " << seed;
        }
    }
}

/// A lattice of side x side nodes, and where they lie.
std::pair<Graph, std::vector<NodePoint>> lattice(std::uint32_t side) {
    std::vector<Edge> edges;
    std::vector<NodePoint> points;
    for (std::uint32_t v = 0; v < side * side; ++v) {
        if (v % side + 1 < side) edges.push_back({v, v + 1, 1});
        if (v + side < side * side) edges.push_back({v, v + side, 1});
        points.push_back(
            {static_cast<std::int32_t>(v % side), static_cast<std::int32_t>(v / side)});
    }
    return {graph_from_edges(side * side, edges).value(), std::move(points)};
}

TEST(SeparatorOrder, PointsMakeTheLabelsOfALatticeNoLarger) {
    const auto [graph, points] = lattice(60);
    EXPECT_LE(separator_tree(graph, order_of(graph, points)).entries,
              separator_tree(graph, order_of(graph)).entries);
}

TEST(SeparatorOrder, OfAGraphLargerThanItsWidestBandIsGood) {
    constexpr std::uint32_t kSide = 330;  // 108,900 nodes: five sevenths are more than 50,000
    const auto [graph, points] = lattice(kSide);
    const auto order = order_of(graph, points);
    std::vector<std::uint32_t> sorted = order;
    std::sort(sorted.begin(), sorted.end());
    std::vector<std::uint32_t> all(graph.num_nodes());
    std::iota(all.begin(), all.end(), 0U);
    EXPECT_EQ(sorted, all);
    // A node of a lattice has about side + 2 * side / 2 + 2 * side / 4 + ... ancestors.
    EXPECT_LT(separator_tree(graph, order).entries / graph.num_nodes(), 3 * kSide);
}

TEST(SeparatorOrder, StopsWhenCancelled) {
    CancelFlag flag;
    flag.cancel();
    BuildControl control;
    control.cancel = &flag;
    const auto order = separator_order(test::cluster_graph(5, 1), {}, control);
    ASSERT_FALSE(order);
    EXPECT_EQ(order.error().code, StatusCode::cancelled);
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

TEST(SeparatorTree, TheTreeOfAStarIsLow) {
    std::vector<Edge> edges;
    for (std::uint32_t v = 1; v < 20'000; ++v) edges.push_back({0, v, 1});
    const Graph graph = graph_from_edges(20'000, edges).value();
    const SeparatorTree tree = separator_tree(graph, order_of(graph));
    EXPECT_LE(tree.entries, std::uint64_t{20'000} * 20);
}

}  // namespace
}  // namespace cairn
