#include "batch/device/closure_form.hpp"

#include <algorithm>

#include "core/labels/closure_view.hpp"

namespace cairn::batch {

ClosureForm closure_form(const Closure& closure) {
    if (closure.storage() == nullptr) return {};
    const ClosureArrays& arrays = closure.arrays();
    ClosureForm form;
    form.places = arrays.places;
    if (closure.storage()->positions) form.positions = *closure.storage()->positions;
    form.nodes = arrays.nodes;
    form.depths = arrays.depths;
    form.costs.up = arrays.costs;
    form.costs.down = closure.directed() ? arrays.down_costs : arrays.costs;
    form.middles.up = arrays.middles;
    form.middles.down = closure.directed() ? arrays.down_middles : arrays.middles;
    for (const ClosureNode& node : arrays.nodes)
        form.height = std::max(form.height, node.depth + 1U);
    return form;
}

}  // namespace cairn::batch
