#pragma once
// The tree of a closure in depth-first order.

#include <cstdint>
#include <span>

#include "closure_view.hpp"
#include "core/separator/separator_tree.hpp"

namespace cairn {

/// The tree over places with these parents, kNone for roots. The nodes of this SeparatorTree are
/// the places. Children follow each other by place. O(places).
[[nodiscard]] SeparatorTree place_tree(std::span<const std::uint32_t> parents);

/// The same for all places of a closure, empty ones included.
[[nodiscard]] SeparatorTree place_tree(const ClosureView& closure);

}  // namespace cairn
