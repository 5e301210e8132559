#pragma once
// What indexes of grids have in common on a device.

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "batch/device/kernel_task.hpp"
#include "cairn/batch/device.hpp"
#include "cairn/cost.hpp"
#include "cairn/cut_labels.hpp"
#include "cairn/grid/paths.hpp"
#include "core/host_device.hpp"

namespace cairn::batch {

struct CellForm {
    using Request = grid::Request;
    using Query = DeviceGridQuery;
    [[nodiscard]] static bool wants_paths(const Query& query) noexcept { return query.paths; }
    static void leave_out(Request& request) noexcept { request.start.x = -1; }
    [[nodiscard]] CAIRN_HOST_DEVICE static bool is_asked(const Request& request) noexcept {
        return request.start.x >= 0;
    }

    /// Abstract nodes of a path that kernels have room for, three numbers each for every team;
    /// the host answers longer ones.
    static constexpr std::size_t kMostStops = std::size_t{1} << 14;
    [[nodiscard]] static std::uint32_t stops_of(std::size_t nodes) noexcept {
        return static_cast<std::uint32_t>(std::min(nodes + 1, kMostStops));
    }

    std::int32_t width = 0;
    Cost straight = 0;  // of a move over cells of one weight
    Cost diagonal = 0;
    CutLabelArrays labels;
    std::uint32_t most_connectors = 0;  // of a start or goal
    std::uint32_t most_stops = 0;
};

}  // namespace cairn::batch
