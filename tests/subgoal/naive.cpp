#include "subgoal/naive.hpp"

#include "cairn/grid/dijkstra.hpp"

namespace cairn::subgoal::test {

using grid::Cell;
using grid::Point;

Naive::Naive(const grid::Map& map) : map_(map) {
    for (Cell cell = 0; cell < map.size(); ++cell) {
        distances_.push_back(grid::dijkstra_distances(map, map.point(cell)).value());
    }
}

bool Naive::corner(int x, int y, int dx, int dy) const {
    const bool obstacle = map_.contains({x + dx, y + dy}) && !free(x + dx, y + dy);
    return free(x, y) && obstacle && free(x + dx, y) && free(x, y + dy);
}

bool Naive::is_subgoal(int x, int y) const {
    return corner(x, y, 1, 1) || corner(x, y, 1, -1) || corner(x, y, -1, 1) || corner(x, y, -1, -1);
}

bool Naive::may_move(int x, int y, int direction) const {
    const int dx = grid::kDx[static_cast<std::size_t>(direction)];
    const int dy = grid::kDy[static_cast<std::size_t>(direction)];
    return free(x, y) && free(x + dx, y + dy) && free(x + dx, y) && free(x, y + dy);
}

int Naive::clearance(int x, int y, int direction) const {
    int moves = 0;
    while (may_move(x, y, direction)) {
        x += grid::kDx[static_cast<std::size_t>(direction)];
        y += grid::kDy[static_cast<std::size_t>(direction)];
        if (is_subgoal(x, y)) break;
        ++moves;
    }
    return moves;
}

bool Naive::h_reachable(Cell a, Cell b) const {
    return distance(a, b) == map_.distance_bound(map_.point(a), map_.point(b));
}

bool Naive::direct_h_reachable(Cell a, Cell b) const {
    if (!h_reachable(a, b)) return false;
    for (Cell cell = 0; cell < map_.size(); ++cell) {
        const Point p = map_.point(cell);
        if (cell == a || cell == b || !is_subgoal(p.x, p.y)) continue;
        if (distance(a, cell) + distance(cell, b) == distance(a, b)) return false;
    }
    return true;
}

Octants Naive::octants(Cell a, Cell b) const {
    const Point p = map_.point(a);
    const Point q = map_.point(b);
    unsigned out = 0;
    for (int i = 0; i < 8; ++i) {
        // Octant i: whether m moves in direction i and n moves in direction i + 1 lead from p to q.
        const auto first = static_cast<std::size_t>(i);
        const auto second = static_cast<std::size_t>((i + 1) % 8);
        for (int m = 0; m < map_.width() + map_.height(); ++m) {
            for (int n = 0; n < map_.width() + map_.height(); ++n) {
                if (p.x + m * grid::kDx[first] + n * grid::kDx[second] == q.x &&
                    p.y + m * grid::kDy[first] + n * grid::kDy[second] == q.y)
                    out |= 1U << i;
            }
        }
    }
    return static_cast<Octants>(out);
}

// The bends, turn and rise and fall, are those of src/subgoal/octants.hpp.
bool Naive::leads_to_bend(int x, int y, int cardinal, int diagonal) const {
    const int cx = grid::kDx[static_cast<std::size_t>(cardinal)];
    const int cy = grid::kDy[static_cast<std::size_t>(cardinal)];
    // The direction from C to D's side.
    const int sx = grid::kDx[static_cast<std::size_t>(diagonal)] - cx;
    const int sy = grid::kDy[static_cast<std::size_t>(diagonal)] - cy;
    bool rise = false;  // whether a corner ahead was met, on the side opposite to D
    for (; free(x, y); x += cx, y += cy) {
        if (corner(x, y, sx - cx, sy - cy)) return true;            // turn
        if (rise && corner(x, y, -sx - cx, -sy - cy)) return true;  // fall
        if (corner(x, y, cx - sx, cy - sy)) rise = true;
    }
    return false;
}

Octants Naive::useful(int x, int y) const {
    unsigned out = 0;
    for (int i = 0; i < 8; ++i) {
        const int cardinal = i % 2 == 0 ? i : (i + 1) % 8;
        const int diagonal = i % 2 == 0 ? i + 1 : i;
        int px = x;
        int py = y;
        bool found = leads_to_bend(px, py, cardinal, diagonal);
        while (!found && may_move(px, py, diagonal)) {
            px += grid::kDx[static_cast<std::size_t>(diagonal)];
            py += grid::kDy[static_cast<std::size_t>(diagonal)];
            found = leads_to_bend(px, py, cardinal, diagonal);
        }
        if (found) out |= 1U << i;
    }
    return static_cast<Octants>(out);
}

}  // namespace cairn::subgoal::test
