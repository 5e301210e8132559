// Parts of a graph: connected, of about the wanted size, and the same every time.

#include "core/separator/connected_parts.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <set>
#include <utility>

namespace cairn {
namespace {

/// A square lattice of `side` x `side` nodes of which `percent_missing` of the edges are left out.
WeightedGraph holed_lattice(std::uint32_t side, std::uint32_t percent_missing, std::uint32_t seed) {
    std::mt19937 random(seed);
    std::set<std::pair<std::uint32_t, std::uint32_t>> edges;
    const auto join = [&](std::uint32_t a, std::uint32_t b) {
        if (random() % 100 < percent_missing) return;
        edges.insert({a, b});
        edges.insert({b, a});
    };
    for (std::uint32_t v = 0; v < side * side; ++v) {
        if (v % side + 1 < side) join(v, v + 1);
        if (v + side < side * side) join(v, v + side);
    }
    WeightedGraph graph;
    graph.node_weight.assign(std::size_t{side} * side, 1);
    for (std::uint32_t v = 0; v < side * side; ++v) {
        for (auto e = edges.lower_bound({v, 0}); e != edges.end() && e->first == v; ++e) {
            graph.head.push_back(static_cast<std::int32_t>(e->second));
            graph.edge_weight.push_back(1);
        }
        graph.first_out.push_back(static_cast<std::int32_t>(graph.head.size()));
    }
    return graph;
}

/// The number of connected components of the nodes for which `inside` holds.
template <class Inside>
std::uint32_t num_components(const WeightedGraph& graph, Inside&& inside) {
    std::vector<bool> seen(graph.num_nodes());
    std::uint32_t count = 0;
    for (std::uint32_t start = 0; start < graph.num_nodes(); ++start) {
        if (seen[start] || !inside(start)) continue;
        ++count;
        std::vector<std::uint32_t> stack{start};
        seen[start] = true;
        while (!stack.empty()) {
            const std::uint32_t v = stack.back();
            stack.pop_back();
            for (auto e = graph.first_out[v]; e < graph.first_out[v + 1]; ++e) {
                const auto to = static_cast<std::uint32_t>(graph.head[static_cast<std::size_t>(e)]);
                if (seen[to] || !inside(to)) continue;
                seen[to] = true;
                stack.push_back(to);
            }
        }
    }
    return count;
}

class ConnectedPartsTest : public testing::TestWithParam<PartMethod> {};

TEST_P(ConnectedPartsTest, EveryNodeIsInAConnectedPart) {
    for (std::uint32_t seed = 0; seed < 12; ++seed) {
        const WeightedGraph graph = holed_lattice(5 + 3 * seed, 10 * (seed % 6), seed);
        for (const std::uint32_t size : {1U, 2U, 3U, 6U, 20U, 1000U}) {
            const Parts parts = connected_parts(graph, size, GetParam());
            ASSERT_EQ(parts.of.size(), graph.num_nodes());
            for (std::uint32_t part = 0; part < parts.count; ++part) {
                const auto inside = [&](std::uint32_t v) { return parts.of[v] == part; };
                ASSERT_EQ(num_components(graph, inside), 1) << "size " << size << ", seed " << seed;
            }
            ASSERT_TRUE(std::all_of(parts.of.begin(), parts.of.end(),
                                    [&](std::uint32_t p) { return p < parts.count; }));
        }
    }
}

TEST_P(ConnectedPartsTest, PartsHaveAboutTheWantedSize) {
    constexpr std::uint32_t kSide = 40;
    const WeightedGraph graph = holed_lattice(kSide, 0, 1);
    for (const std::uint32_t size : {4U, 10U, 25U, 100U}) {
        const Parts parts = connected_parts(graph, size, GetParam());
        std::vector<std::uint32_t> counts(parts.count);
        for (const std::uint32_t part : parts.of) ++counts[part];
        EXPECT_LE(*std::max_element(counts.begin(), counts.end()), 2 * size);
        EXPECT_GE(parts.count, kSide * kSide / size * 2 / 3);
        EXPECT_LE(parts.count, kSide * kSide / size * 3 / 2);
    }
}

TEST_P(ConnectedPartsTest, PartsAreNumberedByTheirLowestNodes) {
    const WeightedGraph graph = holed_lattice(12, 30, 7);
    const Parts parts = connected_parts(graph, 5, GetParam());
    std::uint32_t next = 0;
    for (const std::uint32_t part : parts.of) {
        ASSERT_LE(part, next);
        if (part == next) ++next;
    }
    EXPECT_EQ(next, parts.count);
}

TEST_P(ConnectedPartsTest, AGraphWithoutNodesHasNoParts) {
    EXPECT_EQ(connected_parts({}, 10, GetParam()).count, 0);
}

TEST_P(ConnectedPartsTest, PartsAreTheSameEveryTime) {
    const WeightedGraph graph = holed_lattice(30, 15, 3);
    EXPECT_EQ(connected_parts(graph, 8, GetParam()).of, connected_parts(graph, 8, GetParam()).of);
}

INSTANTIATE_TEST_SUITE_P(Methods, ConnectedPartsTest,
                         testing::Values(PartMethod::multilevel, PartMethod::growing));

}  // namespace
}  // namespace cairn
