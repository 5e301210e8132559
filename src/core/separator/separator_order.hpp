#pragma once
// The order of cut labels: by nested dissection with small vertex separators or, for an edited
// graph, from the order of the labels from before the edit.

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "cairn/control.hpp"
#include "cairn/cut_labels.hpp"
#include "cairn/graph.hpp"

namespace cairn {

struct SeparatorOrderOptions {
    std::span<const NodePoint> points;  ///< where nodes lie, by node; empty if unknown
    int recuts = 0;                     ///< see SeparatorFinder
    std::uint64_t max_entries = std::numeric_limits<std::uint64_t>::max();
};

/// All nodes of `graph`, those of the first separator first. Labels are correct in any order; a
/// good order makes them small. Deterministic.
///
/// Returns an empty list if cancelled, or as soon as the separators found so far suggest that the
/// labels have more than about 2 * max_entries entries.
[[nodiscard]] std::vector<std::uint32_t> separator_order(const Graph& graph,
                                                         const SeparatorOrderOptions& options = {},
                                                         const BuildControl& control = {});

/// An order for `graph`, topmost first, that keeps the tree of `old` where nothing has changed.
/// `old_node` holds for each node its number in `old`, or CutLabels::kNewNode.
///
///   new node    If its neighbours lie on one path down the tree, it goes below the lowest of them.
///               Otherwise it joins the separator of the branches that its neighbours lie in.
///   new edge    If it joins two branches, one of its nodes joins the separator of the branches;
///               nodes with the most such edges are moved first.
///
/// A node that joins a separator costs each node below it one more entry. Returns an empty list if
/// `old` is damaged. Time O(m + n log n), and O(height of the tree) for each new node or edge.
[[nodiscard]] std::vector<std::uint32_t> inherited_order(const CutLabelArrays& old,
                                                         const Graph& graph,
                                                         std::span<const std::uint32_t> old_node);

}  // namespace cairn
