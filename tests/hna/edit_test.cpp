// Index::edited: each index against one built from scratch, and its answers against the least cost.

#include <gtest/gtest.h>

#include <algorithm>

#include "hna/snapshot.hpp"
#include "hna/verify.hpp"
#include "mesh/mesh_data.hpp"
#include "support/scale.hpp"

namespace cairn::hna::test {
namespace {

using mesh::PolygonEdit;

cairn::test::RandomMeshOptions with_area_costs() {
    cairn::test::RandomMeshOptions options;
    options.mesh.area_costs[1] = 2.5F;
    options.mesh.area_costs[2] = 0.5F;
    options.mesh.area_costs[3] = -1;  // closed
    return options;
}

// Meshes of all kinds, directed ones included.
TEST(HnaEditTest, SequencesEqualRebuilds) {
    Searcher searcher;
    for (std::uint64_t seed = 0; seed < cairn::test::scaled(150); ++seed) {
        SCOPED_TRACE(seed);
        RandomMaps random(seed);
        Index index = any_index(random_mesh(seed, with_area_costs()), random);
        for (int step = 0; step < 5; ++step) {
            const Index old = index;
            const auto edits = any_edits(old.mesh(), random, random.chance(80) ? 3 : 30);
            index = old.edited(edits).value();
            ASSERT_TRUE(index == build(old.mesh().edited(edits).value(), old.options()));
            ASSERT_NE(index.snapshot_id(), old.snapshot_id());
            ASSERT_FALSE(index.has_labels());
            ASSERT_EQ(index.labels_status().code,
                      old.has_closure() ? StatusCode::stale_index : old.labels_status().code);
            ASSERT_EQ(fault_of_random_pairs(index, 2, random, searcher), "");
            const Index labelled = with_labels(index);
            const Index fresh = build(index.mesh(), index.options());
            ASSERT_EQ(labelled.snapshot_id(), index.snapshot_id());
            ASSERT_EQ(labelled.has_labels(), fresh.has_labels());
            ASSERT_EQ(fault_of_random_pairs(labelled, 3, random, searcher), "");
            ASSERT_EQ(fault_of_random_pairs(old, 1, random, searcher), "");
            if (random.chance(50)) index = labelled;
        }
    }
}

// Labels are made at random, after one or several edits, with pieces on half of the meshes. Another
// index gets the same edits and labels, by another number of threads.
TEST(HnaEditTest, RepairedLabelsGiveRightAnswersByAnyThreads) {
    Searcher searcher;
    Searcher other_searcher;
    int directed = 0;
    int pieced = 0;
    const auto labelled_by = [](const Index& index, int threads) {
        BuildControl control;
        control.threads = threads;
        return index.with_labels(control).value();
    };
    for (std::uint64_t seed = 0; seed < cairn::test::scaled(30, 4); ++seed) {
        SCOPED_TRACE(seed);
        RandomMaps random(3000 + seed);
        Options options;
        options.mu = random.number(2, 6);
        Index index = build(large_mesh(seed), options);
        if (seed % 2 == 0) {
            options.label_bytes =
                std::max<std::size_t>(1, index.statistics()->label_bytes *
                                             static_cast<unsigned>(random.number(4, 12)) / 10);
            index = build(index.mesh(), options);
        }
        Index same = index;
        for (int step = 0; step < 60; ++step) {
            const auto edits = any_edits(index.mesh(), random, random.chance(80) ? 3 : 20);
            index = index.edited(edits).value();
            same = same.edited(edits).value();
            if (random.chance(60)) {
                index = labelled_by(index, 1);
                same = labelled_by(same, random.number(2, 3));
            }
            if (index.has_labels()) {
                directed += index.mesh().directed() ? 1 : 0;
                pieced += index.statistics()->label_piece > 0 ? 1 : 0;
            }
            if (step % 4 == 0) {
                ASSERT_EQ(fault_of_random_pairs(index, 2, random, searcher), "");
            }
            for (int i = 0; i < 3; ++i) {
                Query query = random_query(index.mesh(), random, Engine::climb);
                query.detail = Detail::path;
                Answer expected;
                Answer answer;
                searcher.find(index, query, expected);
                other_searcher.find(same, query, answer);
                ASSERT_TRUE(essence(answer) == essence(expected)) << describe(query);
                if (!index.has_labels()) continue;
                query.engine = Engine::cut_labels;
                searcher.find(index, query, answer);
                ASSERT_TRUE(essence(answer) == essence(expected)) << describe(query);
            }
        }
    }
    EXPECT_GT(directed, 0);
    EXPECT_GT(pieced, 0);
}

// With small clusters on many levels, an edit of one polygon often changes every level.
TEST(HnaEditTest, SinglePolygonsReachEveryLevel) {
    for (std::uint64_t seed = 0; seed < cairn::test::scaled(150); ++seed) {
        SCOPED_TRACE(seed);
        RandomMaps random(1000 + seed);
        Options options;
        options.mu = 2;
        options.levels = 4;
        options.labels = false;
        Index index = build(random_mesh(seed, with_area_costs()), options);
        for (int step = 0; step < 6; ++step) {
            index = index.edited(any_edits(index.mesh(), random, 1)).value();
            ASSERT_TRUE(index == build(index.mesh(), options));
        }
    }
}

TEST(HnaEditTest, EditsThatAreUndoneGiveTheFirstIndex) {
    Searcher searcher;
    for (std::uint64_t seed = 0; seed < cairn::test::scaled(60); ++seed) {
        RandomMaps random(seed);
        const Index index = any_index(random_mesh(seed, with_area_costs()), random);
        const Mesh& mesh = index.mesh();
        std::vector<PolygonEdit> edits;
        std::vector<PolygonEdit> undo;
        for (Polygon p = 0; p < mesh.num_polygons(); ++p) {
            if (!random.chance(30)) continue;
            edits.push_back({p, 1, !mesh.blocked(p)});
            // Not mesh.blocked(p): that is also true if the polygon's area is closed.
            undo.push_back({p, mesh.area(p), mesh.data().blocked[p] != 0});
        }
        const Index edited = index.edited(edits).value();
        const Index undone = edited.edited(undo).value();
        ASSERT_TRUE(undone == index) << "seed " << seed;
        ASSERT_EQ(fault_of_random_pairs(with_labels(undone), 5, random, searcher), "");
    }
}

TEST(HnaEditTest, TheLastEditOfAPolygonCounts) {
    const Index index = build(cairn::test::drawn_mesh({"abc"}), {.mu = 2});
    const PolygonEdit twice[] = {{1, 0, true}, {1, 0, false}};  // b is blocked, then freed
    EXPECT_TRUE(index.edited(twice).value() == index);
    EXPECT_TRUE(index.edited({}).value() == index);
    EXPECT_TRUE(index.edited({twice, 1}).value().edited({twice + 1, 1}).value() == index);
    EXPECT_EQ(index.edited({twice, 1}).value().reachable(0, 2), StatusCode::no_path);
}

TEST(HnaEditTest, PolygonsAndAreasOutOfRangeAreRefused) {
    const Index index = build(cairn::test::drawn_mesh({"abc"}), {.mu = 2});
    for (const PolygonEdit& edit :
         {PolygonEdit{3, 0, true}, PolygonEdit{mesh::kNone, 0, false}, PolygonEdit{0, 64, false}}) {
        const auto edited = index.edited({&edit, 1});
        ASSERT_FALSE(edited);
        EXPECT_EQ(edited.error().code, StatusCode::bad_option);
    }
}

TEST(HnaEditTest, BlockingEveryPolygonLeavesNoEdges) {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        RandomMaps random(seed);
        const Index index = any_index(random_mesh(seed), random);
        std::vector<PolygonEdit> edits;
        for (Polygon p = 0; p < index.mesh().num_polygons(); ++p) edits.push_back({p, 0, true});
        const Index blocked = with_labels(index.edited(edits).value());
        ASSERT_TRUE(blocked == build(blocked.mesh(), blocked.options()));
        Query query = any_query(blocked, random);
        EXPECT_EQ(answer_to(blocked, query).status, StatusCode::start_blocked);
        const IndexStatistics statistics = blocked.statistics().value();
        for (const LevelStatistics& level : statistics.levels) {
            EXPECT_EQ(level.inter_edges, 0U);
            EXPECT_EQ(level.intra_edges, 0U);
        }
    }
}

TEST(HnaEditTest, OtherAreaCostsEqualRebuilds) {
    Searcher searcher;
    for (std::uint64_t seed = 0; seed < cairn::test::scaled(100); ++seed) {
        SCOPED_TRACE(seed);
        RandomMaps random(seed);
        const Index index = any_index(random_mesh(seed, with_area_costs()), random);
        const Mesh before = index.mesh();
        auto costs = mesh::MeshOptions::all_ones();
        costs[1] = static_cast<float>(random.number(2, 900));
        costs[2] = random.chance(50) ? -1.0F : 0.5F;
        const auto edits = any_edits(index.mesh(), random, 5);
        const Index other = index.with_area_costs(costs, edits).value();
        ASSERT_TRUE(other == build(before.with_area_costs(costs, edits).value(), index.options()));
        ASSERT_TRUE(other == other.rebuilt().value());
        ASSERT_EQ(other.has_labels(), other.rebuilt().value().has_labels());
        ASSERT_NE(other.snapshot_id(), index.snapshot_id());
        ASSERT_EQ(other.snapshot().overlay.base.partition, index.snapshot().overlay.base.partition);
        ASSERT_EQ(&other.snapshot().locator.data(), &index.snapshot().locator.data());
        ASSERT_EQ(fault_of_random_pairs(other, 5, random, searcher), "");
        ASSERT_EQ(fault_of_random_pairs(index, 2, random, searcher), "");
        // It can be edited like any other.
        const auto later = any_edits(other.mesh(), random, 3);
        const Index edited = other.edited(later).value();
        ASSERT_TRUE(edited == build(other.mesh().edited(later).value(), other.options()));
        ASSERT_EQ(fault_of_random_pairs(edited, 2, random, searcher), "");
    }
    const Index index = build(cairn::test::drawn_mesh({"abc"}), {.mu = 2});
    auto costs = mesh::MeshOptions::all_ones();
    BuildControl control;
    control.threads = -1;
    EXPECT_EQ(index.with_area_costs(costs, {}, control).error().code, StatusCode::bad_option);
    costs[0] = 0;
    EXPECT_EQ(index.with_area_costs(costs).error().code, StatusCode::bad_option);
}

}  // namespace
}  // namespace cairn::hna::test
