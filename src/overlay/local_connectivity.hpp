#pragma once
// How a few 1-clusters connect their own nodes with each other and with the nodes just outside. The
// direction of moves does not matter here.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "overlay/overlay.hpp"
#include "overlay/union_find.hpp"

namespace cairn {

/// Whether a cluster's inside leads from one of two nodes to the other.
[[nodiscard]] inline bool joined_inside(const ClusterView& view, std::uint32_t a,
                                        std::uint32_t b) noexcept {
    return view.cost(a, b) < kInfinity || (view.directed() && view.cost(b, a) < kInfinity);
}

/// Calls unite(slot, slot) often enough to tell which nodes a cluster's inside connects.
template <class Unite>
void unite_inside(const ClusterView& view, Unite&& unite) {
    for (std::uint32_t i = 1; i < view.count(); ++i) {
        for (std::uint32_t j = 0; j < i; ++j) {
            if (!joined_inside(view, i, j)) continue;
            unite(i, j);
            // In both directions: i reaches all that j reaches.
            if (!view.directed()) break;
        }
    }
}

/// Calls use(key of the node across) for every inter-edge of a node of a 1-cluster.
template <BaseGraph Base, class Use>
void for_each_inter_edge_of(const Overlay<Base>& overlay, const ClusterView& view,
                            std::uint32_t slot, Use&& use) {
    for (std::uint32_t c = view.crossings(slot); c != 0; c &= c - 1) {
        const std::uint32_t to = overlay.base.across(view.base(slot), std::countr_zero(c));
        const std::uint32_t cluster = overlay.cluster_of(1, to);
        use(overlay.key(1, cluster, overlay.cluster(1, cluster).find(to)));
    }
}

/// Calls use(slot, key of the node across) for every inter-edge of a 1-cluster.
template <BaseGraph Base, class Use>
void for_each_inter_edge(const Overlay<Base>& overlay, const ClusterView& view, Use&& use) {
    for (std::uint32_t slot = 0; slot < view.count(); ++slot) {
        for_each_inter_edge_of(overlay, view, slot, [&](NodeKey across) { use(slot, across); });
    }
}

/// The sets into which some clusters divide their own nodes and their rim, the nodes across their
/// outer borders.
class LocalConnectivity {
public:
    static constexpr NodeKey kNone = 0xffff'ffff;
    using RimNode = std::pair<NodeKey, std::uint32_t>;  // and its set

    template <BaseGraph Base>
    LocalConnectivity(const Overlay<Base>& overlay, std::span<const std::uint32_t> clusters);

    /// Sets are numbered below this.
    [[nodiscard]] std::size_t set_limit() const noexcept { return own_ + rim_.size(); }
    [[nodiscard]] std::uint32_t set_of(std::size_t cluster_index, std::uint32_t slot) {
        return sets_.find(first_[cluster_index] + slot);
    }
    /// By ascending key, without repeats.
    [[nodiscard]] std::vector<RimNode> rim();
    /// For every rim node, the least rim node of its set.
    [[nodiscard]] std::vector<std::pair<NodeKey, NodeKey>> rim_partition();

private:
    void join_rim();

    std::size_t own_ = 0;
    std::vector<std::uint32_t> first_;
    UnionFind sets_{0};
    std::vector<RimNode> rim_;
};

template <BaseGraph Base>
LocalConnectivity::LocalConnectivity(const Overlay<Base>& overlay,
                                     std::span<const std::uint32_t> clusters) {
    for (const std::uint32_t cluster : clusters) {
        first_.push_back(static_cast<std::uint32_t>(own_));
        own_ += overlay.cluster(1, cluster).count();
    }
    for (std::size_t i = 0; i < own_; ++i) sets_.add();

    for (std::size_t i = 0; i < clusters.size(); ++i) {
        const ClusterView view = overlay.cluster(1, clusters[i]);
        const std::uint32_t first = first_[i];
        unite_inside(view,
                     [&](std::uint32_t a, std::uint32_t b) { sets_.unite(first + a, first + b); });
        for_each_inter_edge(overlay, view, [&](std::uint32_t slot, NodeKey across) {
            const std::uint32_t cluster = overlay.cluster_of_key(1, across);
            const auto found = std::lower_bound(clusters.begin(), clusters.end(), cluster);
            if (found != clusters.end() && *found == cluster) {
                const auto other = static_cast<std::size_t>(found - clusters.begin());
                sets_.unite(first + slot, first_[other] + overlay.slot_of_key(1, across));
            } else {
                const std::uint32_t node = sets_.add();
                sets_.unite(first + slot, node);
                rim_.emplace_back(across, node);
            }
        });
    }
    join_rim();
}

}  // namespace cairn
