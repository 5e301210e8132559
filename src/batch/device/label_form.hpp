#pragma once
// Cut labels as a part of what a device holds.

#include "cairn/cut_labels.hpp"

namespace cairn::batch {

/// Calls use(span) for every array of labels.
template <class Use>
void for_each_array(CutLabelArrays& labels, Use&& use) {
    const auto all = [&](auto&... spans) { (use(spans), ...); };
    all(labels.nodes, labels.entries, labels.group_common, labels.block_common, labels.hops,
        labels.wide_hops, labels.places, labels.head, labels.groups);
}

}  // namespace cairn::batch
