#include "index_file/cluster_check.hpp"

namespace cairn::index_file {

bool well_shaped(RecordStore::Record record) noexcept {
    if (record.empty()) return true;
    const ClusterView view(record);
    return ClusterView::well_sized(record) && view.count() > 0 && !view.directed();
}

bool costs_plausible(const grid::Map& map, const ClusterView& view, const NodeParts& parts) {
    for (std::uint32_t a = 1; a < view.count(); ++a) {
        const grid::Point p = map.point(view.base(a));
        const std::uint64_t most = std::uint64_t{parts.cells[a] - 1} * map.max_move();
        for (std::uint32_t b = 0; b < a; ++b) {
            const Cost cost = view.cost(a, b);
            if (parts.part[a] != parts.part[b]) {
                if (cost != kInfinity) return false;
            } else if (cost > most || cost < map.distance_bound(p, map.point(view.base(b)))) {
                return false;
            }
        }
    }
    return true;
}

std::string_view FirstLevelCheck::fault(std::uint32_t cluster, const NodeParts& parts) {
    const hpa::Overlay& overlay = snapshot_->overlay;
    const ClusterView view = overlay.cluster(1, cluster);
    if (!has_nodes_of_map(cluster, view)) return "its nodes are not those of the map";
    inside_.set(overlay.base.map, overlay.base.partition.rect(1, cluster));
    find_parts(view, parts);
    if (!costs_plausible(overlay.base.map, view, parts))
        return "an intra-edge has an impossible cost";
    if (snapshot_->options.move_tables) return table_fault(cluster, view);
    return {};
}

bool FirstLevelCheck::has_nodes_of_map(std::uint32_t cluster, const ClusterView& view) {
    const std::vector<hpa::BorderNode>& nodes = finder_.nodes(cluster);
    if (view.count() != nodes.size()) return false;
    for (std::uint32_t slot = 0; slot < view.count(); ++slot) {
        if (view.base(slot) != nodes[slot].cell || view.crossings(slot) != nodes[slot].crossings ||
            view.child_slot(slot) != 0) {
            return false;
        }
    }
    return true;
}

void FirstLevelCheck::find_parts(const ClusterView& view, const NodeParts& parts) {
    const grid::Map& map = snapshot_->overlay.base.map;
    for (std::uint32_t slot = 0; slot < view.count(); ++slot) {
        const std::uint16_t part = inside_.part(inside_.local(map.point(view.base(slot))));
        parts.part[slot] = part;
        parts.cells[slot] = inside_.part_size(part);
    }
}

std::string_view FirstLevelCheck::table_fault(std::uint32_t cluster, const ClusterView& view) {
    const grid::Rect rect = snapshot_->overlay.base.partition.rect(1, cluster);
    const auto cells = static_cast<std::uint32_t>(rect.width * rect.height);
    const RecordStore::Record words = snapshot_->tables[cluster];
    if (words.size() != std::size_t{view.count()} * hpa::MoveTables::words_for(cells)) {
        return "its move tables have a wrong size";
    }
    const hpa::MoveTables tables(words, rect);
    for (std::uint32_t slot = 0; slot < view.count(); ++slot) {
        const grid::Point node = snapshot_->overlay.base.map.point(view.base(slot));
        if (!inside_.table_leads(tables, slot, inside_.local(node))) {
            return "a move table does not lead to its node";
        }
    }
    return {};
}

}  // namespace cairn::index_file
