// Index::changed on meshes whose tiles are removed and added: each index against one rebuilt from
// scratch, and its answers against the least cost.

#include <gtest/gtest.h>

#include "hna/verify.hpp"
#include "support/scale.hpp"
#include "support/tiled_meshes.hpp"

namespace cairn::hna::test {
namespace {

using cairn::test::TileChange;
using cairn::test::TiledMesh;

Index rebuilt(const Index& index) {
    BuildControl alone;
    alone.threads = 1;
    return index.rebuilt(alone).value();
}

mesh::MeshOptions any_mesh_options(RandomMaps& random) {
    mesh::MeshOptions options;
    options.area_costs[1] = 2.5F;
    options.area_costs[2] = 0.5F;
    options.area_costs[3] = random.chance(50) ? -1.0F : 1.0F;  // -1 closes the area
    if (random.chance(30)) options.scoring = mesh::Scoring::polygon_centres;
    if (random.chance(30)) {
        options.scoring = mesh::Scoring::portal_parts;
        options.longest_part = 0.6;
    }
    return options;
}

/// Removes one or two tiles, and usually fills the same tiles with new polygons.
TileChange any_change(TiledMesh& tiles, const Mesh& mesh, RandomMaps& random) {
    const auto last = static_cast<int>(tiles.tiles()) - 1;
    std::vector<std::size_t> removed{static_cast<std::size_t>(random.number(0, last))};
    const auto second = static_cast<std::size_t>(random.number(0, last));
    if (random.chance(30) && second != removed[0]) removed.push_back(second);
    const bool filled = random.chance(75);
    return tiles.change(removed, filled ? removed : std::vector<std::size_t>{},
                        mesh.num_polygons());
}

/// None to four edits of polygons of the changed mesh, kept or added ones.
std::vector<mesh::PolygonEdit> any_edits_after_change(const Mesh& mesh, RandomMaps& random) {
    std::vector<mesh::PolygonEdit> edits;
    const auto last = static_cast<int>(mesh.num_polygons()) - 1;
    const int count = random.chance(40) && last >= 0 ? random.number(1, 4) : 0;
    for (int i = 0; i < count; ++i) {
        const auto polygon = static_cast<Polygon>(random.number(0, last));
        const auto area = static_cast<std::uint8_t>(random.number(0, 2));
        if (!mesh.is_removed(polygon)) edits.push_back({polygon, area, random.chance(50)});
    }
    return edits;
}

bool has_polygons(const Mesh& mesh) {
    for (Polygon p = 0; p < mesh.num_polygons(); ++p) {
        if (!mesh.is_removed(p) && !mesh.is_connection(p)) return true;
    }
    return false;
}

// On every level each polygon has a cluster, unless it is removed.
void check_clusters(const Index& index) {
    for (int level = 1; level <= index.options().levels; ++level) {
        for (Polygon p = 0; p < index.mesh().num_polygons(); ++p) {
            const std::uint32_t cluster = index.cluster(level, p);
            if (index.mesh().is_removed(p)) {
                ASSERT_EQ(cluster, mesh::kNone);
            } else {
                ASSERT_LT(cluster, index.clusters(level));
            }
        }
    }
}

// Changes a random mesh six times. `one_way`: percent of the portals that are one-way.
void check_sequence(std::uint64_t seed, int one_way, Searcher& searcher) {
    RandomMaps random(seed);
    TiledMesh tiles(random, random.number(2, 4), random.number(1, 3), one_way);
    const Mesh mesh = Mesh::build(tiles.all().added.source(), any_mesh_options(random)).value();
    Options options = any_options(mesh, random);
    // Rows from centres would make the index refuse a change that adds the first one-way portal.
    if (one_way > 0 && options.pccp != Pccp::none) options.pccp = Pccp::portals;
    Index index = build(mesh, options);
    for (int step = 0; step < 6; ++step) {
        SCOPED_TRACE(step);
        const Index old = index;
        const TileChange change = any_change(tiles, old.mesh(), random);
        const auto edits =
            any_edits_after_change(old.mesh().changed(change.change()).value(), random);
        mesh::MeshChange with_edits = change.change();
        with_edits.edits = edits;
        const auto changed = old.changed(with_edits);
        ASSERT_TRUE(changed) << changed.error().message;
        index = *changed;
        ASSERT_EQ(index.mesh(), old.changed(change.change())->mesh().edited(edits).value());
        ASSERT_NE(index.snapshot_id(), old.snapshot_id());
        ASSERT_FALSE(index.has_labels());
        ASSERT_TRUE(index == rebuilt(index));
        ASSERT_NO_FATAL_FAILURE(check_clusters(index));
        if (!has_polygons(index.mesh()) || !has_polygons(old.mesh())) continue;
        ASSERT_EQ(fault_of_random_pairs(index, 3, random, searcher), "");
        ASSERT_EQ(fault_of_random_pairs(old, 1, random, searcher), "");
        const Index labelled = with_labels(index);
        ASSERT_EQ(fault_of_random_pairs(labelled, 3, random, searcher), "");
        if (random.chance(50)) index = labelled;
        if (!random.chance(40)) continue;
        const Polygon polygon = cairn::test::random_place(index.mesh(), random).polygon;
        const std::vector<mesh::PolygonEdit> edit{{polygon, 1, random.chance(50)}};
        index = index.edited(edit).value();
        ASSERT_TRUE(index == rebuilt(index));
    }
}

TEST(HnaChangeTest, SequencesEqualRebuilds) {
    Searcher searcher;
    for (std::uint64_t seed = 0; seed < cairn::test::scaled(100); ++seed) {
        SCOPED_TRACE(seed);
        ASSERT_NO_FATAL_FAILURE(check_sequence(seed, 0, searcher));
    }
}

// Many of these meshes become directed or undirected during the sequence.
TEST(HnaChangeTest, SequencesWithOneWayPortalsEqualRebuilds) {
    Searcher searcher;
    for (std::uint64_t seed = 0; seed < cairn::test::scaled(60); ++seed) {
        SCOPED_TRACE(seed);
        ASSERT_NO_FATAL_FAILURE(check_sequence(500 + seed, seed % 2 == 0 ? 1 : 10, searcher));
    }
}

TEST(HnaChangeTest, AChangedMeshCanBeIndexedFromScratch) {
    Searcher searcher;
    RandomMaps random(3);
    TiledMesh tiles(random, 3, 3);
    const Mesh mesh = Mesh::build(tiles.all().added.source()).value();
    const std::vector<std::size_t> removed_tiles{4, 5};
    const Mesh changed =
        mesh.changed(tiles.change(removed_tiles, removed_tiles, mesh.num_polygons()).change())
            .value();
    const Index index = build(changed);
    check_clusters(index);
    EXPECT_EQ(fault_of_random_pairs(index, 50, random, searcher), "");
}

TEST(HnaChangeTest, PlacesInRemovedPolygonsAreOutside) {
    RandomMaps random(4);
    TiledMesh tiles(random, 2, 3);
    const Index index = build(Mesh::build(tiles.all().added.source()).value());
    const std::vector<std::size_t> removed_tiles{0};
    const Polygon removed = tiles.polygons(0).front();
    const Place start = cairn::test::random_place(index.mesh(), removed, random);
    const Place goal = cairn::test::random_place(index.mesh(), tiles.polygons(3).front(), random);
    const Index after =
        index.changed(tiles.change(removed_tiles, {}, index.mesh().num_polygons()).change())
            .value();
    EXPECT_EQ(answer_to(after, query_of(start, goal)).status, StatusCode::start_outside);
    EXPECT_EQ(answer_to(after, query_of(goal, start)).status, StatusCode::goal_outside);
    EXPECT_EQ(answer_to(index, query_of(goal, goal)).status, StatusCode::ok);
    EXPECT_EQ(after.reachable(removed, tiles.polygons(3).front()), StatusCode::start_outside);
}

TEST(HnaChangeTest, UnknownAndRemovedPolygonsAreRefused) {
    RandomMaps random(5);
    TiledMesh tiles(random, 2, 3);
    const Index index = build(Mesh::build(tiles.all().added.source()).value());
    const std::vector<Polygon> beyond{index.mesh().num_polygons()};
    EXPECT_EQ(index.changed({beyond, {}}).error().code, StatusCode::bad_option);
    const std::vector<Polygon> first{0};
    const std::vector<mesh::PolygonEdit> edits{{0, 1, false}};
    EXPECT_EQ(index.changed({first, {}, edits}).error().code, StatusCode::bad_option);
    EXPECT_TRUE(index.changed({{}, {}, edits}));
}

// A change keeps the partition. So two indexes of the same mesh and options may have different
// clusters. A searcher that keeps the connection of its last goal must not use it on the other
// index.
TEST(HnaChangeTest, OneSearcherServesIndexesOfDifferentPartitions) {
    std::size_t different = 0;
    for (std::uint64_t seed = 0; seed < cairn::test::scaled(40); ++seed) {
        RandomMaps random(seed);
        TiledMesh tiles(random, 3, 3);
        Options options;
        options.mu = 4;
        const Index first = build(Mesh::build(tiles.all().added.source()).value(), options);
        const Index kept = first.changed(any_change(tiles, first.mesh(), random).change())
                               .value()
                               .rebuilt()
                               .value();
        const Index fresh = build(kept.mesh(), options);
        different += kept == fresh ? 0 : 1;
        Searcher searcher;
        Answer answer;
        const Query model = random_query(kept.mesh(), random);
        for (int i = 0; i < 20; ++i) {
            Query query = random_query(kept.mesh(), random);
            query.goal = model.goal;
            const Index& index = random.chance(50) ? kept : fresh;
            searcher.find(index, query, answer);
            ASSERT_TRUE(essence(answer) == essence(answer_to(index, query))) << seed;
        }
    }
    EXPECT_GT(different, 0U);
}

}  // namespace
}  // namespace cairn::hna::test
