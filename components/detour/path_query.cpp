#include "cairn/detour/path_query.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <new>
#include <optional>
#include <span>
#include <utility>

#include "cairn/hna/hna.hpp"
#include "core/guarded.hpp"
#include "detour/detour_mesh.hpp"
#include "detour/straight_path.hpp"
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
    bool prepare(const Place& start, const Place& goal, hna::Answer& answer);
    StatusCode conclude(const Place& start, const Place& goal, hna::Answer& answer);
    StatusCode leave(const Place& start, const Place& goal, hna::Answer& answer);
    bool search_over(Link link, const Place& start, const Place& goal, hna::Answer& answer);

    StatusCode begin_slices(const PathIndex& on, const Place& start, const Place& goal);
    StatusCode advance_slices(std::uint64_t nodes, std::uint64_t& done);
    StatusCode end_slices();

    const hna::Index* index = nullptr;  // set by PathQuery::run
    hna::Searcher searcher;
    mesh::Funnel funnel;
    bool shorten = false;   // PathQuery::set_shorten
    hna::Query query;       // of prepare
    hna::Answer corridor;   // of findPath, also in slices
    hna::Answer candidate;  // of leave: a path over one link of the start polygon
    StraightPath straight;  // of findStraightPath

    /// A path in slices.
    enum class Slices : std::uint8_t { none, running, ended };
    Slices slices = Slices::none;
    std::optional<PathIndex> sliced_index;
    StatusCode sliced_status = StatusCode::ok;  // once it has ended
    std::uint64_t expanded = 0;                 // by the updates before
    CancelFlag stop;                            // ends the search for its partial path
};

// Sets `query`. False if the answer is final: it is refused, or leaves a blocked start.
bool PathQuery::Run::prepare(const Place& start, const Place& goal, hna::Answer& answer) {
    const mesh::Mesh& indexed = index->mesh();
    query = {};
    query.start = start;
    query.goal = goal;
    query.detail = hna::Detail::corridor;
    query.nearest_reachable = true;
    query.shorten = shorten;
    hna::reset(answer, query, *index);
    if (!mesh::inside(indexed, start)) {
        answer.status = StatusCode::start_outside;
    } else if (!mesh::inside(indexed, goal)) {
        answer.status = StatusCode::goal_outside;
    } else if (indexed.blocked(start.polygon)) {
        leave(start, goal, answer);
    } else {
        return true;
    }
    return false;
}

StatusCode PathQuery::Run::find_corridor(const Place& start, const Place& goal,
                                         hna::Answer& answer) {
    if (!prepare(start, goal, answer)) return answer.status;
    searcher.find(*index, query, answer);
    return conclude(start, goal, answer);
}

// Makes the answer of a search one to findPath, where each start has a path.
StatusCode PathQuery::Run::conclude(const Place& start, const Place& goal, hna::Answer& answer) {
    if (answer.status == StatusCode::out_of_memory) throw std::bad_alloc();
    if (answer.status == StatusCode::ok || answer.status == StatusCode::corrupt_file)
        return answer.status;
    if (answer.status == StatusCode::cancelled) {
        answer.goal_moved = answer.polygons.back() != goal.polygon;
        return answer.status = StatusCode::ok;
    }
    // The start is on a connection that leads nowhere.
    stay(mesh(), start, goal, answer);
    return answer.status;
}

StatusCode PathQuery::Run::begin_slices(const PathIndex& on, const Place& start,
                                        const Place& goal) {
    slices = Slices::none;
    sliced_index = on;
    index = &sliced_index->index();
    stop.reset();
    expanded = 0;
    if (prepare(start, goal, corridor)) {
        query.limits.cancel = &stop;
        query.limits.partial_path = true;
        const StatusCode begun = searcher.begin(*index, query, corridor);
        slices = Slices::running;
        if (begun == StatusCode::ok && searcher.advance(0)) return StatusCode::ok;
        conclude(start, goal, corridor);
    }
    sliced_status = corridor.status;
    slices = Slices::ended;
    return sliced_status;
}

StatusCode PathQuery::Run::advance_slices(std::uint64_t nodes, std::uint64_t& done) {
    index = &sliced_index->index();
    if (searcher.advance(nodes)) {
        done = nodes;
        expanded += nodes;
        return StatusCode::ok;
    }
    done = corridor.statistics.search.expanded - expanded;
    slices = Slices::ended;
    return sliced_status = conclude(query.start, query.goal, corridor);
}

