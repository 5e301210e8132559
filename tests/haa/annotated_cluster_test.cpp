// Cluster records of HAA*, and their projections: what an agent class reads from a record.

#include "haa/annotated_cluster.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <string>

#include "cairn/hpa/index.hpp"
#include "grid/local_search.hpp"
#include "haa/random_agents.hpp"
#include "hpa/snapshot.hpp"
#include "support/mutation.hpp"
#include "support/scale.hpp"

namespace cairn::haa {
namespace {

using test::Clusters;
using test::RandomAgents;

// The record that HPA* would make of a cluster for one class, whose map is `map`: the nodes at
// which the class can cross, and the costs of searches between them inside `rect`.
std::vector<std::uint32_t> view_by_searches(const AnnotatedCluster& cluster, const grid::Map& map,
                                            const grid::Rect& rect) {
    std::vector<std::uint32_t> bases;
    std::vector<std::uint32_t> infos;
    for (std::uint32_t slot = 0; slot < cluster.count(); ++slot) {
        const auto [cell, crossings] = cluster.node(slot);
        const unsigned used = map.moves(cell) & crossings;
        if (used == 0) continue;
        bases.push_back(cell);
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
            Projection project(clusters.serving, k);
            for (std::uint32_t id = 0; id < clusters.records.size(); ++id) {
                const AnnotatedCluster cluster = clusters.cluster(id);
                ASSERT_EQ(project(cluster, view),
                          view_by_searches(cluster, view, clusters.partition.rect(1, id)))
                    << "round " << round << " class " << k << " cluster " << id;
            }
        }
    }
}

TEST(AnnotatedClusterTest, RecordsOfASingleClassEqualThoseOfHpa) {
    RandomAgents random(12);
    for (std::uint64_t round = 0; round < cairn::test::scaled(600); ++round) {
        AnnotationOptions agents = random.agents(1);
        agents.capabilities.resize(1);
        const AnnotatedMap map =
            AnnotatedMap::create(random.image(random.size(40)), agents).value();
        Options options = random.options();
        options.transitions = static_cast<Transitions>(random.number(0, 2));
        // Low quality leaves out weakly dominated transitions; HPA* keeps them.
        if (options.abstraction == Abstraction::low_quality) continue;
        const Clusters clusters(map, options);

        hpa::Options hpa_options;
        hpa_options.transitions = static_cast<hpa::Transitions>(options.transitions);
        hpa_options.wide_entrance = options.wide_entrance;
        hpa_options.cluster_size = options.cluster_size;
        hpa_options.move_tables = hpa_options.labels = false;
        const grid::Map view = map.class_map({0, 1}).value();
        const hpa::Index index = hpa::Index::build(view, hpa_options).value();
        const RecordStore& expected = index.snapshot().overlay.levels[0];
        Projection project(clusters.serving, 0);
        for (std::uint32_t id = 0; id < clusters.records.size(); ++id) {
            const auto record = project(clusters.cluster(id), view);
            ASSERT_TRUE(
                std::equal(record.begin(), record.end(), expected[id].begin(), expected[id].end()))
                << "round " << round << " cluster " << id;
        }
    }
}

// The edges of each pair of nodes, by ClusterView::triangle(row, column).
using EdgesByPair = std::vector<std::vector<AnnotatedEdge>>;

EdgesByPair edges_by_pair(const AnnotatedCluster& cluster) {
    EdgesByPair pairs(cluster.count() == 0 ? 0 : ClusterView::triangle(cluster.count()));
    cluster.for_each_edge([&](std::uint32_t row, std::uint32_t column, const AnnotatedEdge& edge) {
        pairs[ClusterView::triangle(row, column)].push_back(edge);
    });
    return pairs;
}

// Strong dominance: no kept edge dominates another one, and a kept edge dominates every edge that
// is left out.
TEST(AnnotatedClusterTest, HighQualityIsTheParetoSetOfTheInitialEdges) {
    RandomAgents random(13);
    for (std::uint64_t round = 0; round < cairn::test::scaled(500); ++round) {
        const AnnotatedMap map = random.map(24, 4);
        Options options = random.options();
        options.abstraction = Abstraction::initial;
        const Clusters initial(map, options);
        options.abstraction = Abstraction::high_quality;
        const Clusters high(map, options);
        const auto dominates = [&](const AnnotatedEdge& a, const AnnotatedEdge& b) {
            return a.cost <= b.cost && initial.serving(a.agent_class, b.agent_class);
        };
        for (std::uint32_t id = 0; id < initial.records.size(); ++id) {
            ASSERT_EQ(initial.nodes(id), high.nodes(id));
            const EdgesByPair all = edges_by_pair(initial.cluster(id));
            const EdgesByPair kept = edges_by_pair(high.cluster(id));
            ASSERT_EQ(all.size(), kept.size());
            for (std::size_t pair = 0; pair < all.size(); ++pair) {
                for (const AnnotatedEdge& edge : kept[pair]) {
                    ASSERT_EQ(std::count(all[pair].begin(), all[pair].end(), edge), 1);
                    ASSERT_EQ(std::count_if(kept[pair].begin(), kept[pair].end(),
                                            [&](const auto& e) { return dominates(e, edge); }),
                              1);
                }
                for (const AnnotatedEdge& edge : all[pair]) {
                    ASSERT_TRUE(std::any_of(kept[pair].begin(), kept[pair].end(),
                                            [&](const auto& e) { return dominates(e, edge); }));
                }
            }
        }
    }
}

TEST(AnnotatedClusterTest, ARecordHoldsItsNodesAndEdges) {
    std::mt19937 random(14);
    for (std::uint64_t round = 0; round < cairn::test::scaled(300); ++round) {
        const bool narrow = random() % 2 == 0;  // costs of 16 bits
        std::vector<AnnotatedNode> nodes(1 + random() % 9);
        grid::Cell cell = 0;
        for (AnnotatedNode& node : nodes) {
            cell += 1 + static_cast<grid::Cell>(random() % 100);
            node = {cell, static_cast<std::uint8_t>(random())};
        }
        EdgesByPair pairs(ClusterView::triangle(nodes.size()));
        std::vector<std::uint8_t> counts;
        std::vector<AnnotatedEdge> edges;
        for (auto& pair : pairs) {
            for (auto count = random() % 4; count > 0; --count) {
                pair.push_back({static_cast<Cost>(random() % (narrow ? 0x10000U : kInfinity)),
                                static_cast<std::uint8_t>(random() % 127)});
                edges.push_back(pair.back());
            }
            counts.push_back(static_cast<std::uint8_t>(pair.size()));
        }
        const auto record = AnnotatedCluster::record(nodes, counts, edges);
        ASSERT_TRUE(AnnotatedCluster::well_formed(record, 127));
        const AnnotatedCluster cluster(record);
        ASSERT_EQ(cluster.count(), nodes.size());
        ASSERT_EQ(cluster.edges(), edges.size());
        for (std::uint32_t i = 0; i < nodes.size(); ++i) ASSERT_EQ(cluster.node(i), nodes[i]);
        ASSERT_EQ(edges_by_pair(cluster), pairs);
    }
    EXPECT_TRUE(AnnotatedCluster::record({}, {}, {}).empty());
    EXPECT_EQ(AnnotatedCluster({}).count(), 0U);
}

// Reads all nodes and edges of a well-formed record, so that sanitizers see reads past its end.
void read_if_well_formed(const std::vector<std::uint32_t>& record, std::uint32_t classes) {
    if (record.empty() || !AnnotatedCluster::well_formed(record, classes)) return;
    const AnnotatedCluster cluster(record);
    grid::Cell before = 0;
    for (std::uint32_t i = 0; i < cluster.count(); ++i) {
        const grid::Cell cell = cluster.node(i).cell;
        ASSERT_TRUE(i == 0 || cell > before);
        before = cell;
    }
    std::size_t edges = 0;
    cluster.for_each_edge([&](std::uint32_t row, std::uint32_t column, const AnnotatedEdge& edge) {
        ASSERT_TRUE(column < row && row < cluster.count() && edge.agent_class < classes);
        ++edges;
    });
    ASSERT_EQ(edges, cluster.edges());
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
