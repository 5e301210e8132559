// The commands in pages of docs/, run as they stand there.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "command_test.hpp"
#include "formats/tiled_files.hpp"
#include "support/code_blocks.hpp"

namespace cairn::test {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class Documentation : public CommandTest {
protected:
    /// The files that the pages name: the folder maps, arena.map, level.obj, level.bin and
    /// level.tmx.
    void SetUp() override {
        ASSERT_EQ(run("generate rooms arena.map --width 256 --height 256").code, 0);
        std::filesystem::create_directory_symlink(source_folder() / "maps",
                                                  folder_.path() / "maps");
        folder_.file("level.obj", "v 0 0 0\nv 50 0 0\nv 50 0 50\nv 0 0 50\nf 4 3 2 1\n");
        ASSERT_EQ(run("convert level.obj level.bin").code, 0);
        TiledFile map;
        map.width = 48;
        map.height = 16;
        map.tilesets.push_back({1, {{1, {{"blocked", "bool", "true"}}}}, ""});
        const std::vector<std::uint32_t> floor(std::size_t{48} * 16, 1);
        std::vector<std::uint32_t> walls(floor.size(), 0);
        for (std::size_t y = 0; y < 14; ++y) walls[y * 48 + 20] = 2;
        map.layers.push_back({"floor", {}, {{0, 0, 48, 16, floor}}, ""});
        map.layers.push_back({"walls", {}, {{0, 0, 48, 16, walls}}, ""});
        folder_.file("level.tmx", xml_of(map, {}));
    }

    /// Runs a script by a shell or an interpreter that finds `cairn`.
    [[nodiscard]] Ran run_script(const std::string& interpreter, const std::string& script) const {
        folder_.file("script", script);
        const std::string programs = std::filesystem::path(CAIRN_APP).parent_path();
        return run_program("env", folder_.path(),
                           "PATH='" + programs + "':\"$PATH\" " + interpreter + " script");
    }

    /// Runs the lines of a page's shell blocks that call `cairn`, with fewer agents, and says how
    /// many they are.
    std::size_t run_commands(const std::string& page) const {
        static const std::regex agents("--agents [0-9]+");
        std::size_t lines = 0;
        for (const std::string& block : code_blocks(page, "sh")) {
            std::istringstream text(block);
            for (std::string line; std::getline(text, line);) {
                // The last is what a user of fish writes, whose `source` is not that of sh.
                if (!line.starts_with("cairn ") || line.ends_with("| source")) continue;
                const Ran ran = run_script("sh", std::regex_replace(line, agents, "--agents 100"));
                EXPECT_EQ(ran.code, 0) << page << ": " << line << "\n" << ran.err;
                ++lines;
            }
        }
        return lines;
    }
};

TEST_F(Documentation, CommandsOfTheCommandLine) {
    EXPECT_EQ(run_commands("docs/command-line.md"), 21U);
}

TEST_F(Documentation, CommandsOfTheStart) { EXPECT_EQ(run_commands("docs/start.md"), 1U); }

TEST_F(Documentation, CommandsOfAgents) { EXPECT_EQ(run_commands("docs/agents.md"), 1U); }

TEST_F(Documentation, CommandsOfCrowds) { EXPECT_EQ(run_commands("docs/crowd.md"), 4U); }

TEST_F(Documentation, CommandsOfTiled) { EXPECT_EQ(run_commands("docs/tiled.md"), 2U); }

TEST_F(Documentation, ConsolesShowWhatCommandsPrint) {
    const std::vector<std::string> consoles = code_blocks("docs/command-line.md", "console");
    ASSERT_EQ(consoles.size(), 2U);
    for (const std::string& console : consoles) {
        ASSERT_THAT(console, StartsWith("$ "));
        const std::size_t line = console.find('\n');
        const Ran ran = run_script("sh", console.substr(2, line - 2) + " 2>&1");
        std::string shown = console.substr(line + 1);
        if (const std::size_t cut = shown.find("  ...\n"); cut != std::string::npos) {
            EXPECT_THAT(ran.out, EndsWith(shown.substr(cut + 6)));
            shown.resize(cut);
            EXPECT_THAT(ran.out, StartsWith(shown));
        } else {
            EXPECT_EQ(ran.out, shown);
        }
    }
}

TEST_F(Documentation, AnErrorIsTheJsonThatIsShown) {
    const std::string row = "................@...............\n";
    folder_.file("halves.map", "type octile\nheight 4\nwidth 32\nmap\n" + row + row + row + row);
    const std::vector<std::string> shown = code_blocks("docs/command-line.md", "json");
    ASSERT_EQ(shown.size(), 1U);
    EXPECT_EQ(run("path halves.map 1,1 30,3 --json").json(), nlohmann::json::parse(shown[0]));
}

TEST_F(Documentation, PythonCallsTheTool) {
    std::string python = "python3";
    if (run_script(python, "import numpy").code != 0) python = "/usr/bin/python3";  // Debian's
    if (run_script(python, "import numpy").code != 0) GTEST_SKIP() << "there is no numpy";
    const std::vector<std::string> programs = code_blocks("docs/command-line.md", "python");
    ASSERT_EQ(programs.size(), 1U);
    const Ran ran = run_script(python, programs[0] + "print(*first[0], *first[-1])\n");
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_THAT(ran.out, EndsWith("1 1 57 37\n"));
}

TEST_F(Documentation, CompletionsWithoutAnInstallation) {
    const std::string page = bytes_of(source_folder() / "docs/command-line.md");
    ASSERT_THAT(page, HasSubstr("\nsource <(cairn completion bash)\n"));
    const Ran ran =
        run_script("bash", "set -e\nsource <(cairn completion bash)\ncomplete -p cairn\n");
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_THAT(ran.out, EndsWith(" cairn\n"));
}

}  // namespace
}  // namespace cairn::test
