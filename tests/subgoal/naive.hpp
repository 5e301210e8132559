#pragma once
// The definitions of subgoal graphs (Uras, Koenig 2015), word by word and cell by cell. Slow, and
// without the code under test.

#include <vector>

#include "cairn/cost.hpp"
#include "cairn/grid/map.hpp"
#include "subgoal/octants.hpp"

namespace cairn::subgoal::test {

class Naive {
public:
    /// Runs Dijkstra's algorithm from every cell: for small maps.
    explicit Naive(const grid::Map& map);

    [[nodiscard]] bool free(int x, int y) const {
        return map_.contains({x, y}) && map_.passable(map_.cell({x, y}));
    }
    /// Whether the cell is free and at a corner of an obstacle (section 15.3.1).
    [[nodiscard]] bool is_subgoal(int x, int y) const;
    /// How many moves lead from a free cell in `direction` before a subgoal or an obstacle (section
    /// 15.3.3).
    [[nodiscard]] int clearance(int x, int y, int direction) const;
    [[nodiscard]] Cost distance(grid::Cell a, grid::Cell b) const { return distances_[a][b]; }
    /// Whether the shortest paths are as long as the octile distance (section 15.3.1).
    [[nodiscard]] bool h_reachable(grid::Cell a, grid::Cell b) const;
    /// Whether b is h-reachable from a, and no shortest path leads over another subgoal.
    [[nodiscard]] bool direct_h_reachable(grid::Cell a, grid::Cell b) const;
    /// The octants whose moves make up some shortest path between two h-reachable cells.
    [[nodiscard]] Octants octants(grid::Cell a, grid::Cell b) const;
    /// The octants that are useful at a subgoal (src/subgoal/octants.hpp).
    [[nodiscard]] Octants useful(int x, int y) const;

private:
    [[nodiscard]] bool may_move(int x, int y, int direction) const;
    /// Whether the obstacle at (x + dx, y + dy) has a corner at (x, y): this cell is free, and so
    /// are the two cells beside both.
    [[nodiscard]] bool corner(int x, int y, int dx, int dy) const;
    /// Whether moves in direction `cardinal` alone lead from (x, y) to a bend of the octant that
    /// has the directions `cardinal` and `diagonal`.
    [[nodiscard]] bool leads_to_bend(int x, int y, int cardinal, int diagonal) const;

    grid::Map map_;
    std::vector<std::vector<Cost>> distances_;  // from each cell to each cell
};

}  // namespace cairn::subgoal::test
