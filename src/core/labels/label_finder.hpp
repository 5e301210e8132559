#pragma once
// Answers the queries of planners, from labels or by climbing.

#include <cstdint>
#include <span>
#include <vector>

#include "cairn/cut_labels.hpp"

namespace cairn {

/// The scratch of both.
struct LabelFinderScratch {
    CutLabels::Scratch labels;
    Closure::Scratch closure;
    [[nodiscard]] std::size_t memory() const noexcept { return labels.memory() + closure.memory(); }
};

/// Finds costs and paths between lists of connectors: by climbing the closure, or from labels. Cost
/// and path are the same.
class LabelFinder {
public:
    using Connectors = std::span<const Connector>;

    /// Labels and scratch must outlive the finder.
    LabelFinder(const CutLabels& labels, bool climbs, LabelFinderScratch& scratch) noexcept
        : labels_(labels), scratch_(scratch), climbs_(climbs) {}

    [[nodiscard]] Cost distance(Connectors from, Connectors to) const {
        return climbs_ ? labels_.closure().distance(from, to, scratch_.closure)
                       : labels_.distance(from, to, scratch_.labels);
    }
    [[nodiscard]] Cost find_path(Connectors from, Connectors to,
                                 std::vector<std::uint32_t>& nodes) const {
        return climbs_ ? labels_.closure().find_path(from, to, scratch_.closure, nodes)
                       : labels_.find_path(from, to, scratch_.labels, nodes);
    }

private:
    const CutLabels& labels_;
    LabelFinderScratch& scratch_;
    bool climbs_;
};

}  // namespace cairn
