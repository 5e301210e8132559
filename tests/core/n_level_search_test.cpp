// Searches on N-level graphs: bounds, heuristics and slices; and graphs over arrays, damaged ones
// included.

#include "core/nlevel/n_level_search.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <random>
#include <vector>

#include "sample_graphs.hpp"
#include "support/allocation_counter.hpp"
#include "support/mutation.hpp"

namespace cairn {
namespace {

using Connectors = std::vector<Connector>;

constexpr std::uint64_t kNoBudget = std::numeric_limits<std::uint64_t>::max();

/// Allows an arbitrary two thirds of all extra edges.
bool allow_two_thirds(std::uint32_t p, std::uint32_t q, Cost length) {
    return (p + q + length) % 3 != 0;
}

NLevelGraph levels_of(const Graph& graph, std::uint32_t max_levels = 0) {
    NLevelOptions options;
    options.max_levels = max_levels;
    return NLevelGraph::build(graph, options, allow_two_thirds).value();
}

/// From every vertex: the least cost over the goal's connectors, kInfinity if there is no path.
std::vector<Cost> costs_to(const Graph& graph, const Connectors& to) {
    std::vector<Cost> best(graph.num_nodes(), kInfinity);
    for (const auto& [node, cost] : to) {
        if (node >= graph.num_nodes() || cost >= kInfinity) continue;
        const std::vector<Cost> distance = test::dijkstra(graph, node);
        for (std::size_t v = 0; v < best.size(); ++v) {
            if (distance[v] < kInfinity) best[v] = std::min(best[v], cost + distance[v]);
        }
    }
    return best;
}

/// The least cost over the start's connectors. `to_goal`: costs_to the goal's connectors.
Cost least_cost_from(const Connectors& from, const std::vector<Cost>& to_goal) {
    Cost best = kInfinity;
    for (const auto& [node, cost] : from) {
        if (node < to_goal.size() && cost < kInfinity) best = std::min(best, cost + to_goal[node]);
    }
    return best;
}

/// The least cost of the connectors at a node.
Cost cost_at(const Connectors& connectors, std::uint32_t node) {
    Cost best = kInfinity;
    for (const Connector& c : connectors) {
        if (c.node == node) best = std::min(best, c.cost);
    }
    return best;
}

/// Up to 4 connectors to `count` nodes. Some lie out of range, cost kInfinity or more, or share a
/// node.
Connectors random_connectors(std::mt19937& dice, std::uint32_t count) {
    Connectors out(dice() % 5);
    for (Connector& c : out) {
        c = {static_cast<std::uint32_t>(dice() % (count + 1)), static_cast<Cost>(dice() % 40)};
        if (dice() % 20 == 0) c.cost = kInfinity + static_cast<Cost>(dice() % 2);
    }
    if (out.size() > 1 && dice() % 4 == 0) out.back().node = out.front().node;
    return out;
}

/// The cost of a path that the search found, by the edges of the level graph and the connectors.
Cost cost_along(const NLevelGraph& levels, const Connectors& from, const Connectors& to,
                const std::vector<std::uint32_t>& nodes) {
    Cost cost = cost_at(from, nodes.front()) + cost_at(to, nodes.back());
    for (std::size_t i = 1; i < nodes.size(); ++i) cost += levels.edge(nodes[i - 1], nodes[i]);
    return cost;
}

/// Calls `check(levels, from, to, costs_to(graph, to))` for random queries on all sample
/// graphs.
template <class Check>
void for_each_query(int rounds, const Check& check) {
    std::mt19937 dice(5);
    for (const auto& [name, graph] : test::sample_graphs()) {
        SCOPED_TRACE(name);
        for (const std::uint32_t max_levels : {0U, 1U, 2U}) {
            const NLevelGraph levels = levels_of(graph, max_levels);
            for (int round = 0; round < rounds; ++round) {
                const Connectors from = random_connectors(dice, graph.num_nodes());
                Connectors to = random_connectors(dice, graph.num_nodes());
                if (!from.empty() && round % 5 == 0) to.push_back(from.back());
                check(levels, from, to, costs_to(graph, to));
            }
        }
    }
}

TEST(NLevelSearch, ListsOfConnectorsAgreeWithDijkstra) {
    NLevelScratch scratch;
    std::vector<std::uint32_t> nodes{99};  // to be replaced
    for_each_query(25, [&](const NLevelGraph& levels, const Connectors& from, const Connectors& to,
                           const std::vector<Cost>& to_goal) {
        const Cost expected = least_cost_from(from, to_goal);
        ASSERT_EQ(levels.distance(from, to, scratch), expected);
        ASSERT_EQ(levels.find_path(from, to, scratch, nodes), expected);
        ASSERT_EQ(nodes.empty(), expected == kInfinity);
        if (nodes.empty()) return;
        ASSERT_EQ(cost_along(levels, from, to, nodes), expected);
    });
}

// The true cost to the goal is a consistent heuristic, and so is half of it. Without a path,
// too, a heuristic must be below kInfinity.
TEST(NLevelSearch, HeuristicsSaveExpansionsAndKeepTheCost) {
    NLevelSearch search;
    std::vector<std::uint32_t> nodes;
    for_each_query(15, [&](const NLevelGraph& levels, const Connectors& from, const Connectors& to,
                           const std::vector<Cost>& to_goal) {
        const Cost expected = least_cost_from(from, to_goal);
        EXPECT_EQ(search.run(levels, from, to, kInfinity, NoHeuristic{}), expected);
        const std::uint64_t expanded_without = search.statistics().expanded;
        const auto half = [&](std::uint32_t v) { return to_goal[v] / 2; };
        ASSERT_EQ(search.run(levels, from, to, kInfinity, half), expected);
        const auto full = [&](std::uint32_t v) { return std::min(to_goal[v], kInfinity - 1); };
        ASSERT_EQ(search.run(levels, from, to, kInfinity, full), expected);
        EXPECT_LE(search.statistics().expanded, expanded_without);
        search.path(nodes);
        ASSERT_EQ(nodes.empty(), expected == kInfinity);
        if (!nodes.empty()) {
            ASSERT_EQ(cost_along(levels, from, to, nodes), expected);
        }
    });
}

TEST(NLevelSearch, BoundsAreExclusive) {
    NLevelSearch search;
    std::vector<std::uint32_t> nodes;
    for_each_query(10, [&](const NLevelGraph& levels, const Connectors& from, const Connectors& to,
                           const std::vector<Cost>& to_goal) {
        const Cost expected = least_cost_from(from, to_goal);
        if (expected == kInfinity) return;
        EXPECT_EQ(search.run(levels, from, to, expected + 1, NoHeuristic{}), expected);
        constexpr Cost kNoBound = 0xffff'ffff;
        EXPECT_EQ(search.run(levels, from, to, kNoBound, NoHeuristic{}), expected);
        EXPECT_EQ(search.run(levels, from, to, expected, NoHeuristic{}), kInfinity);
        EXPECT_FALSE(search.found());
        search.path(nodes);
        EXPECT_TRUE(nodes.empty());
        EXPECT_EQ(search.run(levels, from, to, 0, NoHeuristic{}), kInfinity);
    });
}

TEST(NLevelSearch, SlicesOfAnySizeGiveTheSamePath) {
    NLevelSearch whole;
    NLevelSearch sliced;
    std::vector<std::uint32_t> nodes;
    std::vector<std::uint32_t> sliced_nodes;
    std::mt19937 dice(3);
    for_each_query(10, [&](const NLevelGraph& levels, const Connectors& from, const Connectors& to,
                           const std::vector<Cost>&) {
        const Cost expected = whole.run(levels, from, to, kInfinity, NoHeuristic{});
        whole.path(nodes);
        sliced.begin(levels, from, to, kInfinity, NoHeuristic{});
        std::uint64_t allowed = 0;
        for (bool unfinished = true; unfinished;) {
            const std::uint64_t budget = dice() % 4;
            allowed += budget;
            unfinished = sliced.advance(budget, NoHeuristic{});
            ASSERT_LE(sliced.statistics().expanded, allowed);
        }
        EXPECT_FALSE(sliced.advance(kNoBudget, NoHeuristic{}));
        EXPECT_EQ(sliced.cost(), expected);
        EXPECT_EQ(sliced.statistics().expanded, whole.statistics().expanded);
        EXPECT_EQ(sliced.statistics().generated, whole.statistics().generated);
        sliced.path(sliced_nodes);
        EXPECT_EQ(sliced_nodes, nodes);
    });
}

TEST(NLevelSearch, MoreLevelsMeanLessSearch) {
    const Graph graph = test::cluster_graph(12, 2);
    const auto vertices_visited = [&](std::uint32_t max_levels) {  // 0: as many levels as there are
        NLevelOptions options;
        options.max_levels = max_levels;
        const NLevelGraph levels =
            NLevelGraph::build(graph, options, [](auto, auto, auto) { return true; }).value();
        NLevelSearch search;
        std::uint64_t sum = 0;
        for (std::uint32_t s = 0; s < graph.num_nodes(); s += 7) {
            const Connectors from{{s, 0}};
            const Connectors to{{graph.num_nodes() - 1 - s, 0}};
            search.run(levels, from, to, kInfinity, NoHeuristic{});
            sum += search.statistics().expanded + search.descents();
        }
        return sum;
    };
    EXPECT_LT(vertices_visited(2), vertices_visited(1));
    EXPECT_LT(vertices_visited(0), vertices_visited(2));
}

TEST(NLevelSearch, WarmedQueriesAllocateNothing) {
    if (!test::counts_allocations()) GTEST_SKIP() << "allocations are not counted";
    const Graph graph = test::cluster_graph(15, 2);
    const NLevelGraph levels = levels_of(graph);
    NLevelScratch scratch;
    std::vector<std::uint32_t> nodes;
    const auto query_all = [&] {
        for (std::uint32_t s = 0; s < graph.num_nodes(); s += 11) {
            const Connector from[] = {{s, 3}, {s / 2, 100}};
            const Connector to[] = {{graph.num_nodes() - 1 - s, 0}, {s / 3, 5000}};
            static_cast<void>(levels.find_path(from, to, scratch, nodes));
        }
    };
    query_all();
    const std::uint64_t before = test::allocations();
    query_all();
    EXPECT_EQ(test::allocations(), before);
}

/// A copy of the arrays of an N-level graph, for tests to change.
struct LevelsCopy {
    explicit LevelsCopy(const NLevelArrays& a)
        : vertices(a.vertices.begin(), a.vertices.end()),
          levels(a.levels.begin(), a.levels.end()),
          arcs(a.arcs.begin(), a.arcs.end()) {}

