#pragma once
// Holds the parts of an HNA* index file against its mesh, so that whatever the bytes were, no query
// on them and no edit of them reads out of bounds, runs on forever or overflows a cost.

#include <string>
#include <string_view>

#include "hna/snapshot.hpp"

namespace cairn::index_file {

/// What is wrong with a level of a snapshot, whose number of levels and rows fit its options and
/// whose levels below are without fault; empty if nothing. Needs as many records and rows as
/// clusters. Afterwards inter-edges, intra-edges and rows are right: see HnaClusterCheck. O(rows *
/// steps from a portal) on all cores; without rows, what building the level takes.
[[nodiscard]] std::string level_fault(const hna::Snapshot& snapshot, int level);

/// What is wrong with labels whose arrays CutLabels::from_arrays has accepted; empty if nothing.
/// Needs an overlay without fault, and the graph of its level 1. Afterwards there are hops, and
/// every edge that a hop can take is an intra-edge of level 1. O(labels).
[[nodiscard]] std::string_view label_fault(const hna::Overlay& overlay, const hna::Hng& hng,
                                           const CutLabelArrays& arrays);

}  // namespace cairn::index_file
