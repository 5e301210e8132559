#include "hna/centre_rows.hpp"

namespace cairn::hna {

using mesh::kNone;
using mesh::Link;
using mesh::Polygon;

void CentreRowsView::append(const mesh::MeshData& mesh, Polygon polygon, std::uint32_t border,
                            Link border_link, std::vector<Link>& links) const {
    if (whole_paths_) {
        const std::size_t i = row(polygon) * borders_ + border;
        const auto all = links_.subspan(polygons_.size() * borders_ + 1);
        const auto path = all.subspan(links_[i], links_[i + 1] - links_[i]);
        links.insert(links.end(), path.begin(), path.end());
        return;
    }
    Link link = kNone;
    // A path enters each polygon at most once. The bound ends a cycle in forged rows.
    for (std::size_t step = 0; link != border_link && step < polygons_.size(); ++step) {
        link = links_[row(polygon) * borders_ + border];
        links.push_back(link);
        polygon = mesh.polygon_of(mesh::twin(link));
    }
}

namespace {

/// The first portal of the cheapest path from a polygon's centre to the source of `search`.
PortalCost cheapest_portal(const mesh::MeshData& mesh, Polygon polygon,
                           const ClusterSearch& search) {
    const auto links = mesh.links(polygon);
    const mesh::Point centre = mesh.topology->centres[polygon];
    PortalCost best;
    for (std::uint32_t i = 0; i < links.size(); ++i) {
        const Cost beyond = search.cost(mesh::portal_of(links[i]));
        if (mesh.open[links[i]] == 0 || beyond == kInfinity) continue;
        const Cost cost = mesh.end_cost(polygon, centre, i) + beyond;
        if (cost < best.cost) best = {links[i], cost};
    }
    return best;
}

}  // namespace

std::vector<std::uint32_t> centre_rows(const MeshBase& base, int level, std::uint32_t cluster,
                                       std::span<const std::uint32_t> border_links,
                                       bool whole_paths, ClusterSearch& search) {
    if (border_links.empty()) return {};
    const mesh::MeshData& mesh = base.mesh.data();
    std::vector<Polygon> polygons;
    base.partition->append_polygons(level, cluster, polygons);
    std::sort(polygons.begin(), polygons.end());
    const std::size_t cells = polygons.size() * border_links.size();
    std::vector<Cost> costs(cells, kInfinity);
    std::vector<std::vector<Link>> found(cells);  // whole, or the first link alone
    for (std::size_t b = 0; b < border_links.size(); ++b) {
        search.begin(base, base.area(level, cluster), ClusterSearch::Direction::towards);
        search.add_border(border_links[b]);
        search.run();
        for (std::size_t p = 0; p < polygons.size(); ++p) {
            const std::size_t cell = p * border_links.size() + b;
            const PortalCost first = cheapest_portal(mesh, polygons[p], search);
            costs[cell] = first.cost;
            for (Link link = first.link; link != kNone; link = search.next(mesh::portal_of(link))) {
                found[cell].push_back(link);
                if (!whole_paths) break;
            }
        }
    }
    std::vector<std::uint32_t> record{static_cast<std::uint32_t>(polygons.size()),
                                      static_cast<std::uint32_t>(border_links.size())};
    record.insert(record.end(), polygons.begin(), polygons.end());
    record.insert(record.end(), costs.begin(), costs.end());
    if (whole_paths) {
        std::uint32_t first = 0;
        for (const auto& path : found) {
            record.push_back(first);
            first += static_cast<std::uint32_t>(path.size());
        }
        record.push_back(first);
        for (const auto& path : found) record.insert(record.end(), path.begin(), path.end());
    } else {
        for (const auto& path : found) record.push_back(path.empty() ? kNone : path.front());
    }
    return record;
}

}  // namespace cairn::hna
