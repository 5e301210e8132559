#pragma once
// The order in which cut labels take a graph apart: nested dissection by small vertex separators.

#include <cstdint>
#include <vector>

#include "cairn/control.hpp"
#include "cairn/graph.hpp"

namespace cairn {

/// All nodes of `graph`, those of the first separator first. The order is only good advice: labels
/// are right for any permutation. `tries` as find_separator's. Deterministic. Reports progress from
/// 0 to `share`.
///
/// Empty if cancelled, or as soon as the separators found so far make labels of more than some
/// 2 * max_entries entries likely.
[[nodiscard]] std::vector<std::uint32_t> separator_order(const Graph& graph,
                                                         std::uint64_t max_entries,
                                                         const BuildControl& control, double share,
                                                         int tries = 1);

}  // namespace cairn
