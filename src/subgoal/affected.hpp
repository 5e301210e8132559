#pragma once
// Which subgoals an edit affects, and in which octants.

#include <cstdint>
#include <span>
#include <vector>

#include "cairn/grid/map.hpp"
#include "cairn/grid/moves.hpp"
#include "subgoal/octants.hpp"
#include "subgoal/subgoal_bits.hpp"

namespace cairn::subgoal {

/// The cells of an edit and their neighbours, which may become subgoals or cease to be subgoals.
[[nodiscard]] constexpr grid::Rect changed_area(const grid::TerrainEdit& edit) noexcept {
    const grid::Rect& a = edit.area;
    return {a.x - 1, a.y - 1, a.width + 2, a.height + 2};
}

[[nodiscard]] constexpr bool contains(const grid::Rect& area, grid::Point p) noexcept {
    return p.x >= area.x && p.y >= area.y && p.x < area.x + area.width &&
           p.y < area.y + area.height;
}

/// The quadrants of the cell (x, y), by their diagonals, that hold a cell of `area`.
[[nodiscard]] inline Corners quadrants_with(const grid::Rect& area, int x, int y) noexcept {
    const bool north = area.y <= y;
    const bool east = area.x + area.width > x;
    const bool south = area.y + area.height > y;
    const bool west = area.x <= x;
    Corners out = 0;
    if (north && east) out |= corner_bit(grid::kNorthEast);
    if (south && east) out |= corner_bit(grid::kSouthEast);
    if (south && west) out |= corner_bit(grid::kSouthWest);
    if (north && west) out |= corner_bit(grid::kNorthWest);
    return out;
}

/// The octants of the cell `p` that hold a cell of `area`; their borders belong to them.
[[nodiscard]] Octants octants_with(const grid::Rect& area, grid::Point p) noexcept;

/// The subgoals whose edges or connected cells some edits may change: those in and around the
/// changed areas, and those that see them. By SubgoalGraph::key, ascending; removed ones included.
[[nodiscard]] std::vector<std::uint32_t> affected_subgoals(
    const SubgoalBits& before, const SubgoalBits& after, std::span<const grid::TerrainEdit> edits);

}  // namespace cairn::subgoal
