#pragma once
// The order of cut labels: nested dissection by small vertex separators.

#include <cstdint>
#include <vector>

#include "cairn/control.hpp"
#include "cairn/graph.hpp"

namespace cairn {

/// All nodes of `graph`, those of the first separator first. Labels are right in any order; a good
/// order makes them small. `tries` as find_separator's. Deterministic. Reports progress from 0 to
/// `share`.
///
/// Empty if cancelled, or as soon as the separators found so far make labels of more than some
/// 2 * max_entries entries likely.
[[nodiscard]] std::vector<std::uint32_t> separator_order(const Graph& graph,
                                                         std::uint64_t max_entries,
                                                         const BuildControl& control, double share,
                                                         int tries = 1);

}  // namespace cairn
