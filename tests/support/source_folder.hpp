#pragma once
// Where the repository lies, for tests that read its files.

#include <filesystem>

namespace cairn::test {

[[nodiscard]] std::filesystem::path source_folder();

}  // namespace cairn::test
