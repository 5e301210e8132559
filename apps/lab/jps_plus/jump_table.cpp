#include "jps_plus/jump_table.hpp"

#include "core/huge_pages.hpp"

namespace cairn::jps_plus {
namespace {

using grid::Cell;
using grid::Map;

bool legal(const Map& map, Cell c, int d) noexcept { return (map.moves(c) >> d & 1) != 0; }

/// Whether a path that goes from `before` to `here` in one straight move may turn there to `side`:
/// it could not have done so one move earlier.
bool turns(const Map& map, Cell before, Cell here, int side) noexcept {
    return legal(map, here, side) && !legal(map, before, side);
}

std::uint8_t turns_of(const Map& map, Cell c) noexcept {
    unsigned bits = 0;
    for (int d = 0; d < grid::kDirections; d += 2) {
        if (!legal(map, c, grid::opposite(d))) continue;
        const Cell before = map.step(c, grid::opposite(d));
        if (turns(map, before, c, (d + 6) & 7)) bits |= 1U << d;
        if (turns(map, before, c, (d + 2) & 7)) bits |= 2U << d;
    }
    return static_cast<std::uint8_t>(bits);
}

/// Fills the steps of one direction. Those of its two straight parts must be there if it is
/// diagonal.
void fill(const Map& map, int direction, JumpTable& table) {
    const auto d = static_cast<std::size_t>(direction);
    // Each cell takes its steps from the next one in this direction, so that one goes first.
    const bool ascending = grid::kDy[d] < 0 || (grid::kDy[d] == 0 && grid::kDx[d] < 0);
    const auto size = static_cast<Cell>(map.size());
    for (Cell i = 0; i < size; ++i) {
        const Cell c = ascending ? i : size - 1 - i;
        std::int16_t& steps = table.jumps[c].steps[d];
        steps = 0;
        if (!legal(map, c, direction)) continue;
        const Cell next = map.step(c, direction);
        const auto& onward = table.jumps[next].steps;
        const bool stops = grid::is_diagonal(direction)
                               ? onward[(d + 7) & 7] > 0 || onward[(d + 1) & 7] > 0
                               : (table.turns[next] >> d & 3) != 0;
        const int beyond = onward[d];
        steps = static_cast<std::int16_t>(stops ? 1 : beyond > 0 ? beyond + 1 : beyond - 1);
    }
}

}  // namespace

JumpTable make_jump_table(const Map& map) {
    JumpTable table{unwritten_array<Jumps>(map.size()), {}};
    table.turns.reserve(map.size());
    for (Cell c = 0; c < map.size(); ++c) table.turns.push_back(turns_of(map, c));
    for (const int first : {0, 1}) {  // straight directions, then diagonal ones
        for (int d = first; d < grid::kDirections; d += 2) fill(map, d, table);
    }
    return table;
}

}  // namespace cairn::jps_plus
