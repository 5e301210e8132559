#include "cairn/grid/components.hpp"

#include <algorithm>

namespace cairn::grid {
namespace {

// A maximal run of free cells of one row: columns first to last.
struct RowRun {
    std::int32_t first;
    std::int32_t last;
    std::uint32_t parent;
};

std::uint32_t find_root(std::vector<RowRun>& runs, std::uint32_t i) {
    while (runs[i].parent != i) {
        runs[i].parent = runs[runs[i].parent].parent;
        i = runs[i].parent;
    }
    return i;
}

// The lower number becomes the root, so that a root is its component's first run.
void unite(std::vector<RowRun>& runs, std::uint32_t a, std::uint32_t b) {
    a = find_root(runs, a);
    b = find_root(runs, b);
    runs[std::max(a, b)].parent = std::min(a, b);
}

void append_row(const Map& map, int y, std::vector<RowRun>& runs) {
    const Cell row = map.cell({0, y});
    for (int x = 0; x < map.width(); ++x) {
        if (!map.passable(row + static_cast<Cell>(x))) continue;
        RowRun run{x, x, static_cast<std::uint32_t>(runs.size())};
        while (x + 1 < map.width() && map.passable(row + static_cast<Cell>(x + 1))) ++x;
        run.last = x;
        runs.push_back(run);
    }
}

// Joins the runs of two rows that touch within `reach` columns.
void join_rows(std::vector<RowRun>& runs, std::size_t above, std::size_t below,
               std::int32_t reach) {
    std::size_t a = above;
    std::size_t b = below;
    while (a < below && b < runs.size()) {
        if (runs[a].last + reach < runs[b].first) {
            ++a;
        } else if (runs[b].last + reach < runs[a].first) {
            ++b;
        } else {
            unite(runs, static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b));
            if (runs[a].last < runs[b].last) {
                ++a;
            } else {
                ++b;
            }
        }
    }
}

}  // namespace

Components Components::build(const Map& map) {
    // Unless corners may be cut freely, a diagonal move has a free cell beside it, so two straight
    // moves lead to the same cell.
    const MoveRules& rules = map.options().rules;
    const bool by_corners =
        rules.neighbourhood == Neighbourhood::eight && rules.corner == CornerRule::free;

    std::vector<RowRun> runs;
    std::vector<std::size_t> row_first;
    for (int y = 0; y < map.height(); ++y) {
        row_first.push_back(runs.size());
        append_row(map, y, runs);
        if (y > 0) {
            const auto row = static_cast<std::size_t>(y);
            join_rows(runs, row_first[row - 1], row_first[row], by_corners ? 1 : 0);
        }
    }
    row_first.push_back(runs.size());

    Components result;
    result.component_.assign(map.size(), kNoComponent);
    std::vector<std::uint32_t> number(runs.size());
    std::size_t i = 0;
    for (int y = 0; y < map.height(); ++y) {
        for (; i < row_first[static_cast<std::size_t>(y) + 1]; ++i) {
            const std::uint32_t root = find_root(runs, static_cast<std::uint32_t>(i));
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
}

std::uint32_t Components::largest() const noexcept {
    if (sizes_.empty()) return kNoComponent;
    return static_cast<std::uint32_t>(std::max_element(sizes_.begin(), sizes_.end()) -
                                      sizes_.begin());
}

}  // namespace cairn::grid
