#pragma once
// Shared by the tests of the command line: a scratch folder, and commands of cairn run in it.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "run_cairn.hpp"
#include "support/scratch_folder.hpp"

namespace cairn::test {

class CommandTest : public ::testing::Test {
protected:
    /// Runs `cairn ARGUMENTS` in the folder.
    [[nodiscard]] Ran run(const std::string& arguments) const {
        return run_cairn(folder_.path(), arguments);
    }
    /// The JSON that a command prints with --json; it must succeed.
    [[nodiscard]] nlohmann::json json(const std::string& arguments) const;
    /// Expects an error with this exit code whose message holds `text`, as text and as JSON.
    void expect_error(const std::string& arguments, int code, const std::string& text) const;

    ScratchFolder folder_;
};

}  // namespace cairn::test
