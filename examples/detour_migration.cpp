// A game that plans with Detour, and the same game with Cairn: docs/detour-migration.md shows both,
// block by block. Both walk over the same house and must arrive.

#include <DetourCrowd.h>
#include <DetourNavMesh.h>
#include <DetourNavMeshQuery.h>

#include <cstdio>
#include <cstdlib>

#include "cairn/detour/crowd_paths.hpp"
#include "cairn/detour/path_query.hpp"
#include "cairn/detour/recast_builder.hpp"
#include "cairn/hna/discs.hpp"

namespace {

constexpr int kMax = 256;

void check(bool good, const char* what) {
    if (good) return;
    std::puts(what);
    std::exit(1);
}

/// A floor of 40 x 40 with a wall across it, open at one end.
cairn::detour::NavMesh house() {
    cairn::detour::Triangles triangles;
    triangles.vertices = {{0, 0, 0},  {0, 0, 18},  {40, 0, 18}, {40, 0, 0},  {0, 0, 22},
                          {0, 0, 40}, {40, 0, 40}, {40, 0, 22}, {34, 0, 18}, {34, 0, 22}};
    triangles.corners = {0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7, 8, 9, 7, 8, 7, 2};
    auto built = cairn::detour::build_navmesh(triangles, cairn::detour::RecastOptions::tiled());
    check(built.has_value(), "no mesh");
    return std::move(*built);
}

dtCrowdAgentParams walker() {
    dtCrowdAgentParams params{};
    params.radius = 0.3F;
    params.height = 2;
    params.maxAcceleration = 20;
    params.maxSpeed = 8;
    params.collisionQueryRange = 4;
    params.pathOptimizationRange = 10;
    params.updateFlags = DT_CROWD_ANTICIPATE_TURNS;
    return params;
}

bool near(const float* a, const float* b) {
    return (a[0] - b[0]) * (a[0] - b[0]) + (a[2] - b[2]) * (a[2] - b[2]) < 1;
}

const float half_extents[3] = {2, 4, 2};
const float start_pos[3] = {3, 0, 3};
const float end_pos[3] = {3, 0, 37};
const float dt = 0.05F;

void with_detour(dtNavMesh* nav_mesh) {
    dtQueryFilter filter;
    filter.setAreaCost(1, 3.0F);
    filter.setExcludeFlags(2);

    dtNavMeshQuery query;
    query.init(nav_mesh, 2048);

    dtPolyRef start = 0;
    dtPolyRef end = 0;
    float from[3];
    float to[3];
    query.findNearestPoly(start_pos, half_extents, &filter, &start, from);
    query.findNearestPoly(end_pos, half_extents, &filter, &end, to);

    dtPolyRef path[kMax];
    int count = 0;
    dtStatus status = query.findPath(start, end, from, to, &filter, path, &count, kMax);

    float points[3 * kMax];
    unsigned char flags[kMax];
    dtPolyRef refs[kMax];
    int corners = 0;
    query.findStraightPath(from, to, path, count, points, flags, refs, &corners, kMax);

    check(status == DT_SUCCESS && corners > 2, "Detour finds no path");

    query.initSlicedFindPath(start, end, from, to, &filter);
    while (dtStatusInProgress(query.updateSlicedFindPath(100, nullptr))) {
    }
    status = query.finalizeSlicedFindPath(path, &count, kMax);

    check(status == DT_SUCCESS, "Detour finds no path in slices");

    bool intact = true;
    for (int i = 0; i < count; ++i) intact = intact && query.isValidPolyRef(path[i], &filter);

    check(intact, "Detour's path is not walkable");
}

void crowd_of_detour(dtNavMesh* nav_mesh, dtPolyRef end) {
    dtCrowd crowd;
    crowd.init(16, 0.6F, nav_mesh);
    const dtCrowdAgentParams params = walker();

    const int agent = crowd.addAgent(start_pos, &params);
    crowd.requestMoveTarget(agent, end, end_pos);
    for (int frame = 0; frame < 400; ++frame) crowd.update(dt, nullptr);

    check(near(crowd.getAgent(agent)->npos, end_pos), "Detour's agent does not arrive");
}

void crowd_of_cairn(dtNavMesh* nav_mesh, const cairn::detour::PathIndex& index, dtPolyRef end) {
    dtCrowd crowd;
    crowd.init(16, 0.6F, nav_mesh);
    const dtCrowdAgentParams params = walker();

    cairn::detour::CrowdPaths paths(index);
    const int agent = crowd.addAgent(start_pos, &params);
    crowd.requestMoveTarget(agent, end, end_pos);
    for (int frame = 0; frame < 400; ++frame) {
        paths.answer(crowd);
        crowd.update(dt, nullptr);
    }

    check(near(crowd.getAgent(agent)->npos, end_pos), "Cairn's agent does not arrive");
}

void with_cairn(dtNavMesh* nav_mesh) {
    dtQueryFilter filter;
    filter.setAreaCost(1, 3.0F);
    filter.setExcludeFlags(2);

    const auto index = cairn::detour::PathIndex::build(*nav_mesh, filter);
    if (!index) std::puts(index.error().message.c_str()), std::exit(1);
    cairn::detour::PathQuery query(*index, *nav_mesh);

    dtPolyRef start = 0;
    dtPolyRef end = 0;
    float from[3];
    float to[3];
    query.findNearestPoly(start_pos, half_extents, &filter, &start, from);
    query.findNearestPoly(end_pos, half_extents, &filter, &end, to);

    dtPolyRef path[kMax];
    int count = 0;
    dtStatus status = query.findPath(start, end, from, to, &filter, path, &count, kMax);

    float points[3 * kMax];
    unsigned char flags[kMax];
    dtPolyRef refs[kMax];
    int corners = 0;
    query.findStraightPath(from, to, path, count, points, flags, refs, &corners, kMax);

    check(status == DT_SUCCESS && corners > 2, "Cairn finds no path");

    query.initSlicedFindPath(start, end, from, to, &filter);
    while (dtStatusInProgress(query.updateSlicedFindPath(100, nullptr))) {
    }
    status = query.finalizeSlicedFindPath(path, &count, kMax);

    check(status == DT_SUCCESS, "Cairn finds no path in slices");

    const bool reachable = index->reachable(start, end);

    check(reachable, "Cairn cannot reach the end");

    dtNavMeshQuery detour;
    detour.init(nav_mesh, 64);
    dtRaycastHit hit{};
    detour.raycast(start, from, to, &filter, 0, &hit);

    check(hit.t < 1, "a ray passes the wall");

    dtQueryFilter swimmers;
    swimmers.setAreaCost(1, 0.5F);
    const auto swimming = index->with_filter(*nav_mesh, swimmers);
    check(swimming.has_value(), "no index for another filter");

    const auto converted = cairn::detour::convert(*nav_mesh, filter);
    const double radii[] = {0.25, 0.4};
    const auto discs = cairn::hna::DiscIndex::build(converted->mesh, radii);
    cairn::hna::DiscSearcher searcher;
    cairn::hna::DiscAnswer wide;
    searcher.find(*discs,
                  {.start = {converted->refs.polygon(start), {from[0], from[1], from[2]}},
                   .goal = {converted->refs.polygon(end), {to[0], to[1], to[2]}},
                   .radius = 0.25},
                  wide);
    check(wide.status == cairn::StatusCode::ok, "a wide agent finds no path");

    crowd_of_detour(nav_mesh, end);
    crowd_of_cairn(nav_mesh, cairn::detour::PathIndex::build(*nav_mesh, dtQueryFilter()).value(),
                   end);

    nav_mesh->setPolyFlags(path[count / 2], 2);
    const auto updated = index->updated(*nav_mesh);
    query.set_index(*updated);

    const int valid = static_cast<int>(updated->walkable({path, static_cast<std::size_t>(count)}));
    if (valid < count) status = query.findPath(start, end, from, to, &filter, path, &count, kMax);

    check(valid < count || dtStatusDetail(status, DT_PARTIAL_RESULT), "the path was not blocked");

    const auto labelled = updated->with_labels();
    query.set_index(*labelled);
}

}  // namespace

int main() {
    const cairn::detour::NavMesh nav_mesh = house();
    with_detour(nav_mesh.get());
    with_cairn(nav_mesh.get());
    std::puts("both arrive");
}
