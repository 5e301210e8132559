#pragma once
// The order in which cut labels take a graph apart: nested dissection by small vertex separators.

#include <cstdint>
#include <vector>

#include "cairn/control.hpp"
#include "cairn/graph.hpp"

namespace cairn {

/// All nodes of `graph`, those of the first separator first. The order is only good advice: labels
/// are right for any permutation. Deterministic. `progress` gets the share done, rising; empty if
/// cancelled (or if there are no nodes). Throws std::bad_alloc only.
[[nodiscard]] std::vector<std::uint32_t> separator_order(const Graph& graph,
                                                         const BuildControl& control);

}  // namespace cairn
