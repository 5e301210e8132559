#pragma once
// Answers the queries of planners, from labels or by climbing.

#include <cstdint>
#include <span>
#include <vector>

#include "cairn/cut_labels.hpp"

namespace cairn {

/// Finds costs and paths between lists of connectors: by climbing the closure, or from labels. Cost
/// and path are the same.
class LabelFinder {
public:
    using Connectors = std::span<const Connector>;

    /// Labels and scratch must outlive the finder.
    LabelFinder(const CutLabels& labels, bool climbs, CutLabels::Scratch& scratch) noexcept
        : labels_(labels), scratch_(scratch), climbs_(climbs) {}

    [[nodiscard]] Cost distance(Connectors from, Connectors to) const {
        return climbs_ ? labels_.closure().distance(from, to, scratch_.climb())
                       : labels_.distance(from, to, scratch_);
    }
    [[nodiscard]] Cost find_path(Connectors from, Connectors to,
                                 std::vector<std::uint32_t>& nodes) const {
        return climbs_ ? labels_.closure().find_path(from, to, scratch_.climb(), nodes)
                       : labels_.find_path(from, to, scratch_, nodes);
    }

private:
    const CutLabels& labels_;
    CutLabels::Scratch& scratch_;
    bool climbs_;
};

}  // namespace cairn
