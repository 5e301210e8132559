#pragma once
// The order of cut labels: nested dissection by small vertex separators, or for an edited graph the
// order of the labels from before the edit.

#include <cstdint>
#include <span>
#include <vector>

#include "cairn/control.hpp"
#include "cairn/cut_labels.hpp"
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

/// An order for `graph`, topmost first, that keeps the tree of `old` as far as it can: where
/// nothing changed it is the same tree. `old_node` says for each node its number in `old`, or
/// kNewNode.
///
///   new node        goes below its lowest neighbour if its neighbours lie on one path down the
///   tree,
///                   else to the node where they part: it joins the separator there.
///   new edge        between two branches: one of its nodes joins the separator between them, nodes
///                   with the most such edges first.
///
/// Either costs each node below one entry. Empty if `old` is damaged. Time O(m + n log n) and for
/// each new node or edge O(height of the tree).
[[nodiscard]] std::vector<std::uint32_t> inherited_order(const CutLabelArrays& old,
                                                         const Graph& graph,
                                                         std::span<const std::uint32_t> old_node);

}  // namespace cairn
