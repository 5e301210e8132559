#pragma once
// The calls of dtNavMeshQuery that plan a path, answered by an HNA* index. Arguments and results
// are the same, so that a game only replaces the object it calls. docs/detour.md lists the
// differences.
//
//   PathIndex index = *PathIndex::build(*nav_mesh, filter);  // once; shared by all threads
//   PathQuery query(index, *nav_mesh);                       // one a thread
//   query.findNearestPoly(start_pos, half_extents, &filter, &start, nearest);
//   query.findPath(start, end, start_pos, end_pos, &filter, path, &count, max_path);
//   query.findStraightPath(start_pos, end_pos, path, count, points, flags, refs, &points_count,
//   256);
//
// The sliced form, initSlicedFindPath to finalizeSlicedFindPathPartial, is there, too. All other
// functions (raycast, moveAlongSurface, ...) stay with dtNavMeshQuery, dtPathCorridor and dtCrowd,
// which accept the polygons found here: they walk over the dtNavMesh itself.
//
// Guarantees. A path of any length is found exactly if one exists. It has least cost by the mesh's
// scoring, which unless changed is Detour's rule (midpoints of portals, area costs of the filter),
// rounded up to the mesh's units. No path is cut short because search nodes run out.

#include <DetourNavMesh.h>
#include <DetourNavMeshQuery.h>
#include <DetourStatus.h>

#include <cstddef>
#include <memory>
#include <span>

#include "cairn/detour/path_index.hpp"
#include "cairn/hna/query.hpp"
#include "cairn/mesh/funnel.hpp"
#include "cairn/status.hpp"

namespace cairn::detour {

/// Answers queries on a PathIndex and holds their working memory: use one object per thread. Once
/// warmed up on the longest path, queries allocate nothing.
class PathQuery {
public:
    explicit PathQuery(PathIndex index) noexcept;
    /// With the dtNavMesh, which must outlive the query: findNearestPoly needs it.
    PathQuery(PathIndex index, const dtNavMesh& nav_mesh) noexcept;
    ~PathQuery();
    PathQuery(PathQuery&&) noexcept;
    PathQuery& operator=(PathQuery&&) noexcept;
    PathQuery(const PathQuery&) = delete;
    PathQuery& operator=(const PathQuery&) = delete;

    [[nodiscard]] const PathIndex& index() const noexcept;
    /// Uses another index from now on, for instance an updated one; memory is kept. O(1).
    void set_index(PathIndex index) noexcept;
    /// Whether paths are moved to where their strings are shorter, as hna::Query::shorten says.
    /// They then cost more than the cheapest by Detour's rule; findStraightPath makes shorter lines
    /// of them. false at first. Holds for paths found or begun afterwards. O(1).
    void set_shorten(bool shorten) noexcept;

    /// Writes the polygons of a path from startPos (in startRef) to endPos (in endRef), both
    /// polygons included, to `path`, and their number, at most maxPath, to `pathCount`. Returns
    /// - DT_SUCCESS: the path is complete;
    /// - DT_SUCCESS | DT_PARTIAL_RESULT: no path leads to endPos. The one in `path` leads to the
    ///   polygon of the reachable point nearest to endPos, at any distance (Detour's leads to the
    ///   polygon nearest to endPos that its search entered);
    /// - either with DT_BUFFER_TOO_SMALL: `path` holds only the first maxPath polygons;
    /// - DT_FAILURE | DT_INVALID_PARAM: a polygon does not exist, or its tile was replaced (the
    ///   salt of the reference differs); a point is null or not finite; `path` or `pathCount` is
    ///   null; maxPath is below 1; or the filter is neither null nor equal to the index's by
    ///   same_filter, which one that overrides virtual functions never is. `pathCount`, if given,
    ///   is then 0;
    /// - DT_FAILURE | DT_OUT_OF_MEMORY;
    /// - DT_FAILURE: the index comes from a forged file.
    /// As with Detour, a path may leave a start polygon that the filter excludes; an end polygon
    /// that the filter excludes is reached only from itself. A polygon may occur twice in a path
    /// where leaving it and coming back is cheaper than crossing it.
    dtStatus findPath(dtPolyRef startRef, dtPolyRef endRef, const float* startPos,
                      const float* endPos, const dtQueryFilter* filter, dtPolyRef* path,
                      int* pathCount, int maxPath) noexcept;

    /// dtNavMeshQuery::findNearestPoly on the dtNavMesh of the constructor: its result, exactly.
    /// Any filter may be given; null is the index's. DT_FAILURE without a dtNavMesh. Reads the
    /// dtNavMesh, which must not change meanwhile. PathIndex::nearest needs no dtNavMesh and no
    /// box.
    dtStatus findNearestPoly(const float* center, const float* halfExtents,
                             const dtQueryFilter* filter, dtPolyRef* nearestRef,
                             float* nearestPt) noexcept;

