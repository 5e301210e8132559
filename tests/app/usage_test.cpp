// How `cairn` answers command lines: names that do not exist, help, exit codes.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "command.hpp"
#include "command_test.hpp"
#include "support/allocation_counter.hpp"
#include "support/source_folder.hpp"

namespace cairn::test {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr const char* kCommands[] = {"build",  "edit",     "path",    "inspect", "verify",
                                     "render", "generate", "convert", "crowd"};

class Usage : public CommandTest {
protected:
    void SetUp() override {
        folder_.file("two.map", "type octile\nheight 2\nwidth 6\nmap\n...@..\n...@..\n");
    }
    /// Expects a bad command line whose message's first line is `line`.
    void expect_usage(const std::string& arguments, const std::string& line) const {
        const Ran ran = run(arguments);
        EXPECT_EQ(ran.code, 2) << arguments;
        EXPECT_EQ(ran.err.substr(0, ran.err.find('\n')), "cairn: " + line) << arguments;
    }
};

TEST_F(Usage, NamesThatDoNotExistAreAnsweredByTheNearest) {
    expect_usage("pth two.map", "there is no subcommand 'pth'; did you mean 'path'?");
    expect_usage("help biuld", "there is no subcommand 'biuld'; did you mean 'build'?");
    for (const char* before : {"path", "path two.map", "path two.map 0,0 1,1"}) {
        expect_usage(before + std::string(" --planer hpa"),
                     "there is no option '--planer'; did you mean '--planner'?");
    }
    expect_usage("path two.map 0,0 1,1 --no-tabels",
                 "there is no option '--no-tabels'; did you mean '--no-tables'?");
    expect_usage("--versoin", "there is no option '--versoin'; did you mean '--version'?");
    expect_usage(
        "path two.map 0,0 1,1 --planner subgaol",
        "--planner: there is no 'subgaol' here: write auto, hpa, subgoal, haa, astar, jps; "
        "did you mean 'subgoal'?");
    for (const std::string option :
         {"--engine lables", "--planner haa --anchor centered", "--corners stric"}) {
        EXPECT_THAT(run("path two.map 0,0 1,1 " + option).err, HasSubstr("; did you mean '"))
            << option;
    }
    EXPECT_THAT(run("generate romos a.map").err, HasSubstr("; did you mean 'rooms'?"));
    EXPECT_THAT(run("render two.map a.svg --hide node").err, HasSubstr("; did you mean 'nodes'?"));
    expect_error("pth two.map", 2, "did you mean 'path'");
}

TEST_F(Usage, OptionsOfTheOtherKindOfInputAreExplained) {
    expect_usage("path two.map 0,0 1,1 --mu 3", "--mu is an option for meshes, not for maps");
    expect_usage("path two.map 0,0 1,1 --planner hna --edit 1,1,1,1,@",
                 "--edit is an option for maps, not for meshes");
}

TEST_F(Usage, BytesOfPicturesAreNoWeights) {
    ASSERT_EQ(run("convert two.map two.pgm").code, 0);
    std::filesystem::copy(folder_.path() / "two.pgm", folder_.path() / "picture");
    std::filesystem::copy(folder_.path() / "two.map", folder_.path() / "two.Map");
    for (const std::string name : {"two.pgm", "picture"}) {
        ASSERT_EQ(run("path " + name + " 0,0 1,1").code, 0);
        const Ran refused = run("path " + name + " 0,0 1,1 --weights literal");
        EXPECT_EQ(refused.code, 3);
        EXPECT_THAT(refused.err, HasSubstr("type"));
    }
    EXPECT_EQ(run("path two.Map 0,0 1,1 --weights literal").code, 0);
}

TEST_F(Usage, ArgumentsTooManyOrTooFewAreNamed) {
    expect_usage("",
                 "a subcommand is needed: path, build, edit, inspect, verify, render, generate, "
                 "convert, crowd, help, completion");
    expect_usage("path two.map 0,0 1,1 2,1", "'2,1' is one argument too many");
    expect_usage("path two.map --levels 2 -1,0 1,1 -7", "'-7' is one argument too many");
    expect_usage("path", "map is required");
}

TEST_F(Usage, HelpOfACommandIsThatOfItsOption) {
    EXPECT_EQ(run("help").out, run("--help").out);
    for (const std::string command : kCommands) {
        const Ran help = run("help " + command);
        EXPECT_EQ(help.code, 0) << command;
        EXPECT_EQ(help.out, run(command + " --help").out);
        EXPECT_EQ(run("help " + command + " a.mesh").out, run(command + " a.mesh --help").out);
    }
    EXPECT_THAT(run("help path a.mesh").out, HasSubstr("--mu"));
}

TEST_F(Usage, HelpListsTheExitCodes) {
    const std::string help = run("help").out;
    for (const auto& [code, text] : app::kExitMeanings)
        EXPECT_THAT(help, HasSubstr(fmt::format("\n  {:<5}{}\n", code, text)));
}

TEST_F(Usage, TheDocumentationHasTheSameExitCodesAndCommands) {
    const std::string page = bytes_of(source_folder() / "docs/command-line.md");
    std::string table = "| code | meaning |\n| ---: | --- |\n";
    for (const auto& [code, text] : app::kExitMeanings)
        table += fmt::format("| {} | {} |\n", code, text);
    EXPECT_THAT(page, HasSubstr("\n" + table + "\n"));
    for (const char* command : kCommands)
        EXPECT_THAT(page, HasSubstr(fmt::format("| `cairn {} ", command)));
}

TEST_F(Usage, AnErrorThatNobodyCanReadStillHasItsExitCode) {
    EXPECT_EQ(run("path two.map 0,0 9,9 2>&-").code, 4);  // standard error is closed
    EXPECT_EQ(run("inspect two.map >/dev/full 2>/dev/full").code, 4);
    EXPECT_EQ(run("inspect two.map >&- 2>&-").code, 4);
}

TEST_F(Usage, TooLittleMemoryHasAnExitCodeOfItsOwn) {
    if (!counts_allocations()) GTEST_SKIP() << "sanitizers reserve more addresses than the limit";
    const std::string limited = "sh -c 'ulimit -v 400000; exec " CAIRN_APP " ";
    const std::string large = "generate open large.map --width 32768 --height 32768";
    const Ran text = run_program("env", folder_.path(), limited + large + "'");
    EXPECT_EQ(text.code, 6) << text.err;
    EXPECT_THAT(text.err, StartsWith("cairn: "));
    EXPECT_THAT(text.err, HasSubstr("memory"));
    const Ran json = run_program("env", folder_.path(), limited + large + " --json'");
    EXPECT_EQ(json.code, 6);
    EXPECT_EQ(json.json()["error"]["code"], "out_of_memory") << json.out;
}

}  // namespace
}  // namespace cairn::test
