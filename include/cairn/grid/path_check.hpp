#pragma once
// Whether edits of a map have broken a path, without a look at every step of it.

#include <cstddef>
#include <span>

#include "cairn/cost.hpp"
#include "cairn/grid/map.hpp"
#include "cairn/grid/moves.hpp"

namespace cairn::grid {

/// The index of the first step of `path` that is not legal on `map`: step i leads from path[i] to
/// path[i + 1], and the last index is that of the last cell itself. path.size() if all are legal.
/// The path must hold every cell, and must have been legal on a map that differs from this one in
/// the cells of `changed` only; with the whole map as `changed`, every step is checked. A cell that
/// is not on the map counts as blocked. A path of n cells moves one cell a step, so where the
/// nearest area is d cells away, d - 1 steps are passed over: O(areas) for each look, and n looks
/// at most. Thread-safe.
[[nodiscard]] std::size_t first_illegal_step(const Map& map, std::span<const Cell> path,
                                             std::span<const Rect> changed) noexcept;

/// Whether a path from `start` to `goal` that uses a cell of `area`, or a corner of one, may cost
/// less than `cost`: by the octile distance over the map's cheapest terrain. If not, no change in
/// the area can make the best path cheaper than that. O(1). Thread-safe.
[[nodiscard]] bool may_be_cheaper(const Map& map, Point start, Point goal, const Rect& area,
                                  Cost cost) noexcept;

}  // namespace cairn::grid
