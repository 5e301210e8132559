#pragma once
// Cells, directions and the rules by which an agent steps from cell to cell.

#include <array>
#include <bit>
#include <cstdint>

namespace cairn::grid {

/// A cell's number: y * width + x.
using Cell = std::uint32_t;
/// The number of no cell.
inline constexpr Cell kNoCell = 0xffff'ffff;

/// A cell's column and row. x grows to the right (east), y grows downwards (south).
struct Point {
    std::int32_t x = 0;
    std::int32_t y = 0;
    friend bool operator==(const Point&, const Point&) = default;
};

/// The number of a point's cell on a map of this width. Needs 0 <= p.x < width and p.y >= 0.
[[nodiscard]] constexpr Cell cell_of(std::int32_t width, Point p) noexcept {
    return static_cast<Cell>(p.y) * static_cast<Cell>(width) + static_cast<Cell>(p.x);
}
/// A cell's point on a map of this width.
[[nodiscard]] constexpr Point point_of(std::int32_t width, Cell c) noexcept {
    const auto w = static_cast<Cell>(width);
    return {static_cast<std::int32_t>(c % w), static_cast<std::int32_t>(c / w)};
}

/// One of the eight octile directions, clockwise from north. Odd ones are diagonal. Searches visit
/// neighbours in this order. Where several moves of a move table are equally good, the lowest wins.
enum Direction : std::uint8_t {
    kNorth,
    kNorthEast,
    kEast,
    kSouthEast,
    kSouth,
    kSouthWest,
    kWest,
    kNorthWest,
};
inline constexpr int kDirections = 8;
/// The columns and rows that one step in each direction moves.
inline constexpr std::array<std::int8_t, 8> kDx{0, 1, 1, 1, 0, -1, -1, -1};
inline constexpr std::array<std::int8_t, 8> kDy{-1, -1, 0, 1, 1, 1, 0, -1};

[[nodiscard]] constexpr bool is_diagonal(int direction) noexcept { return (direction & 1) != 0; }
[[nodiscard]] constexpr int opposite(int direction) noexcept { return direction ^ 4; }

/// The direction of the step (dx, dy), each of -1, 0, 1 and not both 0.
[[nodiscard]] constexpr int direction_of(int dx, int dy) noexcept {
    constexpr std::array<std::int8_t, 9> table{7, 0, 1, 6, -1, 2, 5, 4, 3};
    return table[static_cast<std::size_t>((dy + 1) * 3 + dx + 1)];
}

enum class Neighbourhood : std::uint8_t { four, eight };

/// When a diagonal move may pass the corner of an obstacle (HPA* paper, section 4.1; subgoal graph
/// paper, section 15.2).
enum class CornerRule : std::uint8_t {
    strict,        ///< both cells beside the diagonal must be free (subgoal graphs, MovingAI, GPPC)
    both_blocked,  ///< illegal only if both are blocked (HPA* paper, section 4.1)
    free,          ///< always legal
};

struct MoveRules {
    Neighbourhood neighbourhood = Neighbourhood::eight;
    CornerRule corner = CornerRule::strict;
    friend bool operator==(const MoveRules&, const MoveRules&) = default;
};

/// The legal moves from a free cell: bit d of `free` says whether its neighbour in direction d is
/// on the map and free, bit d of the result whether the move there is legal.
[[nodiscard]] constexpr std::uint8_t legal_moves(std::uint8_t free,
                                                 const MoveRules& rules) noexcept {
    constexpr unsigned kStraight = 0x55;
    if (rules.neighbourhood == Neighbourhood::four) return free & kStraight;
    // Bit d of left (right): whether the neighbour one direction counterclockwise (clockwise) of d
    // is free.
    const unsigned left = std::rotl(free, 1);
    const unsigned right = std::rotr(free, 1);
    unsigned passes = 0xff;
    if (rules.corner == CornerRule::strict) passes = left & right;
    if (rules.corner == CornerRule::both_blocked) passes = left | right;
    return static_cast<std::uint8_t>(free & (kStraight | passes));
}

}  // namespace cairn::grid
