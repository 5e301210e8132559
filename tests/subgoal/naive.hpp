#pragma once
// The definitions of subgoal graphs, as they are written, cell by cell: slow, and sharing no code
// with what they check.

#include <vector>

#include "cairn/cost.hpp"
#include "cairn/grid/map.hpp"
#include "subgoal/octants.hpp"

namespace cairn::subgoal::test {

class Naive {
public:
    /// O(free cells * Dijkstra): for small maps.
    explicit Naive(const grid::Map& map);

    [[nodiscard]] bool free(int x, int y) const {
        return map_.contains({x, y}) && map_.passable(map_.cell({x, y}));
    }
    /// Section 15.3.1.
    [[nodiscard]] bool is_subgoal(int x, int y) const;
    /// Moves from a free cell towards `direction` before a subgoal or an obstacle (section 15.3.3).
    [[nodiscard]] int clearance(int x, int y, int direction) const;
    [[nodiscard]] Cost distance(grid::Cell a, grid::Cell b) const { return distances_[a][b]; }
    /// Whether a shortest path is as long as the octile distance (section 15.3.1).
    [[nodiscard]] bool h_reachable(grid::Cell a, grid::Cell b) const;
    /// h-reachable, and no shortest path meets another subgoal.
    [[nodiscard]] bool direct_h_reachable(grid::Cell a, grid::Cell b) const;
    /// The octants whose moves make up some shortest path between two h-reachable cells.
    [[nodiscard]] Octants octants(grid::Cell a, grid::Cell b) const;
    /// The octants useful when arriving at a subgoal (src/subgoal/octants.hpp).
    [[nodiscard]] Octants useful(int x, int y) const;

private:
    [[nodiscard]] bool may_move(int x, int y, int direction) const;
    [[nodiscard]] bool corner(int x, int y, int dx, int dy) const;
    [[nodiscard]] bool leads_to_bend(int x, int y, int cardinal, int diagonal) const;

    grid::Map map_;
    std::vector<std::vector<Cost>> distances_;
};

}  // namespace cairn::subgoal::test
