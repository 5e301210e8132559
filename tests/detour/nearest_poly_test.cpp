// PathQuery::findNearestPoly gives what Detour's gives, and PathIndex::nearest beside it.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>

#include "cairn/detour/tile_set.hpp"
#include "detour_query.hpp"
#include "small_tile_sets.hpp"
#include "support/navmesh_files.hpp"
#include "support/scale.hpp"

namespace cairn::detour {
namespace {

/// What findNearestPoly returned and wrote.
struct Near {
    dtStatus status = 0;
    dtPolyRef ref = 1;
    Position point{-1, -1, -1};
    friend bool operator==(const Near&, const Near&) = default;
};

template <class Query>
Near nearest(Query& query, const Position& centre, const Position& half,
             const dtQueryFilter* filter) {
    Near found;
    found.status =
        query.findNearestPoly(centre.data(), half.data(), filter, &found.ref, found.point.data());
    return found;
}

TEST(NearestPoly, IsDetours) {
    const NavMesh nav_mesh = small_nav_mesh();
    dtQueryFilter filter;
    filter.setExcludeFlags(2);
    const NavMeshQuery theirs = detour_query(*nav_mesh);
    PathQuery ours(index_of(*nav_mesh, filter), *nav_mesh);
    std::mt19937 random(1);
    const auto between = [&](float low, float high) {
        return low + (high - low) * static_cast<float>(random() % 1000) / 1000;
    };
    const dtQueryFilter other;
    std::size_t found = 0;
    for (int i = 0; i < 500; ++i) {
        const Position centre{between(-5, 25), between(-2, 22), between(-5, 25)};
        const Position half{between(0, 4), between(0, 12), between(0, 4)};
        const Near near = nearest(ours, centre, half, &filter);
        EXPECT_EQ(near, nearest(*theirs, centre, half, &filter));
        EXPECT_EQ(nearest(ours, centre, half, nullptr), near);
        EXPECT_EQ(nearest(ours, centre, half, &other), nearest(*theirs, centre, half, &other));
        found += near.ref != 0 ? 1 : 0;
    }
    EXPECT_GT(found, 100U);
    EXPECT_LT(found, 500U);
}

TEST(NearestPoly, NeedsTheNavMesh) {
    const NavMesh nav_mesh = small_nav_mesh();
    const PathIndex index = index_of(*nav_mesh, dtQueryFilter());
    PathQuery without(index);
    const Position at{1, 0, 1};
    EXPECT_EQ(nearest(without, at, at, nullptr).status, DT_FAILURE);
    PathQuery query(index, *nav_mesh);
    Near near;
    EXPECT_EQ(query.findNearestPoly(nullptr, at.data(), nullptr, &near.ref, near.point.data()),
              DT_FAILURE | DT_INVALID_PARAM);
    EXPECT_EQ(query.findNearestPoly(at.data(), nullptr, nullptr, &near.ref, near.point.data()),
              DT_FAILURE | DT_INVALID_PARAM);
    EXPECT_EQ(query.findNearestPoly(at.data(), at.data(), nullptr, nullptr, near.point.data()),
              DT_FAILURE | DT_INVALID_PARAM);
    // It follows the dtNavMesh, not the index.
    ASSERT_TRUE(
        dtStatusSucceed(nav_mesh->removeTile(nav_mesh->getTileRefAt(0, 0, 0), nullptr, nullptr)));
    EXPECT_NE(nearest(query, at, at, nullptr).ref, index.refs().ref(0));
    EXPECT_EQ(nearest(query, {-5, 0, 5}, at, nullptr).ref, 0U);
    PathQuery moved = std::move(query);
    EXPECT_EQ(nearest(moved, {11, 0, 1}, at, nullptr).ref, index.refs().ref(4));
}

using NearestPolyPublished = test::NavmeshFiles;

TEST_F(NearestPolyPublished, IsNearPathIndexNearest) {
    const Position half{2, 4, 2};
    for (const char* folder : {"detour", "refused"}) {
        for (const auto& file : files(folder, ".bin")) {
            const auto nav_mesh = read_tile_set(file);
            ASSERT_TRUE(nav_mesh) << nav_mesh.error().message;
            const auto index = PathIndex::build(**nav_mesh, dtQueryFilter(),
                                                {.hna = {.labels = false}, .mesh = {}});
            ASSERT_TRUE(index) << index.error().message;
            PathQuery query(*index, **nav_mesh);
            // Points of polygons, up to a unit above or below.
            std::mt19937 random(9);
            std::vector<Position> points;
            for (std::uint64_t i = 0; i < test::scaled(20'000); ++i) {
                points.push_back(random_ends(*index, random).from);
                points.back()[1] += static_cast<float>(random() % 2000) / 1000 - 1;
            }
            const auto time = [&](auto&& find) {
                const auto begin = std::chrono::steady_clock::now();
                std::vector<dtPolyRef> refs;
                refs.reserve(points.size());
                for (const Position& point : points) refs.push_back(find(point));
                const std::chrono::duration<double, std::nano> taken =
                    std::chrono::steady_clock::now() - begin;
                return std::pair(std::move(refs), taken.count() / static_cast<double>(refs.size()));
            };
            const auto theirs = [&](const Position& point) {
                return nearest(query, point, half, nullptr).ref;
            };
            const auto ours = [&](const Position& point) {
                const auto found = index->nearest({point[0], point[1], point[2]}, 4);
                return found ? found->ref : 0;
            };
            static_cast<void>(time(theirs));
            const auto [their_refs, their_time] = time(theirs);
            static_cast<void>(time(ours));
            const auto [our_refs, our_time] = time(ours);
            std::size_t same = 0;
            for (std::size_t i = 0; i < points.size(); ++i)
                same += their_refs[i] == our_refs[i] ? 1 : 0;
            fmt::print(
                "{}: findNearestPoly {:.0f} ns, PathIndex::nearest {:.0f} ns; the same "
                "polygon for {} of {} points\n",
                file.filename().string(), their_time, our_time, same, points.size());
            EXPECT_GT(same, points.size() / 2) << file;
        }
    }
}

}  // namespace
}  // namespace cairn::detour
