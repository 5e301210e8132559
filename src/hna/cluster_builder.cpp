#include "hna/cluster_builder.hpp"

#include <algorithm>

#include "hna/rows.hpp"

namespace cairn::hna {

using mesh::Link;
using mesh::Polygon;
using mesh::Portal;
using mesh::portal_of;
using mesh::twin;

void ClusterGraph::make(const MeshBase& base, MeshBase::Area area,
                        ClusterSearch::Direction direction, std::span<const Portal> portals) {
    const std::size_t mesh_portals = base.mesh.data().topology->ends.size();
    if (place_.size() < mesh_portals) place_.resize(mesh_portals);
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

// Adds the arcs to the other portals of the link's polygon: in a search towards the source, paths
// from those portals leave the polygon by this link.
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
        for (std::uint32_t side = 2 * place; side < 2 * place + 2; ++side) {
            for (std::uint32_t i = first_arc_[side]; i < first_arc_[side + 1]; ++i) {
                const Arc arc = arcs_[i];
                Node& node = nodes_[arc.head];
                if (node.cost <= cost + arc.cost) continue;
                node = {cost + arc.cost, side};
                open_.push(arc.head, node.cost, node.cost);
            }
        }
    }
}

RowedCluster ClusterBuilder::make(int level, std::uint32_t cluster) {
    find_portals(level, cluster);
    RowedCluster result;
    const std::size_t n = borders_.size();
    if (n == 0) return result;

    const MeshBase::Area area = base_->area(level, cluster);
    result.towards = make_rows(area, ClusterSearch::Direction::towards);
    // The first n rows of costs_ are those of the inter-edges themselves: the intra-edges.
    std::vector<std::uint32_t> infos;
    std::vector<Cost> costs;
    infos.reserve(n);
    costs.reserve(n * n);
    for (std::size_t i = 0; i < n; ++i) {
        infos.push_back(base_->crossings(borders_[i]) | slot_below(level, borders_[i]) << 8);
        const auto row = costs_.begin() + static_cast<std::ptrdiff_t>(i * n);
        const std::size_t length = base_->directed() ? n : i;
        costs.insert(costs.end(), row, row + static_cast<std::ptrdiff_t>(length));
    }
    if (base_->directed()) {
        result.record = ClusterView::record_of_rows(borders_, infos, costs);
        result.away = make_rows(area, ClusterSearch::Direction::away);
    } else {
        result.record = ClusterView::record(borders_, infos, costs);
    }
    return result;
}

// The slot of an inter-edge in its cluster of the level below; 0 on level 1.
std::uint32_t ClusterBuilder::slot_below(int level, Link link) const {
    if (level == 1) return 0;
    return overlay_->cluster(level - 1, overlay_->cluster_of(level - 1, link)).find(link);
}

// Lists the cluster's inter-edges and its portals. Portals that cannot be crossed are left out.
void ClusterBuilder::find_portals(int level, std::uint32_t cluster) {
    polygons_.clear();
    borders_.clear();
    portals_.clear();
    base_->partition->append_polygons(level, cluster, polygons_);
    const mesh::MeshData& data = base_->mesh.data();
    for (const Polygon polygon : polygons_) {
        for (const Link link : data.links(polygon)) {
            if (base_->crossings(link) == 0) continue;
            const Polygon across = data.polygon_of(twin(link));
            if (base_->partition->cluster(level, across) != cluster) {
                borders_.push_back(link);
            } else if (link % 2 == 0) {  // both links lie in the cluster
                portals_.push_back(portal_of(link));
            }
        }
    }
    std::sort(borders_.begin(), borders_.end());
    std::sort(portals_.begin(), portals_.end());
    portals_.insert(portals_.begin(), borders_.size(), 0);
    std::transform(borders_.begin(), borders_.end(), portals_.begin(), portal_of);
}

// Makes the rows of one direction, from costs_ and hops_, which it fills.
std::vector<std::uint32_t> ClusterBuilder::make_rows(MeshBase::Area area,
                                                     ClusterSearch::Direction direction) {
    const std::size_t n = borders_.size();
    const std::size_t portals = portals_.size();
    costs_.resize(portals * n);
    hops_.resize(portals * n);
    graph_.make(*base_, area, direction, portals_);
    for (std::uint32_t b = 0; b < n; ++b) {
        graph_.search(b);
        for (std::uint32_t place = 0; place < portals; ++place) {
            costs_[place * n + b] = graph_.cost(place);
            hops_[b * portals + place] = graph_.hop(place);
        }
    }
    return RowsView::record(static_cast<std::uint32_t>(n), portals_, costs_, hops_);
}

}  // namespace cairn::hna
