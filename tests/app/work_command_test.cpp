// `cairn build --work`: builds that are killed go on, and give the same file.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "command_test.hpp"

namespace cairn::test {
namespace {

using ::testing::HasSubstr;

class Work : public CommandTest {
protected:
    [[nodiscard]] bool exists(const std::string& name) const {
        return std::filesystem::exists(folder_.path() / name);
    }
    [[nodiscard]] std::string bytes(const std::string& name) const {
        return bytes_of(folder_.path() / name);
    }
};

TEST_F(Work, KilledBuildsGoOn) {
    ASSERT_EQ(run("generate caves a.map --width 500 --height 400").code, 0);
    for (const std::string options : {"--planner hpa --cluster-size 8", "--planner subgoal",
                                      "--planner haa --capabilities ground --max-size 2"}) {
        ASSERT_EQ(run("build a.map whole.cairn " + options).code, 0);
        const auto parts = json("build a.map a.cairn --work w " + options)["checkpoints"]["kept"];
        for (int i = 0; i < 8; ++i) {
            static_cast<void>(
                run(fmt::format("build a.map a.cairn --work w {} & pid=$!; sleep "
                                "0.{:02}; kill -KILL $pid; wait $pid",
                                options, 2 + 5 * i)));
        }
        const auto checkpoints = json("build a.map a.cairn --work w " + options)["checkpoints"];
        EXPECT_FALSE(exists("w"));
        EXPECT_EQ(checkpoints["found"].get<int>() + checkpoints["kept"].get<int>(), parts);
        EXPECT_TRUE(bytes("a.cairn") == bytes("whole.cairn")) << options;
    }
}

TEST_F(Work, CheckpointsAreFoundAndRemoved) {
    ASSERT_EQ(run("generate caves a.map --width 300 --height 300").code, 0);
    // The index cannot be written, so the folder stays.
    const Ran stopped = run("build a.map missing/a.cairn --work w");
    EXPECT_EQ(stopped.code, 4) << stopped.err;
    EXPECT_TRUE(exists("w"));
    const auto report = json("build a.map a.cairn --work w");
    EXPECT_GT(report["checkpoints"]["found"].get<int>(), 10);
    EXPECT_EQ(report["checkpoints"]["kept"], 0);
    EXPECT_FALSE(exists("w"));
    EXPECT_THAT(run("build a.map a.cairn --work w").out, HasSubstr("0 checkpoints found in w, "));
}

TEST_F(Work, MeshesHaveCheckpointsToo) {
    ASSERT_EQ(run("generate rooms a.map --width 200 --height 200").code, 0);
    ASSERT_EQ(run("convert a.map a.mesh").code, 0);
    ASSERT_EQ(run("build a.mesh whole.crhn").code, 0);
    EXPECT_GT(json("build a.mesh a.crhn --work w")["checkpoints"]["kept"].get<int>(), 0);
    EXPECT_TRUE(bytes("a.crhn") == bytes("whole.crhn"));
}

TEST_F(Work, AMemoryLimitChangesNoByte) {
    if (run("build --help").out.find("--memory") == std::string::npos)
        GTEST_SKIP() << "this program has no --memory";
    ASSERT_EQ(run("generate caves a.map --width 800 --height 900").code, 0);
    for (const std::string options : {"--planner hpa --cluster-size 8", "--planner subgoal"}) {
        ASSERT_EQ(run("build a.map whole.cairn " + options).code, 0);
        for (const char* limit : {"1", "20M", "9G"}) {
            const Ran ran = run("build a.map a.cairn --memory " + (limit + (" " + options)));
            EXPECT_EQ(ran.code, 0) << ran.err;
            EXPECT_TRUE(bytes("a.cairn") == bytes("whole.cairn")) << options << limit;
        }
    }
    // The file for the arrays has no name.
    std::size_t files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path()))
        files += entry.is_regular_file() ? 1 : 0;
    EXPECT_EQ(files, 3U);
    expect_error("build a.map no/such/a.cairn --memory 1G", 4, "no/such");
    EXPECT_EQ(run("build a.map a.cairn --memory much").code, 2);
}

TEST_F(Work, WhatIsNoFolderIsRefused) {
    ASSERT_EQ(run("generate rooms a.map --width 40 --height 30").code, 0);
    expect_error("build a.map --work a.map", 4, "a.map");
    expect_error("build a.map --work no/such", 4, "no/such");
}

}  // namespace
}  // namespace cairn::test
