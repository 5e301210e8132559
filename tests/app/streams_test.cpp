// Standard input and output as files of `cairn`, files that are none, and signals.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <tuple>

#include "command_test.hpp"

namespace cairn::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class Streams : public CommandTest {
protected:
    void SetUp() override {
        ASSERT_EQ(run("generate rooms a.map --width 40 --height 30").code, 0);
        ASSERT_EQ(run("convert a.map a.png").code, 0);
        ASSERT_EQ(run("convert a.map a.pgm").code, 0);
        ASSERT_EQ(run("convert a.map a.mesh").code, 0);
        ASSERT_EQ(run("build a.map").code, 0);
        ASSERT_EQ(run("build a.mesh").code, 0);
    }
    [[nodiscard]] std::string bytes(const std::string& name) const {
        return bytes_of(folder_.path() / name);
    }
    /// Runs `arguments` in the background, sends it signals by `signals`, in which $pid is its
    /// number, and waits for it.
    [[nodiscard]] Ran signalled(const std::string& arguments, const std::string& signals) const {
        return run(arguments + " & pid=$!; " + signals + " wait $pid");
    }
};

TEST_F(Streams, EveryFormatIsReadFromStandardInput) {
    const std::string ends = " 1,1 38,28";
    const auto cost = json("path a.map" + ends)["cost"];
    for (const char* file : {"a.map", "a.png", "a.pgm"})
        EXPECT_EQ(json("path -" + ends + " <" + file)["cost"], cost) << file;
    EXPECT_EQ(json("path - 1,1 38,28 --index a.cairn <a.map")["cost"], cost);
    EXPECT_EQ(json("path a.map 1,1 38,28 --index - <a.cairn")["cost"], cost);
    const auto length = json("path a.mesh" + ends)["length"];
    for (const char* file : {"a.mesh", "a.crhn"})
        EXPECT_EQ(json("path -" + ends + " <" + file)["length"], length) << file;
    EXPECT_EQ(json("path - 1,1 38,28 --planner hna <a.map")["length"], length);
    EXPECT_EQ(json("inspect - <a.cairn")["options"], json("inspect a.cairn")["options"]);
    EXPECT_EQ(json("inspect a.cairn --map - <a.map")["levels"],
              json("inspect a.cairn --map a.map").at("levels"));
    EXPECT_EQ(json("inspect - <a.crhn")["mesh"], json("inspect a.crhn")["mesh"]);
    EXPECT_EQ(json("verify - --queries 20 <a.map")["ok"], true);
    EXPECT_EQ(json("crowd - --agents 5 --seconds 1 <a.map")["agents"], 5);
    folder_.file("a.obj", "v 0 0 0\nv 20 0 0\nv 20 0 10\nv 0 0 10\nf 4 3 2 1\n");
    const Ran obj = run("path - 2,2 18,8 <a.obj");
    EXPECT_TRUE(obj.code == 0 || obj.err.find("without Detour") != std::string::npos) << obj.err;
}

TEST_F(Streams, APipeIsReadToItsEnd) {
    const Ran slow =
        run_program("sh", folder_.path(),
                    "-c \"{ head -c 100 a.cairn; sleep 0.2; tail -c +101 a.cairn; } | " CAIRN_APP
                    " inspect - --json\"");
    EXPECT_EQ(slow.json()["options"], json("inspect a.cairn")["options"]) << slow.err;
    folder_.file("empty", "");
    EXPECT_EQ(run("inspect - <empty").code, 3);
    EXPECT_EQ(run("path - 1,1 2,2 <&-").code, 4);  // closed
}

TEST_F(Streams, WhatIsWrittenToStandardOutputIsTheFile) {
    const auto same = [&](const std::string& arguments, const std::string& file) {
        const Ran ran = run(arguments);
        EXPECT_EQ(ran.code, 0) << arguments << ran.err;
        EXPECT_EQ(ran.out, bytes(file)) << arguments;
        EXPECT_THAT(ran.err, HasSubstr("written to /dev/stdout"));  // the report
    };
    same("generate rooms - --width 40 --height 30", "a.map");
    same("generate rooms - --width 40 --height 30 --format png", "a.png");
    same("convert a.map - --format pgm", "a.pgm");
    same("convert - - --format map <a.png", "a.map");
    same("convert a.map - --format mesh", "a.mesh");
    same("build a.map -", "a.cairn");
    same("build - - <a.map", "a.cairn");
    same("build a.mesh -o -", "a.crhn");
    ASSERT_EQ(run("render a.map a.svg").code, 0);
    same("render a.map -", "a.svg");
    ASSERT_EQ(run("render a.mesh mesh.png").code, 0);
    same("render - -o - --format png <a.mesh", "mesh.png");
    ASSERT_EQ(run("generate scenario a.scen --map a.map --count 5").code, 0);
    same("generate scenario - --map a.map --count 5", "a.scen");
    // A file behind standard output is written on, not replaced.
    ASSERT_EQ(run("convert a.map - --format map >twice").code, 0);
    ASSERT_EQ(run("convert a.map - --format map >>twice").code, 0);
    EXPECT_EQ(bytes("twice"), bytes("a.map") + bytes("a.map"));
    EXPECT_EQ(run("build a.map - >/dev/full").code, 4);
}

