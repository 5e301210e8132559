#include "hpa/refine.hpp"

#include <algorithm>

namespace cairn::hpa {

using grid::Cell;
using grid::kNoCell;

void Refine::to_cells(const Snapshot& snapshot, Leg leg, const Endpoint& start,
                      const Endpoint& goal, std::vector<Cell>& cells,
                      grid::SearchStatistics& effort) {
    const Overlay& overlay = snapshot.overlay;
    const Cell from = leg.from == kNoCell ? start.cell : leg.from;
    const Cell to = leg.to == kNoCell ? goal.cell : leg.to;
    if (from == to) return;
    const std::uint32_t cluster = overlay.cluster_of(1, from);
    if (cluster != overlay.cluster_of(1, to)) {
        cells.push_back(to);
        return;
    }
    const auto walk_to_node = [&](Cell cell, Cell node) {
        if (snapshot.options.move_tables) return walk_table(snapshot, cluster, cell, node, cells);
        walk_search(snapshot, cluster, cell, node, cells, effort);
    };
    if (leg.to != kNoCell) return walk_to_node(from, to);
    if (leg.from == kNoCell) return walk_search(snapshot, cluster, from, to, cells, effort);
    // Only nodes have tables, so the last leg is walked from G and reversed.
    const std::size_t first = cells.size();
    walk_to_node(to, from);
    cells.pop_back();
    std::reverse(cells.begin() + static_cast<std::ptrdiff_t>(first), cells.end());
    cells.push_back(to);
}

void Refine::walk_table(const Snapshot& snapshot, std::uint32_t cluster, Cell from, Cell node,
                        std::vector<Cell>& cells) {
    const grid::Map& map = snapshot.overlay.base.map;
    const MoveTables tables = snapshot.move_tables(cluster);
    const std::uint32_t slot = snapshot.overlay.cluster(1, cluster).find(node);
    tables.walk(slot, tables.local(map.point(from)), [&](int direction) {
        from = map.step(from, direction);
        cells.push_back(from);
    });
}

void Refine::walk_search(const Snapshot& snapshot, std::uint32_t cluster, Cell from, Cell to,
                         std::vector<Cell>& cells, grid::SearchStatistics& effort) {
    const grid::Map& map = snapshot.overlay.base.map;
    local_.set_window(map, snapshot.overlay.base.partition.rect(1, cluster));
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
