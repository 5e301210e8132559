#include "hpa/local_connectivity.hpp"

namespace cairn::hpa {

LocalConnectivity::LocalConnectivity(const Overlay& overlay,
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
    std::sort(rim_.begin(), rim_.end());
    for (std::size_t i = 1; i < rim_.size(); ++i) {
        if (rim_[i].first == rim_[i - 1].first) sets_.unite(rim_[i].second, rim_[i - 1].second);
    }
}

std::vector<LocalConnectivity::RimNode> LocalConnectivity::rim() {
    std::vector<RimNode> result;
    for (const auto& [key, node] : rim_) {
        if (result.empty() || result.back().first != key)
            result.emplace_back(key, sets_.find(node));
    }
    return result;
}

std::vector<std::pair<NodeKey, NodeKey>> LocalConnectivity::rim_partition() {
    std::vector<NodeKey> least(set_limit(), kNone);
    std::vector<std::pair<NodeKey, NodeKey>> result;
    for (const auto& [key, set] : rim()) {
        least[set] = std::min(least[set], key);
        result.emplace_back(key, least[set]);
    }
    return result;
}

}  // namespace cairn::hpa
