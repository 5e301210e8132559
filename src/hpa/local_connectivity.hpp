#pragma once
// How a few 1-clusters connect their own nodes with each other and with the nodes just outside.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "overlay/overlay.hpp"

namespace cairn::hpa {

class UnionFind {
public:
    explicit UnionFind(std::size_t size) : parent_(size) {
        std::iota(parent_.begin(), parent_.end(), 0U);
    }

    [[nodiscard]] std::uint32_t find(std::uint32_t x) noexcept {
        while (parent_[x] != x) x = parent_[x] = parent_[parent_[x]];
        return x;
    }
    /// The smaller representative stays.
    void unite(std::uint32_t a, std::uint32_t b) noexcept {
        a = find(a);
        b = find(b);
        parent_[std::max(a, b)] = std::min(a, b);
    }
    std::uint32_t add() {
        parent_.push_back(static_cast<std::uint32_t>(parent_.size()));
        return parent_.back();
    }

private:
    std::vector<std::uint32_t> parent_;
};

/// Calls unite(slot, slot) often enough to tell which nodes a cluster's inside connects.
template <class Unite>
void unite_inside(const ClusterView& view, Unite&& unite) {
    for (std::uint32_t i = 1; i < view.count(); ++i) {
        for (std::uint32_t j = 0; j < i; ++j) {
            if (view.cost(i, j) < kInfinity) {
                unite(i, j);
                break;
            }
        }
    }
}

/// Calls use(key of the node across) for every inter-edge of a node of a 1-cluster.
template <class Use>
void for_each_inter_edge_of(const Overlay& overlay, const ClusterView& view, std::uint32_t slot,
                            Use&& use) {
    for (std::uint32_t c = view.crossings(slot); c != 0; c &= c - 1) {
        const grid::Cell to = overlay.map.step(view.base(slot), std::countr_zero(c));
        const std::uint32_t cluster = overlay.cluster_of(1, to);
        use(overlay.key(1, cluster, overlay.cluster(1, cluster).find(to)));
    }
}

/// Calls use(slot, key of the node across) for every inter-edge of a 1-cluster.
template <class Use>
void for_each_inter_edge(const Overlay& overlay, const ClusterView& view, Use&& use) {
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

    LocalConnectivity(const Overlay& overlay, std::span<const std::uint32_t> clusters);

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
    std::size_t own_ = 0;
    std::vector<std::uint32_t> first_;
    UnionFind sets_{0};
    std::vector<RimNode> rim_;
};

}  // namespace cairn::hpa
