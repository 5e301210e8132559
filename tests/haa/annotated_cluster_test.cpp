// Cluster records of HAA*, and their projections: what an agent class reads from a record.

#include "haa/annotated_cluster.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "cairn/hpa/index.hpp"
#include "grid/local_search.hpp"
#include "haa/random_agents.hpp"
#include "hpa/snapshot.hpp"
#include "overlay/cluster_view.hpp"
#include "support/mutation.hpp"
#include "support/scale.hpp"

namespace cairn::haa {
namespace {

using test::Clusters;
using test::RandomAgents;

// The record that HPA* would make of a cluster with the nodes of one class, whose map is `map`: the
// costs are those of searches inside `rect`.
std::vector<std::uint32_t> view_by_searches(const std::vector<AnnotatedNode>& nodes,
                                            std::uint32_t agent_class, const grid::Map& map,
                                            const grid::Rect& rect) {
    std::vector<std::uint32_t> bases;
    std::vector<std::uint32_t> infos;
    for (const AnnotatedNode& node : nodes) {
        std::uint32_t used = 0;
        for (std::size_t d = 0; d < grid::kDirections; ++d)
            used |= std::uint32_t{node.users[d][agent_class]} << d;
        EXPECT_EQ(used & ~map.moves(node.cell), 0U) << "a transition that the class cannot use";
        if (used == 0) continue;
        bases.push_back(node.cell);
        infos.push_back(used);
    }
    grid::LocalSearch search;
    search.set_window(map, rect);
    std::vector<Cost> costs;
    for (std::size_t i = 1; i < bases.size(); ++i) {
        search.run(search.local(map.point(bases[i])));
        for (std::size_t j = 0; j < i; ++j) {
            costs.push_back(search.distance(search.local(map.point(bases[j]))));
        }
    }
    return ClusterView::record(bases, infos, costs);
}

TEST(AnnotatedClusterTest, AProjectionHasTheCostsThatItsClassWouldSearch) {
    RandomAgents random(11);
    for (std::uint64_t round = 0; round < cairn::test::scaled(1000); ++round) {
        const AnnotatedMap map = random.map(30, 4);
        const Clusters clusters(map, random.options());
        for (std::uint32_t k = 0; k < map.classes(); ++k) {
            const grid::Map view = map.class_map(map.agent(k)).value();
            Projection project(k);
            for (std::uint32_t id = 0; id < clusters.records.size(); ++id) {
                ASSERT_EQ(
                    project(clusters.cluster(id)),
                    view_by_searches(clusters.nodes(id), k, view, clusters.partition.rect(1, id)))
                    << "round " << round << " class " << k << " cluster " << id;
            }
        }
    }
}

// Without a shift, and unless weak dominance leaves transitions out, a class has the records that
// HPA* makes of its class map, whatever other classes there are.
TEST(AnnotatedClusterTest, EveryClassHasTheRecordsOfHpaOnItsClassMap) {
    RandomAgents random(12);
    for (std::uint64_t round = 0; round < cairn::test::scaled(600); ++round) {
        const AnnotatedMap map = random.map(40, 3);
        Options options = random.options();
        options.shift = 0;
        options.transitions = static_cast<Transitions>(random.number(0, 2));
        if (options.abstraction == Abstraction::low_quality) continue;
        const Clusters clusters(map, options);

        hpa::Options hpa_options;
        hpa_options.transitions = static_cast<hpa::Transitions>(options.transitions);
        hpa_options.wide_entrance = options.wide_entrance;
        hpa_options.cluster_size = options.cluster_size;
        hpa_options.move_tables = hpa_options.labels = false;
        for (std::uint32_t k = 0; k < map.classes(); ++k) {
            const grid::Map view = map.class_map(map.agent(k)).value();
            const hpa::Index index = hpa::Index::build(view, hpa_options).value();
            const RecordStore& expected = index.snapshot().overlay.levels[0];
            Projection project(k);
            for (std::uint32_t id = 0; id < clusters.records.size(); ++id) {
                const auto record = project(clusters.cluster(id));
                ASSERT_TRUE(std::equal(record.begin(), record.end(), expected[id].begin(),
                                       expected[id].end()))
                    << "round " << round << " class " << k << " cluster " << id;
            }
        }
    }
}

// Edges as tuples: a, b, cost, class.
using Edge = std::tuple<std::uint32_t, std::uint32_t, Cost, std::uint32_t>;

// The edges that each class uses.
std::set<Edge> edges_of_classes(const AnnotatedCluster& cluster) {
    std::set<Edge> edges;
    for (const AnnotatedEdge& edge : cluster.all_edges()) {
        for (std::uint32_t k = 0; k < edge.classes.size(); ++k) {
            if (edge.classes[k]) edges.emplace(edge.a, edge.b, edge.cost, k);
        }
    }
    return edges;
}

// Whether an edge of the initial abstraction passes a third node of its class, so that its cost is
// a sum of two others.
bool is_sum(const std::set<Edge>& edges, const Edge& edge, std::uint32_t nodes) {
    const auto [a, b, cost, k] = edge;
    const auto cost_between = [&, agent_class = k](std::uint32_t x, std::uint32_t y) {
        const auto at = edges.lower_bound({std::max(x, y), std::min(x, y), 0, 0});
        for (auto e = at; e != edges.end(); ++e) {
            if (std::get<0>(*e) != std::max(x, y) || std::get<1>(*e) != std::min(x, y)) break;
            if (std::get<3>(*e) == agent_class) return std::uint64_t{std::get<2>(*e)};
        }
        return std::uint64_t{kInfinity};
    };
    for (std::uint32_t via = 0; via < nodes; ++via) {
        if (via == a || via == b) continue;
        if (cost_between(a, via) + cost_between(via, b) <= cost) return true;
    }
    return false;
}

TEST(AnnotatedClusterTest, HighQualityLeavesOutSumsAndSharesEdgesOfEqualCost) {
    RandomAgents random(13);
    std::size_t left_out = 0;
    std::size_t shared = 0;
    for (std::uint64_t round = 0; round < cairn::test::scaled(300); ++round) {
        const AnnotatedMap map = random.map(24, 4);
        Options options = random.options();
        options.abstraction = Abstraction::initial;
        const Clusters initial(map, options);
        options.abstraction = Abstraction::high_quality;
        const Clusters high(map, options);
        for (std::uint32_t id = 0; id < initial.records.size(); ++id) {
            ASSERT_EQ(initial.nodes(id), high.nodes(id));
            const std::set<Edge> all = edges_of_classes(initial.cluster(id));
            ASSERT_EQ(all.size(), initial.cluster(id).edges()) << "a class to an edge";
            std::set<Edge> expected;
            for (const Edge& edge : all) {
                if (!is_sum(all, edge, initial.cluster(id).count())) expected.insert(edge);
            }
            ASSERT_EQ(edges_of_classes(high.cluster(id)), expected);
            std::set<std::tuple<std::uint32_t, std::uint32_t, Cost>> ends_and_costs;
            for (const auto& [a, b, cost, k] : expected) ends_and_costs.emplace(a, b, cost);
            ASSERT_EQ(high.cluster(id).edges(), ends_and_costs.size());
            left_out += all.size() - expected.size();
            shared += expected.size() - ends_and_costs.size();
        }
    }
    EXPECT_GT(left_out, 0U);
    EXPECT_GT(shared, 0U);
}

ClassSet random_set(std::mt19937& random, std::uint32_t classes) {
    ClassSet set;
    set.set(random() % classes);
    for (std::uint32_t k = 0; k < classes; ++k) {
        if (random() % 3 == 0) set.set(k);
    }
    return set;
}

TEST(AnnotatedClusterTest, ARecordHoldsItsNodesAndEdges) {
    std::mt19937 random(14);
    for (std::uint64_t round = 0; round < cairn::test::scaled(300); ++round) {
        const bool narrow = random() % 2 == 0;  // costs of 16 bits
        const std::uint32_t classes = 1 + static_cast<std::uint32_t>(random() % 127);
        std::vector<AnnotatedNode> nodes(1 + random() % 9);
        grid::Cell cell = 0;
        for (AnnotatedNode& node : nodes) {
            cell += 1 + static_cast<grid::Cell>(random() % 100);
            node.cell = cell;
            node.crossings = static_cast<std::uint8_t>(1 + random() % 255);
            for (std::size_t d = 0; d < grid::kDirections; ++d) {
                if ((node.crossings >> d & 1) != 0) node.users[d] = random_set(random, classes);
            }
        }
        std::vector<AnnotatedEdge> edges;
        for (std::uint32_t a = 1; a < nodes.size(); ++a) {
            for (std::uint32_t b = 0; b < a; ++b) {
                ClassSet left = nodes[a].classes() & nodes[b].classes();
                std::vector<AnnotatedEdge> pair;
                for (auto count = random() % 4; count > 0; --count) {
                    const ClassSet used = left & random_set(random, classes);
                    if (used.none()) continue;
                    left &= ~used;
                    const Cost cost = static_cast<Cost>(random() % (narrow ? 0x10000U : kInfinity));
                    pair.push_back({a, b, cost, used});
                }
                std::sort(pair.begin(), pair.end(),
                          [](const auto& x, const auto& y) { return x.cost < y.cost; });
                edges.insert(edges.end(), pair.begin(), pair.end());
            }
        }
        const auto record = AnnotatedCluster::record(nodes, edges, classes);
        ASSERT_TRUE(AnnotatedCluster::well_formed(record, classes));
        const AnnotatedCluster cluster(record);
        ASSERT_EQ(cluster.all_nodes(), nodes);
        ASSERT_EQ(cluster.all_edges(), edges);
        for (std::uint32_t k = 0; k < classes; ++k) {
            std::vector<std::pair<std::uint32_t, std::uint32_t>> own_nodes;
            cluster.for_each_node(k, [&](std::uint32_t slot, std::uint32_t crossings) {
                own_nodes.emplace_back(slot, crossings);
            });
            for (std::uint32_t slot = 0; slot < nodes.size(); ++slot) {
                std::uint32_t crossings = 0;
                for (std::size_t d = 0; d < grid::kDirections; ++d)
                    crossings |= std::uint32_t{nodes[slot].users[d][k]} << d;
                const std::pair own{slot, crossings};
                ASSERT_EQ(std::count(own_nodes.begin(), own_nodes.end(), own), crossings != 0);
            }
            std::size_t next = 0;
            cluster.for_each_edge(k, [&](std::uint32_t a, std::uint32_t b, Cost cost) {
                while (!edges[next].classes[k]) ++next;
                ASSERT_EQ(std::tie(a, b, cost),
                          std::tie(edges[next].a, edges[next].b, edges[next].cost));
                ++next;
            });
        }
    }
    EXPECT_TRUE(AnnotatedCluster::record({}, {}, 1).empty());
    EXPECT_EQ(AnnotatedCluster({}).count(), 0U);
}

// Reads all nodes and edges of a well-formed record, so that sanitizers see reads past its end.
void read_if_well_formed(const std::vector<std::uint32_t>& record, std::uint32_t classes) {
    if (record.empty() || !AnnotatedCluster::well_formed(record, classes)) return;
    const AnnotatedCluster cluster(record);
    const std::vector<AnnotatedNode> nodes = cluster.all_nodes();
    for (std::size_t i = 1; i < nodes.size(); ++i) ASSERT_LT(nodes[i - 1].cell, nodes[i].cell);
    for (const AnnotatedEdge& edge : cluster.all_edges()) {
        ASSERT_TRUE(edge.b < edge.a && edge.a < cluster.count());
        ASSERT_TRUE((edge.classes & ~(nodes[edge.a].classes() & nodes[edge.b].classes())).none());
    }
    for (std::uint32_t k = 0; k < classes; ++k) static_cast<void>(Projection(k)(cluster));
}

TEST(AnnotatedClusterTest, RecordsWithAFaultAreRefused) {
    constexpr std::uint32_t kClasses = 3;
    std::vector<AnnotatedNode> nodes(3);
    for (std::uint32_t i = 0; i < 3; ++i) {
        nodes[i].cell = 10 + 5 * i;
        nodes[i].crossings = 1;
        nodes[i].users[0] = 0b111;
    }
    nodes[2].users[0] = 0b011;
    const std::vector<AnnotatedEdge> edges{{1, 0, 5, 0b001}, {1, 0, 7, 0b110}, {2, 0, 9, 0b011}};
    const auto accepted = [&](const auto& change, std::uint32_t classes = 3) {
        auto own_nodes = nodes;
        auto own_edges = edges;
        change(own_nodes, own_edges);
        return AnnotatedCluster::well_formed(
            AnnotatedCluster::record(own_nodes, own_edges, kClasses), classes);
    };
    EXPECT_TRUE(accepted([](auto&, auto&) {}));
    EXPECT_FALSE(accepted([](auto&, auto&) {}, 2)) << "a class that there is not";
    EXPECT_FALSE(accepted([](auto&, auto&) {}, 9)) << "sets of two bytes are expected";
    EXPECT_FALSE(accepted([](auto&, auto& e) { e[1].classes = 0; })) << "an empty set";
    EXPECT_FALSE(accepted([](auto& n, auto&) { n[0].users[0] = 0; })) << "an empty set";
    EXPECT_FALSE(accepted([](auto&, auto& e) { e[1].classes = 0b011; })) << "a class on two edges";
    EXPECT_FALSE(accepted([](auto&, auto& e) { std::swap(e[0], e[1]); })) << "costs descend";
    EXPECT_FALSE(accepted([](auto&, auto& e) { std::swap(e[0], e[2]); })) << "pairs descend";
    EXPECT_FALSE(accepted([](auto&, auto& e) { e[2].classes = 0b100; })) << "not its node";
    EXPECT_FALSE(accepted([](auto&, auto& e) { e[2].b = 2; })) << "a loop";
    EXPECT_FALSE(accepted([](auto&, auto& e) { e[2].a = 3; })) << "no such node";
    EXPECT_FALSE(accepted([](auto&, auto& e) { e[2].cost = kInfinity; })) << "an infinite cost";
    EXPECT_FALSE(accepted([](auto& n, auto&) { std::swap(n[1].cell, n[2].cell); })) << "cells";
    std::vector<std::uint32_t> record = AnnotatedCluster::record(nodes, edges, kClasses);
    record.push_back(0);
    EXPECT_FALSE(AnnotatedCluster::well_formed(record, kClasses)) << "too long";
    record.resize(record.size() - 2);
    EXPECT_FALSE(AnnotatedCluster::well_formed(record, kClasses)) << "too short";
    record = AnnotatedCluster::record(nodes, edges, kClasses);
    ++record[2];
    EXPECT_FALSE(AnnotatedCluster::well_formed(record, kClasses)) << "the first cell";
}

TEST(AnnotatedClusterTest, DamagedRecordsAreRefusedOrSafeToRead) {
    AnnotationOptions agents;
    agents.capabilities.emplace_back(terrain_set({kGround, kTrees}));
    const AnnotatedMap map = test::annotated({"....T.......",  //
                                              "...TT.......",  //
                                              "...T........",  //
                                              "......@.....",  //
                                              "...T..T.....",  //
                                              "............"},
                                             agents);
    Options options;
    options.cluster_size = 6;
    const Clusters clusters(map, options);
    ASSERT_EQ(clusters.cluster(0).count(), 3U);
    for (const std::vector<std::uint32_t>& record : clusters.records) {
        if (record.empty()) continue;
        ASSERT_TRUE(AnnotatedCluster::well_formed(record, map.classes()));
        std::string bytes(record.size() * 4, '\0');
        std::memcpy(bytes.data(), record.data(), bytes.size());
        cairn::test::for_each_damage(bytes, 5000, [&](const std::string& damaged) {
            std::vector<std::uint32_t> words(damaged.size() / 4);
            if (!words.empty()) std::memcpy(words.data(), damaged.data(), words.size() * 4);
            read_if_well_formed(words, map.classes());
        });
        for (std::size_t i = 0; i < record.size(); ++i) {
            for (const std::uint32_t value : {0U, 1U, 0x7fff'ffffU, 0x8000'0000U, 0xffff'ffffU}) {
                std::vector<std::uint32_t> words = record;
                words[i] = value;
                read_if_well_formed(words, map.classes());
            }
        }
    }
}

}  // namespace
}  // namespace cairn::haa
