#include "batch/device/mesh/hna_host.hpp"

#include "hna/locate.hpp"

namespace cairn::batch {

void HnaHost::begin(const hna::Index& index, const DeviceQuery& query) {
    index_ = &index;
    engine_ = query.engine;
    query_ = {};
    query_.engine =
        query.engine == DeviceEngine::cut_labels ? hna::Engine::cut_labels : hna::Engine::astar;
    query_.detail = query.corridors ? hna::Detail::corridor : hna::Detail::cost;
    query_.reach = query.reach;
}

Prepared HnaHost::prepare(mesh::Request& request) const {
    const hna::Snapshot& snapshot = index_->snapshot();
    StatusCode status = hna::locate_start(snapshot, query_.reach, request.start);
    if (status == StatusCode::ok)
        status = hna::locate_goal(snapshot, query_.reach, request.start.polygon, request.goal);
    return {status, status == StatusCode::ok && !is_for_host(request)};
}

// Devices search from cluster to cluster, or from polygon to polygon.
bool HnaHost::is_for_host(const mesh::Request& request) const noexcept {
    const mesh::Polygon start = request.start.polygon;
    const mesh::Polygon goal = request.goal.polygon;
    if (engine_ == DeviceEngine::polygon_astar) return start == goal;
    const hna::Partition& partition = index_->snapshot().partition();
    return partition.cluster(1, start) == partition.cluster(1, goal);
}

HostAnswer HnaHost::Worker::answer(const HnaHost& host, const mesh::Request& request) {
    if (host.engine_ == DeviceEngine::polygon_astar) return by_astar(host, request);
    hna::Query query = host.query_;
    query.start = request.start;
    query.goal = request.goal;
    searcher_.find(*host.index_, query, answer_);
    return {answer_.status, answer_.cost, answer_.polygons};
}

HostAnswer HnaHost::Worker::by_astar(const HnaHost& host, const mesh::Request& request) {
    const mesh::Mesh& mesh = host.index_->mesh();
    const StatusCode status = astar_.find_path(mesh, request.start, request.goal, path_);
    answer_.polygons.clear();
    if (status == StatusCode::ok && host.query_.detail == hna::Detail::corridor)
        mesh::polygons(mesh, request.start.polygon, path_.links, answer_.polygons);
    return {status, path_.cost, answer_.polygons};
}

}  // namespace cairn::batch
