#include "cairn/index_file/subgoal_index_file.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "cairn/index_file/index_kind.hpp"
#include "small_subgoal_indexes.hpp"
#include "support/scale.hpp"
#include "support/scratch_folder.hpp"

namespace cairn::index_file::test {
namespace {

using grid::Cell;
using subgoal::Options;

std::string bytes_of_index(const subgoal::Index& index) { return index_bytes(index).value(); }

// Every answer of `b` is that of `a`: cells, costs, engine.
void expect_equal_answers(const subgoal::Index& a, const subgoal::Index& b) {
    ASSERT_EQ(engines(a), engines(b));
    subgoal::Searcher one;
    subgoal::Searcher other;
    subgoal::Answer expected;
    subgoal::Answer answer;
    const Cell cells = static_cast<Cell>(a.map().size());
    for (const subgoal::Engine engine : engines(a)) {
        for (Cell start = 0; start < cells; start += 11 + cells / 25) {
            for (Cell goal = 0; goal < cells; goal += 5 + cells / 80) {
                const subgoal::Query q = query(a.map(), start, goal, engine);
                ASSERT_EQ(one.find(a, q, expected), other.find(b, q, answer));
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

void expect_same(const subgoal::Index& loaded, const subgoal::Index& built) {
    EXPECT_TRUE(loaded == built);
    EXPECT_EQ(loaded.options(), built.options());
    EXPECT_EQ(loaded.complete(), built.complete());
    EXPECT_EQ(loaded.has_labels(), built.has_labels());
    EXPECT_EQ(loaded.labels_status().code, built.labels_status().code);
    EXPECT_EQ(loaded.labels_status().message, built.labels_status().message);
    EXPECT_EQ(subgoal::edges(loaded), subgoal::edges(built));
    EXPECT_EQ(loaded.statistics().taut_edges, built.statistics().taut_edges);
    EXPECT_EQ(loaded.statistics().bytes(), built.statistics().bytes());
    expect_equal_answers(built, loaded);
}

TEST(SubgoalIndexFile, LoadedIndexesAreTheBuiltOnes) {
    std::uint32_t seed = 0;
    for (const Options& options : all_options()) {
        ++seed;
        const grid::Map map = noise_map(seed, 21, 18, {}, 5 + seed % 40);
        const subgoal::Index built = build(map, options);
        const std::string bytes = bytes_of_index(built);
        const auto loaded = load_subgoals(bytes, map);
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
            const subgoal::Index built = build(map, {});
            const auto loaded = load_subgoals(bytes_of_index(built), map);
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
    const auto loaded = load_subgoals(bytes_of_index(built), map);
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
            // Now and then the index is one from a file, with or without engines.
            if (i % 3 == 0) index = load_subgoals(bytes_of_index(index), index.map()).value();
            index = toggled(index, static_cast<Cell>(random() % index.map().size()));
            const subgoal::Index fresh = build(index.map(), options);
            ASSERT_TRUE(index == fresh);
            const std::string bytes = bytes_of_index(index);
            const auto bare = load_subgoals(bytes, index.map());
            ASSERT_TRUE(bare.has_value()) << bare.error().message;
            expect_same(*bare, index);
            ASSERT_EQ(bytes, bytes_of_index(toggled(toggled(fresh, 77), 77)));
            ASSERT_EQ(bytes_of_index(bare->with_labels().value()), bytes_of_index(fresh));
            if (i % 2 != 0) continue;
            // Labels in the order of those before, which may be mapped.
            index = index.with_labels().value();
            const auto loaded = load_subgoals(bytes_of_index(index), index.map());
            ASSERT_TRUE(loaded.has_value()) << loaded.error().message;
            expect_same(*loaded, index);
        }
    }
}

TEST(SubgoalIndexFile, EditsOfLoadedIndexesAreThoseOfBuiltOnes) {
    const grid::Map map = noise_map(23, 40, 40, {}, 15);
    const subgoal::Index built = build(map, {});
    const subgoal::Index loaded = load_subgoals(bytes_of_index(built), map).value();
    for (const Cell cell : {Cell{0}, Cell{333}, Cell{820}, Cell{1599}}) {
        const subgoal::Index a = toggled(built, cell).with_labels().value();
        const subgoal::Index b = toggled(loaded, cell).with_labels().value();
        EXPECT_EQ(a.snapshot_id(), b.snapshot_id());
        EXPECT_EQ(bytes_of_index(a), bytes_of_index(b));
        expect_same(b, a);
    }
}

TEST(SubgoalIndexFile, FilesSurviveTheirReplacement) {
    const cairn::test::ScratchFolder folder;
    const auto path = folder.path() / "map.crsg";
    const subgoal::Index built = build(noise_map(9, 40, 40), {});
    ASSERT_TRUE(save_index(path, built).ok());
    EXPECT_EQ(cairn::test::bytes_of(path), bytes_of_index(built));
    const auto first = load_subgoal_index(path, built.map());
    ASSERT_TRUE(first.has_value()) << first.error().message;
    const subgoal::Index edited = toggled(*first, 99);
    ASSERT_TRUE(save_index(path, edited).ok());
    const auto second = load_subgoal_index(path, edited.map());
    ASSERT_TRUE(second.has_value()) << second.error().message;
    std::filesystem::remove(path);
    expect_same(*first, built);
    expect_same(*second, edited);
}

TEST(SubgoalIndexFile, InspectionTellsWhatIsInside) {
    const cairn::test::ScratchFolder folder;
    const grid::Map map = noise_map(9, 50, 40);
    Options options;
    options.levels = 2;
    options.label_bytes = 123'456'789;
    const subgoal::Index index = build(map, options);
    const auto path = folder.path() / "map.crsg";
    ASSERT_TRUE(save_index(path, index).ok());
    const auto info = inspect_subgoal_index(path);
    ASSERT_TRUE(info.has_value()) << info.error().message;
    EXPECT_EQ(info->version, kSubgoalIndexVersion);
    EXPECT_EQ(info->width, 50);
    EXPECT_EQ(info->height, 40);
    EXPECT_EQ(info->map_fingerprint, map.fingerprint());
    EXPECT_EQ(info->options, options);
    EXPECT_TRUE(info->complete);
    EXPECT_TRUE(info->has_labels);
    EXPECT_EQ(info->file_bytes, std::filesystem::file_size(path));
    EXPECT_EQ(info->label_bytes, index.statistics().label_bytes);
    EXPECT_GT(info->graph_bytes, 0U);
    EXPECT_GT(info->level_bytes, 0U);
    const std::size_t parts = info->graph_bytes + info->level_bytes + info->label_bytes;
    EXPECT_LT(parts, info->file_bytes);
    EXPECT_GT(parts + 400, info->file_bytes);

    const std::string bytes = bytes_of_index(toggled(index, 5));
    const auto bare = inspect_subgoal_index_bytes(as_bytes(bytes), "bare");
    EXPECT_FALSE(bare->complete);
    EXPECT_FALSE(bare->has_labels);
    EXPECT_EQ(bare->level_bytes + bare->label_bytes, 0U);
}

TEST(SubgoalIndexFile, BytesNeedNoAlignment) {
    const subgoal::Index built = build(noise_map(9, 30, 30), {});
    const std::string bytes = bytes_of_index(built);
    for (std::size_t shift = 0; shift < 8; ++shift) {
        const auto owner = std::make_shared<const std::string>(std::string(shift, 'x') + bytes);
        const auto shifted = as_bytes(*owner).subspan(shift);
        const auto loaded = subgoal_index_from_bytes(shifted, owner, "shifted", built.map());
        ASSERT_TRUE(loaded.has_value()) << loaded.error().message;
        EXPECT_TRUE(*loaded == built);
        EXPECT_TRUE(inspect_subgoal_index_bytes(shifted, "shifted").has_value());
    }
}

TEST(SubgoalIndexFile, AnotherMapIsRefused) {
    const subgoal::Index index = build(noise_map(1, 12, 12), {});
    const std::string bytes = bytes_of_index(index);
    const auto expect_wrong = [&](const grid::Map& other) {
        const auto loaded = load_subgoals(bytes, other);
        ASSERT_FALSE(loaded.has_value());
        EXPECT_EQ(loaded.error().code, StatusCode::wrong_map);
        EXPECT_TRUE(loaded.error().message.starts_with("test.crsg: ")) << loaded.error().message;
    };
    expect_wrong(noise_map(2, 12, 12));
    expect_wrong(noise_map(1, 13, 12));
    expect_wrong(noise_map(1, 12, 13));
    expect_wrong(noise_map(1, 12, 12, {grid::Neighbourhood::eight, grid::CornerRule::free}));
    expect_wrong(toggled(index, 39).map());
    EXPECT_TRUE(load_subgoals(bytes, noise_map(1, 12, 12)).has_value());
}

TEST(SubgoalIndexFile, SystemErrorsNameTheFile) {
    const cairn::test::ScratchFolder folder;
    const subgoal::Index index = build(noise_map(1, 12, 12), {});
    const grid::Map& map = index.map();
    const auto expect_error = [](const Status& status, StatusCode code,
                                 const std::filesystem::path& path) {
        EXPECT_EQ(status.code, code);
        EXPECT_TRUE(status.message.starts_with(path.string() + ": ")) << status.message;
    };
    const auto missing = folder.path() / "missing.crsg";
    expect_error(load_subgoal_index(missing, map).error(), StatusCode::io_error, missing);
    expect_error(inspect_subgoal_index(missing).error(), StatusCode::io_error, missing);
    expect_error(index_kind(missing).error(), StatusCode::io_error, missing);
    EXPECT_EQ(save_index(folder.path(), index).code, StatusCode::io_error);
    EXPECT_EQ(save_index(folder.path() / "no" / "folder.crsg", index).code, StatusCode::io_error);
    const auto empty = folder.file("empty.crsg", "");
    expect_error(load_subgoal_index(empty, map).error(), StatusCode::corrupt_file, empty);
    expect_error(index_kind(empty).error(), StatusCode::corrupt_file, empty);
}

TEST(SubgoalIndexFile, AFileTellsItsPlanner) {
    const cairn::test::ScratchFolder folder;
    const grid::Map map = noise_map(1, 12, 12);
    const auto hpa = folder.path() / "map.crhp";
    const auto subgoals = folder.path() / "map.crsg";
    ASSERT_TRUE(save_index(hpa, hpa::Index::build(map).value()).ok());
    ASSERT_TRUE(save_index(subgoals, build(map, {})).ok());
    EXPECT_EQ(index_kind(hpa), IndexKind::hpa);
    EXPECT_EQ(index_kind(subgoals), IndexKind::subgoal);
    EXPECT_EQ(load_index(subgoals, map).error().code, StatusCode::corrupt_file);
    EXPECT_EQ(load_subgoal_index(hpa, map).error().code, StatusCode::corrupt_file);
    const auto text = folder.file("map.map", "type octile\nheight 1\nwidth 1\nmap\n.");
    EXPECT_EQ(index_kind(text).error().code, StatusCode::corrupt_file);
    EXPECT_EQ(index_kind_of_bytes(as_bytes("CRSG")), std::nullopt);
}

// The bytes themselves: a change here is a change of the format or of what is built. The last
// eight bytes hash all the others.
std::uint64_t hash_of(const std::string& bytes) {
    std::uint64_t hash = 0;
    std::memcpy(&hash, bytes.data() + bytes.size() - sizeof hash, sizeof hash);
    return hash;
}

TEST(GoldenSubgoalIndexFile, BytesAreTheSameEverywhere) {
    Options options;
    options.levels = 3;
    options.labels = false;
    const subgoal::Index index = build(noise_map(42, 61, 47, {}, 20), options);
    EXPECT_EQ(hash_of(bytes_of_index(index)), 17285230875794088377U);
}

}  // namespace
}  // namespace cairn::index_file::test
