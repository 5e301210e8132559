#include "overlay/local_connectivity.hpp"

namespace cairn {

// A node across several borders is one.
void LocalConnectivity::join_rim() {
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

}  // namespace cairn
