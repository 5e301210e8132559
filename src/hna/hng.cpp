#include "hna/hng.hpp"

#include <algorithm>

namespace cairn::hna {

using navmesh::Link;
using navmesh::portal_of;

Hng::Hng(const Overlay& overlay, int level) {
    number(overlay, level);
    add_arcs(overlay, level);
}

void Hng::number(const Overlay& overlay, int level) {
    const std::uint32_t clusters = overlay.base.clusters(level);
    first_slot_.reserve(std::size_t{clusters} + 1);
    for (std::uint32_t cluster = 0; cluster < clusters; ++cluster) {
        for (const Link link : overlay.cluster(level, cluster).bases()) {
            slots_.push_back(portal_of(link));
            if (link % 2 == 0) portals_.push_back(portal_of(link));
        }
        first_slot_.push_back(static_cast<std::uint32_t>(slots_.size()));
    }
    std::sort(portals_.begin(), portals_.end());
    edges_.resize(portals_.size());
    for (std::uint32_t cluster = 0; cluster < clusters; ++cluster) {
        const auto links = overlay.cluster(level, cluster).bases();
        for (std::uint32_t slot = 0; slot < links.size(); ++slot) {
            std::uint32_t& vertex = slots_[first_slot_[cluster] + slot];
            vertex = static_cast<std::uint32_t>(
                std::lower_bound(portals_.begin(), portals_.end(), vertex) - portals_.begin());
            edges_[vertex].cluster[links[slot] % 2] = cluster;
            edges_[vertex].slot[links[slot] % 2] = slot;
        }
    }
}

void Hng::add_arcs(const Overlay& overlay, int level) {
    first_arc_.reserve(2 * std::size_t{count()} + 1);
    first_arc_.push_back(0);
    for (const InterEdge& edge : edges_) {
        for (std::size_t side = 0; side < 2; ++side) {
            const ClusterView view = overlay.cluster(level, edge.cluster[side]);
            const auto vertices = of_cluster(edge.cluster[side]);
            for (std::uint32_t slot = 0; slot < view.count(); ++slot) {
                const Cost cost = view.cost(edge.slot[side], slot);
                if (slot != edge.slot[side] && cost < kInfinity)
                    arcs_.push_back({vertices[slot], cost});
            }
            first_arc_.push_back(static_cast<std::uint32_t>(arcs_.size()));
        }
    }
}

void Hng::list(std::uint32_t cluster, std::span<const Cost> costs,
               std::vector<Connector>& connectors) const {
    connectors.clear();
    const auto vertices = of_cluster(cluster);
    for (std::size_t slot = 0; slot < vertices.size(); ++slot) {
        if (costs[slot] < kInfinity) connectors.push_back({vertices[slot], costs[slot]});
    }
}

std::size_t Hng::bytes() const noexcept {
    return (portals_.size() + first_slot_.size() + slots_.size() + first_arc_.size()) *
               sizeof(std::uint32_t) +
           edges_.size() * sizeof(InterEdge) + arcs_.size() * sizeof(Arc);
}

}  // namespace cairn::hna
