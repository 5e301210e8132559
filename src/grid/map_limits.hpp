#pragma once
// The limits of maps.

#include <cstddef>
#include <cstdint>
#include <span>

#include "cairn/cost.hpp"
#include "cairn/grid/map.hpp"

namespace cairn::grid {

/// ok, or bad_option: sides out of range, `cells` not their product, or a cost model that makes
/// diagonal moves free or useless.
[[nodiscard]] Status check_shape(int width, int height, std::size_t cells, const CostModel& costs);

/// ok, or too_large: a path over `free_cells` cells of weights up to `heaviest` could cost
/// kInfinity or more.
[[nodiscard]] Status check_path_costs(const MoveRules& rules, const CostModel& costs,
                                      std::size_t free_cells, std::uint32_t heaviest);

/// ok, or bad_option: an edit that is empty or reaches outside.
[[nodiscard]] Status check_edits(int width, int height, std::span<const TerrainEdit> edits);

}  // namespace cairn::grid
