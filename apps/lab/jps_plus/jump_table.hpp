#pragma once
// What jump point search with preprocessing (JPS+) knows of every cell: how far a jump in each
// direction goes.
//
//   D. Harabor, A. Grastien, "Improving jump point search", ICAPS 2014, section on preprocessing
//
// The corner rule is strict, as in cairn/grid/jps.hpp. So paths turn only at the ends of straight
// moves, and only straight moves lead to jump points.

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "cairn/grid/map.hpp"

namespace cairn::jps_plus {

/// How far jumps from a cell go, by direction. A positive number is the steps to the place where
/// the jump stops: a jump point, or for a diagonal direction a cell from which a straight jump in
/// one of its two parts leads to a jump point. Otherwise there is no such place, and the number
/// times -1 is the steps to the last cell before an obstacle.
struct alignas(16) Jumps {
    std::array<std::int16_t, grid::kDirections> steps;
};

/// The jumps from all cells, and where paths may turn: 17 bytes a cell.
struct JumpTable {
    std::unique_ptr<Jumps[]> jumps;
    /// Two bits for each straight direction d: bit d says that a path which enters the cell in
    /// that direction may turn there to its left, bit d + 1 to its right. The cell is a jump point
    /// for this direction if one of them is set.
    std::vector<std::uint8_t> turns;
};

/// Needs a map without objection_to_corners. O(size). Throws std::bad_alloc.
[[nodiscard]] JumpTable make_jump_table(const grid::Map& map);

/// The directions to search, as bits, at a cell entered in the straight direction d: straight on,
/// and for each side to which a path may turn the straight and the diagonal direction on that
/// side. `turns` are those of the cell.
[[nodiscard]] inline unsigned onward(int d, std::uint8_t turns) noexcept {
    // Those of north, by sides. Bits of other directions are the same, rotated.
    constexpr std::array<unsigned, 4> kNorthward{0b0000'0001, 0b1100'0001, 0b0000'0111,
                                                 0b1100'0111};
    const unsigned bits = kNorthward[turns >> d & 3] << d;
    return (bits | bits >> grid::kDirections) & 0xff;
}

}  // namespace cairn::jps_plus
