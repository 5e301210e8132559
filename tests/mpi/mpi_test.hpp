#pragma once
// Tests that run cairn-mpi by mpirun.

#include <gtest/gtest.h>

#include <string>

#include "app/command_test.hpp"

namespace cairn::test {

/// Settings of Open MPI: root may run it, with more processes than processors.
inline constexpr const char* kEnvironment =
    "export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1\n"
    "export OMPI_MCA_rmaps_base_oversubscribe=1\n";

/// Skips where there is no mpirun.
class MpiTest : public CommandTest {
protected:
    void SetUp() override {
        const Ran found = run_program("sh", folder_.path(), "-c 'command -v \"" CAIRN_MPIRUN "\"'");
        if (found.code != 0) GTEST_SKIP() << "there is no mpirun: '" CAIRN_MPIRUN "'";
    }

    /// Runs a script of the shell, with the settings above.
    [[nodiscard]] Ran shell(const std::string& script) const {
        folder_.file("script", kEnvironment + script);
        return run_program("sh", folder_.path(), "script");
    }
    /// Runs mpirun with these arguments, for two minutes at most.
    [[nodiscard]] Ran mpirun(const std::string& arguments) const {
        return shell("exec timeout 120 '" CAIRN_MPIRUN "' " + arguments);
    }
    [[nodiscard]] std::string bytes(const std::string& name) const {
        return bytes_of(folder_.path() / name);
    }
};

}  // namespace cairn::test
