#include "cairn/detour/crowd_paths.hpp"

#include <utility>

#include "detour/detour_mesh.hpp"
#include "mesh/nearest_polygon.hpp"

namespace cairn::detour {
namespace {

/// The point of a polygon's surface nearest to a point.
mesh::Point nearest_in(const mesh::Mesh& mesh, mesh::Polygon polygon, const mesh::Point& point) {
    if (mesh.is_connection(polygon)) return nearest_on_connection(mesh, polygon, point);
    return mesh::nearest_point(mesh.data(), polygon, point).place.point;
}

std::span<const dtPolyRef> path_of(const dtCrowdAgent& agent) noexcept {
    return {agent.corridor.getPath(), static_cast<std::size_t>(agent.corridor.getPathCount())};
}

}  // namespace

StatusCode CrowdPaths::set_index(PathIndex index, int filter) noexcept {
    if (filter < 0 || filter >= DT_CROWD_MAX_QUERY_FILTER_TYPE) return StatusCode::bad_option;
    ByFilter& by = filters_[static_cast<std::size_t>(filter)];
    if (by.query) {
        by.query->set_index(std::move(index));
    } else {
        by.query.emplace(std::move(index));
    }
    by.is_new = true;
    return StatusCode::ok;
}

PathQuery* CrowdPaths::query_of(const dtCrowdAgent& agent) noexcept {
    if (!agent.active || agent.state == DT_CROWDAGENT_STATE_INVALID) return nullptr;
    if (agent.params.queryFilterType >= filters_.size()) return nullptr;
    ByFilter& by = filters_[agent.params.queryFilterType];
    return by.is_crowds ? &*by.query : nullptr;
}

bool CrowdPaths::wants_path(const dtCrowdAgent& agent) const noexcept {
    // A corridor that was cut is extended while half of it is still to be walked.
    constexpr std::size_t kFew = 128;
    switch (agent.targetState) {
        case DT_CROWDAGENT_TARGET_REQUESTING:
        case DT_CROWDAGENT_TARGET_WAITING_FOR_QUEUE:
        case DT_CROWDAGENT_TARGET_WAITING_FOR_PATH:
            return true;
        case DT_CROWDAGENT_TARGET_VALID:
            break;
        default:
            return false;
    }
    const std::span<const dtPolyRef> path = path_of(agent);
    if (path.empty()) return false;
    const ByFilter& by = filters_[agent.params.queryFilterType];
    if (by.is_new && (agent.partial || by.query->index().walkable(path) < path.size())) return true;
    return !agent.partial && path.back() != agent.targetRef && path.size() < kFew;
}

bool CrowdPaths::plan(const dtCrowdAgent& agent, PathQuery& query, Corridor& corridor) noexcept {
    const PathIndex& index = query.index();
    const std::span<const dtPolyRef> old = path_of(agent);
    if (old.empty() || !index.walkable(old.front()) || !index.walkable(agent.targetRef))
        return false;
    int count = 0;
    const dtStatus status =
        query.findPath(old.front(), agent.targetRef, agent.corridor.getPos(), agent.targetPos,
                       nullptr, path_.data(), &count, static_cast<int>(path_.size()));
    if (dtStatusFailed(status)) return false;
    corridor.path = std::span<const dtPolyRef>(path_).first(static_cast<std::size_t>(count));
    // A path that was cut is not partial yet: `wants_path` lets it be extended.
    corridor.partial =
        dtStatusDetail(status, DT_PARTIAL_RESULT) && !dtStatusDetail(status, DT_BUFFER_TOO_SMALL);
    mesh::Point target = point_at(agent.targetPos);
    if (corridor.path.back() != agent.targetRef)
        target =
            nearest_in(index.index().mesh(), index.refs().polygon(corridor.path.back()), target);
    corridor.target = {target.x, target.y, target.z};
    return true;
}

}  // namespace cairn::detour
