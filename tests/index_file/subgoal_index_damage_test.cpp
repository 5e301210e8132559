// Subgoal index files that are damaged, and files that somebody forged: never an illegal path.

#include <gtest/gtest.h>

#include <cstring>

#include "small_subgoal_indexes.hpp"
#include "support/scale.hpp"

namespace cairn::index_file::test {
namespace {

using subgoal::Engine;

// Of four kinds: edges, levels and labels, or without engines.
subgoal::Index small_index(int kind) {
    subgoal::Options options;
    options.edges = kind == 1 ? subgoal::Edges::h_reachable : subgoal::Edges::direct;
    options.levels = static_cast<std::uint32_t>(1 + kind);
    options.labels = kind != 2;
    const subgoal::Index index = build(noise_map(4, 13, 17, {}, 15), options);
    return kind == 3 ? toggled(index, 40) : index;
}

// Asks an accepted index everything, along every `stride`-th pair of cells. Its A* and its levels
// can be wrong only by saying so.
void use(const subgoal::Index& index, const subgoal::Index& right, grid::Cell stride) {
    const grid::Map& map = index.map();
    subgoal::Searcher searcher;
    subgoal::Answer answer;
    subgoal::Answer expected;
    const auto cells = static_cast<grid::Cell>(map.size());
    for (grid::Cell pair = stride / 2; pair < cells * cells; pair += stride) {
        for (const Engine engine : engines(index)) {
            subgoal::Query q = query(map, pair / cells, pair % cells, engine);
            q.nearest_reachable = pair % 3 == 0;
            searcher.find(index, q, answer);
            if (engine == Engine::astar) {
                searcher.find(right, q, expected);
                ASSERT_EQ(answer.status, expected.status);
                ASSERT_EQ(answer.cells, expected.cells);
            }
            if (answer.status != StatusCode::ok) continue;
            const Cost cost = grid::path_cost(map, answer.cells);
            ASSERT_LT(cost, kInfinity);
            ASSERT_TRUE(engine == Engine::cut_labels || cost == answer.cost);
            ASSERT_EQ(answer.cells.front(), pair / cells);
            ASSERT_EQ(answer.cells.back(), map.cell(answer.goal));
        }
    }
}

// After an edit, old records stand beside new ones, and the order of old labels is taken over.
void edit_and_use(const subgoal::Index& index, grid::Cell cell, grid::Cell stride) {
    const subgoal::Index edited = toggled(index, cell);
    const subgoal::Index fresh = build(edited.map(), index.options());
    ASSERT_TRUE(edited == fresh);
    use(edited, fresh, stride);
    const auto completed = edited.with_labels();
    ASSERT_TRUE(completed.has_value());
    use(*completed, fresh, stride);
}

TEST(SubgoalIndexDamage, EveryPrefixIsRefused) {
    const subgoal::Index index = small_index(0);
    const std::string bytes = index_bytes(index).value();
    for (std::size_t length = 0; length < bytes.size(); ++length) {
        const auto loaded = load_subgoals(bytes.substr(0, length), index.map());
        ASSERT_FALSE(loaded.has_value()) << length;
        ASSERT_EQ(loaded.error().code, StatusCode::corrupt_file);
        ASSERT_TRUE(loaded.error().message.starts_with("test.crsg: "));
        const auto forged = load_subgoals(resealed(bytes.substr(0, length)), index.map());
        ASSERT_FALSE(forged.has_value()) << length;
    }
    EXPECT_FALSE(load_subgoals(bytes + '\0', index.map()).has_value());
}

TEST(SubgoalIndexDamage, EveryFlippedBitIsRefused) {
    const subgoal::Index index = small_index(0);
    const std::string bytes = index_bytes(index).value();
    for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
        const auto loaded = load_subgoals(flipped(bytes, bit), index.map());
        ASSERT_FALSE(loaded.has_value()) << bit;
        ASSERT_EQ(loaded.error().code, StatusCode::corrupt_file);
    }
}

TEST(SubgoalIndexDamage, AnotherVersionIsRefusedAsSuch) {
    const subgoal::Index index = small_index(3);
    const std::string bytes = index_bytes(index).value();
    int refused = 0;
    for (std::size_t at = 0; at + 4 <= bytes.size() - kChecksumBytes; at += 4) {
        std::uint32_t word = 0;
        std::memcpy(&word, bytes.data() + at, 4);
        if (word != kSubgoalIndexVersion) continue;
        std::string other = bytes;
        other[at] = static_cast<char>(kSubgoalIndexVersion + 1);
        other = resealed(other);
        const auto loaded = load_subgoals(other, index.map());
        if (loaded || loaded.error().code != StatusCode::wrong_version) continue;
        ++refused;
        EXPECT_EQ(inspect_subgoal_index_bytes(as_bytes(other), "x").error().code,
                  StatusCode::wrong_version);
    }
    EXPECT_EQ(refused, 1);
}

// The stamp of a map that has no subgoal graph.
TEST(SubgoalIndexDamage, MapsWithoutSubgoalGraphsAreRefused) {
    const subgoal::Index index = small_index(0);
    const std::string bytes = index_bytes(index).value();
    const grid::Map& map = index.map();
    const grid::Map other =
        noise_map(4, 13, 17, {grid::Neighbourhood::eight, grid::CornerRule::free}, 15);
    const std::uint64_t old_print = map.fingerprint();
    const std::uint64_t new_print = other.fingerprint();
    std::size_t at = 0;
    while (std::memcmp(bytes.data() + at, &old_print, sizeof old_print) != 0) ++at;
    std::string forged = bytes;
    std::memcpy(forged.data() + at, &new_print, sizeof new_print);
    const auto loaded = load_subgoals(resealed(forged), other);
    ASSERT_FALSE(loaded.has_value());
    EXPECT_EQ(loaded.error().code, StatusCode::corrupt_file) << loaded.error().message;
}

void check_forged(const subgoal::Index& index, const std::string& forged, std::size_t number) {
    const auto loaded = load_subgoals(forged, index.map());
    static_cast<void>(inspect_subgoal_index_bytes(as_bytes(forged), "forged"));
    if (!loaded) {
        ASSERT_TRUE(loaded.error().message.starts_with("test.crsg: "));
        return;
    }
    ASSERT_TRUE(*loaded == index || loaded->options().edges != index.options().edges);
    use(*loaded, index, number % 97 == 0 ? 131 : 4999);
    if (number % 7 == 0) {
        edit_and_use(*loaded, static_cast<grid::Cell>(number % index.map().size()), 4999);
    }
}

class ForgedSubgoalFlips : public testing::TestWithParam<int> {};

TEST_P(ForgedSubgoalFlips, AreRefusedOrSafe) {
    const subgoal::Index index = small_index(GetParam());
    const std::string bytes = index_bytes(index).value();
    const std::size_t step = cairn::test::stride(0.04) | 1;  // odd, so that all bits of bytes come
    for (std::size_t bit = 0; bit < (bytes.size() - kChecksumBytes) * 8; bit += step) {
        ASSERT_NO_FATAL_FAILURE(check_forged(index, resealed(flipped(bytes, bit)), bit)) << bit;
    }
}

TEST_P(ForgedSubgoalFlips, AreRefusedOrSafeInNumbers) {
    const subgoal::Index index = small_index(GetParam());
    const std::string bytes = index_bytes(index).value();
    std::mt19937_64 random(static_cast<std::uint64_t>(GetParam()));
    for (std::uint64_t i = cairn::test::scaled(2000); i > 0; --i) {
        const std::string forged = resealed(with_words_changed(bytes, random));
        ASSERT_NO_FATAL_FAILURE(check_forged(index, forged, i)) << i;
    }
}

INSTANTIATE_TEST_SUITE_P(Kinds, ForgedSubgoalFlips, testing::Range(0, 4));

}  // namespace
}  // namespace cairn::index_file::test
