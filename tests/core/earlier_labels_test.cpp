// What the labels of an edited graph inherit from those before the edit.

#include "core/labels/earlier_labels.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace cairn {
namespace {

TEST(EarlierLabels, NodesOfAscendingListsAreMatched) {
    const auto matched = [](const std::vector<std::uint32_t>& now,
                            const std::vector<std::uint32_t>& before) {
        std::vector<std::uint32_t> old_node(now.size());
        match_earlier(now, before, 10, old_node);  // 10: the number of before[0]
        return old_node;
    };
    using Nodes = std::vector<std::uint32_t>;
    EXPECT_EQ(matched({1, 4, 5, 9}, {0, 4, 9}),
              (Nodes{CutLabels::kNewNode, 11, CutLabels::kNewNode, 12}));
    EXPECT_EQ(matched({2, 3}, {2, 3}), (Nodes{10, 11}));
    EXPECT_EQ(matched({2, 3}, {}), (Nodes{CutLabels::kNewNode, CutLabels::kNewNode}));
    EXPECT_EQ(matched({}, {2, 3}), Nodes{});
}

/// A path, with labels in the order from end to end, which gives the most entries.
struct Line {
    static constexpr std::uint32_t kNodes = 300;
    Graph graph;
    std::vector<std::uint32_t> nodes = std::vector<std::uint32_t>(kNodes);
    CutLabels labels;
    Line() {
        std::iota(nodes.begin(), nodes.end(), 0U);
        std::vector<Edge> edges;
        for (std::uint32_t v = 1; v < kNodes; ++v) edges.push_back({v - 1, v, v});
        graph = graph_from_edges(kNodes, edges).value();
        labels = CutLabels::build_in_order(graph, nodes).value();
    }
};

TEST(EarlierLabels, TheOrderIsInherited) {
    const Line line;
    const auto again = relabelled(line.labels, line.graph, line.nodes, {}, {});
    ASSERT_TRUE(again.has_value());
    EXPECT_TRUE(std::ranges::equal(again->arrays().entries, line.labels.arrays().entries));
}

TEST(EarlierLabels, AFreshOrderReplacesOneThatNeedsTooManyBytes) {
    const Line line;
    const CutLabels fresh = CutLabels::build(line.graph).value();
    CutLabels::Options options;
    options.max_bytes = line.labels.statistics().value().label_bytes;
    ASSERT_LT(10 * fresh.statistics().value().label_bytes, options.max_bytes);
    options.max_bytes /= 2;
    double last = 0;
    BuildControl control;
    control.progress = [&](double done) {
        EXPECT_GE(done, last);
        last = done;
    };
    const auto labels = relabelled(line.labels, line.graph, line.nodes, options, control);
    ASSERT_TRUE(labels.has_value()) << labels.error().message;
    EXPECT_TRUE(std::ranges::equal(labels->arrays().entries, fresh.arrays().entries));

    options.max_bytes = 100;
    const auto climbing = relabelled(line.labels, line.graph, line.nodes, options, {});
    ASSERT_TRUE(climbing.has_value());
    EXPECT_FALSE(climbing->has_labels());
    EXPECT_EQ(climbing->label_bytes(), fresh.label_bytes());
    options.closure = false;
    const auto refused = relabelled(line.labels, line.graph, line.nodes, options, {});
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().code, StatusCode::too_large);
}

}  // namespace
}  // namespace cairn
