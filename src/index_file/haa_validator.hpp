#pragma once
// Holds a HAA* index file against its map, so that whatever the bytes were, no query, view or edit
// reads out of bounds, runs on forever or overflows a cost.

#include <string>

#include "haa/snapshot.hpp"

namespace cairn::index_file {

/// What is wrong with the annotated clusters of a snapshot; empty if nothing. Needs all else of it,
/// the options checked, and as many records as clusters.
///
/// Afterwards nodes and inter-edges are those that the map gives. For each agent class the least
/// cost of the intra-edges that serve it between two nodes that it can stand on is finite exactly
/// where the inside of the cluster connects them; then it is at least a lower bound of the distance
/// and at most what a walk over every cell connected there could cost. So the first level of its
/// view is one that index_file::overlay_fault (hpa_validator.hpp) finds nothing wrong with.
/// O((map + abstraction) * classes), on all cores.
[[nodiscard]] std::string abstraction_fault(const haa::Snapshot& snapshot);

}  // namespace cairn::index_file
