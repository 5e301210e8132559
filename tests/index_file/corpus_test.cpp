// The fuzz corpora of index files hold the indexes of fuzz/*_index_cases.hpp. After a change of the
// format or of what is built, run this test with CAIRN_WRITE_CORPUS=1 to rewrite them.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "small_indexes.hpp"
#include "support/scratch_folder.hpp"
#include "support/source_folder.hpp"

namespace cairn::index_file::test {
namespace {

template <class Index>
class IndexFileCorpus : public testing::Test {};
using Indexes = testing::Types<hpa::Index, subgoal::Index, haa::Index, hna::Index>;
TYPED_TEST_SUITE(IndexFileCorpus, Indexes);

TYPED_TEST(IndexFileCorpus, IsUpToDate) {
    using P = Planner<TypeParam>;
    const auto folder =
        cairn::test::source_folder() / "fuzz/corpus" / (std::string(P::kKind) + "_index");
    for (const auto& c : P::cases()) {
        const TypeParam index = fuzz::build(c);
        const auto path = folder / (c.name + ".cairn");
        if (std::getenv("CAIRN_WRITE_CORPUS") != nullptr) {
            std::filesystem::create_directories(folder);
            ASSERT_TRUE(save(index, path).ok());
        }
        const std::string bytes = cairn::test::bytes_of(path);
        const auto loaded = read_like(index, bytes);
        ASSERT_TRUE(loaded.has_value()) << loaded.error().message;
        EXPECT_TRUE(*loaded == index);
        EXPECT_TRUE(bytes == bytes_of_index(*loaded));
    }
}

}  // namespace
}  // namespace cairn::index_file::test
