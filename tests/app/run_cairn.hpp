#pragma once
// Runs programs through the shell and keeps what they print.

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "support/scratch_folder.hpp"

namespace cairn::test {

/// How a program ended and what it printed.
struct Ran {
    int code = -1;  ///< exit code, or 128 + signal
    std::string out;
    std::string err;
    /// Standard output as JSON; a discarded value if it is none.
    [[nodiscard]] nlohmann::json json() const {
        return nlohmann::json::parse(out, nullptr, /*allow_exceptions=*/false);
    }
};

/// Runs `PROGRAM ARGUMENTS` in `folder` through the shell, so that arguments may hold redirections
/// and pipes.
[[nodiscard]] Ran run_program(const std::string& program, const std::filesystem::path& folder,
                              const std::string& arguments);
/// Runs `cairn ARGUMENTS` in `folder`.
[[nodiscard]] Ran run_cairn(const std::filesystem::path& folder, const std::string& arguments);

}  // namespace cairn::test
