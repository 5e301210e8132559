#include "hpa/connect.hpp"

namespace cairn::hpa {
namespace {

// The cost of walking from a cell to a node along its move table; kInfinity if the table does not
// lead there.
Cost walk_cost(const grid::Map& map, const MoveTables& tables, std::uint32_t slot,
               grid::Cell cell) {
    std::uint32_t local = tables.local(map.point(cell));
    std::uint32_t move = tables.entry(slot, local);
    if (move == MoveTables::kNoMove) return kInfinity;
    Cost cost = 0;
    while (move != MoveTables::kAtNode) {
        const int direction = static_cast<int>(move);
        cost += map.move_cost(cell, direction);
        cell = map.step(cell, direction);
        local += tables.local_step(direction);
        move = tables.entry(slot, local);
    }
    return cost;
}

}  // namespace

void Connect::to_first_level(const Snapshot& snapshot, grid::Cell cell, End& end,
                             grid::SearchStatistics& effort) {
    if (end.cell == cell && end.snapshot_id == snapshot.id) return;
    const Overlay& overlay = snapshot.overlay;
    const auto levels = overlay.levels.size();
    end.cell = cell;
    end.snapshot_id = snapshot.id;
    end.levels = 1;
    if (end.clusters.size() < levels) end.clusters.resize(levels);
    if (end.costs.size() < levels) end.costs.resize(levels);

    const std::uint32_t cluster = overlay.cluster_of(1, cell);
    const ClusterView view = overlay.cluster(1, cluster);
    end.clusters[0] = cluster;
    end.costs[0].reserve(overlay.most_nodes(1));
    end.costs[0].resize(view.count());
    if (view.count() == 0) return;
    if (snapshot.options.move_tables) {
        const MoveTables tables = snapshot.move_tables(cluster);
        for (std::uint32_t slot = 0; slot < view.count(); ++slot) {
            end.costs[0][slot] = walk_cost(overlay.map, tables, slot, cell);
        }
        return;
    }
    local_.set_window(overlay.map, overlay.partition.rect(1, cluster));
    local_.run(local_.local(overlay.map.point(cell)), &effort);
    for (std::uint32_t slot = 0; slot < view.count(); ++slot) {
        end.costs[0][slot] = local_.distance(local_.local(overlay.map.point(view.base(slot))));
    }
}

void Connect::to_level(const Snapshot& snapshot, int level, End& end,
                       grid::SearchStatistics& effort) {
    const Overlay& overlay = snapshot.overlay;
    for (; end.levels < level; ++end.levels) {
        const int upper = end.levels + 1;
        const std::uint32_t cluster = overlay.cluster_of(upper, end.cell);
        LevelSearch::Task task;
        task.level = end.levels;
        task.confine = cluster;
        task.start = end.terminal(end.levels);
        search_.begin(overlay, task);
        search_.advance();
        effort += search_.statistics();

        const ClusterView view = overlay.cluster(upper, cluster);
        const auto slot_above = static_cast<std::size_t>(upper - 1);
        end.clusters[slot_above] = cluster;
        end.costs[slot_above].reserve(overlay.most_nodes(upper));
        end.costs[slot_above].resize(view.count());
        for (std::uint32_t slot = 0; slot < view.count(); ++slot) {
            const std::uint32_t child = overlay.cluster_of(end.levels, view.base(slot));
            end.costs[slot_above][slot] = search_.exit_cost(child, view.child_slot(slot));
        }
    }
}

Cost Connect::inside_cost(const Snapshot& snapshot, grid::Cell a, grid::Cell b,
                          grid::SearchStatistics& effort) {
    const Overlay& overlay = snapshot.overlay;
    local_.set_window(overlay.map, overlay.partition.rect(1, overlay.cluster_of(1, a)));
    local_.run(local_.local(overlay.map.point(b)), &effort);
    return local_.distance(local_.local(overlay.map.point(a)));
}

std::uint32_t Connect::component(const Snapshot& snapshot, const End& end) noexcept {
    const auto& costs = end.costs[0];
    for (std::uint32_t slot = 0; slot < costs.size(); ++slot) {
        if (costs[slot] < kInfinity)
            return snapshot.components.of(snapshot.overlay.key(1, end.clusters[0], slot));
    }
    return kNoComponent;
}

bool Connect::has_component(const Snapshot& snapshot, std::uint32_t cluster,
                            std::uint32_t component) noexcept {
    const std::uint32_t nodes = snapshot.overlay.cluster(1, cluster).count();
    for (std::uint32_t slot = 0; slot < nodes; ++slot) {
        if (snapshot.components.of(snapshot.overlay.key(1, cluster, slot)) == component)
            return true;
    }
    return false;
}

}  // namespace cairn::hpa
