#pragma once
// Goal bounds: for each cell and direction a rectangle outside which no goal needs this direction.
//
//   S. Rabin, N. Sturtevant, "Combining bounding boxes and JPS to prune grid pathfinding", AAAI
//   2016

#include <bit>
#include <cstdint>
#include <memory>

#include "cairn/control.hpp"
#include "cairn/grid/map.hpp"
#include "cairn/status.hpp"
#include "jps_plus/jump_table.hpp"

namespace cairn::jps_plus {

/// A number for each direction, for comparing all eight in one instruction.
using Eight [[gnu::vector_size(16)]] = std::int16_t;

/// The rectangles of a cell, which take a cache line. An empty one has min > max.
struct alignas(64) GoalBounds {
    Eight min_x;
    Eight min_y;
    Eight max_x;
    Eight max_y;

    /// The directions whose rectangles contain `goal`, as bits.
    [[nodiscard]] unsigned towards(grid::Point goal) const noexcept {
        const auto x = static_cast<std::int16_t>(goal.x);
        const auto y = static_cast<std::int16_t>(goal.y);
        using Bytes [[gnu::vector_size(8)]] = std::int8_t;
        const Eight inside = (min_x <= x) & (max_x >= x) & (min_y <= y) & (max_y >= y);
        // One bit of each byte, all in the highest byte of the product.
        const auto bytes = std::bit_cast<std::uint64_t>(__builtin_convertvector(inside, Bytes));
        return static_cast<unsigned>((bytes & 0x8040'2010'0804'0201) * 0x0101'0101'0101'0101 >> 56);
    }
};

/// The bounds of all cells, by one search from each free cell: 64 bytes a cell. The
/// rectangle of a cell and a direction contains every goal to which a shortest path begins with
/// this direction and, at each cell on its way, goes on in a direction that jump point search
/// follows. Needs a map without objection_to_corners, and costs_fit. O(free cells squared), on
/// control.threads. Errors: cancelled. Throws std::bad_alloc.
[[nodiscard]] Result<std::unique_ptr<GoalBounds[]>> make_goal_bounds(const grid::Map& map,
                                                                     const JumpTable& table,
                                                                     const BuildControl& control);

}  // namespace cairn::jps_plus
