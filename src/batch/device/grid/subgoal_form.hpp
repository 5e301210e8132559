#pragma once
// A subgoal graph as a device sees it: connectors of all cells, and labels. On the host these are
// the index's own arrays.

#include <span>

#include "batch/device/grid/cell_form.hpp"
#include "batch/device/kernel_task.hpp"
#include "batch/device/labels.hpp"
#include "cairn/cost.hpp"
#include "cairn/grid/moves.hpp"
#include "cairn/status.hpp"
#include "cairn/subgoal/index.hpp"
#include "core/host_device.hpp"
#include "subgoal/connector_view.hpp"

namespace cairn::subgoal {
struct Planner;
}

namespace cairn::batch {

struct SubgoalForm : CellForm {
    subgoal::ConnectorView connectors;
    std::span<const grid::Point> places;  // per subgoal

    /// Map::distance_bound, of a map with eight neighbours and one weight.
    [[nodiscard]] CAIRN_HOST_DEVICE Cost distance(grid::Point a, grid::Point b) const noexcept {
        const auto wide = static_cast<Cost>(a.x < b.x ? b.x - a.x : a.x - b.x);
        const auto high = static_cast<Cost>(a.y < b.y ? b.y - a.y : a.y - b.y);
        const Cost less = wide < high ? wide : high;
        return (wide + high - 2 * less) * straight + less * diagonal;
    }
};

/// Calls use(span) for every array of a form.
template <class Use>
void for_each_array(SubgoalForm& form, Use&& use) {
    use(form.connectors.first);
    use(form.connectors.cells);
    use(form.connectors.nodes);
    use(form.places);
    for_each_array(form.labels, use);
}

/// The form of an index in the host's memory, which needs the index. Immutable.
class SubgoalArrays {
public:
    using Planner = subgoal::Planner;
    using Form = SubgoalForm;
    using Index = subgoal::Index;

    /// ok; unsupported, with what to do, if an index lacks something.
    [[nodiscard]] static Status check(const subgoal::Index& index);
    /// Whether a line, which devices do not look for, might be the answer to a request between free
    /// cells.
    [[nodiscard]] static bool is_for_host(const subgoal::Index& index,
                                          const grid::Request& request);
    /// Of an index that has all.
    explicit SubgoalArrays(const subgoal::Index& index);
    [[nodiscard]] const SubgoalForm& form() const noexcept { return form_; }

private:
    SubgoalForm form_;
};

}  // namespace cairn::batch
