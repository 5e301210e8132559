#pragma once
// The kernel that answers requests on a mesh by cut labels: connect by rows, search by labels,
// refine by hops and rows. Its choices among equals are those of hna::QueryRun.

#include <cstddef>

#include "batch/device/kernel_task.hpp"
#include "batch/device/labels.hpp"
#include "batch/device/mesh/corridor.hpp"
#include "batch/device/mesh/endpoint.hpp"
#include "batch/device/mesh/hna_form.hpp"

namespace cairn::batch {

template <class Team>
class LabelKernel {
public:
    struct Scratch {
        CAIRN_HOST_DEVICE Scratch(const HnaForm& form, Carver& carver) noexcept
            : start(form.most_links, form.first.most_borders, 0, carver),
              goal(form.most_links, form.first.most_borders, 0, carver),
              path(form, carver),
              goal_side(carve_list(form, carver)),
              start_rows(carver.take<LabelSide::Row>(form.first.most_borders)),
              goal_rows(carver.take<LabelSide::Row>(form.first.most_borders)) {}
        EndpointMemory start;
        EndpointMemory goal;
        PathMemory path;
        FixedList goal_side;
        LabelSide::Row* start_rows;
        LabelSide::Row* goal_rows;
    };

    CAIRN_HOST_DEVICE LabelKernel(const HnaForm& form, const HnaTask& task, const Team& team,
                                  const Scratch& scratch)
        : form_(form), task_(task), team_(team), scratch_(scratch) {}

    CAIRN_HOST_DEVICE void find(const mesh::Request& request, RequestAnswer& answer) {
        const HnaLevelForm& level = form_.first;
        const MeshEndpoint start(form_, level, request.start, EndpointRole::start, scratch_.start);
        const MeshEndpoint goal(form_, level, request.goal, EndpointRole::goal, scratch_.goal);
        start.connect(form_, team_);
        goal.connect(form_, team_);
        LabelSide from = side(start, scratch_.start_rows);
        LabelSide to = side(goal, scratch_.goal_rows);
        const Meeting meeting = MeetingSearch<Team>(form_.labels, team_).find(from, to);
        if (meeting.cost >= kInfinity) return;
        if (task_.query.corridors) {
            std::size_t vertices = 0;
            if (team_.lane() == 0)
                vertices = follow_hops(form_.labels, from, to, meeting, scratch_.path.vertices,
                                       scratch_.goal_side);
            if (!refine(form_, task_, team_, start, goal, scratch_.path, vertices, answer)) return;
        }
        answer.cost = meeting.cost;
    }

private:
    [[nodiscard]] CAIRN_HOST_DEVICE LabelSide side(const MeshEndpoint& endpoint,
                                                   LabelSide::Row* rows) const {
        return {form_.first.hng.of_cluster(endpoint.cluster), endpoint.memory.costs, rows, {}};
    }

    const HnaForm& form_;
    const HnaTask& task_;
    const Team& team_;
    Scratch scratch_;
};

}  // namespace cairn::batch
