// The closure: climbing agrees with Dijkstra's algorithm; closures over arrays, damaged ones
// included. Climbing is compared with labels in cut_labels_test.cpp.

#include "cairn/closure.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <random>

#include "core/labels/bounded_climb.hpp"
#include "sample_graphs.hpp"

namespace cairn {
namespace {

/// A copy of the arrays of a closure, for tests to change.
struct ClosureCopy {
    explicit ClosureCopy(const ClosureArrays& a)
        : places(a.places.begin(), a.places.end()),
          nodes(a.nodes.begin(), a.nodes.end()),
          costs(a.costs.begin(), a.costs.end()),
          depths(a.depths.begin(), a.depths.end()),
          middles(a.middles.begin(), a.middles.end()),
          down_costs(a.down_costs.begin(), a.down_costs.end()),
          down_middles(a.down_middles.begin(), a.down_middles.end()),
          directed(a.directed) {}

    [[nodiscard]] ClosureArrays arrays() const {
        return {places,       nodes, costs,    depths, middles, down_costs,
                down_middles, {},    directed, 0,      0};
    }
    friend bool operator==(const ClosureCopy&, const ClosureCopy&) = default;

    std::vector<std::uint32_t> places;
    std::vector<ClosureNode> nodes;
    std::vector<Cost> costs;
    std::vector<std::uint16_t> depths;
    std::vector<std::uint8_t> middles;
    std::vector<Cost> down_costs;
    std::vector<std::uint8_t> down_middles;
    bool directed;
};

// In a complete graph each node has all upper neighbours of its child but itself.
TEST(Closure, DepthsOfAChainAreKeptOnce) {
    const std::uint32_t count = 12;
    std::vector<Edge> edges;
    for (std::uint32_t a = 0; a < count; ++a)
        for (std::uint32_t b = a + 1; b < count; ++b) edges.push_back({a, b, 1});
    const Closure closure = Closure::build(graph_from_edges(count, edges).value()).value();
    EXPECT_EQ(closure.arrays().costs.size(), count * (count - 1) / 2);
    EXPECT_EQ(closure.arrays().depths.size(), count - 1 + ClosureArrays::kPadding);
}

TEST(Closure, EveryPairOfEverySampleAgreesWithDijkstra) {
    Closure::Scratch scratch;
    std::vector<std::uint32_t> nodes;
    for (const auto& [name, graph] : test::all_sample_graphs()) {
        SCOPED_TRACE(name);
        const Closure closure = Closure::build(graph).value();
        ASSERT_EQ(closure.num_nodes(), graph.num_nodes());
        EXPECT_EQ(closure.num_places(), graph.num_nodes());
        for (std::uint32_t s = 0; s < graph.num_nodes(); ++s) {
            const std::vector<Cost> distance = test::dijkstra(graph, s);
            const std::vector<Connector> from{{s, 0}};
            for (std::uint32_t t = 0; t < graph.num_nodes(); ++t) {
                const std::vector<Connector> to{{t, 0}};
                ASSERT_EQ(closure.distance(from, to, scratch), distance[t]) << s << " to " << t;
                if ((s + t) % 3 != 0) continue;
                ASSERT_EQ(closure.find_path(from, to, scratch, nodes), distance[t]);
                ASSERT_EQ(nodes.empty(), distance[t] == kInfinity);
                if (nodes.empty()) continue;
                ASSERT_EQ(nodes.front(), s);
                ASSERT_EQ(nodes.back(), t);
                ASSERT_EQ(test::path_cost(graph, nodes), distance[t]);
            }
        }
    }
}

TEST(Closure, IgnoresConnectorsOutOfRangeAndInfiniteOnes) {
    const Graph graph = test::cluster_graph(4, 1);
    const Closure closure = Closure::build(graph).value();
    Closure::Scratch scratch;
    std::vector<std::uint32_t> nodes{7};
    const std::vector<Connector> out{{graph.num_nodes(), 0}, {1, kInfinity}};
    const std::vector<Connector> in{{0, 0}};
    EXPECT_EQ(closure.distance(out, in, scratch), kInfinity);
    EXPECT_EQ(closure.find_path(in, out, scratch, nodes), kInfinity);
    EXPECT_TRUE(nodes.empty());
    EXPECT_EQ(Closure().distance(in, in, scratch), kInfinity);
}

TEST(Closure, DoesNotDependOnTheThreads) {
    for (const auto& [name, graph] : test::all_sample_graphs()) {
        BuildControl one_thread;
        one_thread.threads = 1;
        BuildControl two_threads;
        two_threads.threads = 2;
        const ClosureCopy by_one(Closure::build(graph, {}, one_thread)->arrays());
        const ClosureCopy by_two(Closure::build(graph, {}, two_threads)->arrays());
        EXPECT_TRUE(by_one == by_two) << name;
    }
}

TEST(Closure, NeedsAnOrderOfAllNodes) {
    const Graph graph = test::cluster_graph(2, 1);
    std::vector<std::uint32_t> order(graph.num_nodes(), 0);
    EXPECT_EQ(Closure::build_in_order(graph, order).error().code, StatusCode::bad_option);
    order.clear();
    EXPECT_EQ(Closure::build_in_order(graph, order).error().code, StatusCode::bad_option);
}

TEST(ClosureArrays, MakeTheClosureAgainWithoutACopy) {
    Closure::Scratch scratch;
    for (const auto& [name, graph] : test::all_sample_graphs()) {
        const Closure closure = Closure::build(graph).value();
        const auto copy = std::make_shared<const ClosureCopy>(closure.arrays());
        const auto again = Closure::from_arrays(copy->arrays(), copy);
        ASSERT_TRUE(again) << name << ": " << again.error().message;
        EXPECT_TRUE(ClosureCopy(again->arrays()) == *copy);
        EXPECT_EQ(again->bytes(), closure.bytes());
        EXPECT_EQ(again->num_edges(), closure.num_edges());
        for (std::uint32_t s = 0; s < graph.num_nodes(); s += 7) {
            for (std::uint32_t t = 0; t < graph.num_nodes(); t += 5) {
                const std::vector<Connector> from{{s, 0}};
                const std::vector<Connector> to{{t, 0}};
                EXPECT_EQ(closure.distance(from, to, scratch), again->distance(from, to, scratch));
            }
        }
    }
}

// Sums with such costs would pass 32 bits.
TEST(ClosureArrays, RefuseCostsAboveInfinity) {
    const Graph graph = test::directed_version(test::cluster_graph(3, 1), 100, 3000, 1);
    for (const bool down : {false, true}) {
        const auto copy = std::make_shared<ClosureCopy>(Closure::build(graph)->arrays());
        ASSERT_TRUE(Closure::from_arrays(copy->arrays(), copy));
        (down ? copy->down_costs : copy->costs)[2] = kInfinity + 1;
        EXPECT_EQ(Closure::from_arrays(copy->arrays(), copy).error().code,
                  StatusCode::corrupt_file);
    }
}

/// Bounds of any costs.
struct RandomBounds {
    static constexpr bool kEmpty = false;
    std::mt19937& dice;

