#include "hpa/refine.hpp"

#include <algorithm>

namespace cairn::hpa {

using grid::Cell;
using grid::kNoCell;

void Refine::to_level_below(const Snapshot& snapshot, int level, Leg leg, const End& start,
                            const End& goal, std::vector<Cell>& nodes,
                            grid::SearchStatistics& effort) {
    const Overlay& overlay = snapshot.overlay;
    const Cell from = leg.from == kNoCell ? start.cell : leg.from;
    const Cell to = leg.to == kNoCell ? goal.cell : leg.to;
    const std::uint32_t cluster = overlay.cluster_of(level, from);
    if (cluster == overlay.cluster_of(level, to)) {
        LevelSearch::Task task;
        task.level = level - 1;
        task.confine = cluster;
        task.start = leg.from == kNoCell ? start.terminal(level - 1)
                                         : node_terminal(overlay, level - 1, leg.from, from_costs_);
        task.goal = leg.to == kNoCell ? goal.terminal(level - 1)
                                      : node_terminal(overlay, level - 1, leg.to, to_costs_);
        task.goal_point = overlay.map.point(to);
        if (task.start.cluster == task.goal.cluster) {
            // One intra-edge of the level below may do. Of the two ends at least one is a node.
            const ClusterView view = overlay.cluster(level - 1, task.start.cluster);
            task.bound = leg.to == kNoCell ? task.goal.costs[view.find(from)]
                                           : task.start.costs[view.find(to)];
        }
        search_.begin(overlay, task);
        if (search_.advance() == LevelSearch::State::found) search_.append_path(nodes);
        effort += search_.statistics();
    }
    if (leg.to != kNoCell && (nodes.empty() || nodes.back() != leg.to)) nodes.push_back(leg.to);
}

Terminal Refine::node_terminal(const Overlay& overlay, int level, Cell node,
                               std::vector<Cost>& costs) {
    const std::uint32_t cluster = overlay.cluster_of(level, node);
    const ClusterView view = overlay.cluster(level, cluster);
    const std::uint32_t slot = view.find(node);
    costs.resize(view.count());
    for (std::uint32_t other = 0; other < view.count(); ++other)
        costs[other] = view.cost(slot, other);
    return {cluster, costs};
}

void Refine::to_cells(const Snapshot& snapshot, Leg leg, const End& start, const End& goal,
                      std::vector<Cell>& cells, grid::SearchStatistics& effort) {
    const Overlay& overlay = snapshot.overlay;
    const Cell from = leg.from == kNoCell ? start.cell : leg.from;
    const Cell to = leg.to == kNoCell ? goal.cell : leg.to;
    if (from == to) return;
    const std::uint32_t cluster = overlay.cluster_of(1, from);
    if (cluster != overlay.cluster_of(1, to)) {
        cells.push_back(to);
        return;
    }
    const bool table = snapshot.options.move_tables && (leg.to != kNoCell || leg.from != kNoCell);
    if (leg.to != kNoCell) {
        table ? walk_table(snapshot, cluster, from, to, cells)
              : walk_search(snapshot, cluster, from, to, cells, effort);
        return;
    }
    if (leg.from == kNoCell) return walk_search(snapshot, cluster, from, to, cells, effort);
    // Only nodes have tables, so the way to G is walked from G.
    const std::size_t first = cells.size();
    table ? walk_table(snapshot, cluster, to, from, cells)
          : walk_search(snapshot, cluster, to, from, cells, effort);
    cells.pop_back();
    std::reverse(cells.begin() + static_cast<std::ptrdiff_t>(first), cells.end());
    cells.push_back(to);
}

void Refine::walk_table(const Snapshot& snapshot, std::uint32_t cluster, Cell from, Cell node,
                        std::vector<Cell>& cells) {
    const grid::Map& map = snapshot.overlay.map;
    const MoveTables tables = snapshot.move_tables(cluster);
    const std::uint32_t slot = snapshot.overlay.cluster(1, cluster).find(node);
    std::uint32_t local = tables.local(map.point(from));
    for (std::uint32_t move = tables.entry(slot, local); move < grid::kDirections;
         move = tables.entry(slot, local)) {
        from = map.step(from, static_cast<int>(move));
        local += tables.local_step(static_cast<int>(move));
        cells.push_back(from);
    }
}

void Refine::walk_search(const Snapshot& snapshot, std::uint32_t cluster, Cell from, Cell to,
                         std::vector<Cell>& cells, grid::SearchStatistics& effort) {
    const grid::Map& map = snapshot.overlay.map;
    local_.set_window(map, snapshot.overlay.partition.rect(1, cluster));
    local_.run(local_.local(map.point(to)), &effort);
    std::uint32_t local = local_.local(map.point(from));
    while (from != to) {
        const int direction = local_.move_to_source(local);
        from = map.step(from, direction);
        local = local_.step(local, direction);
        cells.push_back(from);
    }
}

}  // namespace cairn::hpa
