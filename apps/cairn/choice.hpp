#pragma once
// Options of the command line that take one of some names.

#include <CLI/CLI.hpp>
#include <string>
#include <utility>
#include <vector>

namespace cairn::app {

template <class Enum>
using Names = std::vector<std::pair<std::string, Enum>>;

/// An option whose value is one of a few words.
template <class Enum>
CLI::Option* add_choice(CLI::App& command, const std::string& name, Enum& value,
                        const Names<Enum>& names, const std::string& help) {
    std::string usual;
    std::string words;
    for (const auto& [word, meaning] : names) {
        words += (words.empty() ? "" : "|") + word;
        if (meaning == value) usual = word;
    }
    return command.add_option(name, value, help)
        ->transform(CLI::CheckedTransformer(names).description(""))
        ->type_name(words)
        ->default_str(usual);
}

}  // namespace cairn::app
