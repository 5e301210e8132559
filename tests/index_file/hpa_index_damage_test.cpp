// Index files that are damaged, and files that somebody forged: never more than a wrong answer.

#include <gtest/gtest.h>

#include <cstring>

#include "cairn/hpa/lazy_path.hpp"
#include "cairn/index_file/hpa_index_file.hpp"
#include "small_indexes.hpp"
#include "support/mutation.hpp"
#include "support/scale.hpp"

namespace cairn::index_file::test {
namespace {

hpa::Index small_index(bool tables, bool labels, int levels) {
    hpa::Options options;
    options.cluster_size = 4;
    options.levels = levels;
    options.move_tables = tables;
    options.labels = labels;
    return hpa::Index::build(noise_map(4, 12, 12, {}, 22), options).value();
}

// Asks an accepted index everything, along every `stride`-th pair of cells.
void use(const hpa::Index& index, grid::Cell stride) {
    const grid::Map& map = index.map();
    hpa::Searcher searcher;
    hpa::Answer answer;
    hpa::LazyPath lazy;
    const auto cells = static_cast<grid::Cell>(map.size());
    for (grid::Cell pair = stride / 2; pair < cells * cells; pair += stride) {
        for (const hpa::Engine engine : engines(index)) {
            hpa::Query q = query(map, pair / cells, pair % cells, engine);
            q.smoothing = static_cast<hpa::Smoothing>(pair % 3);
            q.connect = static_cast<hpa::ConnectRule>(pair / 3 % 3);
            q.detail = pair % 5 == 0 ? hpa::Detail::abstract_path : hpa::Detail::path;
            if (searcher.find(index, q, answer) != StatusCode::ok) continue;
            if (q.detail == hpa::Detail::path) {
                ASSERT_LT(grid::path_cost(map, answer.cells), kInfinity);
                ASSERT_EQ(answer.cells.front(), pair / cells);
                ASSERT_EQ(answer.cells.back(), pair % cells);
            } else if (lazy.begin(index, answer) == StatusCode::ok) {
                while (lazy.next()) {
                }
            }
        }
    }
}

// After an edit, old records stand beside new ones.
void edit_and_use(const hpa::Index& index, grid::Cell cell, grid::Cell stride) {
    const grid::Point p = index.map().point(cell);
    const grid::TerrainEdit edit{{p.x, p.y, 1, 1},
                                 static_cast<std::uint8_t>(1 - index.map().terrain(cell))};
    const auto edited = index.edited(std::span(&edit, 1));
    if (!edited) return;
    use(*edited, stride);
    const auto labelled = edited->with_labels();
    if (labelled) use(*labelled, stride * 2);
}

TEST(HpaIndexDamage, EveryPrefixIsRefused) {
    const hpa::Index index = small_index(true, true, 2);
    const std::string bytes = index_bytes(index).value();
    for (std::size_t length = 0; length < bytes.size(); ++length) {
        const auto loaded = load(bytes.substr(0, length), index.map());
        ASSERT_FALSE(loaded.has_value()) << length;
        ASSERT_EQ(loaded.error().code, StatusCode::corrupt_file);
        ASSERT_TRUE(loaded.error().message.starts_with("test.crhp: "));
        const auto forged = load(resealed(bytes.substr(0, length)), index.map());
        ASSERT_FALSE(forged.has_value()) << length;
    }
    EXPECT_FALSE(load(bytes + '\0', index.map()).has_value());
}

TEST(HpaIndexDamage, EveryFlippedBitIsRefused) {
    const hpa::Index index = small_index(true, true, 2);
    const std::string bytes = index_bytes(index).value();
    for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
        const auto loaded = load(flipped(bytes, bit), index.map());
        ASSERT_FALSE(loaded.has_value()) << bit;
        ASSERT_EQ(loaded.error().code, StatusCode::corrupt_file);
    }
}

TEST(HpaIndexDamage, AnotherVersionIsRefusedAsSuch) {
    const hpa::Index index = small_index(false, false, 1);
    const std::string bytes = index_bytes(index).value();
    int refused = 0;
    for (std::size_t at = 0; at + 4 <= bytes.size() - kChecksumBytes; at += 4) {
        std::uint32_t word = 0;
        std::memcpy(&word, bytes.data() + at, 4);
        if (word != kHpaIndexVersion) continue;
        std::string other = bytes;
        other[at] = static_cast<char>(kHpaIndexVersion + 1);
        const auto loaded = load(resealed(other), index.map());
        if (loaded || loaded.error().code != StatusCode::wrong_version) continue;
        ++refused;
        EXPECT_EQ(inspect_index_bytes(as_bytes(resealed(other)), "x").error().code,
                  StatusCode::wrong_version);
    }
    EXPECT_EQ(refused, 1);
}

void check_forged(const hpa::Index& index, const std::string& forged, std::size_t number) {
    const auto loaded = load(forged, index.map());
    static_cast<void>(inspect_index_bytes(as_bytes(forged), "forged"));
    if (!loaded) {
        ASSERT_TRUE(loaded.error().message.starts_with("test.crhp: "));
        return;
    }
    use(*loaded, number % 97 == 0 ? 31 : 1999);
    if (number % 7 == 0) {
        edit_and_use(*loaded, static_cast<grid::Cell>(number % index.map().size()), 1999);
    }
}

class ForgedFlips : public testing::TestWithParam<int> {};

TEST_P(ForgedFlips, AreRefusedOrSafe) {
    const int kind = GetParam();
    const hpa::Index index = small_index(kind % 2 == 0, kind / 2 == 0, 1 + kind);
    const std::string bytes = index_bytes(index).value();
    const std::size_t step = cairn::test::stride(1);
    for (std::size_t bit = 0; bit < (bytes.size() - kChecksumBytes) * 8; bit += step) {
        ASSERT_NO_FATAL_FAILURE(check_forged(index, resealed(flipped(bytes, bit)), bit)) << bit;
    }
}

TEST_P(ForgedFlips, AreRefusedOrSafeInNumbers) {
    const int kind = GetParam();
    const hpa::Index index = small_index(kind % 2 == 0, kind / 2 == 0, 1 + kind);
    const std::string bytes = index_bytes(index).value();
    std::mt19937_64 random(static_cast<std::uint64_t>(kind));
    for (int i = cairn::test::scaled_count(4000); i > 0; --i) {
        const std::string forged = with_words_changed(bytes, random);
        ASSERT_NO_FATAL_FAILURE(check_forged(index, resealed(forged), static_cast<std::size_t>(i)));
    }
}

INSTANTIATE_TEST_SUITE_P(Kinds, ForgedFlips, testing::Range(0, 4));

}  // namespace
}  // namespace cairn::index_file::test
