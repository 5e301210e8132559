// Index files of subgoal graphs.

#include <gtest/gtest.h>

#include <cstring>

#include "small_indexes.hpp"
#include "support/scale.hpp"

namespace cairn::index_file::test {
namespace {

using grid::Cell;
using subgoal::Options;

// Expects the same answers of both indexes, by every engine.
void expect_equal_answers(const subgoal::Index& a, const subgoal::Index& b) {
    ASSERT_EQ(engines(a), engines(b));
    subgoal::Searcher searcher_a;
    subgoal::Searcher searcher_b;
    subgoal::Answer expected;
    subgoal::Answer answer;
    const Cell cells = static_cast<Cell>(a.map().size());
    for (const subgoal::Engine engine : engines(a)) {
        // At most 25 starts and 80 goals.
        for (Cell start = 0; start < cells; start += 11 + cells / 25) {
            for (Cell goal = 0; goal < cells; goal += 5 + cells / 80) {
                const subgoal::Query q = query(a.map(), start, goal, engine);
                ASSERT_EQ(searcher_a.find(a, q, expected), searcher_b.find(b, q, answer));
                ASSERT_EQ(expected.cost, answer.cost);
                ASSERT_EQ(expected.engine, answer.engine);
                ASSERT_EQ(expected.subgoals, answer.subgoals);
                ASSERT_EQ(expected.cells, answer.cells);
            }
        }
    }
}

std::vector<Options> all_options() {
    using subgoal::Edges;
    using subgoal::ExtraEdges;
    std::vector<Options> all;
    for (const Edges edges : {Edges::direct, Edges::h_reachable}) {
        for (const ExtraEdges extra : {ExtraEdges::none, ExtraEdges::h_reachable}) {
            for (std::uint32_t levels = 0; levels < 4; ++levels) {
                for (int bits = 0; bits < 4; ++bits) {
                    Options options;
                    options.edges = edges;
                    options.extra_edges = extra;
                    options.levels = levels;
                    options.order = static_cast<ContractionOrder>(all.size() % 5);
                    options.prune = (bits & 1) != 0;
                    options.labels = (bits & 2) != 0;
                    all.push_back(options);
                }
            }
        }
    }
    return all;
}

// The bytes of all parts that are in the file: not the closure of labels. An edited index holds
// labels in pages, and also the old connectors of tiles that have changed since.
std::size_t bytes_of_parts(const subgoal::Index& index) {
    const subgoal::IndexStatistics s = index.statistics().value();
    const std::size_t bytes = s.bytes() - s.closure_bytes;
    return index.complete() ? bytes : bytes - s.connector_bytes - s.label_bytes;
}

void expect_same(const subgoal::Index& loaded, const subgoal::Index& built) {
    EXPECT_TRUE(loaded == built);
    EXPECT_EQ(loaded.options(), built.options());
    EXPECT_EQ(loaded.complete(), built.complete());
    EXPECT_EQ(loaded.has_labels(), built.has_labels());
    EXPECT_EQ(loaded.labels_status().code, built.labels_status().code);
    EXPECT_EQ(loaded.labels_status().message, built.labels_status().message);
    EXPECT_EQ(subgoal::edges(loaded).value(), subgoal::edges(built).value());
    EXPECT_EQ(loaded.statistics().value().taut_edges, built.statistics().value().taut_edges);
    EXPECT_EQ(bytes_of_parts(loaded), bytes_of_parts(built));
    expect_equal_answers(built, loaded);
}

TEST(SubgoalIndexFile, LoadedIndexesAreTheBuiltOnes) {
    std::uint32_t seed = 0;
    for (const Options& options : all_options()) {
        ++seed;
        const grid::Map map = noise_map(seed, 21, 18, {}, 5 + seed % 40);
        const subgoal::Index built = build(map, options);
        const std::string bytes = bytes_of_index(built);
        const auto loaded = read<subgoal::Index>(bytes, map);
        ASSERT_TRUE(loaded.has_value()) << loaded.error().message;
        EXPECT_EQ(loaded->snapshot_id(), built.snapshot_id());
        EXPECT_EQ(bytes_of_index(*loaded), bytes);
        expect_same(*loaded, built);
    }
}

TEST(SubgoalIndexFile, HoldsMapsOfAnyShape) {
    for (const auto& [width, height] :
         {std::pair(1, 1), {3, 3}, {16, 16}, {1, 40}, {70, 1}, {5, 33}, {65, 17}}) {
        for (const unsigned blocked : {0U, 30U, 100U}) {
            const grid::Map map = noise_map(7, width, height, {}, blocked);
            const subgoal::Index built = build(map, Options{});
            const auto loaded = read<subgoal::Index>(bytes_of_index(built), map);
            ASSERT_TRUE(loaded.has_value()) << loaded.error().message;
            expect_same(*loaded, built);
        }
    }
}

TEST(SubgoalIndexFile, TellsWhyThereAreNoLabels) {
    const grid::Map map = noise_map(5, 30, 30);
    Options options;
    options.label_bytes = 100;
    const subgoal::Index built = build(map, options);
    ASSERT_EQ(built.labels_status().code, StatusCode::too_large);
    const auto loaded = read<subgoal::Index>(bytes_of_index(built), map);
    ASSERT_TRUE(loaded.has_value()) << loaded.error().message;
    expect_same(*loaded, built);
}

TEST(SubgoalIndexFile, EditedIndexesLoadWithAndWithoutEngines) {
    std::mt19937 random(5);
    for (const subgoal::Edges edges : {subgoal::Edges::direct, subgoal::Edges::h_reachable}) {
        Options options;
        options.edges = edges;
        options.levels = 3;
        subgoal::Index index = build(noise_map(11, 22, 19, {}, 20), options);
        for (std::uint64_t i = cairn::test::scaled(30); i > 0; --i) {
            // Every third time, edit an index that was read from a file.
            if (i % 3 == 0)
                index = read<subgoal::Index>(bytes_of_index(index), index.map()).value();
            index = toggled(index, static_cast<Cell>(random() % index.map().size()));
            const subgoal::Index fresh = build(index.map(), options);
            ASSERT_TRUE(index == fresh);
            const std::string bytes = bytes_of_index(index);
            const auto bare = read<subgoal::Index>(bytes, index.map());
            ASSERT_TRUE(bare.has_value()) << bare.error().message;
            expect_same(*bare, index);
            ASSERT_EQ(bytes, bytes_of_index(*bare));
            // New labels take the order of the closure, also if that lies in a file's bytes.
            ASSERT_EQ(bytes_of_index(bare->with_labels().value()),
                      bytes_of_index(index.with_labels().value()));
            if (i % 2 != 0) continue;
            index = index.with_labels().value();
            const auto loaded = read<subgoal::Index>(bytes_of_index(index), index.map());
            ASSERT_TRUE(loaded.has_value()) << loaded.error().message;
            expect_same(*loaded, index);
        }
    }
}

TEST(SubgoalIndexFile, EditsOfLoadedIndexesAreThoseOfBuiltOnes) {
    const grid::Map map = noise_map(23, 40, 40, {}, 15);
    const subgoal::Index built = build(map, Options{});
    const subgoal::Index loaded = read<subgoal::Index>(bytes_of_index(built), map).value();
    for (const Cell cell : {Cell{0}, Cell{333}, Cell{820}, Cell{1599}}) {
        const subgoal::Index a = toggled(built, cell).with_labels().value();
        const subgoal::Index b = toggled(loaded, cell).with_labels().value();
        EXPECT_EQ(a.snapshot_id(), b.snapshot_id());
        EXPECT_EQ(bytes_of_index(a), bytes_of_index(b));
        expect_same(b, a);
    }
}

TEST(SubgoalIndexFile, InspectionTellsWhatIsInside) {
    const grid::Map map = noise_map(9, 50, 40);
    Options options;
    options.levels = 2;
    options.label_bytes = 123'456'789;
    const subgoal::Index index = build(map, options);
    const auto info = inspect_bytes(as_bytes(bytes_of_index(index)), "x");
    ASSERT_TRUE(info.has_value()) << info.error().message;
    EXPECT_EQ(info->width, 50);
    EXPECT_EQ(info->height, 40);
    EXPECT_EQ(info->map_fingerprint, map.fingerprint());
    EXPECT_FALSE(info->holds_map);
    EXPECT_EQ(index_options<Options>(*info), options);
    EXPECT_EQ(info->section_bytes("labels"), index.statistics().value().label_bytes);
    EXPECT_GT(info->section_bytes("subgoals"), 0U);
    EXPECT_GT(info->section_bytes("levels"), 0U);

    const std::string bytes = bytes_of_index(toggled(index, 5));
    const auto bare = inspect_bytes(as_bytes(bytes), "bare");
    EXPECT_FALSE(bare->has_section("levels/arcs"));
    EXPECT_FALSE(bare->has_section("labels/nodes"));
}

TEST(SubgoalIndexFile, AnotherMapIsRefused) {
    const subgoal::Index index = build(noise_map(1, 12, 12), Options{});
    const std::string bytes = bytes_of_index(index);
    const auto expect_wrong = [&](const grid::Map& other) {
        const auto loaded = read<subgoal::Index>(bytes, other);
        ASSERT_FALSE(loaded.has_value());
        EXPECT_EQ(loaded.error().code, StatusCode::wrong_map);
        EXPECT_TRUE(loaded.error().message.starts_with("test.cairn: ")) << loaded.error().message;
    };
    expect_wrong(noise_map(2, 12, 12));
    expect_wrong(noise_map(1, 13, 12));
    expect_wrong(noise_map(1, 12, 13));
    expect_wrong(noise_map(1, 12, 12, {grid::Neighbourhood::eight, grid::CornerRule::free}));
    expect_wrong(toggled(index, 39).map());
    EXPECT_TRUE(read<subgoal::Index>(bytes, noise_map(1, 12, 12)).has_value());
}

// A file with the fingerprint of a map whose rules allow no subgoal graph.
TEST(SubgoalIndexFile, MapsWithoutSubgoalGraphsAreRefused) {
    const subgoal::Index index = build(noise_map(4, 13, 17, {}, 15), Options{});
    const std::string bytes = bytes_of_index(index);
    const grid::Map& map = index.map();
    const grid::Map other =
        noise_map(4, 13, 17, {grid::Neighbourhood::eight, grid::CornerRule::free}, 15);
    const std::uint64_t own_fingerprint = map.fingerprint();
    const std::uint64_t other_fingerprint = other.fingerprint();
    std::size_t at = 0;
    while (std::memcmp(bytes.data() + at, &own_fingerprint, sizeof own_fingerprint) != 0) ++at;
    std::string forged = bytes;
    std::memcpy(forged.data() + at, &other_fingerprint, sizeof other_fingerprint);
    const auto loaded = read<subgoal::Index>(resealed(forged), other);
    ASSERT_FALSE(loaded.has_value());
    EXPECT_EQ(loaded.error().code, StatusCode::corrupt_file) << loaded.error().message;
}

// Another hash means that the format or the built index has changed.
TEST(GoldenSubgoalIndexFile, BytesAreTheSameEverywhere) {
    Options options;
    options.levels = 3;
    options.labels = false;
    const subgoal::Index index = build(noise_map(42, 61, 47, {}, 20), options);
    EXPECT_EQ(hash_of(bytes_of_index(index)), "00999af1aeb89143");
}

}  // namespace
}  // namespace cairn::index_file::test
