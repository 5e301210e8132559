#pragma once
// Options that commands of all kinds share: one of some words, limits of a query, cut labels, and a
// device.

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cairn/batch/device.hpp"
#include "cairn/control.hpp"
#include "cairn/status.hpp"
#include "command.hpp"

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

/// --max-cost and --max-expanded, of the group "Query", and Ctrl-C.
struct LimitFlags {
    /// `longest`: the help of --max-cost, which is a length.
    void add_to(CLI::App& command, Context& context, const char* longest);
    /// `unit`: the cost of length 1.
    [[nodiscard]] SearchLimits limits(double unit) const;

private:
    SearchLimits limits_;
    std::optional<double> max_length_;
};

/// --no-labels and --label-mb.
struct LabelFlags {
    /// Gives the options, which belong to no group yet.
    [[nodiscard]] std::vector<CLI::Option*> add_to(CLI::App& command);
    [[nodiscard]] bool wanted() const noexcept { return !none_; }
    [[nodiscard]] std::uint64_t bytes() const noexcept { return mb_ << 20; }

private:
    bool none_ = false;
    std::uint64_t mb_ = 256;
};

/// `--device auto|gpu|host`; nothing unless it is given. `kind` must outlive the command.
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

/// The device asked for; of the host so many processors, 0 for all. Errors: as Device::open.
inline Result<batch::Device> open_device(batch::DeviceKind kind, int threads) {
    batch::DeviceOptions options;
    options.kind = kind;
    options.threads = threads;
    return batch::Device::open(options);
}

}  // namespace cairn::app
