#pragma once
// Cut labels of an edited graph in the order of those from before the edit.

#include <cstdint>
#include <span>

#include "cairn/control.hpp"
#include "cairn/cut_labels.hpp"
#include "cairn/graph.hpp"
#include "cairn/status.hpp"

namespace cairn {

/// For each of the ascending `now`, its number among the ascending `before`, of which the first has
/// the number `first`, or CutLabels::kNewNode. `out` is as long as `now`. O(now + before).
void match_earlier(std::span<const std::uint32_t> now, std::span<const std::uint32_t> before,
                   std::uint32_t first, std::span<std::uint32_t> out);

/// Whether the order of `labels` is worth keeping.
[[nodiscard]] inline bool lasts(const CutLabels& labels) noexcept {
    return labels.wear() < CutLabels::kWornOut;
}

/// `earlier.rebuilt`, or a build afresh where so much has changed that those labels would be far
/// larger, or too large. Errors: as CutLabels::build.
[[nodiscard]] Result<CutLabels> relabelled(const CutLabels& earlier, const Graph& graph,
                                           std::span<const std::uint32_t> old_node,
                                           const CutLabels::Options& options,
                                           const BuildControl& control);

}  // namespace cairn
