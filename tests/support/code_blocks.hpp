#pragma once
// The blocks of code of a page of the documentation.

#include <string>
#include <string_view>
#include <vector>

#include "support/scratch_folder.hpp"
#include "support/source_folder.hpp"

namespace cairn::test {

/// The blocks marked as `language` of a page, such as docs/c.md, in their order.
[[nodiscard]] inline std::vector<std::string> code_blocks(std::string_view page,
                                                          std::string_view language) {
    const std::string text = "\n" + bytes_of(source_folder() / page);
    const std::string begin = "\n```" + std::string(language) + "\n";
    std::vector<std::string> blocks;
    for (std::size_t at = text.find(begin); at != std::string::npos; at = text.find(begin, at)) {
        at += begin.size();
        const std::size_t end = text.find("```", at);
        blocks.push_back(text.substr(at, end - at));
        at = end;
    }
    return blocks;
}

}  // namespace cairn::test
