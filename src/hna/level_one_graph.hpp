#pragma once
// The inter-edges of level 1 as the nodes of one graph: their numbers, which edits keep, and their
// arcs. Labels are built over it.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cairn/cost.hpp"
#include "cairn/graph.hpp"
#include "cairn/paged_array.hpp"
#include "cairn/status.hpp"
#include "hna/mesh_base.hpp"
#include "overlay/record_store.hpp"

namespace cairn::hna {

/// The numbers of the inter-edges of level 1. From scratch they count from 0, by portal, and so are
/// those of the vertices of the level's Hng. An edit keeps the number of every portal that stays an
/// inter-edge. New ones take the next numbers, by portal. The numbers of removed ones stay unused,
/// until the snapshot's nodes are numbered from scratch: for new labels, or when too many are
/// unused.
///
/// Copies share what edits leave alone. Const members may be called from any number of threads.
class LevelOneNodes {
public:
    /// No nodes.
    LevelOneNodes() = default;
    /// Numbers from scratch. O(portals of the mesh).
    explicit LevelOneNodes(const Overlay& overlay);

    /// The numbers after an edit that turned `before`, whose nodes these are, into `after`, which
    /// differs in the records of the clusters `changed` (sorted) and may have more clusters.
    /// O(nodes of these clusters * log), and copies of pages.
    [[nodiscard]] LevelOneNodes edited(const Overlay& before, const Overlay& after,
                                       std::span<const std::uint32_t> changed) const;

    /// The numbers of the nodes of a cluster, by slot.
    [[nodiscard]] RecordStore::Record of(std::uint32_t cluster) const noexcept {
        return numbers_[cluster];
    }
    /// The portal of a number below size(); mesh::kNone if its node was removed.
    [[nodiscard]] mesh::Portal portal(std::uint32_t number) const noexcept {
        return portals_[number];
    }
    [[nodiscard]] bool is_removed(std::uint32_t number) const noexcept {
        return portal(number) == mesh::kNone;
    }

    /// All numbers are below this.
    [[nodiscard]] std::uint32_t size() const noexcept {
        return static_cast<std::uint32_t>(portals_.size());
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
        return numbers_.bytes() + portals_.size() * sizeof(mesh::Portal);
    }

private:
    RecordStore numbers_;               // per cluster: by slot
    PagedArray<mesh::Portal> portals_;  // per number
    std::uint32_t count_ = 0;
    bool from_scratch_ = true;
};

/// The graph of level 1 of a snapshot. Valid while its parts live.
struct LevelOneGraph {
    const Overlay& overlay;
    const LevelOneNodes& nodes;

    /// Whether intra-edges may have other costs in the other direction.
    [[nodiscard]] bool directed() const noexcept { return overlay.base.directed(); }

    /// Calls use(number, cost, back) for the intra-edges of a node: the costs to and from another
    /// node, of which one may be kInfinity. First come those to lower portals, in the cluster of
    /// its even link and then in that of its odd link, then those to higher portals. Two nodes may
    /// have an arc in each of two clusters. A removed node has no arcs.
    template <class Use>
    void for_each_arc(std::uint32_t number, Use&& use) const;

    /// The whole graph. Unless it is directed, the arcs of each node are in this order. Errors: as
    /// graph_from_edges. O(arcs * log).
    [[nodiscard]] Result<Graph> whole() const;

private:
    [[nodiscard]] std::uint32_t cluster_of(mesh::Link link) const noexcept {
        return overlay.base.partition->cluster(1, overlay.base.mesh.data().polygon_of(link));
    }
};

/// The nodes whose arcs differ between two graphs, ascending, new and removed nodes included.
/// `after` must be `before` after an edit that changed the records of no clusters of level 1 but
/// `changed` (sorted). O(arcs of these clusters).
[[nodiscard]] std::vector<std::uint32_t> nodes_with_changed_arcs(
    const LevelOneGraph& before, const LevelOneGraph& after,
    std::span<const std::uint32_t> changed);

template <class Use>
void LevelOneGraph::for_each_arc(std::uint32_t number, Use&& use) const {
    if (nodes.is_removed(number)) return;
    // One of the node's two clusters.
    struct Side {
        ClusterView view;
        RecordStore::Record numbers;
        std::uint32_t slot;
        std::uint32_t next;  // the slot that follows
    };
    const auto side_of = [this](mesh::Link link) {
        const std::uint32_t cluster = cluster_of(link);
        const ClusterView view = overlay.cluster(1, cluster);
        const std::uint32_t slot = view.find(link);
        return Side{view, nodes.of(cluster), slot, slot + 1};
    };
    const auto use_slot = [&](const Side& side, std::uint32_t other) {
        const Cost cost = side.view.cost(side.slot, other);
        const Cost back = directed() ? side.view.cost(other, side.slot) : cost;
        if (std::min(cost, back) < kInfinity) use(side.numbers[other], cost, back);
    };
    const mesh::Portal portal = nodes.portal(number);
    Side even = side_of(2 * portal);
    Side odd = side_of(2 * portal + 1);
    for (std::uint32_t other = 0; other < even.slot; ++other) use_slot(even, other);
    for (std::uint32_t other = 0; other < odd.slot; ++other) use_slot(odd, other);
    while (even.next < even.view.count() || odd.next < odd.view.count()) {
        const bool from_even =
            odd.next == odd.view.count() ||
            (even.next < even.view.count() && even.view.base(even.next) < odd.view.base(odd.next));
        Side& side = from_even ? even : odd;
        use_slot(side, side.next++);
    }
}

}  // namespace cairn::hna
