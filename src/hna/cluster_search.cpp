#include "hna/cluster_search.hpp"

#include <algorithm>

namespace cairn::hna {

using mesh::Link;
using mesh::Polygon;
using mesh::Portal;

void ClusterSearch::begin(const MeshBase& base, MeshBase::Area area, Direction direction) {
    base_ = &base;
    data_ = &base.mesh.data();
    area_ = area;
    direction_ = direction;
    const std::size_t portals = data_->topology->ends.size();
    if (nodes_.size() < portals) nodes_.resize(portals);
    if (++stamp_ == 0) {
        std::fill(nodes_.begin(), nodes_.end(), Node{});
        stamp_ = 1;
    }
    open_.clear();
    statistics_ = {};
}

void ClusterSearch::add_end(const mesh::Place& end) {
    const mesh::Point anchor = data_->anchor(end.polygon, end.point);
    const auto links = data_->links(end.polygon);
    for (std::uint32_t i = 0; i < links.size(); ++i) {
        // The path to the endpoint ends by entering its polygon.
        if (enters(links[i]))
            reach(mesh::portal_of(links[i]), data_->end_cost(end.polygon, anchor, i), mesh::kNone);
    }
}

void ClusterSearch::reach(Portal portal, Cost cost, Link next) {
    Node& node = nodes_[portal];
    if (node.stamp == stamp_ && node.cost <= cost) return;
    node = {stamp_, cost, next};
    open_.push(portal, cost, cost);
    ++statistics_.generated;
}

void ClusterSearch::run(Cost bound) {
    Portal portal = 0;
    while (open_.pop(portal)) {
        const Cost cost = open_.least_f();
        if (cost >= bound) break;
        if (nodes_[portal].cost != cost) continue;
        statistics_.open_sum += open_.size();
        ++statistics_.expanded;
        expand(2 * portal, cost);
        expand(2 * portal + 1, cost);
    }
}

// Reaches the other portals of the link's polygon: paths from them leave the polygon by this link.
void ClusterSearch::expand(Link link, Cost cost) {
    if (!leaves(link)) return;
    const Polygon polygon = data_->polygon_of(link);
    if (!base_->contains(area_, {polygon, link, {}})) return;
    const auto links = data_->links(polygon);
    const std::uint32_t place = data_->place(link);
    for (std::uint32_t i = 0; i < links.size(); ++i) {
        if (i != place && enters(links[i]))
            reach(mesh::portal_of(links[i]), cost + data_->inside_cost(polygon, place, i), link);
    }
}

}  // namespace cairn::hna
