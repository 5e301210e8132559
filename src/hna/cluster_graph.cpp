#include "hna/cluster_graph.hpp"

#include <algorithm>

namespace cairn::hna {

using mesh::Link;
using mesh::Polygon;
using mesh::Portal;
using mesh::portal_of;
using mesh::twin;

void ClusterGraph::make(const MeshBase& base, MeshBase::Area area,
                        ClusterSearch::Direction direction, std::span<const Portal> portals) {
    const std::size_t all = base.mesh.data().topology->ends.size();
    if (place_.size() < all) place_.resize(all);
    for (std::uint32_t place = 0; place < portals.size(); ++place) place_[portals[place]] = place;
    nodes_.resize(portals.size());
    arcs_.clear();
    first_arc_.assign(1, 0);
    first_arc_.reserve(2 * portals.size() + 1);
    for (const Portal portal : portals) {
        for (std::uint32_t side = 0; side < 2; ++side) {
            add_arcs(base, area, 2 * portal + side, direction == ClusterSearch::Direction::towards);
            first_arc_.push_back(static_cast<std::uint32_t>(arcs_.size()));
        }
    }
}

// A path from the other portals of a polygon may leave it by this one.
void ClusterGraph::add_arcs(const MeshBase& base, MeshBase::Area area, Link link, bool towards) {
    const mesh::MeshData& mesh = base.mesh.data();
    const Polygon polygon = mesh.polygon_of(link);
    if (mesh.open[towards ? link : twin(link)] == 0 || !base.contains(area, {polygon, link, {}}))
        return;
    const auto links = mesh.links(polygon);
    const std::uint32_t place = mesh.place(link);
    for (std::uint32_t i = 0; i < links.size(); ++i) {
        if (i != place && mesh.open[towards ? twin(links[i]) : links[i]] != 0)
            arcs_.push_back({place_[portal_of(links[i])], mesh.inside_cost(polygon, place, i)});
    }
}

void ClusterGraph::search(std::uint32_t source) {
    std::fill(nodes_.begin(), nodes_.end(), Node{});
    nodes_[source].cost = 0;
    open_.clear();
    open_.push(source, 0, 0);
    std::uint32_t place = 0;
    while (open_.pop(place)) {
        const Cost cost = open_.least_f();
        if (nodes_[place].cost != cost) continue;
        for (std::uint32_t way = 2 * place; way < 2 * place + 2; ++way) {
            for (std::uint32_t i = first_arc_[way]; i < first_arc_[way + 1]; ++i) {
                const Arc arc = arcs_[i];
                Node& node = nodes_[arc.head];
                if (node.cost <= cost + arc.cost) continue;
                node = {cost + arc.cost, way};
                open_.push(arc.head, node.cost, node.cost);
            }
        }
    }
}

}  // namespace cairn::hna