    [[nodiscard]] NLevelArrays arrays() const { return {vertices, levels, arcs, 0}; }

    std::vector<NLevelVertex> vertices;
    std::vector<std::uint16_t> levels;
    std::vector<NLevelArc> arcs;
};

/// Changes, removes or inserts bytes of an array. An incomplete value at its end is dropped.
template <class Value>
void damage(std::vector<Value>& values, std::mt19937_64& random) {
    std::string bytes(values.size() * sizeof(Value), '\0');
    if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
    bytes = test::mutated(std::move(bytes), random);
    values.resize(bytes.size() / sizeof(Value));
    if (!values.empty()) std::memcpy(values.data(), bytes.data(), values.size() * sizeof(Value));
}

TEST(NLevelArrays, MakeTheGraphAgainWithoutACopy) {
    NLevelScratch scratch;
    for (const auto& [name, graph] : test::sample_graphs()) {
        const NLevelGraph levels = levels_of(graph);
        const auto copy = std::make_shared<const LevelsCopy>(levels.arrays());
        const auto again = NLevelGraph::from_arrays(copy->arrays(), copy);
        ASSERT_TRUE(again) << name << ": " << again.error().message;
        EXPECT_EQ(again->num_levels(), levels.num_levels());
        EXPECT_EQ(again->arrays().arcs.data(), copy->arcs.data());
        for (std::uint32_t s = 0; s < graph.num_nodes(); s += 7) {
            const Connectors from{{s, 0}};
            const Connectors to{{graph.num_nodes() - 1, 0}};
            EXPECT_EQ(levels.distance(from, to, scratch), again->distance(from, to, scratch));
        }
    }
}

// The distances on accepted arrays may be wrong, but queries end and stay within bounds.
TEST(NLevelArrays, AnyDamageIsRefusedOrHarmless) {
    std::mt19937_64 random(11);
    NLevelScratch scratch;
    std::vector<std::uint32_t> nodes;
    for (const Graph& graph : {test::cluster_graph(5, 1), test::random_graph(60, 200, 1, 3, 1),
                               test::random_graph(3, 90, 1, 3, 1)}) {
        const NLevelGraph levels = levels_of(graph);
        int accepted = 0;
        for (int round = test::scaled_count(3000); round > 0; --round) {
            const auto copy = std::make_shared<LevelsCopy>(levels.arrays());
            for (auto times = 1 + random() % 3; times > 0; --times) {
                switch (random() % 4) {
                    case 0:
                        damage(copy->vertices, random);
                        break;
                    case 1:
                        damage(copy->levels, random);
                        break;
                    case 2:
                        damage(copy->arcs, random);
                        break;
                    default:  // mostly accepted: from_arrays can check little about a weight
                        copy->arcs[random() % copy->arcs.size()].weight =
                            static_cast<Cost>(random()) % kInfinity;
                }
            }
            const auto result = NLevelGraph::from_arrays(copy->arrays(), copy);
            if (!result) {
                EXPECT_EQ(result.error().code, StatusCode::corrupt_file);
                continue;
            }
            ++accepted;
            static_cast<void>(result->statistics());
            for (int i = 0; i < 5; ++i) {
                const auto node = [&] { return static_cast<std::uint32_t>(random() % 100); };
                const Connectors from{{node(), 3}, {node(), 0}, {node(), 100}};
                const Connectors to{{node(), 3}, {node(), 0}};
                static_cast<void>(result->find_path(from, to, scratch, nodes));
                // A path visits no vertex twice on its way up, nor on its way down.
                EXPECT_LE(nodes.size(), std::size_t{2} * result->num_nodes() + 1);
            }
        }
        EXPECT_GT(accepted, 0);
    }
}

TEST(NLevelArrays, EmptyArraysAreAGraphOfOneLevel) {
    const auto none = NLevelGraph::from_arrays({}, nullptr);
    ASSERT_TRUE(none);
    EXPECT_EQ(none->num_nodes(), 0U);
    EXPECT_EQ(none->num_levels(), 1U);
    EXPECT_EQ(none->statistics().value().levels.size(), 1U);
    NLevelScratch scratch;
    const Connectors node_0{{0, 0}};
    EXPECT_EQ(none->distance(node_0, node_0, scratch), kInfinity);
    EXPECT_EQ(NLevelGraph().distance(node_0, node_0, scratch), kInfinity);
}

}  // namespace
}  // namespace cairn
