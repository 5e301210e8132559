// Index files of HPA*.

#include <gtest/gtest.h>

#include "small_indexes.hpp"
#include "support/scale.hpp"

namespace cairn::index_file::test {
namespace {

using grid::Cell;

hpa::Options small_options(int levels = 2) {
    hpa::Options options;
    options.cluster_size = 4;
    options.levels = levels;
    return options;
}

// Expects the same answers of both indexes, by every engine.
void expect_equal_answers(const hpa::Index& a, const hpa::Index& b) {
    ASSERT_EQ(engines(a), engines(b));
    hpa::Searcher searcher_a;
    hpa::Searcher searcher_b;
    hpa::Answer expected;
    hpa::Answer answer;
    const Cell cells = static_cast<Cell>(a.map().size());
    for (const hpa::Engine engine : engines(a)) {
        for (Cell start = 0; start < cells; start += 11) {
            for (Cell goal = 0; goal < cells; goal += 5) {
                const hpa::Query q = query(a.map(), start, goal, engine);
                ASSERT_EQ(searcher_a.find(a, q, expected), searcher_b.find(b, q, answer));
                ASSERT_EQ(expected.cost, answer.cost);
                ASSERT_EQ(expected.abstract_cost, answer.abstract_cost);
                ASSERT_EQ(expected.abstract_nodes, answer.abstract_nodes);
                ASSERT_EQ(expected.cells, answer.cells);
                ASSERT_EQ(expected.snapshot_id, answer.snapshot_id);
            }
        }
    }
}

/// Options of an index and of its map.
struct Case {
    hpa::Options options;
    grid::MoveRules rules;
    unsigned heaviest;  ///< the greatest weight of a cell
};

std::vector<Case> cases() {
    using grid::CornerRule;
    using grid::Neighbourhood;
    using hpa::DiagonalCrossings;
    using hpa::Transitions;
    std::vector<Case> all;
    for (const Transitions transitions :
         {Transitions::by_width, Transitions::middle, Transitions::every, Transitions::by_cost}) {
        for (const DiagonalCrossings diagonals :
             {DiagonalCrossings::needed, DiagonalCrossings::none, DiagonalCrossings::every}) {
            for (int bits = 0; bits < 4; ++bits) {
                Case c;
                c.options = small_options(1 + static_cast<int>(all.size() % 3));
                c.options.transitions = transitions;
                c.options.wide_entrance = 3;
                c.options.diagonals = diagonals;
                c.options.move_tables = (bits & 1) != 0;
                c.options.labels = (bits & 2) != 0;
                c.rules = {all.size() % 5 == 4 ? Neighbourhood::four : Neighbourhood::eight,
                           static_cast<CornerRule>(all.size() % 3)};
                c.heaviest = all.size() % 4 == 1 ? 5 : 1;
                all.push_back(c);
            }
        }
    }
    return all;
}

TEST(HpaIndexFile, LoadedIndexesAreTheBuiltOnes) {
    std::uint32_t seed = 1;
    for (const Case& c : cases()) {
        const grid::Map map = noise_map(seed++, 17, 14, c.rules, 25, c.heaviest);
        const hpa::Index built = build(map, c.options);
        const std::string bytes = bytes_of_index(built);
        const auto loaded = read<hpa::Index>(bytes, map);
        ASSERT_TRUE(loaded.has_value()) << loaded.error().message;
        EXPECT_TRUE(*loaded == built);
        EXPECT_EQ(loaded->options(), c.options);
        EXPECT_EQ(loaded->has_labels(), c.options.labels);
        EXPECT_EQ(loaded->labels_status().ok(), c.options.labels);
        EXPECT_EQ(loaded->snapshot_id(), built.snapshot_id());
        EXPECT_GT(loaded->statistics().value().bytes(), 0U);
        EXPECT_EQ(bytes_of_index(*loaded), bytes);
        expect_equal_answers(built, *loaded);
    }
}

TEST(HpaIndexFile, LabelsMayHavePieces) {
    const grid::Map map = noise_map(5, 40, 30, {}, 25);
    hpa::Options options = small_options();
    const hpa::Index whole = build(map, options);
    options.label_bytes = whole.statistics().value().label_bytes - 1;
    const hpa::Index built = build(map, options);
    const std::string bytes = bytes_of_index(built);
    const auto loaded = read<hpa::Index>(bytes, map);
    ASSERT_TRUE(loaded.has_value()) << loaded.error().message;
    EXPECT_EQ(loaded->statistics().value().label_piece, 64U);
    EXPECT_TRUE(loaded->has_labels());
    EXPECT_EQ(bytes_of_index(*loaded), bytes);
    expect_equal_answers(built, *loaded);
    expect_equal_answers(whole, *loaded);
}

TEST(HpaIndexFile, HoldsMapsOfAnyShape) {
    for (const auto& [width, height] :
         {std::pair(1, 1), {3, 3}, {4, 4}, {1, 40}, {70, 1}, {5, 33}}) {
        for (const unsigned blocked : {0U, 30U, 100U}) {
            const grid::Map map = noise_map(7, width, height, {}, blocked);
            const hpa::Index built = build(map, small_options(3));
            const auto loaded = read<hpa::Index>(bytes_of_index(built), map);
            ASSERT_TRUE(loaded.has_value()) << loaded.error().message;
            EXPECT_TRUE(*loaded == built);
            expect_equal_answers(built, *loaded);
        }
    }
}

TEST(HpaIndexFile, IndexesWithoutLabelsHaveTheFileOfOnesBuiltWithoutThem) {
    const grid::Map map = noise_map(3, 20, 20);
    hpa::Options options = small_options();
    const std::string with = bytes_of_index(build(map, options));
    const std::string without = bytes_of_index(build(map, options).without_labels().value());
    EXPECT_LT(without.size(), with.size());
    options.labels = false;
    const hpa::Index plain = build(map, options);
    EXPECT_EQ(bytes_of_index(plain), without);
    EXPECT_EQ(bytes_of_index(plain.with_labels().value()), with);
    EXPECT_EQ(bytes_of_index(read<hpa::Index>(without, map)->with_labels().value()), with);
}

TEST(HpaIndexFile, AnEditedIndexGivesTheBytesOfAFreshOne) {
    std::mt19937 random(5);
    for (int levels = 1; levels <= 3; ++levels) {
        grid::Map map = noise_map(11, 23, 19, {}, 20, 3);
        hpa::Index edited = build(map, small_options(levels));
        for (std::uint64_t i = cairn::test::scaled(40); i > 0; --i) {
            const grid::TerrainEdit edit{
                {static_cast<int>(random() % 20), static_cast<int>(random() % 16),
                 1 + static_cast<int>(random() % 3), 1 + static_cast<int>(random() % 3)},
                static_cast<std::uint8_t>(random() % 4)};
            // Every eighth time, edit an index that was read from a file.
            if (i % 8 == 0) edited = read<hpa::Index>(bytes_of_index(edited), map).value();
            edited = edited.edited(std::span(&edit, 1)).value();
            map = map.edited(std::span(&edit, 1)).value();
            const hpa::Index fresh = build(map, small_options(levels));
            ASSERT_EQ(bytes_of_index(edited.without_labels().value()),
                      bytes_of_index(fresh.without_labels().value()));
            ASSERT_EQ(bytes_of_index(edited.without_labels().value().with_labels().value()),
                      bytes_of_index(fresh));
            if (i % 3 != 0) continue;
            // New labels take the order of the closure, also if that lies in a file's bytes.
            const hpa::Index loaded = read<hpa::Index>(bytes_of_index(edited), map).value();
            ASSERT_EQ(bytes_of_index(loaded), bytes_of_index(edited));
            const std::string bytes = bytes_of_index(edited.with_labels().value());
            ASSERT_EQ(bytes_of_index(loaded.with_labels().value()), bytes);
            edited = read<hpa::Index>(bytes, map).value();
            ASSERT_EQ(bytes_of_index(edited), bytes);
        }
    }
}

TEST(HpaIndexFile, InspectionTellsWhatIsInside) {
    const grid::Map map = noise_map(9, 30, 20);
    hpa::Options options = small_options(3);
    options.label_bytes = 123'456'789;
    const hpa::Index index = build(map, options);
    const auto info = inspect_bytes(as_bytes(bytes_of_index(index)), "x");
    ASSERT_TRUE(info.has_value()) << info.error().message;
    EXPECT_EQ(info->width, 30);
    EXPECT_EQ(info->height, 20);
    EXPECT_EQ(info->map_fingerprint, map.fingerprint());
    EXPECT_FALSE(info->holds_map);
    EXPECT_EQ(index_options<hpa::Options>(*info), options);
    for (const char* level : {"clusters/1", "clusters/2", "clusters/3"})
        EXPECT_GT(info->section_bytes(level), 0U) << level;
    EXPECT_FALSE(info->has_section("clusters/4"));
    EXPECT_GT(info->section_bytes("move tables"), 0U);
    EXPECT_GT(info->section_bytes("labels"), index.statistics().value().label_bytes / 2);

    options.move_tables = false;
    const std::string bytes = bytes_of_index(build(map, options).without_labels().value());
    const auto bare = inspect_bytes(as_bytes(bytes), "bare");
    EXPECT_FALSE(bare->has_section("move tables"));
    EXPECT_EQ(bare->section_bytes("labels"), 0U);
    EXPECT_FALSE(index_options<hpa::Options>(*bare)->labels);
}

TEST(HpaIndexFile, AnotherMapIsRefused) {
    const grid::Map map = noise_map(1, 12, 12);
    const std::string bytes = bytes_of_index(build(map, small_options()));
    const auto expect_wrong = [&](const grid::Map& other) {
        const auto loaded = read<hpa::Index>(bytes, other);
        ASSERT_FALSE(loaded.has_value());
        EXPECT_EQ(loaded.error().code, StatusCode::wrong_map);
        EXPECT_TRUE(loaded.error().message.starts_with("test.cairn: ")) << loaded.error().message;
    };
    expect_wrong(noise_map(2, 12, 12));
    expect_wrong(noise_map(1, 13, 12));
    expect_wrong(noise_map(1, 12, 13));
    expect_wrong(noise_map(1, 12, 12, {grid::Neighbourhood::eight, grid::CornerRule::free}));
    const grid::TerrainEdit edit{{3, 3, 1, 1}, static_cast<std::uint8_t>(1 - map.terrain(39))};
    expect_wrong(map.edited(std::span(&edit, 1)).value());
    EXPECT_TRUE(read<hpa::Index>(bytes, noise_map(1, 12, 12)).has_value());
}

// Another hash means that the format or the built index has changed.
TEST(GoldenHpaIndexFile, BytesAreTheSameEverywhere) {
    hpa::Options options = small_options(3);
    options.labels = false;
    const grid::Map map = noise_map(42, 61, 47, {}, 30, 3);
    options.transitions = hpa::Transitions::by_width;
    EXPECT_EQ(hash_of(bytes_of_index(build(map, options))), "09857f39fb52c53e");
    options.transitions = hpa::Transitions::by_cost;
    EXPECT_EQ(hash_of(bytes_of_index(build(map, options))), "589be81e2cb6985e");
}

}  // namespace
}  // namespace cairn::index_file::test
