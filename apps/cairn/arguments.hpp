#pragma once
// A command line as it is written, looked through before CLI11 parses it: the command, its
// arguments, and what does not exist. CLI11 alone would take the value of an unknown option for an
// argument, and report that.

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace cairn::app {

/// The words of a command line.
struct Arguments {
    std::string command;               ///< empty: none was named
    std::vector<std::string> words;    ///< arguments of the command that are not options
    std::vector<std::string> options;  ///< the options given, without their values
    std::vector<std::string> outputs;  ///< the values of --output and -o; "-.png" for --format png
    std::string planner;               ///< the value of --planner; empty: not given
};

/// Sorts words, which begin after the program's name. An option has a value if it has one in any of
/// `apps`, which have the same commands.
[[nodiscard]] Arguments arguments_of(std::span<const CLI::App* const> apps,
                                     std::span<const std::string> words);

/// What is wrong with the names in a command line, with the nearest name that exists; empty if
/// nothing is. `app` will parse the command line; `other` has the same commands for the other kind
/// of input, which `other_kind` names; null if there is none.
[[nodiscard]] std::string unknown_name(const Arguments& arguments, const CLI::App& app,
                                       const CLI::App* other, std::string_view other_kind);

/// The command of that name; null if there is none.
[[nodiscard]] const CLI::App* find_command(const CLI::App& app, std::string_view name);
/// All commands, hidden ones too, or only those that help shows.
[[nodiscard]] std::vector<const CLI::App*> commands_of(const CLI::App& app, bool hidden = true);
/// The options of a command that have names, in the order of the help.
[[nodiscard]] std::vector<const CLI::Option*> named_options(const CLI::App& command);
/// "--output", "-o": the names of an option as they are written.
[[nodiscard]] std::vector<std::string> option_names(const CLI::Option& option);

}  // namespace cairn::app
