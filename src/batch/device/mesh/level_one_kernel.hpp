#pragma once
// The kernel that answers requests on a mesh by cut labels or by climbing: connect by rows, search,
// refine by rows. Its choices among equals are those of hna::QueryRun.

#include <cstddef>

#include "batch/device/climb.hpp"
#include "batch/device/kernel_task.hpp"
#include "batch/device/labels.hpp"
#include "batch/device/mesh/corridor.hpp"
#include "batch/device/mesh/endpoint.hpp"
#include "batch/device/mesh/hna_form.hpp"

namespace cairn::batch {

/// `Engine` is ByLabels or ByClimbing.
template <class Team, template <class> class Engine>
class LevelOneKernel {
public:
    struct Scratch {
        CAIRN_HOST_DEVICE Scratch(const HnaForm& form, Carver& carver) noexcept
            : start(form.most_links, form.first.most_borders, 0, carver),
              goal(form.most_links, form.first.most_borders, 0, carver),
              path(form, carver),
              start_rows(carver.take<LabelSide::Row>(form.first.most_borders)),
              goal_rows(carver.take<LabelSide::Row>(form.first.most_borders)),
              engine(form, form.first.most_borders, path.vertices.room, carver) {}
        EndpointMemory start;
        EndpointMemory goal;
        PathMemory path;
        LabelSide::Row* start_rows;
        LabelSide::Row* goal_rows;
        typename Engine<Team>::Scratch engine;
    };

    CAIRN_HOST_DEVICE LevelOneKernel(const HnaForm& form, const HnaTask& task, const Team& team,
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
        Engine<Team> engine(form_, team_, scratch_.engine);
        const Cost cost = engine.search(*this, request, from, to, task_.query.corridors);
        if (cost >= kInfinity) return;
        if (task_.query.corridors) {
            const std::size_t vertices = engine.write(from, to, scratch_.path.vertices);
            if (!refine(form_, task_, team_, start, goal, scratch_.path, vertices, answer)) return;
        }
        answer.cost = cost;
    }

    /// Where the labels of two lists meet, for ByLabels.
    [[nodiscard]] CAIRN_HOST_DEVICE Meeting search(const mesh::Request& /*request*/,
                                                   LabelSide& from, LabelSide& to) const {
        return MeetingSearch<Team>(form_.labels, team_).find(from, to);
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

template <class Team>
using LabelKernel = LevelOneKernel<Team, ByLabels>;
template <class Team>
using ClimbKernel = LevelOneKernel<Team, ByClimbing>;

}  // namespace cairn::batch
