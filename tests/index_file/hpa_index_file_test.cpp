#include "cairn/index_file/hpa_index_file.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "small_indexes.hpp"
#include "support/scale.hpp"
#include "support/scratch_folder.hpp"

namespace cairn::index_file::test {
namespace {

using grid::Cell;

hpa::Index build(const grid::Map& map, const hpa::Options& options) {
    return hpa::Index::build(map, options).value();
}

hpa::Options small_options(int levels = 2) {
    hpa::Options options;
    options.cluster_size = 4;
    options.levels = levels;
    return options;
}

std::string bytes_of_index(const hpa::Index& index) { return index_bytes(index).value(); }

// Every answer of `b` is that of `a`: cells, costs, engine.
void expect_equal_answers(const hpa::Index& a, const hpa::Index& b) {
    ASSERT_EQ(engines(a), engines(b));
    hpa::Searcher one;
    hpa::Searcher other;
    hpa::Answer expected;
    hpa::Answer answer;
    const Cell cells = static_cast<Cell>(a.map().size());
    for (const hpa::Engine engine : engines(a)) {
        for (Cell start = 0; start < cells; start += 11) {
            for (Cell goal = 0; goal < cells; goal += 5) {
                const hpa::Query q = query(a.map(), start, goal, engine);
                ASSERT_EQ(one.find(a, q, expected), other.find(b, q, answer));
                ASSERT_EQ(expected.cost, answer.cost);
                ASSERT_EQ(expected.abstract_cost, answer.abstract_cost);
                ASSERT_EQ(expected.abstract_nodes, answer.abstract_nodes);
                ASSERT_EQ(expected.cells, answer.cells);
                ASSERT_EQ(expected.snapshot_id, answer.snapshot_id);
            }
        }
    }
}

struct Case {
    hpa::Options options;
    grid::MoveRules rules;
    unsigned heaviest;
};

std::vector<Case> cases() {
    using grid::CornerRule;
    using grid::Neighbourhood;
    using hpa::DiagonalCrossings;
    using hpa::Transitions;
    std::vector<Case> all;
    for (const Transitions transitions :
         {Transitions::by_width, Transitions::middle, Transitions::every}) {
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
        const auto loaded = load(bytes, map);
        ASSERT_TRUE(loaded.has_value()) << loaded.error().message;
        EXPECT_TRUE(*loaded == built);
        EXPECT_EQ(loaded->options(), c.options);
        EXPECT_EQ(loaded->has_labels(), c.options.labels);
        EXPECT_EQ(loaded->labels_status().ok(), c.options.labels);
        EXPECT_EQ(loaded->snapshot_id(), built.snapshot_id());
        EXPECT_EQ(loaded->statistics().bytes() > 0, true);
        EXPECT_EQ(bytes_of_index(*loaded), bytes);
        expect_equal_answers(built, *loaded);
    }
}

TEST(HpaIndexFile, HoldsMapsOfAnyShape) {
    for (const auto& [width, height] :
         {std::pair(1, 1), {3, 3}, {4, 4}, {1, 40}, {70, 1}, {5, 33}}) {
        for (const unsigned blocked : {0U, 30U, 100U}) {
            const grid::Map map = noise_map(7, width, height, {}, blocked);
            const hpa::Index built = build(map, small_options(3));
            const auto loaded = load(bytes_of_index(built), map);
            ASSERT_TRUE(loaded.has_value()) << loaded.error().message;
            EXPECT_TRUE(*loaded == built);
            expect_equal_answers(built, *loaded);
        }
    }
}

TEST(HpaIndexFile, WithoutLabelsIsTheFileOfAnIndexBuiltWithoutThem) {
    const grid::Map map = noise_map(3, 20, 20);
    hpa::Options options = small_options();
    const std::string with = bytes_of_index(build(map, options));
    const std::string without = bytes_of_index(build(map, options).without_labels());
    EXPECT_LT(without.size(), with.size());
    options.labels = false;
    const hpa::Index plain = build(map, options);
    EXPECT_EQ(bytes_of_index(plain), without);
    EXPECT_EQ(bytes_of_index(plain.with_labels().value()), with);
    EXPECT_EQ(bytes_of_index(load(without, map)->with_labels().value()), with);
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
            // Now and then the edited index is one from a file.
            if (i % 8 == 0) edited = load(bytes_of_index(edited), map).value();
            edited = edited.edited(std::span(&edit, 1)).value();
            map = map.edited(std::span(&edit, 1)).value();
            const hpa::Index fresh = build(map, small_options(levels));
            ASSERT_EQ(bytes_of_index(edited), bytes_of_index(fresh.without_labels()));
            ASSERT_EQ(bytes_of_index(edited.without_labels().with_labels().value()),
                      bytes_of_index(fresh));
            if (i % 3 != 0) continue;
            // Labels in the order of those before, which may be mapped.
            const std::string bytes = bytes_of_index(edited.with_labels().value());
            edited = load(bytes, map).value();
            ASSERT_EQ(bytes_of_index(edited), bytes);
        }
    }
}

TEST(HpaIndexFile, FilesSurviveTheirReplacement) {
    const cairn::test::ScratchFolder folder;
    const auto path = folder.path() / "map.crhp";
    const grid::Map map = noise_map(9, 20, 20);
    const hpa::Index built = build(map, small_options());
    ASSERT_TRUE(save_index(path, built).ok());
    EXPECT_EQ(cairn::test::bytes_of(path), bytes_of_index(built));
    const auto first = load_index(path, map);
    ASSERT_TRUE(first.has_value()) << first.error().message;
    ASSERT_TRUE(save_index(path, first->without_labels()).ok());
    const auto second = load_index(path, map);
    ASSERT_TRUE(second.has_value()) << second.error().message;
    std::filesystem::remove(path);
    expect_equal_answers(built, *first);
    expect_equal_answers(built.without_labels(), *second);
}