TEST_F(Streams, WhatAStreamCannotSayIsAskedFor) {
    EXPECT_THAT(run("convert a.map -").err, HasSubstr("--format"));
    expect_error("convert a.map - --format gif", 2, "map, png, pgm");
    expect_error("build - <a.map", 2, "name the index file");
    expect_error("path - 1,1 2,2 --index - <a.map", 2, "only one file");
    EXPECT_THAT(run("build a.map - --json").json()["error"]["message"].get<std::string>(),
                HasSubstr("standard output"));
    ASSERT_EQ(run("convert a.map a.yaml").code, 0);
    expect_error("path - 1,1 2,2 <a.yaml", 2, "beside it");
    EXPECT_EQ(run("path - --help </dev/null").code, 0);
}

TEST_F(Streams, PipesAndDevicesAreRefusedAtOnce) {
    for (const char* name : {"f.map", "f.png", "f.yaml", "f.mesh", "f.bin", "f.obj"}) {
        const std::string path = folder_.path() / name;
        ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
        const std::string where = std::string("path ") + name + " 1,1 2,2";
        const Ran ran = run(where);
        if (ran.err.find("without Detour") != std::string::npos) continue;
        EXPECT_EQ(ran.code, 4) << name;
        EXPECT_THAT(ran.err, HasSubstr("not a regular file")) << name;
    }
    expect_error("path a.map 1,1 2,2 --index f.map", 4, "f.map: cannot read: it is a pipe");
    expect_error("inspect /dev/zero", 4, "/dev/zero: cannot read");
    folder_.file("zero.yaml",
                 "image: /dev/zero\nresolution: 1\norigin: [0, 0, 0]\nnegate: 0\n"
                 "occupied_thresh: 0.65\nfree_thresh: 0.2\n");
    expect_error("path zero.yaml 1,1 2,2", 4, "/dev/zero: cannot read");
}

TEST_F(Streams, PicturesAboveTheLimitAreRefused) {
    expect_error("path a.png 1,1 2,2 --max-pixels 1199", 3, "at most 32768 a side and 1199 in all");
    EXPECT_EQ(run("path a.png 1,1 38,28 --max-pixels 1200").code, 0);
    for (const char* command : {"convert a.pgm b.map", "build a.pgm", "inspect a.pgm",
                                "verify a.pgm", "render a.pgm a.svg", "crowd a.pgm",
                                "path a.pgm 1,1 2,2 --planner hna", "convert a.pgm b.mesh"})
        expect_error(command + std::string(" --max-pixels 5"), 3, "a.pgm");
    folder_.file("palette.json", R"({"#ffffff": "ground", "#000000": "obstacle"})");
    expect_error("path a.png 1,1 2,2 --planner haa --palette palette.json --max-pixels 5", 3,
                 "a.png");
    EXPECT_EQ(run("path a.png 1,1 2,2 --max-pixels 999999999999").code, 2);
}

TEST_F(Streams, ASignalEndsAReadThatWaits) {
    ASSERT_EQ(::mkfifo((folder_.path() / "wait").c_str(), 0600), 0);
    for (const char* signal : {"INT", "TERM"}) {
        const Ran ran =
            signalled("path - 1,1 2,2 <wait",
                      std::string("sleep 3 >wait & sleep 0.2; ") + "kill -" + signal + " $pid;");
        EXPECT_EQ(ran.code, 130) << signal;
        EXPECT_EQ(ran.err, "cairn: the work was cancelled\n");
    }
}

TEST_F(Streams, ASecondSignalEndsTheProgramAtOnce) {
    // Generating a map does not look at the flag that the first signal sets.
    const std::string long_work = "generate caves big.map --width 8192 --height 8192";
    for (const auto& [first, second, code] :
         {std::tuple{"TERM", "TERM", 143}, {"INT", "TERM", 143}, {"TERM", "INT", 130}}) {
        const Ran ran = signalled(
            long_work,
            fmt::format("sleep 0.2; kill -{} $pid; sleep 0.1; kill -{} $pid;", first, second));
        EXPECT_EQ(ran.code, code) << first << second;
        EXPECT_THAT(ran.err, Not(HasSubstr("cairn:")));
        EXPECT_FALSE(std::filesystem::exists(folder_.path() / "big.map"));
    }
}

}  // namespace
}  // namespace cairn::test
