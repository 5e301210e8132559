// The corpus of the fuzz target haa_index_fuzz is made of haa_index_cases.hpp. Where the format or
// what is built has changed, run this test with CAIRN_WRITE_CORPUS=1 to write it anew.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "../../fuzz/haa_index_cases.hpp"
#include "cairn/index_file/haa_index_file.hpp"
#include "support/scratch_folder.hpp"
#include "support/source_folder.hpp"

namespace cairn::index_file::test {
namespace {

TEST(HaaIndexCorpus, IsUpToDate) {
    const auto folder = cairn::test::source_folder() / "fuzz/corpus/haa_index";
    for (const fuzz::HaaIndexCase& c : fuzz::haa_index_cases()) {
        const haa::Index index = fuzz::build(c);
        const auto path = folder / (c.name + ".crha");
        if (std::getenv("CAIRN_WRITE_CORPUS") != nullptr) {
            std::filesystem::create_directories(folder);
            ASSERT_TRUE(save_index(path, index).ok());
        }
        const auto loaded = load_haa_index(path);
        ASSERT_TRUE(loaded.has_value()) << loaded.error().message;
        EXPECT_TRUE(*loaded == index);
        EXPECT_EQ(cairn::test::bytes_of(path), index_bytes(*loaded).value());
    }
}

}  // namespace
}  // namespace cairn::index_file::test
