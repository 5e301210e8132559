#pragma once
// How kernels answer a request on an HPA* index: connect by walking the move tables, a node a lane,
// search by labels, refine a leg a lane. Start and goal lie in different clusters.

#include <cstdint>

#include "batch/device/grid/cell_kernel.hpp"
#include "batch/device/grid/hpa_form.hpp"
#include "batch/device/grid/table_legs.hpp"
#include "batch/device/label_meeting.hpp"

namespace cairn::batch {

class HpaPlan {
public:
    using Form = HpaForm;
    using Legs = TableLegs;

    /// All nodes of the cell's cluster; those that it cannot reach cost kInfinity.
    template <class Team>
    [[nodiscard]] CAIRN_HOST_DEVICE static LabelSide connect(const Form& form, const Team& team,
                                                             grid::Point place,
                                                             const CellEndpoint& memory) {
        const std::uint32_t cluster = form.cluster(place);
        const std::uint32_t first = form.first_node[cluster];
        const std::uint32_t count = form.first_node[cluster + 1] - first;
        const hpa::MoveTables tables = form.tables(cluster);
        for (std::uint32_t slot = team.lane(); slot < count; slot += team.lanes()) {
            grid::Cell at = grid::cell_of(form.width, place);
            Cost cost = 0;
            const auto add = [&](int direction) {
                cost += form.move_cost(at, direction);
                at = form.step(at, direction);
            };
            const bool leads = tables.walk(slot, tables.local(place), add);
            memory.nodes[slot] = first + slot;
            memory.costs[slot] = leads ? cost : kInfinity;
        }
        return {{memory.nodes, count}, memory.costs, memory.rows, {}};
    }

    template <class Team>
    [[nodiscard]] CAIRN_HOST_DEVICE static Meeting search(const Form& form, const Team& team,
                                                          const grid::Request& /*request*/,
                                                          LabelSide& from, LabelSide& to,
                                                          const CellEndpoints& /*memory*/) {
        return LabelMeeting<Team>(form.labels, team).find(from, to);
    }
};

template <class Team>
using HpaKernel = CellKernel<HpaPlan, Team>;

}  // namespace cairn::batch