    /// Pulls a string tight in a corridor, from a path or a dtPathCorridor. Start and end are moved
    /// into the first and the last polygon, seen from above. The string is the shortest line, seen
    /// from above, that crosses the corridor's portals. Its points, their DT_STRAIGHTPATH flags and
    /// the polygons entered at them are written, at most maxStraightPath each; flags and polygons
    /// only to arrays that are not null. `options`: DT_STRAIGHTPATH_AREA_CROSSINGS and
    /// DT_STRAIGHTPATH_ALL_CROSSINGS add the portals where the area changes, or all. Returns
    /// - DT_SUCCESS;
    /// - DT_SUCCESS | DT_PARTIAL_RESULT: a polygon of the corridor is not linked to the next one;
    ///   the string ends in that polygon, at the point nearest to endPos;
    /// - either with DT_BUFFER_TOO_SMALL: the arrays are full;
    /// - DT_FAILURE | DT_INVALID_PARAM: the first or the last polygon does not exist, a point is
    ///   null or not finite, `path`, `straightPath` or `straightPathCount` is null, or a size is
    ///   below 1. `straightPathCount`, if given, is then 0;
    /// - DT_FAILURE | DT_OUT_OF_MEMORY.
    /// Excluded polygons are crossed like others, as in Detour. A path in slices is not disturbed.
    /// O(links of the polygons).
    dtStatus findStraightPath(const float* startPos, const float* endPos, const dtPolyRef* path,
                              int pathSize, float* straightPath, unsigned char* straightPathFlags,
                              dtPolyRef* straightPathRefs, int* straightPathCount,
                              int maxStraightPath, int options = 0) noexcept;

    /// Whether findPath may lead through a polygon: it exists in the index, and the filter, which
    /// must be null or the index's, passes it. PathIndex::walkable checks a corridor. O(1).
    [[nodiscard]] bool isValidPolyRef(dtPolyRef ref, const dtQueryFilter* filter) const noexcept;

    /// Begins a path in slices; only one at a time, which findPath and find abandon. It stays on
    /// the index of this moment, whatever set_index does. `options` is not used: Detour's
    /// DT_FINDPATH_ANY_ANGLE makes its corridors shorter, but not those of least cost. Returns
    /// DT_IN_PROGRESS; DT_SUCCESS if the path is known already, as with labels or their closure; or
    /// a failure of findPath.
    dtStatus initSlicedFindPath(dtPolyRef startRef, dtPolyRef endRef, const float* startPos,
                                const float* endPos, const dtQueryFilter* filter,
                                unsigned int options = 0) noexcept;
    /// Expands up to maxIter more nodes; `doneIters`, if given, becomes their number. Returns
    /// DT_IN_PROGRESS while the path is not known, then DT_SUCCESS, and DT_FAILURE if none was
    /// begun or it has failed (with DT_OUT_OF_MEMORY if memory ran out).
    dtStatus updateSlicedFindPath(int maxIter, int* doneIters) noexcept;
    /// Ends the path, and writes and returns what findPath does. If the search is not finished, the
    /// path is as SearchLimits::partial_path says: to the end, perhaps not at least cost; or
    /// towards it, and then the status has DT_PARTIAL_RESULT. DT_FAILURE if none was begun or it
    /// has failed.
    dtStatus finalizeSlicedFindPath(dtPolyRef* path, int* pathCount, int maxPath) noexcept;
    /// The same, but the path ends at the last polygon of `existing`, a path that an agent has,
    /// that it comes to. If it comes to none of them, it is written whole, and the status has
    /// DT_PARTIAL_RESULT. O(existingSize * polygons of the path).
    dtStatus finalizeSlicedFindPathPartial(const dtPolyRef* existing, int existingSize,
                                           dtPolyRef* path, int* pathCount, int maxPath) noexcept;

    /// The same path, with its links, polygons and cost, and with the string pulled tight in it, as
    /// findStraightPath does. If answer.goal_moved is set, the path is partial, and answer.goal is
    /// its end. Returns answer.status: ok; start_outside, goal_outside (no such polygon, or a point
    /// that is not finite); out_of_memory; corrupt_file (the index comes from a forged file).
    StatusCode find(dtPolyRef start, dtPolyRef end, const mesh::Point& start_point,
                    const mesh::Point& end_point, hna::Answer& answer,
                    mesh::Crossings crossings = mesh::Crossings::corners) noexcept;

private:
    struct Run;
    struct Free {
        void operator()(dtNavMeshQuery* query) const noexcept { dtFreeNavMeshQuery(query); }
    };
    /// Allocates the working memory.
    void make_run();
    /// The working memory for another search, which abandons a path in slices.
    [[nodiscard]] Run& run();
    [[nodiscard]] bool other_filter(const dtQueryFilter* filter) const noexcept;
    [[nodiscard]] bool refuses(const float* startPos, const float* endPos,
                               const dtQueryFilter* filter) const noexcept;
    /// Detour's status for a path that was not found.
    dtStatus failure(StatusCode status) noexcept;
    /// Writes the first `count` polygons of the path found, or as many as there is room for.
    dtStatus write(std::size_t count, const PolyRefs& refs, dtPolyRef* path, int* pathCount,
                   int maxPath) const noexcept;
    /// Without `existing` the path is written whole.
    dtStatus finalize(std::span<const dtPolyRef> existing, dtPolyRef* path, int* pathCount,
                      int maxPath) noexcept;

    PathIndex index_;
    bool shorten_ = false;
    std::unique_ptr<Run> run_;
    const dtNavMesh* nav_mesh_ = nullptr;
    std::unique_ptr<dtNavMeshQuery, Free> detour_;  // of nav_mesh_, for findNearestPoly
};

}  // namespace cairn::detour
