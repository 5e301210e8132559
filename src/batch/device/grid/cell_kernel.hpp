#pragma once
// One team answers a request on a grid by cut labels: connect, search, refine. The steps are
// those of single queries, and so are all choices among equals.
//
// `Plan` has a planner's part: its Form; connect(form, team, cell, memory), which gives the
// connectors of a cell; search(form, team, request, from, to, memory), which gives where their
// labels meet; and Legs, those of a path.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "batch/device/kernel_task.hpp"
#include "batch/device/label_climb.hpp"
#include "batch/device/label_meeting.hpp"
#include "batch/device/route.hpp"
#include "cairn/batch/batch.hpp"
#include "cairn/cost.hpp"
#include "cairn/grid/moves.hpp"
#include "cairn/grid/paths.hpp"

namespace cairn::batch {

/// Scratch for the connectors of a start or a goal.
struct CellEndpoint {
    std::uint32_t* nodes = nullptr;
    Cost* costs = nullptr;
    LabelSide::Row* rows = nullptr;
};
using CellEndpoints = std::array<CellEndpoint, 2>;

template <class Plan, class Team>
class CellKernel {
public:
    using Form = typename Plan::Form;

    /// Bytes of scratch memory that a team needs, of any content.
    [[nodiscard]] static std::size_t scratch_bytes(const Form& form) noexcept {
        return carved_bytes<Scratch>(form);
    }

    CAIRN_HOST_DEVICE CellKernel(const Form& form, const KernelTask<Form>& task, const Team& team,
                                 std::byte* scratch)
        : form_(form), task_(task), team_(team), carver_(scratch), scratch_(form, carver_) {}

    /// All lanes call this with the same number of a request.
    CAIRN_HOST_DEVICE void answer(std::uint32_t number) {
        answer_request(
            task_, number, team_,
            [this](const grid::Request& request, RequestAnswer& answer) { find(request, answer); });
    }

private:
    struct Scratch {
        CAIRN_HOST_DEVICE Scratch(const Form& form, Carver& carver) noexcept
            : room(form.most_stops),
              path(carver.take<std::uint32_t>(room)),
              goal_side(carver.take<std::uint32_t>(room)),
              offsets(carver.take<std::uint32_t>(room + std::size_t{2})) {
            for (CellEndpoint& endpoint : endpoints) {
                endpoint.nodes = carver.take<std::uint32_t>(form.most_connectors);
                endpoint.costs = carver.take<Cost>(form.most_connectors);
                endpoint.rows = carver.take<LabelSide::Row>(form.most_connectors);
            }
        }
        std::uint32_t room;
        std::uint32_t* path;
        std::uint32_t* goal_side;
        std::uint32_t* offsets;
        CellEndpoints endpoints{};
    };

    CAIRN_HOST_DEVICE void find(const grid::Request& request, RequestAnswer& answer) {
        LabelSide from = Plan::connect(form_, team_, request.start, scratch_.endpoints[0]);
        LabelSide to = Plan::connect(form_, team_, request.goal, scratch_.endpoints[1]);
        team_.sync();
        const Meeting meeting = Plan::search(form_, team_, request, from, to, scratch_.endpoints);
        if (meeting.cost >= kInfinity) return;
        if (task_.query.paths && !refine(request, from, to, meeting, answer)) return;
        answer.cost = meeting.cost;
    }

    /// False, and nothing done, if the labels contradict the index, or the path has too many nodes.
    [[nodiscard]] CAIRN_HOST_DEVICE bool refine(const grid::Request& request, const LabelSide& from,
                                                const LabelSide& to, const Meeting& meeting,
                                                RequestAnswer& answer) {
        std::uint64_t count = 0;
        if (team_.lane() == 0)
            count = climb_labels(
                form_.labels, from.vertices[meeting.start], to.vertices[meeting.goal],
                meeting.entry, {scratch_.path, scratch_.room}, {scratch_.goal_side, scratch_.room});
        count = team_.first(count);
        team_.sync();
        if (count == 0) return false;
        const typename Plan::Legs legs(form_, request, {scratch_.path, count}, task_.query.cells);
        if (!legs.fit(team_, meeting.cost)) return false;
        write_path(task_, team_, grid::cell_of(form_.width, request.start), legs, scratch_.offsets,
                   answer);
        return true;
    }

    const Form& form_;
    const KernelTask<Form>& task_;
    const Team& team_;
    Carver carver_;
    Scratch scratch_;
};

}  // namespace cairn::batch
