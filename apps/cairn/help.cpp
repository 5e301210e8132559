#include "help.hpp"

#include <CLI/CLI.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace cairn::app {
namespace {

constexpr std::size_t kWidth = 96;
constexpr std::size_t kColumn = 32;

/// `text` broken at blanks; all lines but the first are indented.
std::string wrapped(std::string_view text, std::size_t indent) {
    const std::size_t width = kWidth - indent;
    std::string out;
    while (text.size() > width) {
        std::size_t cut = text.rfind(' ', width);
        if (cut == std::string_view::npos) break;
        out += fmt::format("{}\n{:{}}", text.substr(0, cut), "", indent);
        text.remove_prefix(cut + 1);
    }
    return out.append(text);
}

/// A name in the left column and its text in the right one; a long name gets a line of its own.
std::string entry(const std::string& left, std::string_view text) {
    const std::string right = wrapped(text, kColumn);
    if (left.size() + 4 <= kColumn) return fmt::format("  {:<{}}{}\n", left, kColumn - 2, right);
    return fmt::format("  {}\n{:{}}{}\n", left, "", kColumn, right);
}

}  // namespace

std::string HelpFormatter::make_help(const CLI::App* app, std::string name,
                                     CLI::AppFormatMode mode) const {
    std::string out =
        wrapped(app->get_description(), 0) + "\n\n" + make_usage(app, std::move(name));
    out += make_positionals(app);
    std::vector<std::string> groups = app->get_groups();
    // A command's own groups come before those that all commands have.
    for (const char* last : {"Output", "Options"}) {
        std::stable_partition(groups.begin(), groups.end(),
                              [last](const std::string& group) { return group != last; });
    }
    for (const std::string& group : groups) {
        const auto options = app->get_options([&](const CLI::Option* option) {
            return option->get_group() == group && option->nonpositional();
        });
        if (!options.empty()) out += make_group(group, false, options);
    }
    return out + make_subcommands(app, mode) + '\n' + app->get_footer() + '\n';
}

std::string HelpFormatter::make_group(std::string group, bool is_positional,
                                      std::vector<const CLI::Option*> options) const {
    if (is_positional) group = "Arguments";
    std::string out = fmt::format("\n{}:\n", group);
    for (const CLI::Option* option : options) out += make_option(option, is_positional);
    return out;
}

std::string HelpFormatter::make_option(const CLI::Option* option, bool is_positional) const {
    std::string left = option->get_name(is_positional, true);
    if (const std::string type = option->get_type_name();
        !is_positional && option->get_expected_max() > 0 && !type.empty()) {
        left += ' ' + type;
    }
    std::string text = option->get_description();
    if (const std::string usual = option->get_default_str(); !usual.empty())
        text += fmt::format(" [{}]", usual);
    return entry(left, text);
}

std::string HelpFormatter::make_subcommand(const CLI::App* command) const {
    const std::string description = command->get_description();
    return entry(command->get_name(), description.substr(0, description.find(". ")));
}

}  // namespace cairn::app
