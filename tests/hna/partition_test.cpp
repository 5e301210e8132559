// Clusters are connected on every level and have about mu children. More levels change no cost. A
// path exists in the mesh exactly if one exists on every level (section 2, appendix A).

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "cairn/mesh/from_grid.hpp"
#include "core/separator/connected_parts.hpp"
#include "hna/clusters.hpp"
#include "hna/verify.hpp"
#include "support/planner.hpp"
#include "support/scale.hpp"

namespace cairn::hna::test {
namespace {

TEST(HnaPartitionTest, ClustersAreNestedAndConnected) {
    for (std::uint64_t seed = 0; seed < cairn::test::scaled(200); ++seed) {
        RandomMaps random(seed);
        const Mesh mesh = seed % 4 == 0 ? large_mesh(seed) : random_mesh(seed);
        Options options = any_options(mesh, random);
        options.labels = false;
        const Index index = build(mesh, options);
        for (int level = 1; level <= options.levels; ++level) {
            std::size_t children = 0;
            for (const Cluster& cluster : clusters(index, level)) {
                ASSERT_FALSE(cluster.polygons.empty());
                ASSERT_EQ(
                    reached_inside(index, level, cluster.polygons.front(), Over::all_links).size(),
                    cluster.polygons.size())
                    << "seed " << seed << " level " << level;
                children += cluster.children.size();
            }
            // Each child is in exactly one cluster.
            ASSERT_EQ(children,
                      level == 1 ? index.mesh().num_polygons() : index.clusters(level - 1));
        }
    }
}

TEST(HnaPartitionTest, ClustersHaveAboutMuChildren) {
    RandomMaps random(7);
    const auto mesh =
        cairn::test::value_or_abort(mesh::mesh_from_grid(random.noise({120, 120}, 12)));
    ASSERT_GT(mesh.num_polygons(), 1500U);
    for (const Partitioner partitioner : {Partitioner::multilevel, Partitioner::growing}) {
        if (partitioner == Partitioner::multilevel && !has_metis()) continue;
        for (const int mu : {4, 10, 30}) {
            Options options;
            options.mu = mu;
            options.levels = 2;
            options.partitioner = partitioner;
            options.labels = false;
            const Index index = build(mesh, options);
            for (int level = 1; level <= 2; ++level) {
                const std::size_t children =
                    level == 1 ? mesh.num_polygons() : index.clusters(level - 1);
                if (children < static_cast<std::size_t>(10 * mu)) continue;  // too few for a mean
                const double mean =
                    static_cast<double>(children) / static_cast<double>(index.clusters(level));
                EXPECT_GT(mean, 0.5 * mu) << "level " << level;
                EXPECT_LT(mean, 1.5 * mu) << "level " << level;
                for (const Cluster& cluster : clusters(index, level)) {
                    EXPECT_LE(cluster.children.size(), static_cast<std::size_t>(3 * mu));
                }
            }
        }
    }
}

TEST(HnaPartitionTest, AMeshOfFewerThanMuPolygonsIsOneCluster) {
    const Index index = build(cairn::test::drawn_mesh({"abc", "def"}), {.mu = 1000});
    EXPECT_EQ(index.clusters(1), 1U);
    EXPECT_EQ(index.statistics().value().levels[0].inter_edges, 0U);
}

TEST(HnaPartitionTest, MoreLevelsChangeNoCost) {
    Searcher searcher;
    Answer answer;
    for (std::uint64_t seed = 0; seed < cairn::test::scaled(60); ++seed) {
        RandomMaps random(seed);
        const Mesh mesh = large_mesh(seed);
        Options options = any_options(mesh, random);
        std::vector<Index> indexes;
        for (options.levels = 1; options.levels <= 4; ++options.levels)
            indexes.push_back(build(mesh, options));
        for (int pairs = 0; pairs < 20; ++pairs) {
            Query query = random_query(mesh, random);
            query.detail = Detail::cost;
            const Cost cost = answer_to(indexes.front(), query).cost;
            for (const Index& index : indexes) {
                for (const Engine engine : kSearching) {
                    query.engine = engine;
                    searcher.find(index, query, answer);
                    ASSERT_EQ(answer.cost, cost) << seed << describe(query);
                }
            }
        }
    }
}

TEST(HnaPartitionTest, StatisticsAreTheCountsOverTheMesh) {
    for (std::uint64_t seed = 0; seed < cairn::test::scaled(100); ++seed) {
        RandomMaps random(seed);
        const Mesh mesh = random_mesh(seed);
        const Index index = any_index(mesh, random);
        const IndexStatistics statistics = index.statistics().value();
        EXPECT_EQ(statistics.polygons, mesh.num_polygons());
        EXPECT_EQ(statistics.portals, mesh.num_portals());
        EXPECT_TRUE(statistics.label_bytes == 0 || index.has_labels());
        ASSERT_EQ(static_cast<int>(statistics.levels.size()), index.options().levels);
        for (const LevelStatistics& level : statistics.levels) {
            std::size_t border_links = 0;  // out of clusters: two for each inter-edge
            std::size_t intra_edges = 0;   // ordered pairs of inter-edges
            std::size_t most_border_links = 0;
            std::size_t most_polygons = 0;
            const std::vector<Cluster> all = clusters(index, level.level);
            for (const Cluster& cluster : all) {
                std::vector<mesh::Link> links;
                for (const mesh::Link link : cluster.portals) {
                    if (mesh.open(link) || mesh.open(mesh::twin(link))) links.push_back(link);
                }
                for (const mesh::Link from : links) {
                    if (!mesh.open(mesh::twin(from))) continue;
                    const auto reached =
                        reached_inside(index, level.level, mesh.polygon_of(from), Over::open_links);
                    intra_edges += static_cast<std::size_t>(
                        std::count_if(links.begin(), links.end(), [&](mesh::Link to) {
                            return to != from && mesh.open(to) &&
                                   reached.contains(mesh.polygon_of(to));
                        }));
                }
                border_links += links.size();
                most_border_links = std::max(most_border_links, links.size());
                most_polygons = std::max(most_polygons, cluster.polygons.size());
            }
            ASSERT_EQ(level.clusters, all.size());
            ASSERT_EQ(2 * level.inter_edges, border_links);
            ASSERT_EQ(level.most_inter_edges, most_border_links);
            ASSERT_EQ(level.most_polygons, most_polygons);
            ASSERT_EQ(level.intra_edges, mesh.directed() ? intra_edges : intra_edges / 2)
                << "seed " << seed;
            EXPECT_DOUBLE_EQ(level.inter_edges_per_cluster * static_cast<double>(all.size()),
                             static_cast<double>(border_links));
        }
    }
}

// Appendix A: for any mesh, any mu and any number of levels.
RC_GTEST_PROP(HnaPartition, APathInTheMeshIsAPathAtEveryLevel, ()) {
    const auto seed = *rc::gen::inRange<std::uint64_t>(0, 100'000);
    const auto mu = *rc::gen::inRange(2, 30);
    const auto levels = *rc::gen::inRange(1, 5);
    const Mesh mesh = random_mesh(seed);
    Options options;
    options.mu = mu;
    options.levels = levels;
    const Index index = build(mesh, options);
    RandomMaps random(seed);
    Searcher searcher;
    RC_ASSERT(fault_of_random_pairs(index, 4, random, searcher) == "");
}

}  // namespace
}  // namespace cairn::hna::test
