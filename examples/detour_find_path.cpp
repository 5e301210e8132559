// A game that plans with Detour switches to Cairn: the same call with the same arguments. What
// Detour does with the path afterwards stays the same. Both calls are timed on a block of rooms.

#include <array>
#include <chrono>
#include <cstdio>

#include "cairn/detour/path_query.hpp"
#include "cairn/detour/recast_builder.hpp"

using namespace cairn;

namespace {

// Lengths are in metres.
constexpr int kRooms = 8;      // in a row, and in a column
constexpr float kRoom = 16;    // side of a room
constexpr float kGap = 4;      // between rooms, crossed by passages
constexpr float kPassage = 4;  // width of a passage
constexpr float kPitch = kRoom + kGap;

/// kRooms x kRooms rooms. Every room has a passage to the next one in its row, and every third room
/// one to the room below.
detour::Triangles rooms() {
    detour::Triangles triangles;
    const auto add_floor = [&](float x, float z, float width, float depth) {
        const auto first = static_cast<std::uint32_t>(triangles.vertices.size());
        triangles.vertices.insert(
            triangles.vertices.end(),
            {{x, 0, z}, {x, 0, z + depth}, {x + width, 0, z + depth}, {x + width, 0, z}});
        for (const std::uint32_t corner : {0U, 1U, 2U, 0U, 2U, 3U})
            triangles.corners.push_back(first + corner);
    };
    for (int row = 0; row < kRooms; ++row) {
        for (int column = 0; column < kRooms; ++column) {
            const float x = kPitch * static_cast<float>(column);
            const float z = kPitch * static_cast<float>(row);
            add_floor(x, z, kRoom, kRoom);
            if (column + 1 < kRooms) add_floor(x + kRoom, z + 9, kGap, kPassage);
            if (row + 1 < kRooms && (row + column) % 3 == 0)
                add_floor(x + 2, z + kRoom, kPassage, kGap);
        }
    }
    return triangles;
}

/// The game's own code. `planner` is a dtNavMeshQuery or a PathQuery; everything else uses the
/// dtNavMeshQuery. Returns the number of corners of the path, 0 if there is none.
template <class Planner>
int walk(const char* name, Planner& planner, const dtNavMeshQuery& detour) {
    constexpr int kMaxPolygons = 512;
    constexpr int kRounds = 200;
    const dtQueryFilter filter;
    const std::array<float, 3> reach{2, 4, 2};
    std::array<float, 3> from{3, 0, 3};
    std::array<float, 3> to{kPitch * (kRooms - 1) + 12, 0, kPitch * (kRooms - 1) + 3};
    dtPolyRef start = 0;
    dtPolyRef end = 0;
    detour.findNearestPoly(from.data(), reach.data(), &filter, &start, from.data());
    detour.findNearestPoly(to.data(), reach.data(), &filter, &end, to.data());

    std::array<dtPolyRef, kMaxPolygons> path{};
    int count = 0;
    dtStatus status = 0;
    const auto begin = std::chrono::steady_clock::now();
    for (int round = 0; round < kRounds; ++round) {
        status = planner.findPath(start, end, from.data(), to.data(), &filter, path.data(), &count,
                                  kMaxPolygons);
    }
    const std::chrono::duration<double, std::micro> time = std::chrono::steady_clock::now() - begin;
    if (dtStatusFailed(status) || dtStatusDetail(status, DT_PARTIAL_RESULT)) return 0;

    std::array<float, 3 * kMaxPolygons> corners{};
    int corner_count = 0;
    detour.findStraightPath(from.data(), to.data(), path.data(), count, corners.data(), nullptr,
                            nullptr, &corner_count, kMaxPolygons);
    std::printf("%-8s %4d polygons, %3d corners, %7.2f us a query\n", name, count, corner_count,
                time.count() / kRounds);
    return corner_count;
}

}  // namespace

int main() {
    const auto nav_mesh = detour::build_navmesh(rooms(), detour::RecastOptions::tiled());
    if (!nav_mesh) return std::puts(nav_mesh.error().message.c_str()), 1;
    dtNavMeshQuery detour;
    detour.init(nav_mesh->get(), 4096);

    const auto index = detour::PathIndex::build(**nav_mesh, dtQueryFilter());
    if (!index) return std::puts(index.error().message.c_str()), 1;
    detour::PathQuery cairn(*index);  // one per thread

    const int by_detour = walk("Detour:", detour, detour);
    const int by_cairn = walk("Cairn:", cairn, detour);
    return by_detour == 0 || by_cairn == 0 ? 1 : 0;
}
