#include "hpa/level_one_graph.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "overlay/arc_changes.hpp"
#include "overlay/levels.hpp"

namespace cairn::hpa {

LevelOneNodes::LevelOneNodes(const Overlay& overlay) {
    const std::uint32_t clusters = overlay.base.clusters(1);
    std::vector<std::uint32_t> first;
    std::vector<grid::Cell> cells;
    first.reserve(clusters);
    for (std::uint32_t cluster = 0; cluster < clusters; ++cluster) {
        first.push_back(static_cast<std::uint32_t>(cells.size()));
        const auto bases = overlay.cluster(1, cluster).bases();
        cells.insert(cells.end(), bases.begin(), bases.end());
    }
    *this = LevelOneNodes(PagedArray<std::uint32_t>(std::span<const std::uint32_t>(first)),
                          PagedArray<grid::Cell>(std::span<const grid::Cell>(cells)));
}

LevelOneNodes::LevelOneNodes(PagedArray<std::uint32_t> first, PagedArray<grid::Cell> cells)
    : first_(std::move(first)), cells_(std::move(cells)), count_(size()) {
    lists_.grow(first_.size());
}

LevelOneNodes LevelOneNodes::edited(const Overlay& before, const Overlay& after,
                                    std::span<const std::uint32_t> changed) const {
    LevelOneNodes result = *this;
    PagedArray<std::uint32_t>::Editor first(first_);
    PagedArray<grid::Cell>::Editor cells(cells_);
    std::vector<RecordStore::Change> lists;
    for (const std::uint32_t cluster : changed) {
        const auto old_cells = before.cluster(1, cluster).bases();
        const auto new_cells = after.cluster(1, cluster).bases();
        if (std::equal(old_cells.begin(), old_cells.end(), new_cells.begin(), new_cells.end()))
            continue;
        const OfCluster old = of(cluster);
        std::vector<std::uint32_t> numbers;
        numbers.reserve(new_cells.size());
        std::uint32_t slot = 0;  // of old_cells
        const auto remove_before = [&](grid::Cell end) {
            for (; slot < old_cells.size() && old_cells[slot] < end; ++slot)
                cells.set(old[slot], grid::kNoCell);
        };
        for (const grid::Cell cell : new_cells) {
            remove_before(cell);
            if (slot < old_cells.size() && old_cells[slot] == cell) {
                numbers.push_back(old[slot++]);
            } else {
                numbers.push_back(static_cast<std::uint32_t>(cells.size()));
                cells.push_back(cell);
            }
        }
        remove_before(grid::kNoCell);
        result.count_ += static_cast<std::uint32_t>(new_cells.size());
        result.count_ -= static_cast<std::uint32_t>(old_cells.size());
        first.set(cluster, kListed);
        lists.emplace_back(cluster, std::move(numbers));
    }
    if (lists.empty()) return result;
    result.first_ = first.take();
    result.cells_ = cells.take();
    result.lists_ = lists_.with(lists);
    result.from_scratch_ = false;
    return result;
}

Result<Graph> LevelOneGraph::whole() const {
    std::vector<Edge> edges;
    for (std::uint32_t cluster = 0; cluster < overlay.base.clusters(1); ++cluster) {
        const ClusterView view = overlay.cluster(1, cluster);
        const LevelOneNodes::OfCluster own = nodes.of(cluster);
        for (std::uint32_t i = 0; i < view.count(); ++i) {
            for (std::uint32_t j = 0; j < i; ++j) {
                if (view.cost(i, j) < kInfinity) edges.push_back({own[i], own[j], view.cost(i, j)});
            }
            for (std::uint32_t c = view.crossings(i); c != 0; c &= c - 1) {
                const int direction = std::countr_zero(c);
                const grid::Cell to = overlay.base.across(view.base(i), direction);
                const std::uint32_t other = overlay.cluster_of(1, to);
                if (other < cluster) continue;
                edges.push_back({own[i], nodes.of(other)[overlay.cluster(1, other).find(to)],
                                 overlay.base.crossing_cost(view.base(i), direction)});
            }
        }
    }
    return graph_from_edges(nodes.size(), edges);
}

namespace {

// The nodes of a graph in some clusters, and those at the other ends of their inter-edges.
void add_nodes_around(const LevelOneGraph& graph, std::span<const std::uint32_t> clusters,
                      std::vector<std::uint32_t>& numbers) {
    const auto& [overlay, nodes] = graph;
    for (const std::uint32_t cluster : clusters) {
        const ClusterView view = overlay.cluster(1, cluster);
        for (std::uint32_t slot = 0; slot < view.count(); ++slot) {
            numbers.push_back(nodes.of(cluster)[slot]);
            for (std::uint32_t c = view.crossings(slot); c != 0; c &= c - 1) {
                const grid::Cell to = overlay.base.across(view.base(slot), std::countr_zero(c));
                const std::uint32_t other = overlay.cluster_of(1, to);
                numbers.push_back(nodes.of(other)[overlay.cluster(1, other).find(to)]);
            }
        }
    }
}

}  // namespace

std::vector<std::uint32_t> nodes_with_changed_arcs(const LevelOneGraph& before,
                                                   const LevelOneGraph& after,
                                                   std::span<const std::uint32_t> changed) {
    std::vector<std::uint32_t> numbers;
    add_nodes_around(before, changed, numbers);
    add_nodes_around(after, changed, numbers);
    sort_unique(numbers);
    keep_changed(before, after, numbers);
    return numbers;
}

}  // namespace cairn::hpa
