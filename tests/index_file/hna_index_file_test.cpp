// Index files of HNA*.

#include <gtest/gtest.h>

#include "small_indexes.hpp"
#include "support/mesh_dijkstra.hpp"
#include "support/random_meshes.hpp"
#include "support/scale.hpp"
#include "support/tiled_meshes.hpp"

namespace cairn::index_file::test {
namespace {

using cairn::test::drawn_mesh;
using cairn::test::random_mesh;
using mesh::Mesh;

/// An index of a random mesh; its options depend on the seed, too.
hna::Index random_index(std::uint64_t seed) {
    const Mesh mesh = random_mesh(seed);
    return build(mesh, hna_options(mesh, seed));
}

void expect_equal_answers(const hna::Index& a, const hna::Index& b) {
    ASSERT_EQ(engines(a), engines(b));
    hna::Searcher searcher;
    hna::Answer answer_of_b;
    for_each_answer(a, 7, [&](const hna::Query& query, const hna::Answer& answer) {
        ASSERT_EQ(searcher.find(b, query, answer_of_b), answer.status);
        ASSERT_EQ(answer_of_b.cost, answer.cost);
        ASSERT_EQ(answer_of_b.links, answer.links);
        ASSERT_EQ(answer_of_b.waypoints, answer.waypoints);
    });
}

void expect_same(const hna::Index& loaded, const hna::Index& built) {
    EXPECT_TRUE(loaded == built);
    EXPECT_EQ(loaded.options(), built.options());
    EXPECT_EQ(loaded.has_labels(), built.has_labels());
    EXPECT_EQ(loaded.labels_status().ok(), built.labels_status().ok());
    EXPECT_EQ(bytes_of_index(loaded), bytes_of_index(built));
    expect_equal_answers(built, loaded);
}

TEST(HnaIndexFile, LoadedIndexesAreTheBuiltOnes) {
    for (std::uint64_t seed = 0; seed < cairn::test::scaled(150); ++seed) {
        const hna::Index built = random_index(seed);
        const auto loaded = read<hna::Index>(bytes_of_index(built));
        ASSERT_TRUE(loaded.has_value()) << seed << ": " << loaded.error().message;
        EXPECT_EQ(loaded->snapshot_id(), built.snapshot_id());
        expect_same(*loaded, built);
        if (HasFailure()) FAIL() << "seed " << seed;
    }
}

TEST(HnaIndexFile, EditedIndexesLoadWithAndWithoutEngines) {
    for (std::uint64_t seed = 0; seed < cairn::test::scaled(50); ++seed) {
        hna::Index built = random_index(seed);
        hna::Index loaded = read<hna::Index>(bytes_of_index(built)).value();
        for (const std::uint32_t step : {3U, 8U, 3U}) {
            const mesh::Polygon polygon = step % built.mesh().num_polygons();
            built = toggled(built, polygon);
            loaded = toggled(loaded, polygon);
            expect_same(loaded, built);
            const auto again = read<hna::Index>(bytes_of_index(loaded));
            ASSERT_TRUE(again.has_value()) << seed << ": " << again.error().message;
            expect_same(*again, built);
            expect_same(again->with_labels().value(), built.with_labels().value());
        }
        if (HasFailure()) FAIL() << "seed " << seed;
    }
}

/// The index after a random tile of the mesh was removed or replaced.
hna::Index with_a_tile_changed(const hna::Index& index, cairn::test::TiledMesh& tiles,
                               cairn::test::RandomMaps& random) {
    const std::vector<std::size_t> removed{
        static_cast<std::size_t>(random.number(0, static_cast<int>(tiles.tiles()) - 1))};
    const bool replace = random.chance(70);
    const auto change = tiles.change(removed, replace ? removed : std::vector<std::size_t>{},
                                     index.mesh().num_polygons());
    return index.changed(change.change()).value();
}

TEST(HnaIndexFile, ChangedIndexesLoadWithTheirPolygonNumbers) {
    for (std::uint64_t seed = 0; seed < cairn::test::scaled(80); ++seed) {
        SCOPED_TRACE(seed);
        cairn::test::RandomMaps random(seed);
        const int side = random.number(2, 4);
        const int cells = random.number(1, 2);
        const bool one_way = random.chance(30);
        cairn::test::TiledMesh tiles(random, side, cells, one_way ? 4 : 0);
        mesh::MeshOptions options;
        options.area_costs[2] = 0.5F;
        if (random.chance(30)) options.scoring = mesh::Scoring::polygon_centres;
        if (random.chance(30)) options.units_per_length = 512;
        if (seed % 3 == 0) options.scoring = mesh::Scoring::portal_parts;
        if (seed % 6 == 0) options.longest_part = 0.4;
        const Mesh mesh = Mesh::build(tiles.all().added.source(), options).value();
        hna::Options index_options = hna_options(mesh, seed);
        if (one_way || random.chance(50)) index_options.pccp = hna::Pccp::portals;
        hna::Index built = build(mesh, index_options);
        for (int step = 0; step < 4; ++step) {
            built = with_a_tile_changed(built, tiles, random);
            if (built.mesh().num_polygons() > built.mesh().num_removed() && random.chance(50)) {
                mesh::Polygon p = 0;
                while (built.mesh().is_removed(p)) ++p;
                built = toggled(built, p);
            }
            if (random.chance(50)) built = built.with_labels().value();
            const std::string bytes = bytes_of_index(built);
            const auto loaded = read<hna::Index>(bytes, built.mesh());
            ASSERT_TRUE(loaded.has_value()) << loaded.error().message;
            EXPECT_EQ(loaded->mesh().num_removed(), built.mesh().num_removed());
            EXPECT_EQ(inspect_bytes(as_bytes(bytes), "x")->fact("polygons"),
                      built.mesh().num_polygons());
            expect_same(*loaded, built);
            if (HasFailure()) FAIL() << step;
            if (random.chance(50)) built = *loaded;
        }
    }
}

TEST(HnaIndexFile, HoldsWidthsOfPortalsAndTheRadius) {
    for (std::uint64_t seed = 0; seed < cairn::test::scaled(80); ++seed) {
        SCOPED_TRACE(seed);
        const double radius = static_cast<double>(seed % 4) / 10;
        const Mesh mesh = cairn::test::mesh_with_widths(seed, radius);
        const hna::Index built = build(mesh, hna_options(mesh, seed));
        const auto loaded = read<hna::Index>(bytes_of_index(built));
        ASSERT_TRUE(loaded.has_value()) << loaded.error().message;
        ASSERT_EQ(loaded->mesh().options().radius, radius);
        for (mesh::Portal portal = 0; portal < mesh.num_portals(); ++portal)
            ASSERT_EQ(loaded->mesh().width(portal), mesh.width(portal));
        expect_same(*loaded, built);
        expect_same(loaded->with_radius(0.25).value(), built.with_radius(0.25).value());
        if (HasFailure()) FAIL();
    }
}

TEST(HnaIndexFile, HoldsMeshesWithoutPortalsOrPolygons) {
    for (const Mesh& mesh : {Mesh(), drawn_mesh({"a"}), drawn_mesh({"a.b"}), drawn_mesh({"ab"})}) {
        for (std::uint64_t number = 0; number < 12; ++number) {
            const hna::Index built = build(mesh, hna_options(mesh, number));
            const auto loaded = read<hna::Index>(bytes_of_index(built));
            ASSERT_TRUE(loaded.has_value()) << loaded.error().message;
            expect_same(*loaded, built);
        }
    }
}

TEST(HnaIndexFile, AnotherMeshIsRefused) {
    const Mesh mesh = random_mesh(3);
    const std::string bytes = bytes_of_index(build(mesh, {}));
    EXPECT_TRUE(read<hna::Index>(bytes, mesh).has_value());
    const Mesh other = random_mesh(4);
    const auto refused = read<hna::Index>(bytes, other);
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().code, StatusCode::wrong_map);
}

TEST(HnaIndexFile, InspectionTellsWhatIsInside) {
    for (std::uint64_t seed = 0; seed < 24; ++seed) {
        const hna::Index index = random_index(seed);
        const auto info = inspect_bytes(as_bytes(bytes_of_index(index)), "x");
        ASSERT_TRUE(info.has_value()) << info.error().message;
        EXPECT_TRUE(info->holds_map);
        EXPECT_EQ(info->fact("polygons"), index.mesh().num_polygons());
        EXPECT_EQ(info->map_fingerprint, index.mesh().fingerprint());
        EXPECT_EQ(info->fact("scoring"), static_cast<int>(index.mesh().options().scoring));
        EXPECT_EQ(index_options<hna::Options>(*info), index.options());
        EXPECT_EQ(info->has_section("labels/nodes"), index.has_labels());
        for (int level = 1; level <= index.options().levels; ++level)
            EXPECT_TRUE(info->has_section("clusters/" + std::to_string(level))) << level;
        EXPECT_GT(info->section_bytes("mesh"), 0U);
        EXPECT_GT(info->section_bytes("rows"), 0U);
    }
}

// Another hash means that the format or the built index has changed.
TEST(GoldenHnaIndexFile, BytesAreTheSameEverywhere) {
    hna::Options options;
    options.levels = 3;
    options.mu = 3;
    options.partitioner = hna::Partitioner::growing;
    options.labels = false;
    EXPECT_EQ(hash_of(bytes_of_index(build(random_mesh(42), options))), "1fd913c6090f161f");
}

}  // namespace
}  // namespace cairn::index_file::test
