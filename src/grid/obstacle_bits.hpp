#pragma once
// The obstacles of a map as bits, row by row and column by column.

#include <cstddef>
#include <span>

#include "cairn/grid/map.hpp"
#include "grid/bit_grid.hpp"

namespace cairn::grid {

/// A set bit is a blocked cell. `columns` is `rows` with x and y swapped.
struct ObstacleBits {
    BitGrid rows;
    BitGrid columns;

    [[nodiscard]] std::size_t bytes() const noexcept { return rows.bytes() + columns.bytes(); }
    friend bool operator==(const ObstacleBits&, const ObstacleBits&) noexcept = default;
};

/// The obstacles of `map`. O(size).
[[nodiscard]] ObstacleBits make_obstacle_bits(const Map& map);

/// The obstacles of `new_map`, which is the map of `bits` with `edits` applied. Shares all pages
/// that the edits do not touch. Copies the other pages, which are 16 rows or columns of the map
/// each, and one pointer for each row and column of the map.
[[nodiscard]] ObstacleBits edited(const ObstacleBits& bits, const Map& new_map,
                                  std::span<const TerrainEdit> edits);

}  // namespace cairn::grid
