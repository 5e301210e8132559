#include "subgoal/connect.hpp"

#include "subgoal/direct_scan.hpp"
#include "subgoal/engines.hpp"

namespace cairn::subgoal {
namespace {

void name_end(const Snapshot& snapshot, grid::Cell cell, End& end) {
    if (end.cell == cell && end.snapshot_id == snapshot.id) return;
    end.cell = cell;
    end.snapshot_id = snapshot.id;
    end.has_taut = end.has_all = false;
}

template <class Wanted>
void scan(const Snapshot& snapshot, grid::Cell cell, Wanted&& wanted, std::vector<Connector>& out) {
    const grid::Point p = snapshot.map.point(cell);
    out.clear();
    for_each_direct(snapshot.bits, p.x, p.y, [&](int x, int y, Octants octants) {
        const std::uint32_t node = snapshot.bits.number(x, y);
        if (wanted(node, octants)) out.push_back({node, snapshot.map.distance_bound(p, {x, y})});
    });
}

}  // namespace

const std::vector<Connector>& connect_taut(const Snapshot& snapshot, grid::Cell cell, End& end) {
    name_end(snapshot, cell, end);
    if (!end.has_taut) {
        const std::vector<Octants>& useful = snapshot.engines->useful;
        scan(
            snapshot, cell,
            [&](std::uint32_t node, Octants octants) { return (useful[node] & octants) != 0; },
            end.taut);
        end.has_taut = true;
    }
    return end.taut;
}

const std::vector<Connector>& connect_all(const Snapshot& snapshot, grid::Cell cell, End& end) {
    name_end(snapshot, cell, end);
    if (!end.has_all) {
        scan(
            snapshot, cell, [](std::uint32_t, Octants) { return true; }, end.all);
        end.has_all = true;
    }
    return end.all;
}

}  // namespace cairn::subgoal
