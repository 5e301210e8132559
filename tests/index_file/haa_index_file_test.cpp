#include "cairn/index_file/haa_index_file.hpp"

#include <gtest/gtest.h>

#include <array>
#include <filesystem>

#include "../../fuzz/haa_index_cases.hpp"
#include "cairn/haa/haa.hpp"
#include "cairn/index_file/index_kind.hpp"
#include "small_indexes.hpp"
#include "support/mutation.hpp"
#include "support/scale.hpp"
#include "support/scratch_folder.hpp"

namespace cairn::index_file::test {
namespace {

using haa::Index;

Result<Index> load_agents(std::string bytes, const grid::TerrainImage* image = nullptr) {
    const auto owner = std::make_shared<const std::string>(std::move(bytes));
    return haa_index_from_bytes(as_bytes(*owner), owner, "test.crha", image);
}

grid::Point point(const haa::AnnotatedMap& map, std::uint64_t cell) {
    const auto width = static_cast<std::uint64_t>(map.width());
    return {static_cast<int>(cell % width), static_cast<int>(cell / width)};
}

// The index of its map with one cell made ground, or an obstacle.
Index toggled(const Index& index, grid::Cell cell) {
    const grid::Point p = point(index.map(), cell);
    const grid::TerrainEdit edit{
        {p.x, p.y, 1, 1}, static_cast<std::uint8_t>(index.map().terrain(cell) == '.' ? '@' : '.')};
    return index.edited(std::span(&edit, 1)).value();
}

// Asks for every `stride`-th pair of cells, for every agent and engine; calls check(query, answer).
template <class Check>
void ask(const Index& index, std::uint64_t stride, const Check& check) {
    haa::Searcher searcher;
    haa::Answer answer;
    const haa::AnnotatedMap& map = index.map();
    const std::uint64_t cells = map.size();
    std::uint64_t number = 0;
    for (std::uint64_t pair = stride / 2; pair < cells * cells; pair += stride) {
        haa::Query query;
        query.agent = map.agent(static_cast<std::uint32_t>(number % map.classes()));
        query.start = point(map, pair / cells);
        query.goal = point(map, pair % cells);
        query.engine = static_cast<hpa::Engine>(number / map.classes() % 4);
        query.try_direct_line = false;
        ++number;
        searcher.find(index, query, answer);
        check(query, answer);
    }
}

void expect_equal_answers(const Index& a, const Index& b) {
    haa::Searcher searcher;
    haa::Answer other;
    ask(a, 211, [&](const haa::Query& query, const haa::Answer& answer) {
        ASSERT_EQ(searcher.find(b, query, other), answer.status);
        ASSERT_EQ(other.cost, answer.cost);
        ASSERT_EQ(other.cells, answer.cells);
    });
}

// Every path of an accepted index is legal.
void use(const Index& index, std::uint64_t stride) {
    ask(index, stride, [&](const haa::Query& query, const haa::Answer& answer) {
        if (answer.status != StatusCode::ok) return;
        const auto view = index.view(query.agent);
        ASSERT_TRUE(view.has_value());
        ASSERT_LT(grid::path_cost(view->map(), answer.cells), kInfinity);
        ASSERT_EQ(view->map().point(answer.cells.front()), query.start);
    });
}

std::vector<haa::Agent> all_agents(const Index& index) {
    std::vector<haa::Agent> agents;
    for (std::uint32_t k = 0; k < index.map().classes(); ++k) {
        agents.push_back(index.map().agent(k));
    }
    return agents;
}

class HaaIndexFile : public testing::TestWithParam<std::size_t> {
protected:
    const fuzz::HaaIndexCase case_ = fuzz::haa_index_cases()[GetParam()];
    const Index index_ = fuzz::build(case_);
    const std::string bytes_ = index_bytes(index_).value();
};

TEST_P(HaaIndexFile, LoadedIndexesAreTheBuiltOnes) {
    const auto loaded = load_agents(bytes_);
    ASSERT_TRUE(loaded.has_value()) << loaded.error().message;
    EXPECT_TRUE(*loaded == index_);
    EXPECT_EQ(loaded->options(), index_.options());
    EXPECT_EQ(loaded->map().options(), index_.map().options());
    EXPECT_EQ(loaded->snapshot_id(), index_.snapshot_id());
    EXPECT_EQ(index_bytes(*loaded).value(), bytes_);
    expect_equal_answers(index_, *loaded);
    ASSERT_TRUE(index_.with_labels(all_agents(index_)).has_value());
    ASSERT_TRUE(loaded->with_labels(all_agents(index_)).has_value());
    expect_equal_answers(index_, *loaded);
}

TEST_P(HaaIndexFile, EditsOfLoadedIndexesAreThoseOfBuiltOnes) {
    Index built = index_;
    Index loaded = load_agents(bytes_).value();
    // Labels after an edit take over the order of those before.
    ASSERT_TRUE(built.with_labels(all_agents(built)).has_value());
    ASSERT_TRUE(loaded.with_labels(all_agents(loaded)).has_value());
    for (const grid::Cell cell : {0U, 47U, 48U, 112U, 149U, 47U}) {
        built = toggled(built, cell);
        loaded = toggled(loaded, cell);
        ASSERT_TRUE(built == loaded);
        EXPECT_EQ(built.snapshot_id(), loaded.snapshot_id());
        const std::string bytes = index_bytes(built).value();
        EXPECT_EQ(index_bytes(loaded).value(), bytes);
        EXPECT_EQ(index_bytes(Index::build(built.map(), built.options()).value()).value(), bytes);
        EXPECT_TRUE(load_agents(bytes).value() == built);
    }
    ASSERT_TRUE(built.with_labels(all_agents(built)).has_value());
    ASSERT_TRUE(loaded.with_labels(all_agents(loaded)).has_value());
    expect_equal_answers(built, loaded);
}

TEST_P(HaaIndexFile, InspectionTellsWhatIsInside) {
    const auto info = inspect_haa_index_bytes(as_bytes(bytes_), "x");
    ASSERT_TRUE(info.has_value()) << info.error().message;
    EXPECT_EQ(info->version, kHaaIndexVersion);
    EXPECT_EQ(info->width, 15);
    EXPECT_EQ(info->height, 10);
    EXPECT_EQ(info->map_fingerprint, index_.map().fingerprint());
    EXPECT_EQ(info->annotation, case_.annotation);
    EXPECT_EQ(info->options, case_.options);
    EXPECT_EQ(info->terrain_bytes, 150U);
    EXPECT_EQ(info->file_bytes, bytes_.size());
    EXPECT_LT(info->graph_bytes + info->terrain_bytes, bytes_.size());
}

TEST_P(HaaIndexFile, EveryPrefixAndEveryFlippedBitIsRefused) {
    const auto expect_refused = [](const std::string& bytes, std::size_t at) {
        const auto loaded = load_agents(bytes);
        ASSERT_FALSE(loaded.has_value()) << at;
        ASSERT_EQ(loaded.error().code, StatusCode::corrupt_file);
        ASSERT_TRUE(loaded.error().message.starts_with("test.crha: "));
    };
    const std::size_t step = cairn::test::stride(0.2);
    for (std::size_t n = 0; n < bytes_.size(); n += step) expect_refused(bytes_.substr(0, n), n);
    for (std::size_t bit = 0; bit < bytes_.size() * 8; bit += step | 1) {
        expect_refused(flipped(bytes_, bit), bit);
    }
}

void check_forged(const std::string& forged, std::uint64_t number) {
    const auto loaded = load_agents(forged);
    static_cast<void>(inspect_haa_index_bytes(as_bytes(forged), "forged"));
    if (!loaded) {
        ASSERT_TRUE(loaded.error().message.starts_with("test.crha: "));
        return;
    }
    use(*loaded, number % 17 == 0 ? 499 : 4999);
    if (number % 5 != 0) return;
    const Index edited = toggled(*loaded, static_cast<grid::Cell>(number % loaded->map().size()));
    use(edited, 1999);
    ASSERT_TRUE(edited.with_labels(std::array{edited.map().agent(0)}).has_value());
    use(edited, 1999);
}

TEST_P(HaaIndexFile, ForgedOnesAreRefusedOrSafe) {
    const std::size_t step = cairn::test::stride(0.1) | 1;  // odd, so that all bits of bytes come
    for (std::size_t bit = 0; bit < (bytes_.size() - kChecksumBytes) * 8; bit += step) {
        ASSERT_NO_FATAL_FAILURE(check_forged(resealed(flipped(bytes_, bit)), bit)) << bit;
    }
    std::mt19937_64 random(GetParam());
    for (std::uint64_t i = cairn::test::scaled(1000); i > 0; --i) {
        ASSERT_NO_FATAL_FAILURE(check_forged(resealed(with_words_changed(bytes_, random)), i)) << i;
        ASSERT_NO_FATAL_FAILURE(check_forged(resealed(cairn::test::mutated(bytes_, random)), i))
            << i;
    }
}

INSTANTIATE_TEST_SUITE_P(Cases, HaaIndexFile, testing::Range(std::size_t{0}, std::size_t{6}));

TEST(HaaIndexFileErrors, AnotherMapVersionOrKindIsRefusedAsSuch) {
    const Index index = fuzz::build(fuzz::haa_index_cases()[0]);
    const std::string bytes = index_bytes(index).value();
    grid::TerrainImage image = fuzz::haa_index_image();
    EXPECT_TRUE(load_agents(bytes, &image).has_value());
    image.set(7, 3, 'W');
    const auto other = load_agents(bytes, &image);
    ASSERT_FALSE(other.has_value());
    EXPECT_EQ(other.error().code, StatusCode::wrong_map);
    EXPECT_NE(other.error().message.find("(7, 3)"), std::string::npos) << other.error().message;
    image = {10, 15, image.terrain};
    EXPECT_EQ(load_agents(bytes, &image).error().code, StatusCode::wrong_map);

    int refused = 0;
    for (std::size_t at = 0; at + 4 <= bytes.size() - kChecksumBytes; at += 4) {
        std::string newer = bytes;
        newer[at] = static_cast<char>(newer[at] + 1);
        const auto loaded = load_agents(resealed(newer));
        refused += !loaded && loaded.error().code == StatusCode::wrong_version ? 1 : 0;
    }
    EXPECT_EQ(refused, 1);

    EXPECT_EQ(index_kind_of_bytes(as_bytes(bytes)), IndexKind::haa);
    const grid::Map map = noise_map(1, 12, 12);
    EXPECT_EQ(load(bytes, map).error().code, StatusCode::corrupt_file);
    const std::string hpa = index_bytes(hpa::Index::build(map).value()).value();
    EXPECT_EQ(load_agents(hpa).error().code, StatusCode::corrupt_file);
}

TEST(HaaIndexFileErrors, AFailedWriteLeavesTheOldFile) {
    const cairn::test::ScratchFolder folder;
    const auto path = folder.path() / "map.crha";
    const Index index = fuzz::build(fuzz::haa_index_cases()[1]);
    ASSERT_TRUE(save_index(path, index).ok());
    const auto mapped = load_haa_index(path);
    ASSERT_TRUE(mapped.has_value()) << mapped.error().message;
    EXPECT_EQ(save_index(folder.path() / "no" / "map.crha", index).code, StatusCode::io_error);
    EXPECT_EQ(save_index(folder.path(), index).code, StatusCode::io_error);
    EXPECT_EQ(cairn::test::bytes_of(path), index_bytes(index).value());
    // A mapped file survives its replacement.
    ASSERT_TRUE(save_index(path, toggled(*mapped, 31)).ok());
    expect_equal_answers(index, *mapped);
    const auto missing = load_haa_index(folder.path() / "missing.crha");
    EXPECT_EQ(missing.error().code, StatusCode::io_error);
    EXPECT_EQ(inspect_haa_index(path)->file_bytes, std::filesystem::file_size(path));
}

TEST(HaaIndexFileErrors, BytesNeedNoAlignment) {
    const Index index = fuzz::build(fuzz::haa_index_cases()[2]);
    const std::string bytes = index_bytes(index).value();
    for (std::size_t shift = 0; shift < 8; ++shift) {
        const auto owner = std::make_shared<const std::string>(std::string(shift, 'x') + bytes);
        const auto loaded = haa_index_from_bytes(as_bytes(*owner).subspan(shift), owner, "shifted");
        ASSERT_TRUE(loaded.has_value()) << loaded.error().message;
        EXPECT_TRUE(*loaded == index);
    }
}

}  // namespace
}  // namespace cairn::index_file::test
