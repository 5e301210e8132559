#pragma once
// What tests of the command line share: a folder of files, and commands run in it.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "run_cairn.hpp"
#include "support/scratch_folder.hpp"

namespace cairn::test {

class CommandTest : public ::testing::Test {
protected:
    [[nodiscard]] Ran run(const std::string& arguments) const {
        return run_cairn(folder_.path(), arguments);
    }
    /// What a command that succeeds says with --json.
    [[nodiscard]] nlohmann::json json(const std::string& arguments) const;
    /// Expects an error with this exit code whose message holds `text`, as text and as JSON.
    void expect_error(const std::string& arguments, int code, const std::string& text) const;

    ScratchFolder folder_;
};

}  // namespace cairn::test
