#include "cairn/grid/components.hpp"

#include <algorithm>

#include "cairn/grid/nearest.hpp"
#include "core/guarded.hpp"
#include "core/union_find.hpp"

namespace cairn::grid {
namespace {

// A maximal run of free cells of one row: columns first to last.
struct RowRun {
    std::int32_t first;
    std::int32_t last;
};

void append_row(const Map& map, int y, std::vector<RowRun>& runs) {
    const Cell row = map.cell({0, y});
    for (int x = 0; x < map.width(); ++x) {
        if (!map.passable(row + static_cast<Cell>(x))) continue;
        RowRun run{x, x};
        while (x + 1 < map.width() && map.passable(row + static_cast<Cell>(x + 1))) ++x;
        run.last = x;
        runs.push_back(run);
    }
}

// Unites each run of one row (runs `above` to `below` - 1) with each run of the next row (`below`
// to `end` - 1) that has a column within `reach` columns of it.
void unite_rows(const std::vector<RowRun>& runs, std::size_t above, std::size_t below,
                std::size_t end, std::int32_t reach, UnionFind& sets) {
    std::size_t a = above;
    std::size_t b = below;
    while (a < below && b < end) {
        if (runs[a].last + reach < runs[b].first) {
            ++a;
        } else if (runs[b].last + reach < runs[a].first) {
            ++b;
        } else {
            sets.unite(static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b));
            ++(runs[a].last < runs[b].last ? a : b);
        }
    }
}

}  // namespace

Result<Components> Components::build(const Map& map) noexcept try {
    // Unless corners may be cut freely, a diagonal move has a free cell beside it, so two straight
    // moves lead to the same cell.
    const MoveRules& rules = map.options().rules;
    const bool moves_past_corners =
        rules.neighbourhood == Neighbourhood::eight && rules.corner == CornerRule::free;

    std::vector<RowRun> runs;
    std::vector<std::size_t> row_first;  // of each row: its first run
    for (int y = 0; y < map.height(); ++y) {
        row_first.push_back(runs.size());
        append_row(map, y, runs);
    }
    row_first.push_back(runs.size());
    UnionFind sets(runs.size());
    for (std::size_t row = 1; row + 1 < row_first.size(); ++row) {
        unite_rows(runs, row_first[row - 1], row_first[row], row_first[row + 1],
                   moves_past_corners ? 1 : 0, sets);
    }

    Components result;
    result.component_.assign(map.size(), kNoComponent);
    std::vector<std::uint32_t> number(runs.size());  // of each run: its component
    std::size_t i = 0;
    for (int y = 0; y < map.height(); ++y) {
        for (; i < row_first[static_cast<std::size_t>(y) + 1]; ++i) {
            const std::uint32_t root = sets.find(static_cast<std::uint32_t>(i));
            if (root == i) {
                number[i] = static_cast<std::uint32_t>(result.sizes_.size());
                result.sizes_.push_back(0);
            }
            number[i] = number[root];
            const auto length = static_cast<std::uint32_t>(runs[i].last - runs[i].first + 1);
            std::fill_n(result.component_.begin() + map.cell({runs[i].first, y}), length,
                        number[i]);
            result.sizes_[number[i]] += length;
        }
    }
    return result;
} catch (...) {
    return out_of_memory();
}

std::uint32_t Components::largest() const noexcept {
    if (sizes_.empty()) return kNoComponent;
    return static_cast<std::uint32_t>(std::max_element(sizes_.begin(), sizes_.end()) -
                                      sizes_.begin());
}

std::optional<Point> nearest_passable(const Map& map, Point around) {
    return nearest_cell_where(map, around, [&](Cell c) { return map.passable(c); });
}

std::optional<Point> nearest_reachable(const Map& map, const Components& components, Point start,
                                       Point goal) {
    if (!map.contains(start)) return std::nullopt;
    const std::uint32_t reachable = components.of(map.cell(start));
    if (reachable == kNoComponent) return std::nullopt;
    return nearest_cell_where(map, goal, [&](Cell c) { return components.of(c) == reachable; });
}

}  // namespace cairn::grid
