#include "batch/device/host_share.hpp"

#include <algorithm>

#include "hna/locate.hpp"

namespace cairn::batch {

void HostShare::begin(const hna::Index& index, const DeviceQuery& query, std::size_t trips) {
    index_ = &index;
    engine_ = query.engine;
    query_ = {};
    query_.engine =
        query.engine == DeviceEngine::cut_labels ? hna::Engine::cut_labels : hna::Engine::astar;
    query_.detail = query.corridors ? hna::Detail::corridor : hna::Detail::cost;
    query_.reach = query.reach;
    lengths_.assign(trips, 0);
    for (Worker& worker : workers_) {
        worker.corridors.clear();
        worker.polygons.clear();
        worker.answered = 0;
    }
}

bool HostShare::locate(std::uint32_t i, MeshTrip& trip, StatusCode& status, Cost& cost) {
    const hna::Snapshot& snapshot = index_->snapshot();
    cost = kInfinity;
    status = hna::locate_start(snapshot, query_.reach, trip.start);
    if (status != StatusCode::ok) return false;
    status = hna::locate_goal(snapshot, query_.reach, trip.start.polygon, trip.goal);
    if (status != StatusCode::ok) return false;
    if (!ends_together(trip)) return true;
    answer(i, trip, status, cost);
    return false;
}

// Devices search from cluster to cluster, or from polygon to polygon.
bool HostShare::ends_together(const MeshTrip& trip) const noexcept {
    const navmesh::Polygon start = trip.start.polygon;
    const navmesh::Polygon goal = trip.goal.polygon;
    if (engine_ == DeviceEngine::polygon_astar) return start == goal;
    const hna::Partition& partition = index_->snapshot().partition();
    return partition.cluster(1, start) == partition.cluster(1, goal);
}

void HostShare::ask(Worker& worker, const MeshTrip& trip) const {
    hna::Answer& answer = worker.answer;
    if (engine_ == DeviceEngine::polygon_astar) {
        const navmesh::Mesh& mesh = index_->mesh();
        answer.status = worker.astar.find_path(mesh, trip.start, trip.goal, worker.path);
        answer.cost = worker.path.cost;
        answer.polygons.clear();
        if (answer.status == StatusCode::ok && query_.detail == hna::Detail::corridor)
            navmesh::polygons(mesh, trip.start.polygon, worker.path.links, answer.polygons);
        return;
    }
    hna::Query query = query_;
    query.start = trip.start;
    query.goal = trip.goal;
    worker.searcher.find(*index_, query, answer);
}

void HostShare::answer(std::uint32_t i, const MeshTrip& trip, StatusCode& status, Cost& cost) {
    Worker& worker = workers_.local();
    ask(worker, trip);
    const std::vector<navmesh::Polygon>& found = worker.answer.polygons;
    status = worker.answer.status;
    cost = worker.answer.cost;
    lengths_[i] = static_cast<std::uint32_t>(found.size());
    ++worker.answered;
    if (found.empty()) return;
    worker.corridors.push_back({i, lengths_[i], worker.polygons.size()});
    worker.polygons.insert(worker.polygons.end(), found.begin(), found.end());
}

std::size_t HostShare::answered() const {
    std::size_t count = 0;
    for (const Worker& worker : workers_) count += worker.answered;
    return count;
}

void HostShare::write(std::span<const std::uint64_t> first, navmesh::Polygon* items) const {
    for (const Worker& worker : workers_) {
        for (const Corridor& corridor : worker.corridors)
            std::copy_n(worker.polygons.data() + corridor.first, corridor.length,
                        items + first[corridor.trip]);
    }
}

}  // namespace cairn::batch
