#include "arguments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <CLI/CLI.hpp>

#include "cairn/field.hpp"

namespace cairn::app {
namespace {

/// Whether CLI11 takes a word for an option: "-" alone and negative numbers are arguments.
bool is_option(std::string_view word) {
    return word.size() > 1 && word.front() == '-' &&
           std::isdigit(static_cast<unsigned char>(word[1])) == 0;
}

/// "--levels" of "--levels=2", "-o" of "-oFILE".
std::string name_in(std::string_view word) {
    return std::string(word.starts_with("--") ? word.substr(0, word.find('=')) : word.substr(0, 2));
}

/// The fewest values that follow an option of this name.
std::size_t values_of(std::span<const CLI::App* const> apps, const std::string& command,
                      const std::string& name) {
    for (const CLI::App* app : apps) {
        const CLI::App* const own = command.empty() ? app : find_command(*app, command);
        const CLI::Option* const option = own == nullptr ? nullptr : own->get_option_no_throw(name);
        if (option != nullptr) return static_cast<std::size_t>(option->get_items_expected_min());
    }
    return 0;
}

std::string unknown(std::string_view what, std::string_view name,
                    const std::vector<std::string>& known) {
    return fmt::format("there is no {} '{}'{}", what, name,
                       suggestion(name, std::vector<std::string_view>(known.begin(), known.end())));
}

/// The most arguments of a command that are not options.
std::size_t most_words(const CLI::App& command) {
    std::size_t most = 0;
    for (const CLI::Option* option : command.get_options()) {
        if (option->get_positional())
            most += static_cast<std::size_t>(option->get_items_expected_max());
    }
    return most;
}

}  // namespace

std::vector<const CLI::App*> commands_of(const CLI::App& app, bool hidden) {
    return app.get_subcommands(
        [&](const CLI::App* command) { return hidden || !command->get_group().empty(); });
}

const CLI::App* find_command(const CLI::App& app, std::string_view name) {
    for (const CLI::App* command : commands_of(app)) {
        if (command->get_name() == name) return command;
    }
    return nullptr;
}

std::vector<const CLI::Option*> named_options(const CLI::App& command) {
    return command.get_options([](const CLI::Option* option) { return option->nonpositional(); });
}

std::vector<std::string> option_names(const CLI::Option& option) {
    std::vector<std::string> names;
    for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
    for (const std::string& name : option.get_snames()) names.push_back("-" + name);
    return names;
}

Arguments arguments_of(std::span<const CLI::App* const> apps, std::span<const std::string> words) {
    Arguments out;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string& word = words[i];
        if (word == "--" && !out.command.empty()) {
            out.words.insert(out.words.end(), words.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                             words.end());
            return out;
        }
        if (!is_option(word)) {
            if (out.command.empty()) {
                out.command = word;
            } else {
                out.words.push_back(word);
            }
            continue;
        }
        const std::string name = name_in(word);
        out.options.push_back(name);
        std::string value = word.substr(
            name.size() < word.size() && word[name.size()] == '=' ? name.size() + 1 : name.size());
        if (name.size() == word.size()) {
            const std::size_t count = values_of(apps, out.command, name);
            if (count > 0 && i + 1 < words.size()) value = words[i + 1];
            i += count;
        }
        if (name == "--planner") out.planner = value;
        if (name == "--format") out.outputs.push_back("-." + value);
        if (name == "--output" || name == "-o") out.outputs.push_back(value);
    }
    return out;
}

std::string unknown_name(const Arguments& arguments, const CLI::App& app, const CLI::App* other,
                         std::string_view other_kind) {
    const CLI::App* command = &app;
    std::vector<std::string> commands;
    for (const CLI::App* known : commands_of(app, /*hidden=*/false))
        commands.push_back(known->get_name());
    if (!arguments.command.empty()) {
        command = find_command(app, arguments.command);
        if (command == nullptr) return unknown("subcommand", arguments.command, commands);
    } else if (arguments.options.empty() || arguments.options.front() == "--json") {
        return fmt::format("a subcommand is needed: {}", fmt::join(commands, ", "));
    }
    for (const std::string& name : arguments.options) {
        if (command->get_option_no_throw(name) != nullptr) continue;
        const CLI::App* const twin =
            other == nullptr ? nullptr : find_command(*other, arguments.command);
        if (twin != nullptr && twin->get_option_no_throw(name) != nullptr)
            return fmt::format("{} is an option for {}", name, other_kind);
        std::vector<std::string> names;
        for (const CLI::Option* option : named_options(*command)) {
            for (std::string& known : option_names(*option)) names.push_back(std::move(known));
        }
        return unknown("option", name, names);
    }
    if (command != &app && arguments.words.size() > most_words(*command)) {
        return fmt::format("'{}' is one argument too many", arguments.words[most_words(*command)]);
    }
    return "";
}

}  // namespace cairn::app
