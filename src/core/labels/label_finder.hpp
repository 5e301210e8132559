#pragma once
// Answers the queries of planners, from labels or by climbing.

#include <cstdint>
#include <span>
#include <vector>

#include "bounded_climb.hpp"
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

    /// As distance() if this cost is below `below`, else some cost that is not. Bounds are those of
    /// BoundedClimb: with them climbs are faster.
    template <class Bounds>
    [[nodiscard]] Cost distance(Connectors from, Connectors to, const Bounds& bounds,
                                Cost below = kInfinity) const {
        return climbs_ ? climb(bounds).distance(from, to, below)
                       : labels_.distance(from, to, scratch_);
    }
    template <class Bounds>
    [[nodiscard]] Cost find_path(Connectors from, Connectors to, const Bounds& bounds,
                                 std::vector<std::uint32_t>& nodes) const {
        return climbs_ ? climb(bounds).find_path(from, to, nodes)
                       : labels_.find_path(from, to, scratch_, nodes);
    }
    /// The same if `cost` is what it returns.
    template <class Bounds>
    [[nodiscard]] Cost find_path_of(Cost cost, Connectors from, Connectors to, const Bounds& bounds,
                                    std::vector<std::uint32_t>& nodes) const {
        return climbs_ ? climb(bounds).find_path_of(cost, from, to, nodes)
                       : labels_.find_path(from, to, scratch_, nodes);
    }

private:
    template <class Bounds>
    [[nodiscard]] BoundedClimb<Bounds> climb(const Bounds& bounds) const noexcept {
        return {labels_.closure(), bounds, scratch_.climb()};
    }

    const CutLabels& labels_;
    CutLabels::Scratch& scratch_;
    bool climbs_;
};

}  // namespace cairn
