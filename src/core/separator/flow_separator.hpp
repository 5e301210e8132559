#pragma once
// A small vertex separator of one connected piece of a graph, by maximum flows: inertial flow
// (Schild, Sommer 2015) over the nodes in the order of a key, here of breadth-first distances.

#include <vector>

#include "vertex_separator.hpp"

namespace cairn {

/// Puts every node of a connected piece of 3 or more nodes on a side, so that no edge joins left
/// and right. Takes the best of a few cuts; up to `recuts` more cuts start from the best so far.
/// False, with `sides` unchanged, if none is fair. Deterministic: integers only, and ties are
/// broken by number. Time O(m * separator) a cut in the worst case, mostly far less.
[[nodiscard]] bool flow_separator(const Piece& piece, int recuts, std::vector<Side>& sides);

}  // namespace cairn
