#include "hpa/connect.hpp"

#include <utility>

namespace cairn::hpa {
namespace {

// The cost of walking from a cell to a node along its move table; kInfinity if the table does not
// lead there.
Cost walk_cost(const grid::Map& map, const MoveTables& tables, std::uint32_t slot,
               grid::Cell cell) {
    Cost cost = 0;
    const auto add = [&](int direction) {
        cost += map.move_cost(cell, direction);
        cell = map.step(cell, direction);
    };
    return tables.walk(slot, tables.local(map.point(cell)), add) ? cost : kInfinity;
}

}  // namespace

void Connect::to_first_level(const Snapshot& snapshot, grid::Cell cell, Endpoint& end,
                             grid::SearchStatistics& effort) {
    if (end.cell == cell && end.snapshot_id == snapshot.id) return;
    const Overlay& overlay = snapshot.overlay;
    end.cell = cell;
    end.snapshot_id = snapshot.id;
    const std::uint32_t cluster = overlay.cluster_of(1, cell);
    const std::span<Cost> costs = end.move_to(overlay, overlay.base.place(cell), cluster);
    if (costs.empty()) return;
    if (snapshot.options.move_tables) {
        const MoveTables tables = snapshot.move_tables(cluster);
        for (std::uint32_t slot = 0; slot < costs.size(); ++slot) {
            costs[slot] = walk_cost(overlay.base.map, tables, slot, cell);
        }
        return;
    }
    const ClusterView view = overlay.cluster(1, cluster);
    const grid::LocalSearch& search = inside_.from(snapshot, cell, effort);
    for (std::uint32_t slot = 0; slot < view.count(); ++slot) {
        costs[slot] = search.distance(search.local(overlay.base.map.point(view.base(slot))));
    }
}

void Connect::to_level(const Snapshot& snapshot, int level, Endpoint& end,
                       grid::SearchStatistics& effort) {
    connect_to_level(snapshot.overlay, level, end, search_, effort);
}

Cost Connect::inside_cost(const Snapshot& snapshot, grid::Cell a, grid::Cell b,
                          grid::SearchStatistics& effort) {
    const grid::LocalSearch& search = inside_.from(snapshot, b, effort);
    return search.distance(search.local(snapshot.overlay.base.map.point(a)));
}

std::uint32_t Connect::component(const Snapshot& snapshot, const Endpoint& end) noexcept {
    const auto& costs = end.costs[0];
    for (std::uint32_t slot = 0; slot < costs.size(); ++slot) {
        if (costs[slot] < kInfinity) return snapshot.components.of(end.clusters[0], slot);
    }
    return kNoComponent;
}

bool Connect::has_component(const Snapshot& snapshot, std::uint32_t cluster,
                            std::uint32_t component) noexcept {
    const std::uint32_t nodes = snapshot.overlay.cluster(1, cluster).count();
    for (std::uint32_t slot = 0; slot < nodes; ++slot) {
        if (snapshot.components.of(cluster, slot) == component) return true;
    }
    return false;
}

Endpoint& StartRule::apply(const Snapshot& snapshot, const Query& query, Engine engine,
                           Endpoint& start) {
    all_ = query.connect == ConnectRule::towards_goal ? &start : nullptr;
    if (query.connect == ConnectRule::all) return start;
    // Only labels and climbing gain from fewer connections. The other engines cross the start's
    // cluster in one step, straight to the node by which the path leaves it.
    const bool gains = engine == Engine::cut_labels || engine == Engine::climb;
    if (query.connect == ConnectRule::sparse && !gains) return start;
    kept_ = start;
    kept_.levels = 1;
    kept_.snapshot_id = 0;  // so that it is never taken for a fully connected endpoint
    if (query.connect == ConnectRule::sparse) {
        leave_out_replaceable(snapshot, start);
    } else {
        leave_out_backward(snapshot, query);
    }
    return kept_;
}

Endpoint* StartRule::lift() noexcept { return std::exchange(all_, nullptr); }

// Leaves out a node if a shortest path to it passes another node, nearer to S. The nearest of such
// nodes is kept: nothing nearer is there to replace it.
void StartRule::leave_out_replaceable(const Snapshot& snapshot, const Endpoint& start) {
    const auto& all = start.costs[0];
    const ClusterView view = snapshot.overlay.cluster(1, kept_.clusters[0]);
    for (std::uint32_t slot = 0; slot < all.size(); ++slot) {
        for (std::uint32_t via = 0; via < all.size(); ++via) {
            if (all[via] < all[slot] && all[via] + view.cost(via, slot) == all[slot])
                kept_.costs[0][slot] = kInfinity;
        }
    }
}

// Leaves out the nodes that lie more than 90 degrees off the direction from S to G.
void StartRule::leave_out_backward(const Snapshot& snapshot, const Query& query) {
    const Overlay& overlay = snapshot.overlay;
    const ClusterView view = overlay.cluster(1, kept_.clusters[0]);
    const int dx = query.goal.x - query.start.x;
    const int dy = query.goal.y - query.start.y;
    for (std::uint32_t slot = 0; slot < view.count(); ++slot) {
        const grid::Point p = overlay.base.map.point(view.base(slot));
        if ((p.x - query.start.x) * dx + (p.y - query.start.y) * dy < 0)
            kept_.costs[0][slot] = kInfinity;
    }
}

}  // namespace cairn::hpa
