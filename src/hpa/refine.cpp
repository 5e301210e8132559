#include "hpa/refine.hpp"

#include <algorithm>

namespace cairn::hpa {

using grid::Cell;
using grid::kNoCell;

namespace {

void walk_table(const Snapshot& snapshot, std::uint32_t cluster, Cell from, Cell node,
                std::vector<Cell>& cells) {
    const grid::Map& map = snapshot.overlay.base.map;
    const MoveTables tables = snapshot.move_tables(cluster);
    const std::uint32_t slot = snapshot.overlay.cluster(1, cluster).find(node);
    tables.walk(slot, tables.local(map.point(from)), [&](int direction) {
        from = map.step(from, direction);
        cells.push_back(from);
    });
}

// `search` is that from `to`.
void walk_search(const grid::Map& map, const grid::LocalSearch& search, Cell from, Cell to,
                 std::vector<Cell>& cells) {
    std::uint32_t local = search.local(map.point(from));
    while (from != to) {
        const int direction = search.move_to_source(local);
        from = map.step(from, direction);
        local = search.step(local, direction);
        cells.push_back(from);
    }
}

}  // namespace

void Refine::to_cells(const Snapshot& snapshot, Leg leg, const Endpoint& start,
                      const Endpoint& goal, ClusterSearch& inside, std::vector<Cell>& cells,
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
    const auto walk = [&](Cell a, Cell b) {
        walk_search(overlay.base.map, inside.from(snapshot, b, effort), a, b, cells);
    };
    const auto walk_to_node = [&](Cell cell, Cell node) {
        if (snapshot.options.move_tables) return walk_table(snapshot, cluster, cell, node, cells);
        walk(cell, node);
    };
    if (leg.to != kNoCell) return walk_to_node(from, to);
    if (leg.from == kNoCell) return walk(from, to);
    // Only nodes have tables, so the last leg is walked from G and reversed.
    const std::size_t first = cells.size();
    walk_to_node(to, from);
    cells.pop_back();
    std::reverse(cells.begin() + static_cast<std::ptrdiff_t>(first), cells.end());
    cells.push_back(to);
}

}  // namespace cairn::hpa
