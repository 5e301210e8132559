#pragma once
// cairn reproduce hna.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "cairn/batch/device.hpp"
#include "command.hpp"
#include "reproduce_exhibit.hpp"

namespace cairn::app {

struct HnaRequest {
    std::string data;       ///< folder with navmesh/ or with meshes; may be empty
    bool built_in = false;  ///< meshes made on the spot instead
    int agents = 0;         ///< largest crowd of section 6; 0: section 7.1 instead
    int threads = 0;        ///< of batches; 0: all
    int max_maps = 0;       ///< 0: all
    int pairs = 100;
    std::uint64_t seed = 1;
    std::optional<batch::DeviceKind> device{};  ///< where crowds are also to plan
};

/// Measures all exhibits and hands each to `show` as soon as it is there; the number of wrong
/// answers goes into `report`. Errors: bad_option where it is not said where meshes are; those of
/// reading them; cancelled.
[[nodiscard]] Status reproduce_hna(const HnaRequest& request, Context& context,
                                   const std::function<Status(const Exhibit&)>& show, Json& report);

}  // namespace cairn::app
