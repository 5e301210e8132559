#include "hna/hng.hpp"

#include <algorithm>
#include <cmath>

namespace cairn::hna {

using mesh::kNone;
using mesh::Link;
using mesh::portal_of;

Hng::Hng(const Overlay& overlay, int level) {
    number_vertices(overlay, level);
    add_arcs(overlay, level);
    add_aims(overlay.base.mesh.data());
}

// Until the vertices have numbers, slots_ holds their portals.
void Hng::number_vertices(const Overlay& overlay, int level) {
    const std::uint32_t clusters = overlay.base.clusters(level);
    std::vector<std::uint32_t> vertex_of(overlay.base.mesh.num_portals(), kNone);
    first_slot_.reserve(std::size_t{clusters} + 1);
    for (std::uint32_t cluster = 0; cluster < clusters; ++cluster) {
        for (const Link link : overlay.cluster(level, cluster).bases()) {
            slots_.push_back(portal_of(link));
            vertex_of[portal_of(link)] = 0;  // its number follows
        }
        first_slot_.push_back(static_cast<std::uint32_t>(slots_.size()));
    }
    portals_.reserve(slots_.size() / 2);
    for (mesh::Portal portal = 0; portal < vertex_of.size(); ++portal) {
        if (vertex_of[portal] == kNone) continue;
        vertex_of[portal] = count();
        portals_.push_back(portal);
    }
    edges_.resize(portals_.size());
    for (std::uint32_t cluster = 0; cluster < clusters; ++cluster) {
        const auto links = overlay.cluster(level, cluster).bases();
        for (std::uint32_t slot = 0; slot < links.size(); ++slot) {
            std::uint32_t& vertex = slots_[first_slot_[cluster] + slot];
            vertex = vertex_of[vertex];
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
            const ClusterView record = overlay.cluster(level, edge.cluster[side]);
            const auto vertices = view().of_cluster(edge.cluster[side]);
            for (std::uint32_t slot = 0; slot < record.count(); ++slot) {
                const Cost cost = record.cost(edge.slot[side], slot);
                if (slot != edge.slot[side] && cost < kInfinity)
                    arcs_.push_back({view().side_across(vertices[slot], edge.cluster[side]), cost});
            }
            first_arc_.push_back(static_cast<std::uint32_t>(arcs_.size()));
        }
    }
}

void Hng::add_aims(const mesh::MeshData& mesh) {
    const bool by_centres = mesh.options.scoring == mesh::Scoring::polygon_centres;
    aims_.reserve(2 * std::size_t{count()});
    for (const mesh::Portal portal : portals_) {
        for (const Link link : {2 * portal, 2 * portal + 1}) {
            if (by_centres) {
                aims_.push_back(
                    {mesh.topology->centres[mesh.polygon_of(link)], (*mesh.halves)[link]});
            } else {
                aims_.push_back({mesh.midpoint(link), 0});
            }
        }
    }
}

void Hng::list(std::uint32_t cluster, std::span<const Cost> costs,
               std::vector<Connector>& connectors) const {
    connectors.clear();
    const auto vertices = view().of_cluster(cluster);
    for (std::size_t slot = 0; slot < vertices.size(); ++slot) {
        if (costs[slot] < kInfinity) connectors.push_back({vertices[slot], costs[slot]});
    }
}

std::vector<NodePoint> Hng::points(const mesh::MeshData& mesh) const {
    const auto quantised = [&mesh](float coordinate) {
        constexpr double kMost = 1 << 30;
        return static_cast<std::int32_t>(
            std::clamp(std::floor(coordinate * mesh.units), -kMost, kMost));
    };
    std::vector<NodePoint> points;
    points.reserve(count());
    for (const mesh::Portal portal : portals_) {
        const mesh::Point middle = mesh.midpoint(2 * portal);
        points.push_back({quantised(middle.x), quantised(middle.z)});
    }
    return points;
}

std::size_t Hng::bytes() const noexcept {
    return (portals_.size() + first_slot_.size() + slots_.size() + first_arc_.size()) *
               sizeof(std::uint32_t) +
           edges_.size() * sizeof(InterEdge) + arcs_.size() * sizeof(HngArc) +
           aims_.size() * sizeof(HngAim);
}

void HngSearch::reserve(const Hng& hng) {
    if (labels_.size() < hng.count()) {
        labels_.resize(hng.count());
        to_goal_.resize(hng.count());
    }
    stamp_ += Search::kNextStamp;
    if (stamp_ != 0) return;
    std::fill(labels_.begin(), labels_.end(), HngLabel{});
    stamp_ = Search::kNextStamp;
}

void HngSearch::begin(const Hng& hng, const mesh::MeshData& mesh, const Task& task) {
    reserve(hng);
    astar_.begin(hng.view(), {labels_.data(), to_goal_.data(), stamp_},
                 {task.anchor, mesh.least_factor, mesh.units}, task.bound);
    for (const Connector& c : task.to) astar_.add_goal(c.node, c.cost);
    for (const Connector& c : task.from)
        astar_.add_start(hng.view().side_across(c.node, task.start_cluster), c.cost);
}

std::uint32_t HngSearch::stop_at_nearest(const Hng& hng) {
    const std::uint32_t side = astar_.stop_at_nearest();
    return side == Search::kNoVertex ? mesh::kNone : hng.view().edges[side / 2].cluster[side & 1];
}

void HngSearch::find_path(std::vector<std::uint32_t>& path) const {
    path.clear();
    for (std::uint32_t v = astar_.last(); v != Search::kNoVertex; v = astar_.before(v))
        path.push_back(v);
    std::reverse(path.begin(), path.end());
}

}  // namespace cairn::hna
