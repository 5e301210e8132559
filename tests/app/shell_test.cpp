// Completions of shells and the manual page, which `cairn` prints for `cmake --install`.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>
#include <set>

#include "cairn/any.hpp"
#include "command_test.hpp"

namespace cairn::test {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::IsSupersetOf;

class Shell : public CommandTest {
protected:
    /// Whether a program is installed.
    [[nodiscard]] bool has(const std::string& program) const {
        return run_program("sh", folder_.path(), "-c 'command -v " + program + "'").code == 0;
    }
    /// What bash offers for the last of `words`, which end a line that begins with cairn.
    [[nodiscard]] std::set<std::string> offered(const std::string& words) const {
        const Ran ran =
            run_program("bash", folder_.path(),
                        "-c 'source completion; COMP_WORDS=(cairn " + words +
                            "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _cairn; printf \"%s\\n\" "
                            "\"${COMPREPLY[@]}\"'");
        EXPECT_EQ(ran.code, 0) << words << ran.err;
        EXPECT_THAT(ran.err, IsEmpty()) << words;
        std::istringstream lines(ran.out);
        std::set<std::string> out;
        for (std::string line; std::getline(lines, line);) {
            if (!line.empty()) out.insert(line);
        }
        return out;
    }
    /// Options in a help text with the words of their values; none if the value is free.
    static std::map<std::string, std::set<std::string>> options_in(const std::string& help) {
        static const std::regex kOption("\n  (-.,)?(--[a-z0-9-]+)[^ \n]*( [^ \n]+)?");
        std::map<std::string, std::set<std::string>> out;
        for (std::sregex_iterator at(help.begin(), help.end(), kOption), end; at != end; ++at) {
            std::set<std::string>& words = out[(*at)[2].str()];
            const std::string type = (*at)[3].str();
            if (type.find('|') == std::string::npos) continue;
            static const std::regex kWord("[^ |]+");
            for (std::sregex_iterator word(type.begin(), type.end(), kWord); word != end; ++word) {
                const std::string text = word->str();
                if (std::none_of(text.begin(), text.end(), [](char c) { return std::isupper(c); }))
                    words.insert(text);
            }
        }
        return out;
    }
};

TEST_F(Shell, BashCompletesEveryCommandOptionAndWord) {
    if (!has("bash")) GTEST_SKIP() << "there is no bash";
    folder_.file("completion", run("completion bash").out);
    const std::set<std::string> commands{"path",   "build",  "edit",      "inspect",
                                         "verify", "render", "generate",  "convert",
                                         "crowd",  "help",   "completion"};
    EXPECT_EQ(offered("\"\""), commands);
    EXPECT_EQ(offered("help \"\""), commands);
    EXPECT_EQ(offered("pa"), std::set<std::string>{"path"});
    EXPECT_THAT(offered("generate \"\""), IsSupersetOf({"rooms", "caves", "scenario"}));
    EXPECT_EQ(offered("completion \"\""), (std::set<std::string>{"bash", "zsh", "fish"}));
    std::size_t with_words = 0;
    for (const std::string& command : commands) {
        const std::set<std::string> all = offered(command + " --");
        for (const char* input : {"", " a.mesh"}) {
            for (const auto& [option, words] : options_in(run("help " + command + input).out)) {
                EXPECT_THAT(all, Contains(option)) << command;
                if (words.empty()) continue;
                ++with_words;
                EXPECT_THAT(offered(command + " a.map " + option + " \"\""), IsSupersetOf(words));
            }
        }
    }
    EXPECT_GT(with_words, 60U);  // the help was understood
    EXPECT_EQ(offered("path a.map 1,1 --planner su"), std::set<std::string>{"subgoal"});
    EXPECT_EQ(offered("path a.map --planner = su"), std::set<std::string>{"subgoal"});
    EXPECT_THAT(offered("path a"), IsEmpty());  // bash then offers files
    EXPECT_THAT(offered("path --index \"\""), IsEmpty());
}

TEST_F(Shell, CompletionsHoldTheChoicesOfEveryField) {
    for (const char* shell : {"bash", "zsh", "fish"}) {
        const std::string text = run(std::string("completion ") + shell).out;
        for (const PlannerInfo& planner : planners()) {
            if (planner.space == Space::grid) {
                EXPECT_THAT(text, HasSubstr(planner.name));
            }
            for (const auto& table : {planner.options, planner.query}) {
                for (const Field& field : table) {
                    for (const Choice& choice : field.choices)
                        EXPECT_THAT(text, HasSubstr(choice.name)) << shell << field.name;
                }
            }
        }
    }
}

TEST_F(Shell, CompletionsAreValidScripts) {
    for (const std::string shell : {"bash", "zsh", "fish"}) {
        if (!has(shell)) continue;
        folder_.file("completion", run("completion " + shell).out);
        const Ran read = run_program(shell, folder_.path(), "-n completion");
        EXPECT_EQ(read.code, 0) << shell << read.err;
        EXPECT_THAT(read.err, IsEmpty()) << shell;
    }
    if (has("fish")) {
        const Ran ran = run_program("fish", folder_.path(),
                                    "--no-config -c 'source completion; complete -C \"cairn path "
                                    "--planner su\"; complete -C \"cairn pat\"'");
        EXPECT_THAT(ran.out, HasSubstr("subgoal"));
        EXPECT_THAT(ran.out, HasSubstr("path"));
    }
    EXPECT_THAT(run("completion bahs").err, HasSubstr("did you mean 'bash'?"));
}

TEST_F(Shell, TheManualPageHasNoFaultsAndNamesEveryOption) {
    folder_.file("cairn.1", run("man").out);
    if (has("man")) {
        const Ran ran = run_program("env", folder_.path(),
                                    "MANWIDTH=100 LC_ALL=C man --warnings -P cat -l cairn.1");
        EXPECT_EQ(ran.code, 0);
        EXPECT_THAT(ran.err, IsEmpty());
    }
    if (has("mandoc")) {
        const Ran ran = run_program("mandoc", folder_.path(), "-T lint -W warning cairn.1");
        const std::regex kNoDate("mandoc: [^\n]*missing date[^\n]*\n");  // builds can be repeated
        EXPECT_EQ(std::regex_replace(ran.out, kNoDate, ""), "");
    }
    std::string page = bytes_of(folder_.path() / "cairn.1");
    page = std::regex_replace(page, std::regex(R"(\\-)"), "-");
    for (const char* command : {"path", "build", "edit", "inspect", "verify", "render", "generate",
                                "convert", "crowd", "completion"}) {
        EXPECT_THAT(page, HasSubstr(std::string(".SH cairn ") + command));
        for (const char* input : {"", " a.mesh"}) {
            for (const auto& [option, words] :
                 options_in(run(std::string("help ") + command + input).out))
                EXPECT_THAT(page, HasSubstr("\\fB" + option)) << command;
        }
    }
    EXPECT_THAT(page, HasSubstr(".SH EXIT STATUS"));
}

}  // namespace
}  // namespace cairn::test
