#include "subgoal/reachability.hpp"

namespace cairn::subgoal {

void Reachability::start_from(const Snapshot& snapshot, grid::Cell start) {
    start_ = start;
    connect_all(snapshot, start, start_end_);
    if (snapshot_id_ != snapshot.id) find_components(snapshot);
}

// Cells that see no subgoal have none in their component, which then is convex to them: all pairs
// in it are h-reachable.
bool Reachability::reaches(const Snapshot& snapshot, grid::Cell cell) {
    const grid::Map& map = snapshot.map;
    if (!map.passable(cell)) return false;
    connect_all(snapshot, cell, end_);
    const std::vector<Connector>& seen = end_.all;
    if (seen.empty() != start_end_.all.empty()) return false;
    if (!seen.empty()) {
        return component_[seen[0].node] == component_[start_end_.all[0].node];
    }
    return h_reach_.test(map, snapshot.bits.obstacles(), map.point(start_), map.point(cell));
}

void Reachability::find_components(const Snapshot& snapshot) {
    constexpr std::uint32_t kNone = 0xffff'ffff;
    const std::vector<grid::Cell> cells = subgoal_cells(snapshot.bits);
    component_.assign(cells.size(), kNone);
    std::uint32_t count = 0;
    for (std::uint32_t first = 0; first < cells.size(); ++first) {
        if (component_[first] != kNone) continue;
        component_[first] = count;
        open_.assign(1, cells[first]);
        while (!open_.empty()) {
            const grid::Point p = snapshot.map.point(open_.back());
            open_.pop_back();
            for (const grid::Cell cell : snapshot.graph.neighbours(p.x, p.y)) {
                const grid::Point q = snapshot.map.point(cell);
                std::uint32_t& component = component_[snapshot.bits.number(q.x, q.y)];
                if (component != kNone) continue;
                component = count;
                open_.push_back(cell);
            }
        }
        ++count;
    }
    snapshot_id_ = snapshot.id;
}

}  // namespace cairn::subgoal
