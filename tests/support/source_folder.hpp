#pragma once
// The root of the repository, for tests that read its files.

#include <filesystem>

namespace cairn::test {

[[nodiscard]] std::filesystem::path source_folder();

}  // namespace cairn::test
