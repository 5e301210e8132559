#include "subgoal/follow.hpp"

#include <algorithm>
#include <cstdlib>

namespace cairn::subgoal {
namespace {

using grid::Cell;
using grid::Point;

// The moves of an edge: so many by one stride, so many by the other.
struct Strides {
    Cell diagonal;
    Cell straight;
    int diagonal_moves;
    int straight_moves;
};

Strides strides(Point from, Point to, Cell width) noexcept {
    const int dx = to.x - from.x;
    const int dy = to.y - from.y;
    const int wide = std::abs(dx);
    const int high = std::abs(dy);
    const Cell x = dx < 0 ? ~Cell{0} : Cell{1};
    const Cell y = dy < 0 ? Cell{0} - width : width;
    const int diagonal = std::min(wide, high);
    return {x + y, wide > high ? x : y, diagonal, std::max(wide, high) - diagonal};
}

Cell* write_run(Cell* to, Cell from, Cell stride, int moves) noexcept {
    for (int i = 1; i <= moves; ++i) *to++ = from + stride * static_cast<Cell>(i);
    return to;
}

}  // namespace

bool follow_direct_edges(const grid::Map& map, std::span<const Point> stops, Cost cost,
                         std::vector<Cell>& cells) {
    const auto width = static_cast<Cell>(map.width());
    Point from = stops[0];
    std::size_t count = 1;
    std::uint64_t length = 0;
    for (const Point to : stops.subspan(1)) {
        count +=
            static_cast<std::size_t>(std::max(std::abs(to.x - from.x), std::abs(to.y - from.y)));
        length += map.distance_bound(from, to);
        from = to;
    }
    if (length != cost) return false;
    cells.resize(count);
    Cell* out = cells.data();
    *out++ = map.cell(stops[0]);
    for (std::size_t i = 1; i < stops.size(); ++i) {
        const Strides s = strides(stops[i - 1], stops[i], width);
        const Cell start = out[-1];
        const bool last = i + 1 == stops.size();
        const Cell first_stride = last ? s.straight : s.diagonal;
        const int first_moves = last ? s.straight_moves : s.diagonal_moves;
        out = write_run(out, start, first_stride, first_moves);
        out = write_run(out, start + first_stride * static_cast<Cell>(first_moves),
                        last ? s.diagonal : s.straight, last ? s.diagonal_moves : s.straight_moves);
    }
    return true;
}

}  // namespace cairn::subgoal
