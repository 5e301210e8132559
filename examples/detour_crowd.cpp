// A dtCrowd of 500 agents, once as it is and once with paths by Cairn: one call before each update.
// All agents get a target before the first frame. Prints how soon they have their paths, how long
// the frames take, and how many agents have arrived in the end.
//
//   example_detour_crowd            over a block of rooms
//   example_detour_crowd FILE.bin   over a tile set

#include <DetourCrowd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <numeric>
#include <random>
#include <vector>

#include "cairn/detour/crowd_paths.hpp"
#include "cairn/detour/recast_builder.hpp"
#include "cairn/detour/tile_set.hpp"

using namespace cairn;

namespace {

constexpr int kAgents = 500;
constexpr int kFrames = 2000;
constexpr float kSeconds = 1.0F / 30;  // of a frame

// Lengths are in metres.
constexpr int kRooms = 16;     // in a row, and in a column
constexpr float kRoom = 16;    // side of a room
constexpr float kGap = 4;      // between rooms, crossed by passages
constexpr float kPassage = 6;  // width of a passage
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
            if (column + 1 < kRooms) add_floor(x + kRoom, z + 5, kGap, kPassage);
            if (row + 1 < kRooms && (row + column) % 3 == 0)
                add_floor(x + 5, z + kRoom, kPassage, kGap);
        }
    }
    return triangles;
}

struct Request {
    std::array<float, 3> from{};
    std::array<float, 3> to{};
    dtPolyRef target = 0;
};

float random_share() {
    static std::minstd_rand random(1);
    return static_cast<float>(random() % 10'000) / 10'000;
}

/// A request for each agent between random points, on paths of at most 250 polygons: a dtCrowd's
/// corridors have no room for more.
std::vector<Request> random_requests(const dtNavMesh& nav_mesh, detour::PathQuery& planner) {
    const dtQueryFilter filter;
    dtNavMeshQuery query;
    query.init(&nav_mesh, 512);
    std::vector<Request> requests;
    while (requests.size() < kAgents) {
        Request request;
        dtPolyRef start = 0;
        query.findRandomPoint(&filter, random_share, &start, request.from.data());
        query.findRandomPoint(&filter, random_share, &request.target, request.to.data());
        std::array<dtPolyRef, 250> path{};
        int count = 0;
        if (planner.findPath(start, request.target, request.from.data(), request.to.data(), nullptr,
                             path.data(), &count, 250) == DT_SUCCESS)
            requests.push_back(request);
    }
    return requests;
}

using Clock = std::chrono::steady_clock;

/// The game's own code. Without `paths` the crowd plans for itself. Returns how many arrive.
int run(const char* name, dtNavMesh& nav_mesh, const std::vector<Request>& requests,
        detour::CrowdPaths* paths) {
    dtCrowd crowd;
    crowd.init(kAgents, 0.6F, &nav_mesh);
    dtCrowdAgentParams params{};
    params.radius = 0.3F;
    params.height = 2;
    params.maxAcceleration = 20;
    params.maxSpeed = 10;
    params.collisionQueryRange = 4;
    params.pathOptimizationRange = 10;
    params.separationWeight = 1;
    params.updateFlags = DT_CROWD_ANTICIPATE_TURNS | DT_CROWD_OBSTACLE_AVOIDANCE;
    for (const Request& request : requests) {
        const int agent = crowd.addAgent(request.from.data(), &params);
        crowd.requestMoveTarget(agent, request.target, request.to.data());
    }

    std::vector<double> frames;           // in milliseconds
    std::vector<int> waited(kAgents, 0);  // frames without a path, until the first one
    std::vector<bool> has_path(kAgents, false);
    std::vector<bool> arrived(kAgents, false);
    for (int frame = 0; frame < kFrames; ++frame) {
        const Clock::time_point begin = Clock::now();
        if (paths != nullptr) paths->answer(crowd);
        crowd.update(kSeconds, nullptr);
        frames.push_back(std::chrono::duration<double, std::milli>(Clock::now() - begin).count());
        for (std::size_t i = 0; i < kAgents; ++i) {
            const dtCrowdAgent& agent = *crowd.getAgent(static_cast<int>(i));
            if (agent.targetState == DT_CROWDAGENT_TARGET_VALID) has_path[i] = true;
            if (!has_path[i]) ++waited[i];
            const float x = agent.npos[0] - requests[i].to[0];
            const float z = agent.npos[2] - requests[i].to[2];
            if (x * x + z * z < 1) arrived[i] = true;
        }
    }
    const auto mean = [](auto begin, auto end) {
        return std::accumulate(begin, end, 0.0) / static_cast<double>(end - begin);
    };
    const auto there = static_cast<int>(std::count(arrived.begin(), arrived.end(), true));
    std::printf(
        "%-6s frames without a path: %6.1f at the mean, %4d at most; the first frame %5.2f ms, all "
        "%5.2f at the mean, %5.2f at most; %d arrived\n",
        name, mean(waited.begin(), waited.end()), *std::max_element(waited.begin(), waited.end()),
        frames.front(), mean(frames.begin(), frames.end()),
        *std::max_element(frames.begin(), frames.end()), there);
    return there;
}

}  // namespace

int main(int count, char** arguments) {
    const auto nav_mesh = count > 1
                              ? detour::read_tile_set(arguments[1])
                              : detour::build_navmesh(rooms(), detour::RecastOptions::tiled());
    if (!nav_mesh) return std::puts(nav_mesh.error().message.c_str()), 1;
    const auto index = detour::PathIndex::build(**nav_mesh, dtQueryFilter());
    if (!index) return std::puts(index.error().message.c_str()), 1;
    detour::PathQuery planner(*index);
    const std::vector<Request> requests = random_requests(**nav_mesh, planner);
    std::printf("%d agents on %u polygons, %d frames\n", kAgents,
                index->index().mesh().num_polygons(), kFrames);
    run("Detour", **nav_mesh, requests, nullptr);
    detour::CrowdPaths paths(*index);
    const int arrived = run("Cairn", **nav_mesh, requests, &paths);
    return arrived > kAgents / 2 ? 0 : 1;
}
