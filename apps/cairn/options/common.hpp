#pragma once
// Kinds of options that several subcommands use: values, numbers in a range, choices, a device.

#include <fmt/format.h>

#include <algorithm>
#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "cairn/batch/device.hpp"
#include "cairn/field.hpp"
#include "cairn/status.hpp"
#include "command.hpp"

namespace cairn::app {

template <class Enum>
using Names = std::vector<std::pair<std::string, Enum>>;

/// Adds an option with the name of its type for the help, which also shows the default.
template <class T>
CLI::Option* add_value(CLI::App& command, const std::string& name, T& value, const char* type,
                       const char* group, const std::string& help) {
    return command.add_option(name, value, help)
        ->type_name(type)
        ->capture_default_str()
        ->group(group);
}

/// As add_value, for numbers from `least` to `most`.
template <class T>
CLI::Option* add_number(CLI::App& command, const std::string& name, T& value,
                        std::type_identity_t<T> least, std::type_identity_t<T> most,
                        const char* type, const char* group, const std::string& help) {
    return add_value(command, name, value, type, group, help)
        ->check(CLI::Range(least, most).description(""));
}

/// Why `word` is not accepted where one of `words` should be, with the nearest of them.
[[nodiscard]] inline std::string refusal(const std::string& word,
                                         const std::vector<std::string>& words) {
    const std::vector<std::string_view> known(words.begin(), words.end());
    return fmt::format("there is no '{}' here: write {}{}", word, fmt::join(words, ", "),
                       suggestion(word, known));
}

/// Accepts one of a few words, and turns it into its value.
template <class Enum>
[[nodiscard]] CLI::Validator one_of(const Names<Enum>& names) {
    return CLI::Validator(
        [names](std::string& value) {
            std::vector<std::string> words;
            for (const auto& [word, meaning] : names) {
                if (word == value) {
                    value = std::to_string(static_cast<std::underlying_type_t<Enum>>(meaning));
                    return std::string();
                }
                words.push_back(word);
            }
            return refusal(value, words);
        },
        "");
}
/// Accepts one of a few words.
[[nodiscard]] inline CLI::Validator one_of(const std::vector<std::string>& words) {
    return CLI::Validator(
        [words](std::string& value) {
            const bool known = std::find(words.begin(), words.end(), value) != words.end();
            return known ? "" : refusal(value, words);
        },
        "");
}

/// The words of an option as its type.
template <class Enum>
[[nodiscard]] std::string joined(const Names<Enum>& names) {
    std::string words;
    for (const auto& [word, meaning] : names) words += (words.empty() ? "" : "|") + word;
    return words;
}

/// Adds an option whose value is one of a few words. The value at the call is the default.
template <class Enum>
CLI::Option* add_choice(CLI::App& command, const std::string& name, Enum& value,
                        const Names<Enum>& names, const char* group, const std::string& help) {
    std::string default_word;
    for (const auto& [word, meaning] : names) {
        if (meaning == value) default_word = word;
    }
    return command.add_option(name, value, help)
        ->transform(one_of(names))
        ->type_name(joined(names))
        ->default_str(default_word)
        ->group(group);
}

/// As add_choice, with the word itself as the value.
inline CLI::Option* add_word(CLI::App& command, const std::string& name, std::string& value,
                             const std::vector<std::string>& words, const char* group,
                             const std::string& help) {
    const std::string type = fmt::format("{}", fmt::join(words, "|"));
    return add_value(command, name, value, type.c_str(), group, help)->check(one_of(words));
}

/// Adds --device auto|gpu|host, which sets `kind`. `kind` must outlive the command.
inline CLI::Option* add_device_flag(CLI::App& command, std::optional<batch::DeviceKind>& kind,
                                    const std::string& help) {
    const Names<batch::DeviceKind> kinds{{"auto", batch::DeviceKind::automatic},
                                         {"gpu", batch::DeviceKind::gpu},
                                         {"host", batch::DeviceKind::host}};
    return command
        .add_option_function<batch::DeviceKind>(
            "--device", [&kind](const batch::DeviceKind& given) { kind = given; }, help)
        ->transform(one_of(kinds))
        ->type_name(joined(kinds));
}

/// Opens a device. `threads`: how many the host uses; 0: one per processor. Errors: as
/// Device::open.
inline Result<batch::Device> open_device(batch::DeviceKind kind, int threads) {
    return batch::Device::open({.kind = kind, .threads = threads});
}

}  // namespace cairn::app
