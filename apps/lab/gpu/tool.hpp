#pragma once
// Runs another program and keeps what it prints.

#include <string>
#include <vector>

#include "cairn/status.hpp"

namespace cairn::app {

/// How a program ended, and its standard output and standard error together.
struct ToolRun {
    int code = 0;  ///< exit code, or 128 + signal
    std::string output;
};

/// Whether the PATH has a program of this name.
[[nodiscard]] bool is_installed(const std::string& program);

/// Runs a program of the PATH, or of a path with a slash, and waits for it. words[0] is its name.
/// Errors: io_error.
[[nodiscard]] Result<ToolRun> run_tool(const std::vector<std::string>& words);

}  // namespace cairn::app
