#pragma once
// One team answers a request by cut labels: connect by rows, search by labels, refine by hops and
// rows. The steps are those of hna::QueryRun, and so are all choices among equals.

#include <array>
#include <cstddef>
#include <cstdint>

#include "batch/device/kernel_task.hpp"
#include "batch/device/label_climb.hpp"
#include "batch/device/label_meeting.hpp"
#include "batch/device/mesh/endpoint.hpp"
#include "batch/device/mesh/hna_form.hpp"
#include "batch/device/mesh/refine.hpp"

namespace cairn::batch {

template <class Team>
class LabelKernel {
public:
    /// Bytes of scratch memory that a team needs, of any content.
    [[nodiscard]] static std::size_t scratch_bytes(const HnaForm& form) noexcept {
        return carved_bytes<Scratch>(form);
    }

    CAIRN_HOST_DEVICE LabelKernel(const HnaForm& form, const HnaTask& task, const Team& team,
                                  std::byte* scratch)
        : form_(form), task_(task), team_(team), carver_(scratch), scratch_(form, carver_) {}

    /// All lanes call this with the same request.
    CAIRN_HOST_DEVICE void answer(std::uint32_t number) {
        answer_request(
            task_, number, team_,
            [this](const mesh::Request& request, RequestAnswer& answer) { find(request, answer); });
    }

private:
    struct Scratch {
        CAIRN_HOST_DEVICE Scratch(const HnaForm& form, Carver& carver) noexcept
            : start(form, carver),
              goal(form, carver),
              path(form, carver),
              goal_side(carver.take<std::uint32_t>(path.room)) {
            for (LabelSide::Row*& row : rows) row = carver.take<LabelSide::Row>(form.most_borders);
        }
        EndpointMemory start;
        EndpointMemory goal;
        PathMemory path;
        std::uint32_t* goal_side;
        std::array<LabelSide::Row*, 2> rows{};
    };

    CAIRN_HOST_DEVICE void find(const mesh::Request& request, RequestAnswer& answer) {
        const MeshEndpoint start(form_, request.start, false, scratch_.start);
        const MeshEndpoint goal(form_, request.goal, true, scratch_.goal);
        start.connect(form_, team_);
        goal.connect(form_, team_);
        LabelSide from = side(start, 0);
        LabelSide to = side(goal, 1);
        const Meeting meeting = LabelMeeting<Team>(form_.labels, team_).find(from, to);
        if (meeting.cost >= kInfinity) return;
        if (task_.query.corridors) {
            std::size_t vertices = 0;
            if (team_.lane() == 0)
                vertices =
                    climb(from.vertices[meeting.start], to.vertices[meeting.goal], meeting.entry);
            if (!refine(form_, task_, team_, start, goal, scratch_.path, vertices, answer)) return;
        }
        answer.cost = meeting.cost;
    }

    [[nodiscard]] CAIRN_HOST_DEVICE LabelSide side(const MeshEndpoint& endpoint,
                                                   std::size_t i) const {
        return {
            form_.hng.of_cluster(endpoint.cluster), endpoint.memory.costs, scratch_.rows[i], {}};
    }

    /// How many vertices lie from the start's inter-edge to the goal's: they are in scratch_.path.
    [[nodiscard]] CAIRN_HOST_DEVICE std::size_t climb(std::uint32_t from, std::uint32_t to,
                                                      std::uint32_t entry) const {
        const PathMemory& path = scratch_.path;
        return climb_labels(form_.labels, from, to, entry, {path.vertices, path.room},
                            {scratch_.goal_side, path.room});
    }

    const HnaForm& form_;
    const HnaTask& task_;
    const Team& team_;
    Carver carver_;
    Scratch scratch_;
};

}  // namespace cairn::batch
