#pragma once
// The form of a subgoal graph: what kernels read of it, the connectors of all cells, the labels and
// their closure.

#include <span>
#include <vector>

#include "batch/device/grid/cell_form.hpp"
#include "batch/device/kernel_task.hpp"
#include "batch/device/labels.hpp"
#include "cairn/cost.hpp"
#include "cairn/cut_labels.hpp"
#include "cairn/grid/moves.hpp"
#include "cairn/status.hpp"
#include "cairn/subgoal/index.hpp"
#include "core/host_device.hpp"
#include "subgoal/connector_table.hpp"
#include "subgoal/connector_view.hpp"

namespace cairn::subgoal {
struct Planner;
}

namespace cairn::batch {

struct SubgoalForm : CellForm {
    subgoal::ConnectorView connectors;
    std::span<const grid::Point> places;  // per subgoal: its cell

    /// The octile distance: Map::distance_bound on a map with eight neighbours and one weight.
    [[nodiscard]] CAIRN_HOST_DEVICE Cost distance(grid::Point a, grid::Point b) const noexcept {
        const auto wide = static_cast<Cost>(a.x < b.x ? b.x - a.x : a.x - b.x);
        const auto high = static_cast<Cost>(a.y < b.y ? b.y - a.y : a.y - b.y);
        const Cost less = wide < high ? wide : high;
        const std::uint64_t cost =
            std::uint64_t{wide + high - 2 * less} * straight + std::uint64_t{less} * diagonal;
        return cost < kInfinity ? static_cast<Cost>(cost) : kInfinity;
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
    for_each_array(form.closure, use);
}

/// Makes the form of an index in host memory. Its spans point into the index and into this object.
/// Immutable.
class SubgoalArrays {
public:
    using Planner = subgoal::Planner;
    using Form = SubgoalForm;
    using Index = subgoal::Index;

    /// Whether an index has all that the form needs. Errors: unsupported, with what to do.
    [[nodiscard]] static Status check(const subgoal::Index& index);
    /// Whether all subgoals of an index that passes `check` have labels; else devices climb.
    [[nodiscard]] static bool has_labels(const subgoal::Index& index) noexcept;
    /// Whether the host must answer a request between free cells: a free line with at most one turn
    /// joins them or, in a pruned graph, one with two turns. Devices do not look for free lines.
    [[nodiscard]] static bool is_for_host(const subgoal::Index& index,
                                          const grid::Request& request);
    /// `index` must pass `check`.
    explicit SubgoalArrays(const subgoal::Index& index);
    SubgoalArrays(const SubgoalArrays&) = delete;
    SubgoalArrays& operator=(const SubgoalArrays&) = delete;
    [[nodiscard]] const SubgoalForm& form() const noexcept { return form_; }

private:
    subgoal::ConnectorTable connectors_;
    CutLabels labels_;
    Closure closure_;
    std::vector<grid::Point> places_;
    SubgoalForm form_;
};

}  // namespace cairn::batch
