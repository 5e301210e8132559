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

}  // namespace

void connect_taut(const Snapshot& snapshot, grid::Cell cell, End& end) {
    name_end(snapshot, cell, end);
    if (end.has_taut) return;
    const grid::Point p = snapshot.map.point(cell);
    const Engines& engines = *snapshot.engines;
    end.taut.clear();
    end.taut_place.clear();
    const auto add = [&](std::uint32_t node, grid::Point place) {
        end.taut.push_back({node, snapshot.map.distance_bound(p, place)});
        end.taut_place.push_back(place);
    };
    if (!engines.connectors.empty()) {
        engines.connectors.for_each(p.x, p.y,
                                    [&](std::uint32_t node) { add(node, engines.places[node]); });
    } else {
        for_each_direct(snapshot.bits, p.x, p.y, [&](int x, int y, Octants octants) {
            const std::uint32_t node = snapshot.bits.number(x, y);
            if ((engines.useful[node] & octants) != 0) add(node, {x, y});
        });
    }
    end.has_taut = true;
}

void connect_all(const Snapshot& snapshot, grid::Cell cell, End& end) {
    name_end(snapshot, cell, end);
    if (end.has_all) return;
    const grid::Point p = snapshot.map.point(cell);
    end.all.clear();
    for_each_direct(snapshot.bits, p.x, p.y, [&](int x, int y, Octants) {
        end.all.push_back({snapshot.bits.number(x, y), snapshot.map.distance_bound(p, {x, y})});
    });
    end.has_all = true;
}

}  // namespace cairn::subgoal
