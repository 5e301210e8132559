// The corpus of the fuzz target subgoal_index_fuzz is made of subgoal_index_cases.hpp. Where the
// format or what is built has changed, run this test with CAIRN_WRITE_CORPUS=1 to write it anew.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "../../fuzz/subgoal_index_cases.hpp"
#include "cairn/index_file/subgoal_index_file.hpp"
#include "support/scratch_folder.hpp"
#include "support/source_folder.hpp"

namespace cairn::index_file::test {
namespace {

TEST(SubgoalIndexCorpus, IsUpToDate) {
    const auto folder = cairn::test::source_folder() / "fuzz/corpus/subgoal_index";
    for (const fuzz::SubgoalIndexCase& c : fuzz::subgoal_index_cases()) {
        const subgoal::Index index = fuzz::build(c);
        const auto path = folder / (c.name + ".crsg");
        if (std::getenv("CAIRN_WRITE_CORPUS") != nullptr) {
            std::filesystem::create_directories(folder);
            ASSERT_TRUE(save_index(path, index).ok());
        }
        const auto loaded = load_subgoal_index(path, index.map());
        ASSERT_TRUE(loaded.has_value()) << loaded.error().message;
        EXPECT_TRUE(*loaded == index);
        EXPECT_EQ(loaded->has_labels(), index.has_labels());
        EXPECT_EQ(cairn::test::bytes_of(path), index_bytes(*loaded).value());
    }
}

}  // namespace
}  // namespace cairn::index_file::test
