#include "hna/inter_edges.hpp"

#include <algorithm>

namespace cairn::hna {

using navmesh::Link;
using navmesh::portal_of;

InterEdges::InterEdges(const Overlay& overlay, int level) {
    const std::uint32_t clusters = overlay.base.clusters(level);
    first_.reserve(std::size_t{clusters} + 1);
    for (std::uint32_t cluster = 0; cluster < clusters; ++cluster) {
        for (const Link link : overlay.cluster(level, cluster).bases()) {
            numbers_.push_back(portal_of(link));
            if (link % 2 == 0) portals_.push_back(portal_of(link));
        }
        first_.push_back(static_cast<std::uint32_t>(numbers_.size()));
    }
    std::sort(portals_.begin(), portals_.end());
    edges_.resize(portals_.size());
    for (std::uint32_t cluster = 0; cluster < clusters; ++cluster) {
        const auto links = overlay.cluster(level, cluster).bases();
        for (std::uint32_t slot = 0; slot < links.size(); ++slot) {
            std::uint32_t& number = numbers_[first_[cluster] + slot];
            number = static_cast<std::uint32_t>(
                std::lower_bound(portals_.begin(), portals_.end(), number) - portals_.begin());
            edges_[number].cluster[links[slot] % 2] = cluster;
            edges_[number].slot[links[slot] % 2] = slot;
        }
    }
}

void InterEdges::list(std::uint32_t cluster, std::span<const Cost> costs,
                      std::vector<Connector>& connectors) const {
    connectors.clear();
    const auto numbers = of_cluster(cluster);
    for (std::size_t slot = 0; slot < numbers.size(); ++slot) {
        if (costs[slot] < kInfinity) connectors.push_back({numbers[slot], costs[slot]});
    }
}

std::size_t InterEdges::bytes() const noexcept {
    return (portals_.size() + first_.size() + numbers_.size()) * sizeof(std::uint32_t) +
           edges_.size() * sizeof(InterEdge);
}

}  // namespace cairn::hna
