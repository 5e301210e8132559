#pragma once
// Answers the queries of planners, from labels or by climbing.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "cairn/cut_labels.hpp"

namespace cairn {

/// Finds costs and paths between lists of connectors as the functions of CutLabels do that have the
/// same names. If it climbs, it needs the closure, otherwise labels; the answers are the same.
class LabelFinder {
public:
    using Connectors = std::span<const Connector>;

    /// The scratch and the labels must outlive the finder.
    LabelFinder(const CutLabels& labels, bool climbs, CutLabels::Scratch& scratch) noexcept
        : labels_(labels), scratch_(scratch), climbs_(climbs) {}

    [[nodiscard]] Cost distance(Connectors from, Connectors to) const {
        return climbs_ ? labels_.climb_distance(from, to, scratch_)
                       : labels_.distance(from, to, scratch_);
    }
    [[nodiscard]] Cost find_path(Connectors from, Connectors to,
                                 std::vector<std::uint32_t>& nodes) const {
        return climbs_ ? labels_.climb_path(from, to, scratch_, nodes)
                       : labels_.find_path(from, to, scratch_, nodes);
    }
    [[nodiscard]] std::optional<Cost> quick_distance(Connectors from, Connectors to) const {
        // Dropping connectors saves a climb less than it takes to find those that can be dropped.
        if (climbs_) return labels_.climb_distance(from, to, scratch_);
        return labels_.quick_distance(from, to, scratch_);
    }
    /// Has a value for the same lists whether it climbs or not: which connectors a planner drops
    /// decides between equal paths.
    [[nodiscard]] std::optional<Cost> quick_path(Connectors from, Connectors to,
                                                 std::vector<std::uint32_t>& nodes) const {
        if (!climbs_) return labels_.quick_path(from, to, scratch_, nodes);
        if (!labels_.is_quick(from, to, scratch_)) return std::nullopt;
        return labels_.climb_path(from, to, scratch_, nodes);
    }
    /// The distance between two nodes; kInfinity if there is no path.
    [[nodiscard]] Cost distance(std::uint32_t from, std::uint32_t to) const {
        if (!climbs_) return labels_.distance(from, to);
        const Connector a{from, 0};
        const Connector b{to, 0};
        return labels_.climb_distance({&a, 1}, {&b, 1}, scratch_);
    }

private:
    const CutLabels& labels_;
    CutLabels::Scratch& scratch_;
    bool climbs_;
};

}  // namespace cairn
