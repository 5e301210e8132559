#pragma once
// The edits that lead from one map to another.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "cairn/grid/map.hpp"

namespace gppc {

/// Adds edits to `edits` that change the cells of `area` in `map` whose terrain is not `wanted`, a
/// function of the cell. Edits take time for each cell around them, so only cells that differ are
/// edited, and runs of cells with the same ends in consecutive rows become one rectangle. O(area).
template <class Wanted>
void add_edits(const cairn::grid::Map& map, const cairn::grid::Rect& area, const Wanted& wanted,
               std::vector<cairn::grid::TerrainEdit>& edits) {
    using cairn::grid::TerrainEdit;
    constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
    // The last edit that begins in each column of the area, as an index into `edits`.
    std::vector<std::size_t> newest(static_cast<std::size_t>(area.width), kNone);
    // Whether `run`, which begins in the same column, continues `edit` in the next row.
    const auto continues = [](const TerrainEdit& edit, const TerrainEdit& run) {
        return edit.terrain == run.terrain && edit.area.width == run.area.width &&
               edit.area.y + edit.area.height == run.area.y;
    };
    const int right = area.x + area.width;
    for (int y = area.y; y < area.y + area.height; ++y) {
        const auto terrain = [&](int x) -> std::uint8_t { return wanted(map.cell({x, y})); };
        const auto differs = [&](int x) { return terrain(x) != map.terrain(map.cell({x, y})); };
        for (int x = area.x; x < right; ++x) {
            if (!differs(x)) continue;
            TerrainEdit run{{x, y, 1, 1}, terrain(x)};
            while (x + 1 < right && differs(x + 1) && terrain(x + 1) == run.terrain) ++x;
            run.area.width = x + 1 - run.area.x;
            std::size_t& above = newest[static_cast<std::size_t>(run.area.x - area.x)];
            if (above != kNone && continues(edits[above], run)) {
                ++edits[above].area.height;
            } else {
                above = edits.size();
                edits.push_back(run);
            }
        }
    }
}

}  // namespace gppc
