#pragma once
// Which kernel answers a query over a form on machines without a GPU, whose teams are all alike.

#include <type_traits>

#include "batch/device/grid/hpa_plan.hpp"
#include "batch/device/grid/subgoal_plan.hpp"
#include "batch/device/mesh/hng_kernel.hpp"
#include "batch/device/mesh/level_one_kernel.hpp"
#include "batch/device/mesh/polygon_kernel.hpp"

namespace cairn::batch {

/// Calls run.template operator()<Kernel>(). Kernel: a template over the team.
template <class Form, class Run>
void with_kernel(const typename Form::Query& query, Run&& run) {
    if constexpr (std::is_same_v<Form, SubgoalForm>) {
        if (query.engine == DeviceGridEngine::climb)
            return run.template operator()<SubgoalClimbKernel>();
        run.template operator()<SubgoalKernel>();
    } else if constexpr (std::is_same_v<Form, HpaForm>) {
        if (query.engine == DeviceGridEngine::climb)
            return run.template operator()<HpaClimbKernel>();
        run.template operator()<HpaKernel>();
    } else if (query.engine == DeviceEngine::climb) {
        run.template operator()<ClimbKernel>();
    } else if (query.engine == DeviceEngine::cut_labels) {
        run.template operator()<LabelKernel>();
    } else if (query.engine == DeviceEngine::polygon_astar) {
        run.template operator()<PolygonKernel>();
    } else {
        run.template operator()<HngKernel>();
    }
}

}  // namespace cairn::batch
