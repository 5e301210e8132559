#pragma once
// The checks of `cairn verify`: how often each was made, how often it failed, and their output.

#include <cstdint>
#include <span>
#include <string>

#include "command.hpp"

namespace cairn::app {

/// Options of a verification: the group "Query".
struct CheckFlags {
    int queries = 1000;
    int edits = 4;
    std::uint64_t seed = 1;

    /// `edited`: what an edit changes, for the help.
    void add_to(CLI::App& command, const char* edited);
};

/// A condition that must always hold, and how often it failed.
struct Check {
    const char* condition;  ///< as the output shows it
    std::uint64_t tried = 0;
    std::uint64_t failed = 0;
    std::string first = {};  ///< a description of the first failure

    /// Counts one more test. `describe_failure` returns a string.
    template <class Describe>
    void expect(bool holds, Describe&& describe_failure) {
        ++tried;
        if (holds) return;
        if (failed++ == 0) first = describe_failure();
    }
};

[[nodiscard]] bool all_hold(std::span<const Check> checks);
/// A line for each check, followed by the first failure if there is one.
[[nodiscard]] std::string checks_text(std::span<const Check> checks);
[[nodiscard]] Json checks_json(std::span<const Check> checks);

}  // namespace cairn::app
