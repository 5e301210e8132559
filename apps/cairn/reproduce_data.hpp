#pragma once
// Where the maps and meshes of the papers' experiments are.

#include <filesystem>
#include <string>

#include "cairn/status.hpp"

namespace cairn::app {

/// The folder `inner` of `data`, or of $CAIRN_DATA if that is empty; the outer one if it has no
/// such folder. Errors: bad_option with `message` where neither is given.
[[nodiscard]] Result<std::filesystem::path> data_folder(const std::string& data,
                                                        const std::filesystem::path& inner,
                                                        const std::string& message);

}  // namespace cairn::app
