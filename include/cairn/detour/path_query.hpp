#pragma once
// dtNavMeshQuery::findPath, answered by an HNA* index: it takes and returns the same, so that a
// game only swaps the object it calls. docs/detour.md names the differences.
//
//   PathIndex index = *PathIndex::build(*nav_mesh, filter);  // once; shared by all threads
//   PathQuery query(index);                                  // one a thread
//   query.findPath(start, end, start_pos, end_pos, &filter, path, &count, max_path);
//
// Everything but findPath stays with dtNavMeshQuery, dtPathCorridor and dtCrowd, which take the
// polygons found here as their own.
//
// Guarantees. A path is found exactly where one exists, however long; it is one of least cost by
// Detour's rule (midpoints of portals, area costs of the filter), rounded up to the mesh's units;
// no answer is cut short for want of search nodes.

#include <DetourNavMesh.h>
#include <DetourNavMeshQuery.h>
#include <DetourStatus.h>

#include <memory>

#include "cairn/detour/path_index.hpp"
#include "cairn/hna/query.hpp"
#include "cairn/mesh/funnel.hpp"
#include "cairn/status.hpp"

namespace cairn::detour {

/// Answers queries on a PathIndex, and holds the working memory for it: keep one per thread. Once
/// warmed up on the longest path, queries allocate nothing.
class PathQuery {
public:
    explicit PathQuery(PathIndex index);
    ~PathQuery();
    PathQuery(PathQuery&&) noexcept;
    PathQuery& operator=(PathQuery&&) noexcept;
    PathQuery(const PathQuery&) = delete;
    PathQuery& operator=(const PathQuery&) = delete;

    [[nodiscard]] const PathIndex& index() const noexcept;
    /// Another index from now on, such as one `updated`; memory is kept. O(1).
    void set_index(PathIndex index) noexcept;

    /// The polygons of a path from startPos, in startRef, to endPos, in endRef, both included, into
    /// `path`; their number, at most maxPath, into `pathCount`. Returns
    /// - DT_SUCCESS: the path is complete;
    /// - with DT_PARTIAL_RESULT: there is none; this one leads to the polygon of the nearest point
    ///   to endPos that can be reached, however far that is (Detour goes to the polygon that it
    ///   entered nearest to endPos);
    /// - with DT_BUFFER_TOO_SMALL: `path` holds the first maxPath polygons;
    /// - DT_FAILURE | DT_INVALID_PARAM: a polygon that does not exist, or no more (salt); a point
    ///   that is missing or not finite; no `path` or `pathCount`; maxPath below 1; or a filter that
    ///   is neither null nor the same_filter as the index's. `pathCount` is then 0 if it is there.
    /// As with Detour, a start that the filter excludes may be left, and an end that it excludes is
    /// reached only from itself. One polygon may stand in a path twice where it is cheaper to leave
    /// it and come back than to cross it.
    dtStatus findPath(dtPolyRef startRef, dtPolyRef endRef, const float* startPos,
                      const float* endPos, const dtQueryFilter* filter, dtPolyRef* path,
                      int* pathCount, int maxPath);

    /// All about that path: links, polygons, cost, and the string pulled tight in it, which
    /// findStraightPath would give. answer.goal_moved says that it is partial; then answer.goal is
    /// where it leads. Returns answer.status: ok; start_outside, goal_outside (no such polygon, or
    /// a point that is not finite); corrupt_file as hna::Searcher.
    StatusCode find(dtPolyRef start, dtPolyRef end, const mesh::Point& start_point,
                    const mesh::Point& end_point, hna::Answer& answer,
                    mesh::Crossings crossings = mesh::Crossings::corners);

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace cairn::detour
