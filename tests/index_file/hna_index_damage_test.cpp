// HNA* index files that are damaged, and files that somebody forged: refused, or as good as built
// ones.

#include <gtest/gtest.h>

#include <cstring>

#include "../../fuzz/hna_index_cases.hpp"
#include "small_hna_indexes.hpp"
#include "support/mutation.hpp"
#include "support/scale.hpp"

namespace cairn::index_file::test {
namespace {

// Asks an accepted index along every `stride`-th pair of polygons. Only labels may be wrong, never
// about where one can go.
void use(const hna::Index& index, std::uint64_t stride) {
    const cairn::test::MeshDijkstra oracle(index.mesh());
    ask(index, stride, [&](const hna::Query& query, const hna::Answer& answer) {
        const bool labels = query.engine == hna::Engine::cut_labels;
        if (answer.status == StatusCode::ok) {
            const Cost own = oracle.cost_of(query.start, query.goal, answer.links);
            ASSERT_LT(own, kInfinity);
            ASSERT_TRUE(labels || own == answer.cost);
        }
        if (labels || index.mesh().blocked(query.start.polygon)) return;
        ASSERT_EQ(oracle.cost(query.start, query.goal), answer.cost);
    });
}

void check_forged(const std::string& forged, std::uint64_t number) {
    const auto loaded = load_hna(forged);
    static_cast<void>(inspect_hna_index_bytes(as_bytes(forged), "forged"));
    if (!loaded) {
        ASSERT_TRUE(loaded.error().message.starts_with("test.crhn: "));
        return;
    }
    use(*loaded, number % 97 == 0 ? 3 : 199);
    const auto polygon = static_cast<mesh::Polygon>(number % loaded->mesh().num_polygons());
    if (number % 7 != 0 || loaded->mesh().is_gone(polygon)) return;
    const hna::Index edited = toggled(*loaded, polygon);
    use(edited, 199);
    const auto completed = edited.with_labels();
    if (completed) use(*completed, 199);
}

class HnaIndexDamage : public testing::TestWithParam<std::size_t> {
protected:
    const fuzz::HnaIndexCase case_ = fuzz::hna_index_cases()[GetParam()];
    const hna::Index index_ = fuzz::build(case_);
    const std::string bytes_ = index_bytes(index_).value();
};

TEST_P(HnaIndexDamage, EveryPrefixAndEveryFlippedBitIsRefused) {
    const auto expect_refused = [](const std::string& bytes, std::size_t at) {
        const auto loaded = load_hna(bytes);
        ASSERT_FALSE(loaded.has_value()) << at;
        ASSERT_EQ(loaded.error().code, StatusCode::corrupt_file);
        ASSERT_TRUE(loaded.error().message.starts_with("test.crhn: "));
    };
    const std::size_t step = cairn::test::stride(0.2);
    for (std::size_t n = 0; n < bytes_.size(); n += step) expect_refused(bytes_.substr(0, n), n);
    for (std::size_t bit = 0; bit < bytes_.size() * 8; bit += step | 1)
        expect_refused(flipped(bytes_, bit), bit);
    expect_refused(bytes_ + '\0', bytes_.size());
}

TEST_P(HnaIndexDamage, AnotherVersionIsRefusedAsSuch) {
    int refused = 0;
    for (std::size_t at = 0; at + 4 <= bytes_.size() - kChecksumBytes; at += 4) {
        std::uint32_t word = 0;
        std::memcpy(&word, bytes_.data() + at, 4);
        if (word != kHnaIndexVersion) continue;
        std::string other = bytes_;
        other[at] = static_cast<char>(kHnaIndexVersion + 1);
        other = resealed(other);
        const auto loaded = load_hna(other);
        if (loaded || loaded.error().code != StatusCode::wrong_version) continue;
        ++refused;
        EXPECT_EQ(inspect_hna_index_bytes(as_bytes(other), "x").error().code,
                  StatusCode::wrong_version);
    }
    EXPECT_EQ(refused, 1);
}

TEST_P(HnaIndexDamage, ForgedOnesAreRefusedOrSound) {
    const std::size_t step = cairn::test::stride(0.3) | 1;  // odd, so that all bits of bytes come
    for (std::size_t bit = 0; bit < (bytes_.size() - kChecksumBytes) * 8; bit += step)
        ASSERT_NO_FATAL_FAILURE(check_forged(resealed(flipped(bytes_, bit)), bit)) << bit;
    std::mt19937_64 random(GetParam());
    for (std::uint64_t i = cairn::test::scaled(4000); i > 0; --i) {
        ASSERT_NO_FATAL_FAILURE(check_forged(resealed(with_words_changed(bytes_, random)), i)) << i;
        ASSERT_NO_FATAL_FAILURE(check_forged(resealed(cairn::test::mutated(bytes_, random)), i))
            << i;
    }
}

INSTANTIATE_TEST_SUITE_P(Cases, HnaIndexDamage, testing::Range(std::size_t{0}, std::size_t{9}));

}  // namespace
}  // namespace cairn::index_file::test
