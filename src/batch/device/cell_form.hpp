#pragma once
// What indexes of grids have in common on a device.

#include <cstdint>

#include "batch/device/kernel_task.hpp"
#include "cairn/batch/device.hpp"
#include "cairn/cost.hpp"
#include "cairn/grid/moves.hpp"
#include "core/host_device.hpp"

namespace cairn::batch {

/// A map with eight neighbours and one terrain weight.
struct CellForm {
    using Trip = CellTrip;
    using Query = DeviceGridQuery;
    [[nodiscard]] static bool wants_routes(const Query& query) noexcept { return query.paths; }
    static void leave_out(Trip& trip) noexcept { trip.start.x = -1; }
    [[nodiscard]] CAIRN_HOST_DEVICE static bool is_asked(const Trip& trip) noexcept {
        return trip.start.x >= 0;
    }

    std::int32_t width = 0;
    Cost straight = 0;  // of a move
    Cost diagonal = 0;

    /// Map::distance_bound.
    [[nodiscard]] CAIRN_HOST_DEVICE Cost distance(grid::Point a, grid::Point b) const noexcept {
        const auto wide = static_cast<Cost>(a.x < b.x ? b.x - a.x : a.x - b.x);
        const auto high = static_cast<Cost>(a.y < b.y ? b.y - a.y : a.y - b.y);
        const Cost less = wide < high ? wide : high;
        return (wide + high - 2 * less) * straight + less * diagonal;
    }
};

}  // namespace cairn::batch