    [[nodiscard]] Cost any() const { return static_cast<Cost>(dice() % 5 == 0 ? dice() % 9 : 0); }
    [[nodiscard]] Cost end_to_end() const { return any(); }
    [[nodiscard]] Cost to_start(std::uint32_t /*node*/) const { return any(); }
    [[nodiscard]] Cost to_goal(std::uint32_t /*node*/) const { return any(); }
    static void prefetch(std::uint32_t /*node*/) {}
};

// The closure of accepted arrays may be wrong, but queries end and stay within bounds.
TEST(ClosureArrays, AnyDamageIsRefusedOrHarmless) {
    std::mt19937 dice(11);
    const auto damage = [&](auto& vector) {
        if (vector.empty()) return;
        using Value = typename std::remove_reference_t<decltype(vector)>::value_type;
        if (dice() % 8 == 0) {
            vector.resize(dice() % (vector.size() + 3));
            return;
        }
        auto& value = vector[dice() % vector.size()];
        unsigned char bytes[sizeof(Value)];
        std::memcpy(bytes, &value, sizeof(Value));
        bytes[dice() % sizeof(Value)] = static_cast<unsigned char>(dice());
        std::memcpy(&value, bytes, sizeof(Value));
    };
    Closure::Scratch scratch;
    std::vector<std::uint32_t> nodes;
    const Graph clusters = test::cluster_graph(8, 1);
    for (const Graph& graph : {clusters, test::random_graph(60, 900, 1, 3, 1),
                               test::directed_version(clusters, 100, 3000, 1)}) {
        const Closure closure = Closure::build(graph).value();
        int accepted = 0;
        for (int round = 0; round < 3000; ++round) {
            const auto copy = std::make_shared<ClosureCopy>(closure.arrays());
            for (auto times = 1 + dice() % 3; times > 0; --times) {
                switch (dice() % 9) {
                    case 0:
                        damage(copy->places);
                        break;
                    case 1:
                        damage(copy->nodes);
                        break;
                    case 2:
                    case 3:
                        damage(copy->costs);
                        break;
                    case 4:
                        damage(copy->depths);
                        break;
                    case 5:
                        damage(copy->down_costs);
                        break;
                    case 6:
                        damage(copy->down_middles);
                        break;
                    default:
                        damage(copy->middles);
                        break;
                }
            }
            const auto result = Closure::from_arrays(copy->arrays(), copy);
            if (!result) {
                EXPECT_EQ(result.error().code, StatusCode::corrupt_file);
                continue;
            }
            ++accepted;
            for (int query = 0; query < 5 && result->num_nodes() > 0; ++query) {
                const auto node = [&] {
                    return static_cast<std::uint32_t>(dice() % result->num_nodes());
                };
                const std::vector<Connector> from{{node(), 3}, {node(), 0}, {node(), 100}};
                const std::vector<Connector> to{{node(), 3}, {node(), 0}};
                static_cast<void>(result->distance(from, to, scratch));
                static_cast<void>(result->find_path(from, to, scratch, nodes));
                EXPECT_LE(nodes.size(), std::size_t{2} * result->num_nodes() + 2);
                for (const std::uint32_t v : nodes) EXPECT_LT(v, result->num_nodes());
                const RandomBounds bounds{dice};
                const BoundedClimb climb(*result, bounds, scratch, {10, 0});
                const Cost cost = climb.distance(from, to);
                static_cast<void>(climb.find_path_of(cost, from, to, nodes));
                for (const std::uint32_t v : nodes) EXPECT_LT(v, result->num_nodes());
            }
        }
        EXPECT_GT(accepted, 100);
    }
}

}  // namespace
}  // namespace cairn
