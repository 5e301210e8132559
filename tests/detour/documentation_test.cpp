// The code in the pages about Detour is that of examples, which run as tests.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "support/code_blocks.hpp"

namespace cairn::detour {
namespace {

/// C++ without comments and white space.
std::string squeezed(std::string_view code) {
    std::string result;
    for (std::size_t i = 0; i < code.size(); ++i) {
        if (code.substr(i, 2) == "//") i = std::min(code.find('\n', i), code.size() - 1);
        if (code[i] != ' ' && code[i] != '\n') result += code[i];
    }
    return result;
}

/// Whether `code`, squeezed, has the statements of a block in their order.
bool has_statements(std::string_view code, const std::string& block) {
    const std::string wanted = squeezed(block);
    std::size_t at = 0;
    for (std::size_t begin = 0; begin < wanted.size();) {
        const std::size_t end = std::min(wanted.find(';', begin), wanted.size() - 1) + 1;
        const std::size_t found = code.find(wanted.substr(begin, end - begin), at);
        if (found == std::string_view::npos) return false;
        at = found + end - begin;
        begin = end;
    }
    return true;
}

TEST(Documentation, HasTheCodeOfExamples) {
    const std::filesystem::path root = test::source_folder();
    std::vector<std::string> examples;
    for (const auto& entry : std::filesystem::directory_iterator(root / "examples")) {
        if (entry.path().filename().string().starts_with("detour_"))
            examples.push_back(squeezed(test::bytes_of(entry.path())));
    }
    ASSERT_GE(examples.size(), 3U);
    std::size_t blocks = 0;
    for (const char* page : {"docs/detour.md", "docs/detour-migration.md"}) {
        for (const std::string& block : test::code_blocks(page, "cpp")) {
            EXPECT_TRUE(std::any_of(
                examples.begin(), examples.end(),
                [&](const std::string& example) { return has_statements(example, block); }))
                << page << ":\n"
                << block;
            ++blocks;
        }
    }
    EXPECT_GE(blocks, 18U);
    EXPECT_FALSE(has_statements(examples.front(), "int nothing_like_this = 0;"));
}

}  // namespace
}  // namespace cairn::detour
