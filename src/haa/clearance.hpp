#pragma once
// Clearances of a rectangle of cells.

#include <cstdint>
#include <functional>
#include <vector>

#include "cairn/grid/map.hpp"
#include "cairn/haa/annotated_map.hpp"

namespace cairn::haa {

/// How far an agent of `size` reaches beyond its anchor to the left and up; the rest of its
/// size - 1 cells lie to the right and below.
[[nodiscard]] constexpr int reach_before(Anchor anchor, int size) noexcept {
    return anchor == Anchor::top_left ? 0 : (size - 1) / 2;
}

/// The clearances of the cells of `area`, row by row, counted up to `max_size`. `free(x, y)` says
/// whether the capability includes a cell. It is called for the cells of `area` and up to max_size
/// - 1 cells beyond it, and must be false off the map. O(number of these cells).
[[nodiscard]] std::vector<std::uint8_t> clearances(const grid::Rect& area, int max_size,
                                                   Anchor anchor,
                                                   const std::function<bool(int, int)>& free);

}  // namespace cairn::haa
