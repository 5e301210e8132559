#include "cairn/detour/path_query.hpp"

#include <algorithm>
#include <cmath>
#include <new>
#include <utility>

#include "cairn/hna/hna.hpp"
#include "core/guarded.hpp"
#include "detour/detour_mesh.hpp"
#include "hna/query_run.hpp"
#include "mesh/endpoints.hpp"

namespace cairn::detour {

using mesh::Link;
using mesh::MeshData;
using mesh::Place;
using mesh::Point;
using mesh::Polygon;

namespace {

bool finite(const float* point) noexcept {
    return point != nullptr && std::isfinite(point[0]) && std::isfinite(point[1]) &&
           std::isfinite(point[2]);
}

/// Answers with a path inside the start polygon: to the goal if it is there. Otherwise the path
/// stays at the start, and the goal counts as moved.
void stay(const MeshData& mesh, const Place& start, const Place& goal, hna::Answer& answer) {
    answer.status = StatusCode::ok;
    answer.start = start;
    answer.goal_moved = start.polygon != goal.polygon;
    answer.goal = answer.goal_moved ? start : goal;
    answer.cost = mesh.direct_cost(start.polygon, mesh.anchor(start.polygon, start.point),
                                   mesh.anchor(start.polygon, answer.goal.point));
    answer.polygons.assign(1, start.polygon);
}

/// Whether `a` ends nearer to the goal than `b`, or equally near at a lower cost.
bool better(const hna::Answer& a, const hna::Answer& b, const Point& goal) noexcept {
    const auto miss = [&](const hna::Answer& answer) {
        return answer.goal_moved ? mesh::distance(answer.goal.point, goal) : -1.0;
    };
    return std::pair(miss(a), a.cost) < std::pair(miss(b), b.cost);
}

}  // namespace

struct PathQuery::Run {
    [[nodiscard]] const MeshData& mesh() const noexcept { return index->mesh().data(); }

    StatusCode find_corridor(const Place& start, const Place& goal, hna::Answer& answer);
    StatusCode leave(const Place& start, const Place& goal, hna::Answer& answer);
    bool search_over(Link link, const Place& start, const Place& goal, hna::Answer& answer);

