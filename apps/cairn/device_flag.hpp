#pragma once
// The option that has crowds asked of a device, too.

#include <CLI/CLI.hpp>

#include <optional>
#include <string>

#include "cairn/batch/device.hpp"
#include "cairn/status.hpp"
#include "choice.hpp"

namespace cairn::app {

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
