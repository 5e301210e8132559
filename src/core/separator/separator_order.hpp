#pragma once
// The order of a closure: by nested dissection with small vertex separators.

#include <cstdint>
#include <span>
#include <vector>

#include "cairn/control.hpp"
#include "cairn/graph.hpp"
#include "cairn/status.hpp"

namespace cairn {

struct SeparatorOrderOptions {
    std::span<const NodePoint> points;  ///< where nodes lie, by node; empty if unknown
    int recuts = 0;                     ///< see SeparatorFinder
};

/// All nodes of `graph`, those of the first separator first. A closure is correct in any order; a
/// good order makes it and its labels small. Deterministic. Checkpoints: the separators of large
/// parts of the graph, and the orders of the others. Errors: cancelled; those of for_each_part.
[[nodiscard]] Result<std::vector<std::uint32_t>> separator_order(
    const Graph& graph, const SeparatorOrderOptions& options = {},
    const BuildControl& control = {});

}  // namespace cairn
