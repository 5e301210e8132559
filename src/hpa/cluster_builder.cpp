#include "hpa/cluster_builder.hpp"

#include "hpa/move_table.hpp"

namespace cairn::hpa {

std::optional<CostScale> cost_scale(const grid::Map& before, const grid::Map& now,
                                    const grid::Rect& area) {
    std::optional<CostScale> first;
    bool one_weight = true;
    bool same = true;
    for (int y = area.y; y < area.y + area.height; ++y) {
        grid::Cell cell = before.cell({area.x, y});
        for (int x = 0; x < area.width; ++x, ++cell) {
            const CostScale weights{before.weight(cell), now.weight(cell)};
            if (weights.before == 0) continue;
            if (!first) first = weights;
            one_weight = one_weight && weights == *first;
            same = same && weights.before == weights.now;
            if (!one_weight && !same) return std::nullopt;
        }
    }
    // A move between cells of one weight costs exactly its multiple.
    return !first || same ? CostScale{} : first;
}

FirstLevelCluster ClusterBuilder::level_one(std::uint32_t cluster) {
    const auto& nodes = finder_.nodes(cluster);
    bases_.clear();
    infos_.clear();
    for (const BorderNode& node : nodes) {
        bases_.push_back(node.cell);
        infos_.push_back(node.crossings);
    }
    return with_costs(cluster);
}

void ClusterBuilder::take_nodes(const ClusterView& view) {
    bases_.assign(view.bases().begin(), view.bases().end());
    infos_.clear();
    for (std::uint32_t slot = 0; slot < view.count(); ++slot)
        infos_.push_back(view.crossings(slot));
}

FirstLevelCluster ClusterBuilder::with_nodes_of(std::uint32_t cluster, const ClusterView& view) {
    take_nodes(view);
    return with_costs(cluster);
}

std::vector<std::uint32_t> ClusterBuilder::scaled_record(const ClusterView& view,
                                                         const CostScale& scale) {
    take_nodes(view);
    costs_.clear();
    for (std::uint32_t i = 1; i < view.count(); ++i) {
        for (std::uint32_t j = 0; j < i; ++j) {
            const Cost cost = view.cost_both_ways(i, j);
            costs_.push_back(cost < kInfinity ? cost / scale.before * scale.now : cost);
        }
    }
    return ClusterView::record(bases_, infos_, costs_);
}

// The cluster of the nodes in bases_ and infos_.
FirstLevelCluster ClusterBuilder::with_costs(std::uint32_t cluster) {
    const std::size_t n = bases_.size();
    if (n == 0) return {};

    FirstLevelCluster result;
    costs_.resize(ClusterView::triangle(n));
    local_.set_window(base_->map, base_->partition.rect(1, cluster));
    if (options_->move_tables) result.tables.reserve(n * MoveTables::words_for(local_.size()));
    // A search from a node gives its costs to the nodes before it. So node 0 needs a search only
    // for its move table.
    const std::size_t first = options_->move_tables ? 0 : 1;
    for (std::size_t i = first; i < n; ++i) {
        const std::uint32_t node = local_.local(base_->map.point(bases_[i]));
        local_.run(node);
        for (std::size_t j = 0; j < i; ++j) {
            costs_[ClusterView::triangle(i, j)] =
                local_.distance(local_.local(base_->map.point(bases_[j])));
        }
        if (options_->move_tables) append_table(result.tables, node);
    }
    result.record = ClusterView::record(bases_, infos_, costs_);
    return result;
}

std::vector<std::uint32_t> ClusterBuilder::tables(std::uint32_t cluster, const ClusterView& view) {
    std::vector<std::uint32_t> result;
    if (view.count() == 0) return result;
    local_.set_window(base_->map, base_->partition.rect(1, cluster));
    result.reserve(view.count() * MoveTables::words_for(local_.size()));
    for (const grid::Cell cell : view.bases()) {
        const std::uint32_t node = local_.local(base_->map.point(cell));
        local_.run(node);
        append_table(result, node);
    }
    return result;
}

// Appends the table of local cell `node`, the source of the last search.
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

}  // namespace cairn::hpa
