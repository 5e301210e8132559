#pragma once
// The kernel that answers requests on a grid by cut labels or by climbing: connect, search, refine.
// Its steps, and its choices among equals, are those of single queries.
//
// `Plan` is a planner's part of this, made of a form and a team (hpa_plan.hpp, subgoal_plan.hpp):
//
//   connect(cell, memory)       the connectors of a cell
//   search(request, from, to)   where the labels of the connectors meet
//   Legs                        the legs of a path, for write_path
//
// `Engine` is ByLabels or ByClimbing.

#include <cstddef>
#include <cstdint>

#include "batch/device/climb.hpp"
#include "batch/device/grid/cell_form.hpp"
#include "batch/device/kernel_task.hpp"
#include "batch/device/labels.hpp"
#include "cairn/cost.hpp"
#include "cairn/grid/moves.hpp"
#include "cairn/grid/paths.hpp"

namespace cairn::batch {

/// Scratch for the connectors of a start or a goal: the arrays of a LabelSide.
struct CellEndpoint {
    CAIRN_HOST_DEVICE CellEndpoint(const CellForm& form, Carver& carver) noexcept
        : nodes(carver.take<std::uint32_t>(form.most_connectors)),
          costs(carver.take<Cost>(form.most_connectors)),
          rows(carver.take<LabelSide::Row>(form.most_connectors)) {}
    std::uint32_t* nodes;
    Cost* costs;
    LabelSide::Row* rows;
};

template <class Plan, class Form, class Team, template <class> class Engine>
class CellKernel {
public:
    struct Scratch {
        CAIRN_HOST_DEVICE Scratch(const Form& form, Carver& carver) noexcept
            : path{carver.take<std::uint32_t>(form.most_stops), form.most_stops},
              offsets(carver.take<std::uint32_t>(form.most_stops + std::size_t{2})),
              start(form, carver),
              goal(form, carver),
              engine(form, form.most_connectors, form.most_stops, carver) {}
        FixedList path;
        std::uint32_t* offsets;
        CellEndpoint start;
        CellEndpoint goal;
        typename Engine<Team>::Scratch engine;
    };

    CAIRN_HOST_DEVICE CellKernel(const Form& form, const KernelTask<Form>& task, const Team& team,
                                 const Scratch& scratch)
        : form_(form), task_(task), team_(team), scratch_(scratch) {}

    CAIRN_HOST_DEVICE void find(const grid::Request& request, RequestAnswer& answer) {
        const Plan plan{form_, team_};
        LabelSide from = plan.connect(request.start, scratch_.start);
        LabelSide to = plan.connect(request.goal, scratch_.goal);
        team_.sync();
        Engine<Team> engine(form_, team_, scratch_.engine);
        const Cost cost = engine.search(plan, request, from, to, task_.query.paths);
        if (cost >= kInfinity) return;
        if (task_.query.paths &&
            !refine(request, engine.write(from, to, scratch_.path), cost, answer)) {
            return;
        }
        answer.cost = cost;
    }

private:
    /// Writes the path over the first `count` nodes of the scratch. False if the labels contradict
    /// the index or the path has too many nodes.
    [[nodiscard]] CAIRN_HOST_DEVICE bool refine(const grid::Request& request, std::size_t count,
                                                Cost cost, RequestAnswer& answer) {
        team_.sync();
        if (count == 0) return false;
        const typename Plan::Legs legs(form_, request, {scratch_.path.items, count},
                                       task_.query.cells);
        if (!legs.fit(team_, cost)) return false;
        write_path(task_, team_, grid::cell_of(form_.width, request.start), legs, scratch_.offsets,
                   answer);
        return true;
    }

    const Form& form_;
    const KernelTask<Form>& task_;
    const Team& team_;
    Scratch scratch_;
};

}  // namespace cairn::batch
