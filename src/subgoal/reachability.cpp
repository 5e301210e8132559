#include "subgoal/reachability.hpp"

namespace cairn::subgoal {

void Reachability::start_from(const Snapshot& snapshot, grid::Cell start) {
    connect(snapshot, start, Connections::all, from_);
    if (snapshot_id_ != snapshot.id) find_components(snapshot);
}

// In a connected part of the map without subgoals all cells are h-reachable from each other.
bool Reachability::reaches(const Snapshot& snapshot, grid::Cell cell) {
    const grid::Map& map = snapshot.map;
    if (!map.passable(cell)) return false;
    connect(snapshot, cell, Connections::all, to_);
    const std::uint32_t from = component_of(snapshot, from_);
    const std::uint32_t to = component_of(snapshot, to_);
    if (from != kNone || to != kNone) return from == to;
    return h_reach_.test(map, snapshot.bits.obstacles(), map.point(from_.cell), map.point(cell));
}

// A subgoal has a component even if it has no connectors.
std::uint32_t Reachability::component_of(const Snapshot& snapshot, const Endpoint& end) const {
    const grid::Point p = snapshot.map.point(end.cell);
    if (snapshot.bits.is_subgoal(p.x, p.y)) return component_[snapshot.bits.number(p.x, p.y)];
    return end.connectors.empty() ? kNone : component_[end.connectors[0].node];
}

void Reachability::find_components(const Snapshot& snapshot) {
    const std::vector<grid::Cell> cells = subgoal_cells(snapshot.bits);
    snapshot_id_ = 0;
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