// Ends the search if it still runs, with the path as far as it is known.
StatusCode PathQuery::Run::end_slices() {
    std::uint64_t none = 0;
    stop.cancel();
    if (slices == Slices::running) advance_slices(0, none);
    slices = Slices::none;
    return sliced_status;
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
PathQuery::PathQuery(PathIndex index, const dtNavMesh& nav_mesh) noexcept
    : index_(std::move(index)), nav_mesh_(&nav_mesh) {}
PathQuery::~PathQuery() = default;
PathQuery::PathQuery(PathQuery&&) noexcept = default;
PathQuery& PathQuery::operator=(PathQuery&&) noexcept = default;

const PathIndex& PathQuery::index() const noexcept { return index_; }
void PathQuery::set_index(PathIndex index) noexcept { index_ = std::move(index); }
void PathQuery::set_shorten(bool shorten) noexcept { shorten_ = shorten; }

void PathQuery::make_run() {
    if (run_ == nullptr) run_ = std::make_unique<Run>();
}

PathQuery::Run& PathQuery::run() {
    make_run();
    run_->index = &index_.index();
    run_->shorten = shorten_;
    run_->slices = Run::Slices::none;
    return *run_;
}

bool PathQuery::other_filter(const dtQueryFilter* filter) const noexcept {
    return filter != nullptr && !same_filter(*filter, index_.filter());
}

bool PathQuery::refuses(const float* startPos, const float* endPos,
                        const dtQueryFilter* filter) const noexcept {
    return !finite(startPos) || !finite(endPos) || other_filter(filter);
}

dtStatus PathQuery::failure(StatusCode status) noexcept {
    if (status == StatusCode::start_outside || status == StatusCode::goal_outside)
        return DT_FAILURE | DT_INVALID_PARAM;
    if (status != StatusCode::out_of_memory) return DT_FAILURE;
    run_.reset();
    return DT_FAILURE | DT_OUT_OF_MEMORY;
}

dtStatus PathQuery::write(std::size_t count, const PolyRefs& refs, dtPolyRef* path, int* pathCount,
                          int maxPath) const noexcept {
    const std::size_t written = std::min(count, static_cast<std::size_t>(maxPath));
    for (std::size_t i = 0; i < written; ++i) path[i] = refs.ref(run_->corridor.polygons[i]);
    *pathCount = static_cast<int>(written);
    return DT_SUCCESS | (written < count ? DT_BUFFER_TOO_SMALL : 0);
}

dtStatus PathQuery::findPath(dtPolyRef startRef, dtPolyRef endRef, const float* startPos,
                             const float* endPos, const dtQueryFilter* filter, dtPolyRef* path,
                             int* pathCount, int maxPath) noexcept {
    if (pathCount == nullptr) return DT_FAILURE | DT_INVALID_PARAM;
    *pathCount = 0;
    if (path == nullptr || maxPath < 1 || refuses(startPos, endPos, filter))
        return DT_FAILURE | DT_INVALID_PARAM;
    const PolyRefs& refs = index_.refs();
    const StatusCode status = guarded([&] {
        return run().find_corridor({refs.polygon(startRef), point_at(startPos)},
                                   {refs.polygon(endRef), point_at(endPos)}, run_->corridor);
    });
    if (status != StatusCode::ok) return failure(status);
    const hna::Answer& found = run_->corridor;
    return write(found.polygons.size(), refs, path, pathCount, maxPath) |
           (found.goal_moved ? DT_PARTIAL_RESULT : 0);
}

dtStatus PathQuery::findNearestPoly(const float* center, const float* halfExtents,
                                    const dtQueryFilter* filter, dtPolyRef* nearestRef,
                                    float* nearestPt) noexcept {
    if (nav_mesh_ == nullptr) return DT_FAILURE;
    if (detour_ == nullptr) {
        constexpr int kNodes = 4;  // findNearestPoly uses none
        detour_.reset(dtAllocNavMeshQuery());
        if (detour_ == nullptr || dtStatusFailed(detour_->init(nav_mesh_, kNodes))) {
            detour_.reset();
            return DT_FAILURE | DT_OUT_OF_MEMORY;
        }
    }
    return detour_->findNearestPoly(
        center, halfExtents, filter == nullptr ? &index_.filter() : filter, nearestRef, nearestPt);
}

dtStatus PathQuery::findStraightPath(const float* startPos, const float* endPos,
                                     const dtPolyRef* path, int pathSize, float* straightPath,
                                     unsigned char* straightPathFlags, dtPolyRef* straightPathRefs,
                                     int* straightPathCount, int maxStraightPath,
                                     int options) noexcept {
    if (straightPathCount == nullptr) return DT_FAILURE | DT_INVALID_PARAM;
    *straightPathCount = 0;
    if (!finite(startPos) || !finite(endPos) || path == nullptr || pathSize < 1 ||
        straightPath == nullptr || maxStraightPath < 1)
        return DT_FAILURE | DT_INVALID_PARAM;
    mesh::Crossings crossings = mesh::Crossings::corners;
    if ((options & DT_STRAIGHTPATH_ALL_CROSSINGS) != 0) crossings = mesh::Crossings::all;
    if ((options & DT_STRAIGHTPATH_AREA_CROSSINGS) != 0) crossings = mesh::Crossings::areas;
    StraightPathRoom out{straightPath, straightPathFlags, straightPathRefs, maxStraightPath};
    dtStatus result = 0;
    const StatusCode status = guarded([&] {
        make_run();
        result = run_->straight.pull(index_.index().mesh(), index_.refs(), point_at(startPos),
                                     point_at(endPos), {path, static_cast<std::size_t>(pathSize)},
                                     crossings, run_->funnel, out);
        return StatusCode::ok;
    });
    if (status != StatusCode::ok) return failure(status);
    *straightPathCount = out.count;
    return result;
}

bool PathQuery::isValidPolyRef(dtPolyRef ref, const dtQueryFilter* filter) const noexcept {
    return !other_filter(filter) && index_.walkable(ref);
}

dtStatus PathQuery::initSlicedFindPath(dtPolyRef startRef, dtPolyRef endRef, const float* startPos,
                                       const float* endPos, const dtQueryFilter* filter,
                                       unsigned int /*options*/) noexcept {
    if (run_ != nullptr) run_->slices = Run::Slices::none;
    if (refuses(startPos, endPos, filter)) return DT_FAILURE | DT_INVALID_PARAM;
    const PolyRefs& refs = index_.refs();
    const StatusCode status = guarded([&] {
        return run().begin_slices(index_, {refs.polygon(startRef), point_at(startPos)},
                                  {refs.polygon(endRef), point_at(endPos)});
    });
    if (status == StatusCode::ok)
        return run_->slices == Run::Slices::running ? DT_IN_PROGRESS : DT_SUCCESS;
    if (run_ != nullptr) run_->slices = Run::Slices::none;
    return failure(status);
}

dtStatus PathQuery::updateSlicedFindPath(int maxIter, int* doneIters) noexcept {
    if (doneIters != nullptr) *doneIters = 0;
    if (run_ == nullptr || run_->slices == Run::Slices::none) return DT_FAILURE;
    StatusCode status = run_->sliced_status;
    std::uint64_t done = 0;
    if (run_->slices == Run::Slices::running) {
        const auto nodes = static_cast<std::uint64_t>(std::max(maxIter, 0));
        status = guarded([&] { return run_->advance_slices(nodes, done); });
    }
    if (status != StatusCode::ok) return failure(status);
    if (doneIters != nullptr) *doneIters = static_cast<int>(done);
    return run_->slices == Run::Slices::running ? DT_IN_PROGRESS : DT_SUCCESS;
}

dtStatus PathQuery::finalizeSlicedFindPath(dtPolyRef* path, int* pathCount, int maxPath) noexcept {
    return finalize({}, path, pathCount, maxPath);
}

dtStatus PathQuery::finalizeSlicedFindPathPartial(const dtPolyRef* existing, int existingSize,
                                                  dtPolyRef* path, int* pathCount,
                                                  int maxPath) noexcept {
    if (existing == nullptr || existingSize < 1) {
        if (pathCount != nullptr) *pathCount = 0;
        return DT_FAILURE | DT_INVALID_PARAM;
    }
    return finalize({existing, static_cast<std::size_t>(existingSize)}, path, pathCount, maxPath);
}

dtStatus PathQuery::finalize(std::span<const dtPolyRef> existing, dtPolyRef* path, int* pathCount,
                             int maxPath) noexcept {
    if (pathCount == nullptr) return DT_FAILURE | DT_INVALID_PARAM;
    *pathCount = 0;
    if (path == nullptr || maxPath < 1) return DT_FAILURE | DT_INVALID_PARAM;
    if (run_ == nullptr || run_->slices == Run::Slices::none) return DT_FAILURE;
    const StatusCode status = guarded([&] { return run_->end_slices(); });
    if (status != StatusCode::ok) return failure(status);
    const PolyRefs& refs = run_->sliced_index->refs();
    const auto& polygons = run_->corridor.polygons;
    std::size_t count = 0;  // of the polygons up to the last one of `existing`
    for (std::size_t i = existing.size(); i > 0 && count == 0; --i) {
        const auto at =
            std::find(polygons.rbegin(), polygons.rend(), refs.polygon(existing[i - 1]));
        count = static_cast<std::size_t>(polygons.rend() - at);
    }
    const bool partial = existing.empty() ? run_->corridor.goal_moved : count == 0;
    if (count == 0) count = polygons.size();
    return write(count, refs, path, pathCount, maxPath) | (partial ? DT_PARTIAL_RESULT : 0);
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
