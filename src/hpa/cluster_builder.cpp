#include "hpa/cluster_builder.hpp"

#include <algorithm>
#include <bit>

#include "hpa/move_table.hpp"

namespace cairn::hpa {

FirstLevelCluster ClusterBuilder::level_one(std::uint32_t cluster) {
    const auto& nodes = finder_.nodes(cluster);
    const std::size_t n = nodes.size();
    if (n == 0) return {};

    FirstLevelCluster result;
    begin_record(n);
    for (const BorderNode& node : nodes) add_node(node.cell, node.crossings);
    local_.set_window(overlay_->map, overlay_->partition.rect(1, cluster));
    if (options_->move_tables) result.tables.reserve(n * MoveTables::words_for(local_.size()));
    const std::size_t first = options_->move_tables ? 0 : 1;
    for (std::size_t i = first; i < n; ++i) {
        const std::uint32_t node = local_.local(overlay_->map.point(nodes[i].cell));
        local_.run(node);
        for (std::size_t j = 0; j < i; ++j) {
            costs_[ClusterView::triangle(i, j)] =
                local_.distance(local_.local(overlay_->map.point(nodes[j].cell)));
        }
        if (options_->move_tables) append_table(result.tables, node);
    }
    result.record = ClusterView::record(bases_, infos_, costs_);
    return result;
}

std::vector<std::uint32_t> ClusterBuilder::tables(std::uint32_t cluster, const ClusterView& view) {
    std::vector<std::uint32_t> result;
    if (view.count() == 0) return result;
    local_.set_window(overlay_->map, overlay_->partition.rect(1, cluster));
    result.reserve(view.count() * MoveTables::words_for(local_.size()));
    for (const grid::Cell cell : view.bases()) {
        const std::uint32_t node = local_.local(overlay_->map.point(cell));
        local_.run(node);
        append_table(result, node);
    }
    return result;
}

// The table of a node to which the last search has measured the way.
void ClusterBuilder::append_table(std::vector<std::uint32_t>& tables, std::uint32_t node) const {
    const std::size_t first = tables.size();
    tables.resize(first + MoveTables::words_for(local_.size()));
    for (std::uint32_t cell = 0; cell < local_.size(); ++cell) {
        std::uint32_t entry = MoveTables::kNoMove;
        if (cell == node) {
            entry = MoveTables::kAtNode;
        } else if (local_.distance(cell) < kInfinity) {
            entry = static_cast<std::uint32_t>(local_.move_to_source(cell));
        }
        tables[first + cell / 8] |= entry << (cell % 8 * 4);
    }
}

std::vector<std::uint32_t> ClusterBuilder::level(int level, std::uint32_t cluster) {
    find_border_children(level, cluster);
    const std::size_t n = border_.size();
    if (n == 0) return {};

    begin_record(n);
    for (const BorderChild& node : border_) add_node(node.cell, node.crossings | node.slot << 8);
    for (std::size_t i = 1; i < n; ++i) {
        const BorderChild& from = border_[i];
        const ClusterView child = overlay_->cluster(level - 1, from.child);
        start_costs_.resize(child.count());
        for (std::uint32_t slot = 0; slot < child.count(); ++slot) {
            start_costs_[slot] = child.cost(from.slot, slot);
        }
        LevelSearch::Task task;
        task.level = level - 1;
        task.confine = cluster;
        task.start = {from.child, start_costs_};
        search_.begin(*overlay_, task);
        search_.advance();
        for (std::size_t j = 0; j < i; ++j) {
            costs_[ClusterView::triangle(i, j)] =
                search_.exit_cost(border_[j].child, border_[j].slot);
        }
    }
    return ClusterView::record(bases_, infos_, costs_);
}

void ClusterBuilder::begin_record(std::size_t nodes) {
    bases_.clear();
    infos_.clear();
    costs_.resize(nodes * (nodes - 1) / 2);
}

void ClusterBuilder::add_node(grid::Cell base, std::uint32_t info) {
    bases_.push_back(base);
    infos_.push_back(info);
}

// The nodes of level - 1 with an inter-edge that leaves the cluster, by ascending cell.
void ClusterBuilder::find_border_children(int level, std::uint32_t cluster) {
    border_.clear();
    const grid::Map& map = overlay_->map;
    const Partition& partition = overlay_->partition;
    const grid::Rect rect = partition.rect(level, cluster);
    const int side = partition.side(level - 1);
    for (int y = rect.y; y < rect.y + rect.height; y += side) {
        for (int x = rect.x; x < rect.x + rect.width; x += side) {
            const std::uint32_t child = partition.cluster(level - 1, {x, y});
            const ClusterView view = overlay_->cluster(level - 1, child);
            for (std::uint32_t slot = 0; slot < view.count(); ++slot) {
                std::uint32_t leaving = 0;
                for (std::uint32_t c = view.crossings(slot); c != 0; c &= c - 1) {
                    const int direction = std::countr_zero(c);
                    if (!inside(rect, map.point(map.step(view.base(slot), direction)))) {
                        leaving |= 1U << direction;
                    }
                }
                if (leaving != 0) border_.push_back({view.base(slot), child, slot, leaving});
            }
        }
    }
    std::sort(border_.begin(), border_.end(),
              [](const BorderChild& a, const BorderChild& b) { return a.cell < b.cell; });
}

}  // namespace cairn::hpa
