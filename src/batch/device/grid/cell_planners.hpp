#pragma once
// The planners of grids, as the host's share of a batch knows them.

#include "batch/device/grid/cell_host.hpp"
#include "batch/device/grid/hpa_form.hpp"
#include "batch/device/grid/subgoal_form.hpp"
#include "cairn/batch/device.hpp"
#include "cairn/hpa/hpa.hpp"
#include "cairn/subgoal/subgoal.hpp"

namespace cairn::batch {

struct SubgoalPlanner {
    using Arrays = SubgoalArrays;
    using Query = subgoal::Query;
    using Answer = subgoal::Answer;
    using Searcher = subgoal::Searcher;

    [[nodiscard]] static Query query(const DeviceGridQuery& asked);
    /// Whether a line, which devices do not look for, might be the answer.
    [[nodiscard]] static bool is_for_host(const subgoal::Index& index,
                                          const grid::Request& request);
};
using SubgoalHost = CellHost<SubgoalPlanner>;

struct HpaPlanner {
    using Arrays = HpaArrays;
    using Query = hpa::Query;
    using Answer = hpa::Answer;
    using Searcher = hpa::Searcher;

    [[nodiscard]] static Query query(const DeviceGridQuery& asked);
    /// Whether a line is the answer, or a path inside a cluster might be.
    [[nodiscard]] static bool is_for_host(const hpa::Index& index, const grid::Request& request);
};
using HpaHost = CellHost<HpaPlanner>;

}  // namespace cairn::batch
