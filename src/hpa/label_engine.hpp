#pragma once
// Cut labels over the 1-level abstract graph.

#include "cairn/control.hpp"
#include "hpa/snapshot.hpp"

namespace cairn::hpa {

/// The numbering of the nodes of level 1, without labels yet. O(nodes).
[[nodiscard]] LabelEngine number_label_nodes(const Overlay& overlay);

/// Labels take over the order of those of `before`, of an earlier snapshot of the same map and
/// options, if it is given and not worn out. Errors: cancelled; too_large (over
/// Options::label_bytes).
[[nodiscard]] Result<LabelEngine> build_label_engine(const Snapshot& snapshot,
                                                     const LabelEngine* before,
                                                     const BuildControl& control);

}  // namespace cairn::hpa
