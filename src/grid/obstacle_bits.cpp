#include "grid/obstacle_bits.hpp"

#include <algorithm>

namespace cairn::grid {
namespace {

// Bit i: whether cell first + i is blocked, for i < count <= 64.
BitGrid::Word blocked_bits(const Map& map, Cell first, int count) {
    BitGrid::Word word = 0;
    for (int i = 0; i < count; ++i) {
        word |= BitGrid::Word{!map.passable(first + static_cast<Cell>(i))} << i;
    }
    return word;
}

}  // namespace

ObstacleBits make_obstacle_bits(const Map& map) {
    BitGrid::Editor rows(BitGrid(map.width(), map.height()));
    for (int y = 0; y < map.height(); ++y) {
        BitGrid::Word* const row = rows.row(y);
        // Word 0 begins with the rim, so it has one cell less.
        int x = -1;
        for (int w = 0; x < map.width(); ++w, x += BitGrid::kWordBits) {
            const int begin = std::max(x, 0);
            const int end = std::min(x + BitGrid::kWordBits, map.width());
            row[w] |= blocked_bits(map, map.cell({begin, y}), end - begin) << (begin - x);
        }
    }
    ObstacleBits bits{rows.take(), {}};
    bits.columns = bits.rows.transposed();
    return bits;
}

ObstacleBits edited(const ObstacleBits& bits, const Map& new_map,
                    std::span<const TerrainEdit> edits) {
    BitGrid::Editor rows(bits.rows);
    BitGrid::Editor columns(bits.columns);
    for (const auto& [area, terrain] : edits) {
        const bool blocked = new_map.options().weights.weight[terrain] == 0;
        for (int y = area.y; y < area.y + area.height; ++y) {
            rows.fill(area.x, y, area.width, blocked);
        }
        for (int x = area.x; x < area.x + area.width; ++x) {
            columns.fill(area.y, x, area.height, blocked);
        }
    }
    return {rows.take(), columns.take()};
}

}  // namespace cairn::grid