TEST(HpaIndexFile, InspectionTellsWhatIsInside) {
    const cairn::test::ScratchFolder folder;
    const grid::Map map = noise_map(9, 30, 20);
    hpa::Options options = small_options(3);
    options.label_bytes = 123'456'789;
    const hpa::Index index = build(map, options);
    const auto path = folder.path() / "map.crhp";
    ASSERT_TRUE(save_index(path, index).ok());
    const auto info = inspect_index(path);
    ASSERT_TRUE(info.has_value()) << info.error().message;
    EXPECT_EQ(info->version, kHpaIndexVersion);
    EXPECT_EQ(info->width, 30);
    EXPECT_EQ(info->height, 20);
    EXPECT_EQ(info->map_fingerprint, map.fingerprint());
    EXPECT_EQ(info->options, options);
    ASSERT_EQ(info->level_bytes.size(), 3U);
    EXPECT_EQ(info->file_bytes, std::filesystem::file_size(path));
    std::size_t parts = info->table_bytes + info->label_bytes;
    for (const std::size_t level : info->level_bytes) parts += level;
    EXPECT_GT(info->table_bytes, 0U);
    EXPECT_GT(info->label_bytes, 0U);
    EXPECT_LT(parts, info->file_bytes);
    EXPECT_GT(parts + 400, info->file_bytes);

    options.move_tables = false;
    const auto bare =
        inspect_index_bytes(as_bytes(bytes_of_index(build(map, options).without_labels())), "bare");
    EXPECT_EQ(bare->table_bytes, 0U);
    EXPECT_EQ(bare->label_bytes, 0U);
    EXPECT_FALSE(bare->options.labels);
}

TEST(HpaIndexFile, BytesNeedNoAlignment) {
    const grid::Map map = noise_map(9, 12, 12);
    const hpa::Index built = build(map, small_options());
    const std::string bytes = bytes_of_index(built);
    for (std::size_t shift = 0; shift < 8; ++shift) {
        const auto owner = std::make_shared<const std::string>(std::string(shift, 'x') + bytes);
        const auto shifted = as_bytes(*owner).subspan(shift);
        const auto loaded = index_from_bytes(shifted, owner, "shifted", map);
        ASSERT_TRUE(loaded.has_value()) << loaded.error().message;
        EXPECT_TRUE(*loaded == built);
        EXPECT_TRUE(inspect_index_bytes(shifted, "shifted").has_value());
    }
}

TEST(HpaIndexFile, AnotherMapIsRefused) {
    const grid::Map map = noise_map(1, 12, 12);
    const std::string bytes = bytes_of_index(build(map, small_options()));
    const auto expect_wrong = [&](const grid::Map& other) {
        const auto loaded = load(bytes, other);
        ASSERT_FALSE(loaded.has_value());
        EXPECT_EQ(loaded.error().code, StatusCode::wrong_map);
        EXPECT_TRUE(loaded.error().message.starts_with("test.crhp: ")) << loaded.error().message;
    };
    expect_wrong(noise_map(2, 12, 12));
    expect_wrong(noise_map(1, 13, 12));
    expect_wrong(noise_map(1, 12, 13));
    expect_wrong(noise_map(1, 12, 12, {grid::Neighbourhood::eight, grid::CornerRule::free}));
    const grid::TerrainEdit edit{{3, 3, 1, 1}, static_cast<std::uint8_t>(1 - map.terrain(39))};
    expect_wrong(map.edited(std::span(&edit, 1)).value());
    EXPECT_TRUE(load(bytes, noise_map(1, 12, 12)).has_value());
}

TEST(HpaIndexFile, SystemErrorsNameTheFile) {
    const cairn::test::ScratchFolder folder;
    const grid::Map map = noise_map(1, 12, 12);
    const hpa::Index index = build(map, small_options());
    const auto expect_error = [](const Status& status, StatusCode code,
                                 const std::filesystem::path& path) {
        EXPECT_EQ(status.code, code);
        EXPECT_TRUE(status.message.starts_with(path.string() + ": ")) << status.message;
    };
    const auto missing = folder.path() / "missing.crhp";
    expect_error(load_index(missing, map).error(), StatusCode::io_error, missing);
    expect_error(inspect_index(missing).error(), StatusCode::io_error, missing);
    expect_error(load_index(folder.path(), map).error(), StatusCode::io_error, folder.path());
    EXPECT_EQ(save_index(folder.path(), index).code, StatusCode::io_error);
    EXPECT_EQ(save_index(folder.path() / "no" / "folder.crhp", index).code, StatusCode::io_error);
    const auto empty = folder.file("empty.crhp", "");
    expect_error(load_index(empty, map).error(), StatusCode::corrupt_file, empty);
    const auto text = folder.file("text.crhp", "type octile\nheight 12\nwidth 12\nmap\n");
    expect_error(load_index(text, map).error(), StatusCode::corrupt_file, text);
}

// The bytes themselves: a change here is a change of the format or of what is built. The last
// eight bytes hash all the others.
std::uint64_t hash_of(const std::string& bytes) {
    std::uint64_t hash = 0;
    std::memcpy(&hash, bytes.data() + bytes.size() - sizeof hash, sizeof hash);
    return hash;
}

TEST(GoldenHpaIndexFile, BytesAreTheSameEverywhere) {
    hpa::Options options = small_options(3);
    options.labels = false;
    const hpa::Index index = build(noise_map(42, 61, 47, {}, 30, 3), options);
    EXPECT_EQ(hash_of(bytes_of_index(index)), 153718440874989265U);
}

}  // namespace
}  // namespace cairn::index_file::test
