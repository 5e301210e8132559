#pragma once
// The nodes of level 1 as one graph: their numbers, which edits keep, and their arcs. Labels are
// built over it.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cairn/cost.hpp"
#include "cairn/graph.hpp"
#include "cairn/grid/map.hpp"
#include "cairn/paged_array.hpp"
#include "cairn/status.hpp"
#include "hpa/grid_base.hpp"
#include "overlay/record_store.hpp"

namespace cairn::hpa {

/// The numbers of the nodes of level 1. From scratch they count from 0, by cluster and then by
/// cell. An edit keeps the number of every node whose cell stays a node. New nodes take the next
/// numbers, by cluster and then by cell. The numbers of removed nodes stay unused, until the
/// snapshot's nodes are numbered from scratch: for new labels, or when too many are unused.
///
/// Copies share what edits leave alone. Const members may be called from any number of threads.
class LevelOneNodes {
public:
    /// The numbers of the nodes of one cluster. Valid while the LevelOneNodes lives.
    class OfCluster {
    public:
        [[nodiscard]] std::uint32_t operator[](std::uint32_t slot) const noexcept {
            return listed_.empty() ? first_ + slot : listed_[slot];
        }

    private:
        friend class LevelOneNodes;
        OfCluster(std::uint32_t first, RecordStore::Record listed) noexcept
            : first_(first), listed_(listed) {}

        std::uint32_t first_;
        RecordStore::Record listed_;  // per slot; empty: the numbers are first_ + slot
    };

    /// No nodes.
    LevelOneNodes() = default;
    /// Numbers from scratch. O(nodes).
    explicit LevelOneNodes(const Overlay& overlay);
    /// Numbers from scratch, as first() and cells() gave them. O(clusters / 16).
    LevelOneNodes(PagedArray<std::uint32_t> first, PagedArray<grid::Cell> cells);

    /// By cluster: the number of its first node. Of numbers from scratch.
    [[nodiscard]] const PagedArray<std::uint32_t>& first() const noexcept { return first_; }
    /// By number: see cell().
    [[nodiscard]] const PagedArray<grid::Cell>& cells() const noexcept { return cells_; }

    /// The numbers after an edit that turned `before`, whose nodes these are, into `after`, which
    /// differs in the records of the clusters `changed` (sorted). O(nodes of these clusters), and
    /// copies of pages.
    [[nodiscard]] LevelOneNodes edited(const Overlay& before, const Overlay& after,
                                       std::span<const std::uint32_t> changed) const;

    [[nodiscard]] OfCluster of(std::uint32_t cluster) const noexcept {
        const std::uint32_t first = first_[cluster];
        return {first, first == kListed ? lists_[cluster] : RecordStore::Record{}};
    }
    /// The cell of a number below size(); kNoCell if its node was removed.
    [[nodiscard]] grid::Cell cell(std::uint32_t number) const noexcept { return cells_[number]; }
    /// Loads a cell into the cache.
    void prefetch(std::uint32_t number) const noexcept { __builtin_prefetch(&cells_[number]); }

    [[nodiscard]] bool is_removed(std::uint32_t number) const noexcept {
        return cell(number) == grid::kNoCell;
    }

    /// All numbers are below this.
    [[nodiscard]] std::uint32_t size() const noexcept {
        return static_cast<std::uint32_t>(cells_.size());
    }
    /// How many nodes there are.
    [[nodiscard]] std::uint32_t count() const noexcept { return count_; }
    /// Whether no edit has added or removed nodes since the numbers were made from scratch.
    [[nodiscard]] bool from_scratch() const noexcept { return from_scratch_; }
    /// Whether so many numbers are unused that they should be made from scratch.
    [[nodiscard]] bool worn_out() const noexcept {
        constexpr std::uint32_t kSpare = 4096;
        return size() - count_ > count_ + kSpare;
    }

    [[nodiscard]] std::size_t bytes() const noexcept {
        return first_.size() * sizeof(std::uint32_t) + cells_.size() * sizeof(grid::Cell) +
               lists_.bytes();
    }

private:
    static constexpr std::uint32_t kListed = 0xffff'ffff;

    PagedArray<std::uint32_t> first_;  // per cluster: the number of slot 0, or kListed
    RecordStore lists_;                // per cluster: if kListed, the numbers by slot
    PagedArray<grid::Cell> cells_;     // per number
    std::uint32_t count_ = 0;
    bool from_scratch_ = true;
};

/// The graph of level 1 of a snapshot. Valid while its parts live.
struct LevelOneGraph {
    const Overlay& overlay;
    const LevelOneNodes& nodes;

    /// Costs are the same in both directions.
    [[nodiscard]] static constexpr bool directed() noexcept { return false; }

    /// Calls use(number, cost, cost) for the arcs of a node: its finite intra-edges and its
    /// inter-edges.
    /// First come the other ends in earlier clusters, by cluster and cell, then the earlier nodes
    /// of its own cluster by cell, then the ends in later clusters by direction, then the later
    /// nodes of its own cluster. A removed node has no arcs.
    template <class Use>
    void for_each_arc(std::uint32_t number, Use&& use) const;

    /// The whole graph, the arcs of each node in this order. Errors: as make_graph. O(arcs).
    [[nodiscard]] Result<Graph> whole() const;
};

/// The nodes whose arcs differ between two graphs, ascending, new and removed nodes included.
/// `after` must be `before` after an edit that changed the records of no clusters of level 1 but
/// `changed` (sorted), and no cost of an inter-edge between two others. O(arcs of these clusters).
[[nodiscard]] std::vector<std::uint32_t> nodes_with_changed_arcs(
    const LevelOneGraph& before, const LevelOneGraph& after,
    std::span<const std::uint32_t> changed);

template <class Use>
void LevelOneGraph::for_each_arc(std::uint32_t number, Use&& use) const {
    const grid::Cell cell = nodes.cell(number);
    if (cell == grid::kNoCell) return;
    const std::uint32_t cluster = overlay.cluster_of(1, cell);
    const ClusterView view = overlay.cluster(1, cluster);
    const std::uint32_t slot = view.find(cell);

    const std::uint32_t crossings = view.crossings(slot);
    const auto use_inter = [&](int direction, bool to_earlier) {
        if ((crossings >> direction & 1) == 0) return;
        const grid::Cell to = overlay.base.across(cell, direction);
        const std::uint32_t other = overlay.cluster_of(1, to);
        if ((other < cluster) != to_earlier) return;
        const Cost cost = overlay.base.crossing_cost(cell, direction);
        use(nodes.of(other)[overlay.cluster(1, other).find(to)], cost, cost);
    };
    const LevelOneNodes::OfCluster own = nodes.of(cluster);
    const auto use_intra = [&](std::uint32_t other) {
        const Cost cost = view.cost_both_ways(slot, other);
        if (cost < kInfinity) use(own[other], cost, cost);
    };
    // Ends in earlier clusters lie in these directions. This is their order by cluster and cell.
    for (const int direction :
         {grid::kNorthWest, grid::kNorth, grid::kNorthEast, grid::kWest, grid::kSouthWest}) {
        use_inter(direction, true);
    }
    for (std::uint32_t other = 0; other < slot; ++other) use_intra(other);
    for (std::uint32_t c = crossings; c != 0; c &= c - 1) use_inter(std::countr_zero(c), false);
    for (std::uint32_t other = slot + 1; other < view.count(); ++other) use_intra(other);
}

}  // namespace cairn::hpa
