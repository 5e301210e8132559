#pragma once
// Cut labels over the HNG of level 1, for meshes without one-way moves.

#include <cstdint>
#include <memory>

#include "cairn/control.hpp"
#include "cairn/cut_labels.hpp"
#include "hna/hng.hpp"

namespace cairn::hna {

struct LabelEngine {
    std::shared_ptr<const Hng> hng;  // of level 1; its vertices are the nodes of `labels`
    CutLabels labels;
};

/// Labels take over the order of those of `before`, of an earlier snapshot, if it is given and not
/// worn out. Errors: cancelled; too_large (over `max_bytes`).
[[nodiscard]] Result<LabelEngine> build_label_engine(std::shared_ptr<const Hng> hng,
                                                     const LabelEngine* before,
                                                     std::uint64_t max_bytes,
                                                     const BuildControl& control);

}  // namespace cairn::hna
