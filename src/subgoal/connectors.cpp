#include "subgoal/connectors.hpp"

#include "subgoal/direct_scan.hpp"
#include "subgoal/snapshot.hpp"

namespace cairn::subgoal {

void connect(const Snapshot& snapshot, grid::Cell cell, Connections kind, Endpoint& end) {
    if (end.cell == cell && end.snapshot_id == snapshot.connectors_id() && end.kind == kind) return;
    end.cell = cell;
    end.snapshot_id = snapshot.connectors_id();
    end.kind = kind;
    end.connectors.clear();
    end.places.clear();
    const grid::Point p = snapshot.map.point(cell);
    const auto add = [&](std::uint32_t node, grid::Point place) {
        end.connectors.push_back({node, snapshot.map.distance_bound(p, place)});
        end.places.push_back(place);
    };
    if (kind == Connections::all) {
        for_each_direct(snapshot.bits, p.x, p.y, [&](int x, int y, Octants) {
            add(snapshot.bits.number(x, y), {x, y});
        });
        return;
    }
    const Nodes& nodes = snapshot.nodes;
    if (!snapshot.connectors.empty()) {
        snapshot.connectors.for_each(p.x, p.y,
                                     [&](std::uint32_t node) { add(node, nodes.point(node)); });
        return;
    }
    for_each_direct(snapshot.bits, p.x, p.y, [&](int x, int y, Octants octants) {
        const std::uint32_t node = nodes.number(x, y);
        if ((nodes.useful(node) & octants) != 0) add(node, {x, y});
    });
}

}  // namespace cairn::subgoal
