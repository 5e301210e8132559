// `cairn-lab gpu`: the report on a GPU, here on the processors in its place.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include "cairn/batch/device.hpp"
#include "lab/lab_test.hpp"

namespace cairn::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class GpuReport : public testing::Test {
protected:
    /// Runs a short report on the processors. `path`: a folder that comes first on the PATH.
    [[nodiscard]] Ran report(const std::string& arguments,
                             const std::string& path = "/nowhere") const {
        return run_program("env", folder_.path(),
                           "PATH='" + path + "':\"$PATH\" '" + CAIRN_LAB +
                               "' gpu --host --rounds 1 --threads 2 " + arguments);
    }
    [[nodiscard]] CsvRows sheet(const std::string& name) const {
        return csv_file(folder_.path() / "out" / (name + ".csv"));
    }
    /// Makes a program compute-sanitizer in a folder of its own, and returns the folder.
    [[nodiscard]] std::string sanitizer(const std::string& script) const {
        const std::filesystem::path bin = folder_.path() / "bin";
        std::filesystem::create_directories(bin);
        const std::filesystem::path program = bin / "compute-sanitizer";
        std::ofstream(program) << "#!/bin/sh\n" << script;
        std::filesystem::permissions(program, std::filesystem::perms::owner_all);
        return bin.string();
    }

    ScratchFolder folder_;
};

TEST_F(GpuReport, EveryPlannerAndEngineIsComparedWithTheHost) {
    const Ran ran = report("--agents 600 --parts device,answers,chunks --out out");
    ASSERT_EQ(ran.code, 0) << ran.err;
    EXPECT_THAT(sheet("gpu_device")[0].text("value"), HasSubstr("host"));
    std::multiset<std::string> engines;
    for (const CsvRow& row : sheet("gpu_answers")) {
        engines.insert(row.text("planner") + ' ' + row.text("engine"));
        EXPECT_EQ(row.text("wrong"), "0");
        EXPECT_EQ(row.text("requests"), "600");
        EXPECT_EQ(row.number("on_device") + row.number("on_host"), 600);
        EXPECT_GT(row.number("on_device"), 300);
        for (const char* time : {"ms", "host_ms", "answer_ms", "copies_ms"})
            EXPECT_GT(row.number(time), 0) << time;
        EXPECT_EQ(row.number("lay_out_ms") > 0, row.text("paths") != "cost");
    }
    EXPECT_EQ(engines.size(), 22U);
    EXPECT_THAT(std::set(engines.begin(), engines.end()),
                ElementsAre("hna climb", "hna cut_labels", "hna parallel_connect", "hna pccp",
                            "hna polygon_astar", "hpa climb", "hpa cut_labels", "subgoal climb",
                            "subgoal cut_labels"));
    std::set<std::string> chunks;
    for (const CsvRow& row : sheet("gpu_chunks")) {
        chunks.insert(row.text("chunk"));
        EXPECT_GT(row.number("answer_ms"), 0);
    }
    EXPECT_THAT(chunks, ElementsAre("1024", "131072", "16384", "4096", "65536"));
}

TEST_F(GpuReport, RunsOnTheMapsAndMeshesThatAreNamed) {
    std::ofstream(folder_.path() / "room.map") << "type octile\nheight 4\nwidth 4\nmap\n"
                                                  "....\n.@@.\n.@@.\n....\n";
    ASSERT_EQ(run_lab(folder_.path(), "gpu --host --parts answers missing.map").code, 2);
    const Ran ran = report("--agents 50 --parts answers room.map --out out");
    ASSERT_EQ(ran.code, 0) << ran.err;
    std::multiset<std::string> rows;
    for (const CsvRow& row : sheet("gpu_answers")) {
        rows.insert(row.text("planner") + ' ' + row.text("map"));
        EXPECT_EQ(row.text("wrong"), "0");
    }
    EXPECT_EQ(rows.size(), 8U);
    EXPECT_EQ(rows.count("subgoal room"), 4U);
    EXPECT_EQ(rows.count("hpa room"), 4U);
}

TEST_F(GpuReport, EndsWithExitCode2WithoutAGpu) {
    const auto gpu = batch::Device::open({.kind = batch::DeviceKind::gpu});
    if (gpu) GTEST_SKIP() << "there is a GPU: " << gpu->name();
    const Ran ran = run_lab(folder_.path(), "gpu --out out");
    EXPECT_EQ(ran.code, 2);
    EXPECT_THAT(ran.err, HasSubstr(gpu.error().message));
    EXPECT_FALSE(std::filesystem::exists(folder_.path() / "out"));
}

// The program runs itself under a tool, which here is a script.
TEST_F(GpuReport, RunsItselfUnderEveryToolOfTheSanitizer) {
    const std::string path = sanitizer(
        "echo \"$@\" >> calls\n"
        "shift 4\n"
        "\"$@\" || exit\n"
        "echo\necho '========= ERROR SUMMARY: 0 errors'\n");
    const Ran ran = report("--agents 300 --parts sanitizer --out out", path);
    ASSERT_EQ(ran.code, 0) << ran.err;
    std::set<std::string> tools;
    for (const CsvRow& row : sheet("gpu_sanitizer")) {
        tools.insert(row.text("tool"));
        EXPECT_EQ(row.text("result"), "passed");
        EXPECT_EQ(row.text("exit_code"), "0");
        EXPECT_EQ(row.text("output"), "========= ERROR SUMMARY: 0 errors");
    }
    EXPECT_THAT(tools, ElementsAre("initcheck", "memcheck", "racecheck", "synccheck"));
    const std::string calls = bytes_of(folder_.path() / "calls");
    EXPECT_THAT(calls, HasSubstr("--tool racecheck --error-exitcode 99"));
    EXPECT_THAT(calls, HasSubstr("gpu --parts answers --rounds 1 --agents 300 --memory 64"));
}

TEST_F(GpuReport, FaultsThatAToolFindsFailTheReport) {
    const std::string path =
        sanitizer("echo 'Invalid __global__ read'\ntest \"$2\" != memcheck || exit 99\n");
    const Ran ran = report("--agents 300 --parts sanitizer --out out", path);
    EXPECT_EQ(ran.code, 5) << ran.err;
    for (const CsvRow& row : sheet("gpu_sanitizer")) {
        const bool memcheck = row.text("tool") == "memcheck";
        EXPECT_EQ(row.text("result"), memcheck ? "failed" : "passed");
        EXPECT_EQ(row.text("exit_code"), memcheck ? "99" : "0");
        EXPECT_EQ(row.text("output"), "Invalid __global__ read");
    }
}

TEST_F(GpuReport, SaysThatTheSanitizerIsNotInstalled) {
    const Ran ran = run_program(
        "env", folder_.path(),
        std::string("PATH=/nowhere '") + CAIRN_LAB + "' gpu --host --parts sanitizer --out out");
    ASSERT_EQ(ran.code, 0) << ran.err;
    const CsvRows rows = sheet("gpu_sanitizer");
    EXPECT_EQ(rows.size(), 4U);
    for (const CsvRow& row : rows) {
        EXPECT_EQ(row.text("result"), "not installed");
        EXPECT_TRUE(row.empty("exit_code"));
    }
}

}  // namespace
}  // namespace cairn::test
