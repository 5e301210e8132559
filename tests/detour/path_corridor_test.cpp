// Detour's corridors and crowds follow the paths of PathQuery.

#include <DetourPathCorridor.h>
#include <gtest/gtest.h>

#include "cairn/detour/path_query.hpp"
#include "cairn/detour/tile_set.hpp"
#include "crowd.hpp"
#include "detour_query.hpp"
#include "small_tile_sets.hpp"
#include "support/navmesh_files.hpp"
#include "support/scale.hpp"

namespace cairn::detour {
namespace {

constexpr int kMaxPath = 256;

/// Moves a corridor along a path as an agent would, by steps of at most 1 towards the next corner;
/// true if it reaches the end.
bool corridor_arrives(const dtNavMesh& nav_mesh, const Ends& ends,
                      const std::vector<dtPolyRef>& path) {
    const NavMeshQuery query = detour_query(nav_mesh);
    const dtQueryFilter filter;
    dtPathCorridor corridor;
    EXPECT_TRUE(corridor.init(kMaxPath));
    corridor.reset(ends.start, ends.from.data());
    corridor.setCorridor(ends.to.data(), path.data(), static_cast<int>(path.size()));
    const auto at = [&] {
        const float* position = corridor.getPos();
        return Position{position[0], position[1], position[2]};
    };
    const auto horizontal_distance = [](const Position& a, const Position& b) {
        return std::hypot(a[0] - b[0], a[2] - b[2]);
    };
    for (int step = 0; step < 5000; ++step) {
        if (horizontal_distance(at(), ends.to) < 0.01F) return true;
        std::array<float, 12> corners{};
        std::array<std::uint8_t, 4> flags{};
        std::array<dtPolyRef, 4> refs{};
        const int count = corridor.findCorners(corners.data(), flags.data(), refs.data(), 4,
                                               query.get(), &filter);
        if (count < 1) return false;
        const Position corner{corners[0], corners[1], corners[2]};
        const float fraction =
            std::min(1.0F, 1 / std::max(horizontal_distance(at(), corner), 1e-6F));
        Position next = at();
        for (std::size_t i = 0; i < 3; ++i) next[i] += (corner[i] - next[i]) * fraction;
        EXPECT_TRUE(corridor.movePosition(next.data(), query.get(), &filter));
        EXPECT_TRUE(corridor.isValid(kMaxPath, query.get(), &filter));
    }
    return false;
}

TEST(PathCorridor, FollowsThePathToItsEnd) {
    const NavMesh nav_mesh = nav_mesh_of(
        {{.x = 0, .y = 0}, {.x = 1, .y = 0}, {.x = 0, .y = 1}, {.x = 1, .y = 1}, {.x = 2, .y = 1}});
    const auto index = PathIndex::build(*nav_mesh, dtQueryFilter());
    ASSERT_TRUE(index);
    PathQuery query(*index);
    std::mt19937 random(3);
    for (int i = 0; i < 100; ++i) {
        const Ends ends = random_ends(*index, random);
        const Found found = find_path(query, ends, dtQueryFilter(), kMaxPath);
        ASSERT_TRUE(found.complete());
        EXPECT_TRUE(corridor_arrives(*nav_mesh, ends, found.path))
            << ends.start << " to " << ends.end;
    }
}

using PathCorridorPublished = test::NavmeshFiles;

TEST_F(PathCorridorPublished, CrowdsAndCorridorsFollowThePaths) {
    for (const auto& path : files("detour", ".bin")) {
        const auto nav_mesh = read_tile_set(path);
        ASSERT_TRUE(nav_mesh) << nav_mesh.error().message;
        const auto index =
            PathIndex::build(**nav_mesh, dtQueryFilter(), {.hna = {.labels = false}, .mesh = {}});
        ASSERT_TRUE(index) << index.error().message;
        PathQuery query(*index);
        CrowdPaths paths(*index);
        std::mt19937 random(4);
        std::size_t walked = 0;
        std::size_t arrived = 0;
        const std::uint64_t wanted = test::scaled(10);
        for (int tries = 0; walked < wanted && tries < 100'000; ++tries) {
            const Ends ends = random_ends(*index, random);
            if (!index->reachable(ends.start, ends.end)) continue;
            const Found found = find_path(query, ends, dtQueryFilter(), kMaxPath);
            if (dtStatusDetail(found.status, DT_BUFFER_TOO_SMALL)) continue;
            ++walked;
            // A corridor that is moved exactly into a corner on a tile's border may get stuck
            // there, also on Detour's own paths.
            if (path.string().ends_with(".solo.bin")) {
                EXPECT_TRUE(corridor_arrives(**nav_mesh, ends, found.path)) << path;
            }
            Crowd crowd(**nav_mesh);
            const int agent = crowd.add(ends.from);
            crowd.send(agent, ends.end, ends.to);
            if (crowd.arrives(paths, agent, ends.to)) ++arrived;
        }
        EXPECT_EQ(walked, wanted) << path;
        EXPECT_EQ(arrived, walked) << path;
    }
}

}  // namespace
}  // namespace cairn::detour
