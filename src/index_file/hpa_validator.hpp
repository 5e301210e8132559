#pragma once
// Holds the parts of an index file against the map, so that whatever the bytes were, no query on
// them and no edit of them reads out of bounds, runs on forever or overflows a cost.

#include <string>
#include <string_view>

#include "hpa/snapshot.hpp"

namespace cairn::index_file {

/// What is wrong with the levels and move tables of a snapshot; empty if nothing. Needs its options
/// (checked), map, partition, levels and tables, and each of those as many records as clusters.
///
/// Afterwards, on every level: the nodes and inter-edges are those that the map gives; an
/// intra-edge is finite exactly where the level below connects its nodes inside the cluster, and
/// then at least the map's distance bound and at most what a walk over every cell connected there
/// could cost. So shortest paths exist wherever they should and cost less than kInfinity. Every
/// move table leads by legal moves from every connected cell to its node, and at the cost of the
/// intra-edge where the cell is a node. O(records + cells).
[[nodiscard]] std::string overlay_fault(const hpa::Snapshot& snapshot);

/// What is wrong with labels whose arrays CutLabels::from_arrays has accepted; empty if nothing.
/// Needs an overlay without fault. Afterwards there are hops, and every edge that a hop can take is
/// one of the 1-level abstract graph, so that any path the labels give is one. O(labels).
[[nodiscard]] std::string_view label_fault(const hpa::Overlay& overlay,
                                           const hpa::LabelEngine& engine,
                                           const CutLabelArrays& arrays);

}  // namespace cairn::index_file
