#include "bench/hna_connect.hpp"

#include "cairn/mesh/dijkstra.hpp"

namespace cairn::app {

using mesh::Link;
using mesh::Mesh;
using mesh::Polygon;

ClusterBorders::ClusterBorders(const hna::Index& index, int level)
    : index_(&index), level_(level), links_(index.clusters(level)) {
    const Mesh& mesh = index.mesh();
    for (Polygon p = 0; p < mesh.num_polygons(); ++p) {
        for (const Link link : mesh.links(p)) {
            const Polygon across = mesh.polygon_of(mesh::twin(link));
            if (mesh.open(link) && index.cluster(level, across) != index.cluster(level, p))
                links_[index.cluster(level, p)].push_back(link);
        }
    }
}

std::uint64_t ClusterBorders::connects(std::span<const mesh::Request> requests) const {
    std::uint64_t sum = 0;
    for (const mesh::Request& request : requests)
        sum += around(request.start.polygon).size() + around(request.goal.polygon).size();
    return sum;
}

Status PaperConnect::prepare(std::span<const mesh::Request> requests) {
    const Mesh& mesh = index_->mesh();
    const auto prepare_cluster = [&](std::uint32_t cluster) -> Status {
        if (confined_.contains(cluster)) return {};
        std::vector<mesh::PolygonEdit> edits;
        for (Polygon p = 0; p < mesh.num_polygons(); ++p) {
            if (!mesh.is_removed(p) && index_->cluster(level_, p) != cluster)
                edits.push_back({p, mesh.area(p), true});
        }
        auto edited = mesh.edited(edits);
        if (!edited) return std::move(edited.error());
        confined_.emplace(cluster, std::move(*edited));
        return {};
    };
    for (const mesh::Request& request : requests) {
        for (const mesh::Place& end : {request.start, request.goal}) {
            Status status = prepare_cluster(index_->cluster(level_, end.polygon));
            if (!status.ok()) return status;
        }
    }
    return {};
}

void PaperConnect::connect(const mesh::Request& request) {
    connect_end(request.start);
    connect_end(request.goal);
    if (!share_cluster(request)) return;
    astar_.find_path(confined(request.start.polygon), request.start, request.goal, path_);
    expanded_ += astar_.statistics().expanded;
}

void PaperConnect::connect_end(const mesh::Place& end) {
    const Mesh& mesh = confined(end.polygon);
    costs_.clear();
    for (const Link link : borders_->around(end.polygon)) {
        const Polygon last = mesh.polygon_of(link);
        const mesh::Place exit{last, mesh.midpoint(link)};
        const bool found = astar_.find_path(mesh, end, exit, path_) == StatusCode::ok;
        expanded_ += astar_.statistics().expanded;
        // A path within one polygon leads straight to the portal. So does any other, but by polygon
        // centres, where it ends at the last polygon's centre.
        const std::uint32_t place = mesh.place(link);
        const Cost beyond = mesh.options().scoring == mesh::Scoring::polygon_centres
                                ? mesh.end_cost(last, mesh.centre(last), place)
                                : 0;
        costs_.push_back(last == end.polygon
                             ? mesh.end_cost(last, mesh.anchor(last, end.point), place)
                         : found ? path_.cost + beyond
                                 : kInfinity);
    }
}

Result<std::uint64_t> PaperConnect::wrong(const mesh::Request& request) {
    std::uint64_t count = 0;
    for (const mesh::Place& end : {request.start, request.goal}) {
        const auto expected = mesh::costs_to(confined(end.polygon), end);
        if (!expected) return tl::unexpected(expected.error());
        connect_end(end);
        const auto links = borders_->around(end.polygon);
        for (std::size_t i = 0; i < links.size(); ++i)
            count += costs_[i] != (*expected)[links[i]] ? 1 : 0;
    }
    return count;
}

}  // namespace cairn::app
