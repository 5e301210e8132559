// Index files of HAA*.

#include <gtest/gtest.h>

#include "small_indexes.hpp"

namespace cairn::index_file::test {
namespace {

using haa::Index;

void expect_equal_answers(const Index& a, const Index& b) {
    haa::Searcher searcher;
    haa::Answer answer_of_b;
    for_each_answer(a, 211, [&](const haa::Query& query, const haa::Answer& answer) {
        ASSERT_EQ(searcher.find(b, query, answer_of_b), answer.status);
        ASSERT_EQ(answer_of_b.cost, answer.cost);
        ASSERT_EQ(answer_of_b.cells, answer.cells);
    });
}

class HaaIndexFile : public testing::TestWithParam<std::size_t> {
protected:
    const fuzz::HaaIndexCase case_ = fuzz::haa_index_cases()[GetParam()];
    const Index index_ = fuzz::build(case_);
    const std::string bytes_ = bytes_of_index(index_);
};

TEST_P(HaaIndexFile, LoadedIndexesAreTheBuiltOnes) {
    const auto loaded = read<Index>(bytes_);
    ASSERT_TRUE(loaded.has_value()) << loaded.error().message;
    EXPECT_EQ(loaded->map().options(), index_.map().options());
    expect_equal_answers(index_, *loaded);
    ASSERT_TRUE(index_.with_labels(all_agents(index_)).has_value());
    ASSERT_TRUE(loaded->with_labels(all_agents(index_)).has_value());
    expect_equal_answers(index_, *loaded);
}

TEST_P(HaaIndexFile, EditsOfLoadedIndexesAreThoseOfBuiltOnes) {
    Index built = index_;
    Index loaded = read<Index>(bytes_).value();
    // Labels built after an edit take the order of the labels before it.
    ASSERT_TRUE(built.with_labels(all_agents(built)).has_value());
    ASSERT_TRUE(loaded.with_labels(all_agents(loaded)).has_value());
    for (const grid::Cell cell : {0U, 47U, 48U, 112U, 149U, 47U}) {
        built = toggled(built, cell);
        loaded = toggled(loaded, cell);
        ASSERT_TRUE(built == loaded);
        EXPECT_EQ(built.snapshot_id(), loaded.snapshot_id());
        const std::string bytes = bytes_of_index(built);
        EXPECT_EQ(bytes_of_index(loaded), bytes);
        EXPECT_EQ(bytes_of_index(Index::build(built.map(), built.options()).value()), bytes);
        EXPECT_TRUE(read<Index>(bytes).value() == built);
    }
    ASSERT_TRUE(built.with_labels(all_agents(built)).has_value());
    ASSERT_TRUE(loaded.with_labels(all_agents(loaded)).has_value());
    expect_equal_answers(built, loaded);
}

TEST_P(HaaIndexFile, InspectionTellsWhatIsInside) {
    const auto info = inspect_bytes(as_bytes(bytes_), "x");
    ASSERT_TRUE(info.has_value()) << info.error().message;
    EXPECT_EQ(info->width, 15);
    EXPECT_EQ(info->height, 10);
    EXPECT_EQ(info->map_fingerprint, index_.map().fingerprint());
    EXPECT_TRUE(info->holds_map);
    EXPECT_EQ(index_options<haa::Options>(*info), case_.options);
    EXPECT_EQ(info->section_bytes("terrain"), 150U);
    EXPECT_EQ(info->section_bytes("terrain key"), 256U);
    EXPECT_EQ(info->section_bytes("capabilities"), 2 * sizeof(haa::Capability));
    EXPECT_GT(info->section_bytes("clusters"), 0U);
}

INSTANTIATE_TEST_SUITE_P(Cases, HaaIndexFile, testing::Range(std::size_t{0}, std::size_t{6}));

TEST(HaaIndexFileErrors, AnotherMapIsRefusedWithTheFirstCellThatDiffers) {
    const std::string bytes = bytes_of_index(fuzz::build(fuzz::haa_index_cases()[0]));
    grid::TerrainImage image = fuzz::haa_index_image();
    EXPECT_TRUE(read<Index>(bytes, image).has_value());
    image.set(7, 3, 'W');
    const auto other = read<Index>(bytes, image);
    ASSERT_FALSE(other.has_value());
    EXPECT_EQ(other.error().code, StatusCode::wrong_map);
    EXPECT_NE(other.error().message.find("(7, 3)"), std::string::npos) << other.error().message;
    image = {10, 15, image.terrain};
    EXPECT_EQ(read<Index>(bytes, image).error().code, StatusCode::wrong_map);
}

TEST(GoldenHaaIndexFile, BytesAreTheSameEverywhere) {
    EXPECT_EQ(hash_of(bytes_of_index(fuzz::build(fuzz::haa_index_cases()[1]))), "8e82e899368b22dd");
}

}  // namespace
}  // namespace cairn::index_file::test
