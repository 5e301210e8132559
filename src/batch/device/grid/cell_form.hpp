#pragma once
// What the forms of HPA* indexes and subgoal graphs have in common.

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "batch/device/closure_form.hpp"
#include "batch/device/kernel_task.hpp"
#include "cairn/batch/device.hpp"
#include "cairn/cost.hpp"
#include "cairn/cut_labels.hpp"
#include "cairn/grid/paths.hpp"
#include "core/host_device.hpp"

namespace cairn::batch {

/// The base of HpaForm and SubgoalForm, whose nodes are those of level 1 or the subgoals.
struct CellForm {
    using Request = grid::Request;
    using Query = DeviceGridQuery;
    [[nodiscard]] static bool wants_paths(const Query& query) noexcept { return query.paths; }
    /// Marks a request that kernels skip.
    static void leave_out(Request& request) noexcept { request.start.x = -1; }
    /// False for a marked request.
    [[nodiscard]] CAIRN_HOST_DEVICE static bool is_for_device(const Request& request) noexcept {
        return request.start.x >= 0;
    }

    /// A team has scratch for abstract paths of up to this many nodes: three numbers a node. The
    /// host answers requests with longer paths.
    static constexpr std::size_t kMostStops = std::size_t{1} << 14;
    /// `most_stops` of an index with so many nodes.
    [[nodiscard]] static std::uint32_t stops_of(std::size_t nodes) noexcept {
        return static_cast<std::uint32_t>(std::min(nodes + 1, kMostStops));
    }

    std::int32_t width = 0;  // of the map, in cells
    Cost straight = 0;       // of a straight move; per unit of weight if weights differ
    Cost diagonal = 0;
    CutLabelArrays labels;  // none unless all nodes have labels
    ClosureForm closure;
    std::uint32_t most_connectors = 0;  // the most that a start or goal may have
    std::uint32_t most_stops = 0;       // the most nodes of an abstract path
};

}  // namespace cairn::batch
