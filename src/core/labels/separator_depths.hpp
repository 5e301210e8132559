#pragma once
// How deep the separators of a closure's nodes lie, for pictures of the tree.

#include <cstdint>
#include <vector>

#include "core/labels/closure_view.hpp"

namespace cairn {

/// The places of the tree in depth-first order. O(places * log).
[[nodiscard]] std::vector<std::uint32_t> places_in_order(const ClosureView& view);

/// By place, the depth of its separator: 0 at a root. A node with nearly all of the nodes below its
/// parent is of the parent's separator: one that cuts off small pieces on the way is not divided.
[[nodiscard]] std::vector<std::uint32_t> separator_depths(const ClosureView& view);

}  // namespace cairn