    const hna::Index* index = nullptr;  // set by PathQuery::run
    hna::Searcher searcher;
    mesh::Funnel funnel;
    hna::Answer corridor;   // of findPath
    hna::Answer candidate;  // of leave: a path over one link of the start polygon
};

StatusCode PathQuery::Run::find_corridor(const Place& start, const Place& goal,
                                         hna::Answer& answer) {
    const mesh::Mesh& indexed = index->mesh();
    hna::Query query;
    query.start = start;
    query.goal = goal;
    query.detail = hna::Detail::corridor;
    query.nearest_reachable = true;
    hna::reset(answer, query, *index);
    if (!mesh::inside(indexed, start)) return answer.status = StatusCode::start_outside;
    if (!mesh::inside(indexed, goal)) return answer.status = StatusCode::goal_outside;
    if (indexed.blocked(start.polygon)) return leave(start, goal, answer);
    searcher.find(*index, query, answer);
    if (answer.status == StatusCode::out_of_memory) throw std::bad_alloc();
    if (answer.status == StatusCode::ok || answer.status == StatusCode::corrupt_file)
        return answer.status;
    // The start is on a connection that leads nowhere.
    stay(mesh(), start, goal, answer);
    return answer.status;
}

// The best path out of a blocked start polygon: Detour applies the filter to all polygons but it.
StatusCode PathQuery::Run::leave(const Place& start, const Place& goal, hna::Answer& answer) {
    stay(mesh(), start, goal, answer);
    if (!answer.goal_moved) return answer.status;
    bool found = false;
    for (const Link link : mesh().links(start.polygon)) {
        if (!search_over(link, start, goal, candidate)) continue;
        if (!found || better(candidate, answer, goal.point)) std::swap(candidate, answer);
        found = true;
    }
    return answer.status;
}

/// Finds a path whose first step leaves a blocked start polygon over `link`; false if none does.
bool PathQuery::Run::search_over(Link link, const Place& start, const Place& goal,
                                 hna::Answer& answer) {
    const Link entered = mesh::twin(link);
    const Polygon next = mesh().polygon_of(entered);
    if (mesh().topology->passable[link] == 0 || index->mesh().blocked(next)) return false;
    const Place place{next, mesh().midpoint(link)};
    if (find_corridor(place, goal, answer) != StatusCode::ok) return false;
    // The path found begins at the link's midpoint, or by polygon centres half a line beyond it.
    if (mesh().options.scoring == mesh::Scoring::polygon_centres) {
        answer.cost +=
            mesh().end_cost(next, mesh().anchor(next, place.point), mesh().place(entered));
    } else {
        answer.cost = std::max<Cost>(1, answer.cost);
    }
    answer.cost += mesh().end_cost(start.polygon, mesh().anchor(start.polygon, start.point),
                                   mesh().place(link));
    answer.start = start;
    answer.links.insert(answer.links.begin(), link);
    answer.polygons.insert(answer.polygons.begin(), start.polygon);
    return true;
}

PathQuery::PathQuery(PathIndex index) noexcept : index_(std::move(index)) {}
PathQuery::~PathQuery() = default;
PathQuery::PathQuery(PathQuery&&) noexcept = default;
PathQuery& PathQuery::operator=(PathQuery&&) noexcept = default;

const PathIndex& PathQuery::index() const noexcept { return index_; }
void PathQuery::set_index(PathIndex index) noexcept { index_ = std::move(index); }

PathQuery::Run& PathQuery::run() {
    if (run_ == nullptr) run_ = std::make_unique<Run>();
    run_->index = &index_.index();
    return *run_;
}

dtStatus PathQuery::findPath(dtPolyRef startRef, dtPolyRef endRef, const float* startPos,
                             const float* endPos, const dtQueryFilter* filter, dtPolyRef* path,
                             int* pathCount, int maxPath) noexcept {
    if (pathCount == nullptr) return DT_FAILURE | DT_INVALID_PARAM;
    *pathCount = 0;
    const PolyRefs& refs = index_.refs();
    const bool other_filter = filter != nullptr && !same_filter(*filter, index_.filter());
    if (!finite(startPos) || !finite(endPos) || path == nullptr || maxPath < 1 || other_filter)
        return DT_FAILURE | DT_INVALID_PARAM;
    const StatusCode status = guarded([&] {
        return run().find_corridor({refs.polygon(startRef), point_at(startPos)},
                                   {refs.polygon(endRef), point_at(endPos)}, run_->corridor);
    });
    if (status == StatusCode::start_outside || status == StatusCode::goal_outside)
        return DT_FAILURE | DT_INVALID_PARAM;
    if (status == StatusCode::out_of_memory) {
        run_.reset();
        return DT_FAILURE | DT_OUT_OF_MEMORY;
    }
    if (status != StatusCode::ok) return DT_FAILURE;
    const hna::Answer& found = run_->corridor;
    const std::size_t count = std::min(found.polygons.size(), static_cast<std::size_t>(maxPath));
    for (std::size_t i = 0; i < count; ++i) path[i] = refs.ref(found.polygons[i]);
    *pathCount = static_cast<int>(count);
    return DT_SUCCESS | (found.goal_moved ? DT_PARTIAL_RESULT : 0) |
           (count < found.polygons.size() ? DT_BUFFER_TOO_SMALL : 0);
}

StatusCode PathQuery::find(dtPolyRef start, dtPolyRef end, const Point& start_point,
                           const Point& end_point, hna::Answer& answer,
                           mesh::Crossings crossings) noexcept {
    const PolyRefs& refs = index_.refs();
    const StatusCode status = guarded([&] {
        run().find_corridor({refs.polygon(start), start_point}, {refs.polygon(end), end_point},
                            answer);
        if (answer.status != StatusCode::ok) return answer.status;
        run_->funnel.pull(index_.index().mesh(), answer.start.point, answer.goal.point,
                          answer.links, answer.waypoints, crossings);
        answer.length = mesh::length(answer.waypoints);
        return answer.status;
    });
    if (status == StatusCode::out_of_memory) run_.reset();
    return answer.status = status;
}

}  // namespace cairn::detour
