// A game that plans with Detour switches to Cairn: the same call with the same arguments. All that
// Detour does with the path stays the same.

#include <array>
#include <cstdio>

#include "cairn/detour/path_query.hpp"
#include "cairn/detour/recast_builder.hpp"

using namespace cairn;

namespace {

/// Two halls of 20 x 20 and a passage between them, 4 wide.
detour::Triangles halls() {
    detour::Triangles triangles;
    const auto add_floor = [&](float x, float z, float width, float depth) {
        const auto first = static_cast<std::uint32_t>(triangles.vertices.size());
        triangles.vertices.insert(
            triangles.vertices.end(),
            {{x, 0, z}, {x, 0, z + depth}, {x + width, 0, z + depth}, {x + width, 0, z}});
        for (const std::uint32_t corner : {0U, 1U, 2U, 0U, 2U, 3U})
            triangles.corners.push_back(first + corner);
    };
    add_floor(0, 0, 20, 20);
    add_floor(20, 14, 30, 4);
    add_floor(50, 0, 20, 20);
    return triangles;
}

/// The game's own code. `planner` was a dtNavMeshQuery and is now a PathQuery; everything else
/// still uses the dtNavMeshQuery.
template <class Planner>
int walk(const char* name, Planner& planner, const dtNavMeshQuery& detour) {
    const dtQueryFilter filter;
    const std::array<float, 3> reach{2, 4, 2};
    std::array<float, 3> from{3, 0, 3};
    std::array<float, 3> to{66, 0, 3};
    dtPolyRef start = 0;
    dtPolyRef end = 0;
    detour.findNearestPoly(from.data(), reach.data(), &filter, &start, from.data());
    detour.findNearestPoly(to.data(), reach.data(), &filter, &end, to.data());

    std::array<dtPolyRef, 64> path{};
    int count = 0;
    const dtStatus status = planner.findPath(start, end, from.data(), to.data(), &filter,
                                             path.data(), &count, int{path.size()});
    if (dtStatusFailed(status) || dtStatusDetail(status, DT_PARTIAL_RESULT)) return 0;

    std::array<float, 3 * 64> corners{};
    int corner_count = 0;
    detour.findStraightPath(from.data(), to.data(), path.data(), count, corners.data(), nullptr,
                            nullptr, &corner_count, 64);
    std::printf("%-8s %d polygons, %d corners\n", name, count, corner_count);
    return corner_count;
}

}  // namespace

int main() {
    const auto nav_mesh = detour::build_navmesh(halls(), detour::RecastOptions::tiled());
    if (!nav_mesh) return std::puts(nav_mesh.error().message.c_str()), 1;
    dtNavMeshQuery detour;
    detour.init(nav_mesh->get(), 2048);

    const auto index = detour::PathIndex::build(**nav_mesh, dtQueryFilter());
    if (!index) return std::puts(index.error().message.c_str()), 1;
    detour::PathQuery cairn(*index);  // one per thread

    const int by_detour = walk("Detour:", detour, detour);
    const int by_cairn = walk("Cairn:", cairn, detour);
    return by_detour == 0 || by_detour != by_cairn ? 1 : 0;
}
