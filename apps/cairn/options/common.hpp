#pragma once
// Kinds of options that several subcommands use: values, numbers in a range, choices, a device.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "cairn/batch/device.hpp"
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

/// Adds an option whose value is one of a few words. The value at the call is the default.
template <class Enum>
CLI::Option* add_choice(CLI::App& command, const std::string& name, Enum& value,
                        const Names<Enum>& names, const char* group, const std::string& help) {
    std::string default_word;
    std::string words;
    for (const auto& [word, meaning] : names) {
        words += (words.empty() ? "" : "|") + word;
        if (meaning == value) default_word = word;
    }
    return command.add_option(name, value, help)
        ->transform(CLI::CheckedTransformer(names).description(""))
        ->type_name(words)
        ->default_str(default_word)
        ->group(group);
}

/// As add_choice, with the word itself as the value.
inline CLI::Option* add_word(CLI::App& command, const std::string& name, std::string& value,
                             const std::vector<std::string>& words, const char* group,
                             const std::string& help) {
    const std::string type = fmt::format("{}", fmt::join(words, "|"));
    return add_value(command, name, value, type.c_str(), group, help)
        ->check(CLI::IsMember(words).description(""));
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
        ->transform(CLI::CheckedTransformer(kinds).description(""))
        ->type_name("auto|gpu|host");
}

/// Opens a device. `threads`: how many the host uses; 0: one per processor. Errors: as
/// Device::open.
inline Result<batch::Device> open_device(batch::DeviceKind kind, int threads) {
    return batch::Device::open({.kind = kind, .threads = threads});
}

}  // namespace cairn::app
