#include "cairn/detour/path_query.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <thread>

#include "detour_query.hpp"
#include "small_tile_sets.hpp"
#include "support/allocation_counter.hpp"
#include "support/scale.hpp"

namespace cairn::detour {
namespace {

using mesh::Point;
using mesh::Polygon;
using ::testing::ElementsAre;

constexpr dtStatus kRefused = DT_FAILURE | DT_INVALID_PARAM;

Ends endpoints_of(const PathIndex& index, Polygon start, Polygon end) {
    const mesh::Mesh& mesh = index.index().mesh();
    return {index.refs().ref(start), index.refs().ref(end), position(mesh.centre(start)),
            position(mesh.centre(end))};
}

/// Compares PathQuery with Detour for all pairs of polygons: the same status, linked polygons, and
/// for complete paths no higher cost.
void expect_as_detour(const dtNavMesh& nav_mesh, const dtQueryFilter& filter,
                      const PathIndex& index) {
    const NavMeshQuery detour = detour_query(nav_mesh);
    PathQuery query(index);
    const Polygon count = index.refs().num_polygons();
    for (Polygon i = 0; i < count * count; ++i) {
        const Ends ends = endpoints_of(index, i / count, i % count);
        const Found theirs = find_path(*detour, ends, filter);
        const Found ours = find_path(query, ends, filter);
        SCOPED_TRACE(testing::Message() << "from polygon " << i / count << " to " << i % count);
        ASSERT_EQ(ours.status, theirs.status);
        ASSERT_EQ(ours.path.front(), ends.start);
        expect_linked(nav_mesh, filter, ours.path);
        if (!ours.complete()) continue;
        ASSERT_EQ(ours.path.back(), ends.end);
        EXPECT_LE(detour_cost(nav_mesh, filter, ends, ours.path),
                  detour_cost(nav_mesh, filter, ends, theirs.path) * 1.00001);
    }
}

TEST(PathQuery, ReachesWhatDetourReaches) {
    const NavMesh nav_mesh = small_nav_mesh();
    const dtQueryFilter filter;
    expect_as_detour(*nav_mesh, filter, index_of(*nav_mesh, filter));
}

TEST(PathQuery, ReachesWhatDetourReachesWithExcludedFlagsAndAreaCosts) {
    const NavMesh nav_mesh = small_nav_mesh();
    dtQueryFilter filter;
    filter.setAreaCost(1, 4);
    filter.setAreaCost(2, 20);
    filter.setAreaCost(5, 2);
    for (const std::uint16_t excluded : std::array<std::uint16_t, 3>{2, 4, 6}) {
        filter.setExcludeFlags(excluded);
        const PolyRefs refs = PolyRefs::create(*nav_mesh).value();
        std::mt19937 random(excluded);
        for (std::uint64_t round = 0; round < test::scaled(10); ++round) {
            for (Polygon p = 0; p < refs.num_polygons(); ++p) {
                const auto flags = static_cast<std::uint16_t>(1U << random() % 3);
                ASSERT_TRUE(dtStatusSucceed(nav_mesh->setPolyFlags(refs.ref(p), flags)));
            }
            expect_as_detour(*nav_mesh, filter, index_of(*nav_mesh, filter));
        }
    }
}

TEST(PathQuery, RefusesWhatDetourRefuses) {
    const NavMesh nav_mesh = small_nav_mesh();
    const dtQueryFilter filter;
    const PathIndex index = index_of(*nav_mesh, filter);
    const NavMeshQuery detour = detour_query(*nav_mesh);
    PathQuery query(index);
    const Ends good = endpoints_of(index, 0, 15);
    std::array<dtPolyRef, 64> path{};
    int count = 0;
    // The status that both Detour and PathQuery return; they must agree, also on the count.
    const auto status_of_both = [&](const Ends& ends, const float* from, const float* to,
                                    dtPolyRef* polygons, int* polygon_count, int max_path) {
        count = -1;
        const dtStatus theirs = detour->findPath(ends.start, ends.end, from, to, &filter, polygons,
                                                 polygon_count, max_path);
        const int their_count = count;
        count = -1;
        EXPECT_EQ(query.findPath(ends.start, ends.end, from, to, &filter, polygons, polygon_count,
                                 max_path),
                  theirs);
        EXPECT_EQ(count, their_count);
        return theirs;
    };
    const float* from = good.from.data();
    const float* to = good.to.data();
    EXPECT_EQ(status_of_both(good, from, to, path.data(), &count, 64), DT_SUCCESS);
    EXPECT_EQ(status_of_both(good, nullptr, to, path.data(), &count, 64), kRefused);
    EXPECT_EQ(status_of_both(good, from, nullptr, path.data(), &count, 64), kRefused);
    EXPECT_EQ(status_of_both(good, from, to, nullptr, &count, 64), kRefused);
    EXPECT_EQ(status_of_both(good, from, to, path.data(), nullptr, 64), kRefused);
    EXPECT_EQ(status_of_both(good, from, to, path.data(), &count, 0), kRefused);
    EXPECT_EQ(status_of_both(good, from, to, path.data(), &count, -5), kRefused);
    for (const float bad :
         {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
        const Position broken{1, bad, 1};
        EXPECT_EQ(status_of_both(good, broken.data(), to, path.data(), &count, 64), kRefused);
        EXPECT_EQ(status_of_both(good, from, broken.data(), path.data(), &count, 64), kRefused);
    }
    // The tile of the start has 7 polygons: 4 with corners and 3 connections.
    for (const dtPolyRef ref : {dtPolyRef{0}, dtPolyRef{1}, good.start + 7, ~dtPolyRef{0}}) {
        EXPECT_EQ(status_of_both({ref, good.end, {}, {}}, from, to, path.data(), &count, 64),
                  kRefused);
        EXPECT_EQ(status_of_both({good.start, ref, {}, {}}, from, to, path.data(), &count, 64),
                  kRefused);
    }
    // Points need not lie in their polygons.
    const Ends far{good.start, good.end, {1e30F, -1e30F, 3e38F}, {-1e30F, 0, 1}};
    EXPECT_EQ(find_path(query, far, filter).status, DT_SUCCESS);
    EXPECT_EQ(find_path(*detour, far, filter).status, DT_SUCCESS);
}

TEST(PathQuery, AcceptsTheFilterOfItsIndexOrNone) {
    const NavMesh nav_mesh = small_nav_mesh();
    const PathIndex index = index_of(*nav_mesh, dtQueryFilter());
    PathQuery query(index);
    const Ends ends = endpoints_of(index, 0, 15);
    std::array<dtPolyRef, 64> path{};
    int count = 0;
    const auto find = [&](const dtQueryFilter* filter) {
        return query.findPath(ends.start, ends.end, ends.from.data(), ends.to.data(), filter,
                              path.data(), &count, 64);
    };
    EXPECT_EQ(find(nullptr), DT_SUCCESS);
    dtQueryFilter filter;
    EXPECT_EQ(find(&filter), DT_SUCCESS);
    filter.setAreaCost(63, 2);
    EXPECT_EQ(find(&filter), kRefused);
    filter = dtQueryFilter();
    filter.setExcludeFlags(1);
    EXPECT_EQ(find(&filter), kRefused);
    filter = dtQueryFilter();
    filter.setIncludeFlags(1);
    EXPECT_EQ(find(&filter), kRefused);
    EXPECT_EQ(count, 0);
}

TEST(PathQuery, PathsAreCutToTheRoomGiven) {
    const NavMesh nav_mesh = small_nav_mesh();
    const dtQueryFilter filter;
    const PathIndex index = index_of(*nav_mesh, filter);
    const NavMeshQuery detour = detour_query(*nav_mesh);
    PathQuery query(index);
    for (const Polygon end :
         {15U, 22U, 19U, 0U}) {  // other tile, connection to nowhere, upper tile, neighbour
        const Ends ends = endpoints_of(index, 1, end);
        const Found whole = find_path(query, ends, filter);
        for (int room = 1; room < 12; ++room) {
            const Found cut = find_path(query, ends, filter, room);
            EXPECT_EQ(cut.status, find_path(*detour, ends, filter, room).status) << room;
            const std::size_t count = std::min(whole.path.size(), static_cast<std::size_t>(room));
            ASSERT_EQ(cut.path.size(), count);
            EXPECT_TRUE(std::equal(cut.path.begin(), cut.path.end(), whole.path.begin()));
        }
    }
}

TEST(PathQuery, PartialPathsLeadToTheNearestPoint) {
    // Two tiles with a gap of a tile between them.
    const NavMesh nav_mesh = nav_mesh_of({{.x = 0, .y = 0}, {.x = 2, .y = 0}});
    const PathIndex index = index_of(*nav_mesh, dtQueryFilter());
    PathQuery query(index);
    const Ends ends = endpoints_of(index, 2, 5);
    EXPECT_FALSE(index.reachable(ends.start, ends.end));
    const Found found = find_path(query, ends, dtQueryFilter());
    EXPECT_EQ(found.status, DT_SUCCESS | DT_PARTIAL_RESULT);
    EXPECT_EQ(found.path.back(), index.refs().ref(1));
    hna::Answer answer;
    ASSERT_EQ(query.find(ends.start, ends.end, {2.5F, 0, 7.5F}, {27.5F, 0, 2.5F}, answer),
              StatusCode::ok);
    EXPECT_TRUE(answer.goal_moved);
    EXPECT_EQ(answer.goal.point, (Point{10, 0, 2.5F}));
    EXPECT_EQ(answer.waypoints.back().point, answer.goal.point);
    EXPECT_NEAR(answer.length, std::sqrt(7.5 * 7.5 + 25), 1e-5);
}

TEST(PathQuery, AConnectionThatLeadsNowhereCanBeStartAndEnd) {
    // One way, and no polygon is near its far end.
    const NavMesh nav_mesh = nav_mesh_of(
        {{.x = 0, .y = 0, .connections = {{.ends = {2, 0, 2, -50, 0, 2}, .both_ways = false}}}});
    const PathIndex index = index_of(*nav_mesh, dtQueryFilter());
    expect_as_detour(*nav_mesh, dtQueryFilter(), index);
    const dtPolyRef connection = index.refs().ref(4);
    PathQuery query(index);
    EXPECT_THAT(find_path(query, {connection, connection, {}, {}}, dtQueryFilter()).path,
                ElementsAre(connection));
}

TEST(PathQuery, PathsLeaveAnExcludedPolygonButNeverEnterOne) {
    const NavMesh nav_mesh = nav_mesh_of({{.x = 0, .y = 0, .flags = {2, 1, 1, 1}}});
    dtQueryFilter filter;
    filter.setExcludeFlags(2);
    const PathIndex index = index_of(*nav_mesh, filter);
    PathQuery query(index);
    const auto ref = [&](Polygon p) { return index.refs().ref(p); };
    const Found out = find_path(query, endpoints_of(index, 0, 3), filter);
    EXPECT_EQ(out.status, DT_SUCCESS);
    EXPECT_EQ(out.path.size(), 3U);
    const Found back = find_path(query, endpoints_of(index, 3, 0), filter);
    EXPECT_EQ(back.status, DT_SUCCESS | DT_PARTIAL_RESULT);
    EXPECT_NE(back.path.back(), ref(0));
    EXPECT_THAT(find_path(query, endpoints_of(index, 0, 0), filter).path, ElementsAre(ref(0)));
    // A start in an excluded polygon costs as much as without the exclusion.
    hna::Answer answer;
    hna::Answer unfiltered;
    PathQuery without_exclusion(index_of(*nav_mesh, dtQueryFilter()));
    const auto expect_same = [&](Polygon end, const Point& goal) {
        EXPECT_EQ(query.find(ref(0), ref(end), {1, 0, 2}, goal, answer), StatusCode::ok);
        EXPECT_EQ(without_exclusion.find(ref(0), ref(end), {1, 0, 2}, goal, unfiltered),
                  StatusCode::ok);
        EXPECT_EQ(answer.cost, unfiltered.cost);
        EXPECT_EQ(answer.polygons, unfiltered.polygons);
        EXPECT_EQ(answer.links, unfiltered.links);
        EXPECT_EQ(answer.waypoints, unfiltered.waypoints);
        EXPECT_EQ(answer.length, unfiltered.length);
        EXPECT_FALSE(answer.goal_moved);
    };
    expect_same(3, {8, 0, 9});
    const mesh::Mesh& mesh = index.index().mesh();
    for (const mesh::Link link : mesh.links(0))
        expect_same(mesh.polygon_of(mesh::twin(link)), mesh.midpoint(link));
}

TEST(PathQuery, FindTellsWhichEndIsOutside) {
    const NavMesh nav_mesh = small_nav_mesh();
    const PathIndex index = index_of(*nav_mesh, dtQueryFilter());
    PathQuery query(index);
    const dtPolyRef ref = index.refs().ref(3);
    hna::Answer answer;
    EXPECT_EQ(query.find(ref, ref, {6, 0, 6}, {7, 0, 7}, answer), StatusCode::ok);
    EXPECT_EQ(query.find(0, ref, {6, 0, 6}, {7, 0, 7}, answer), StatusCode::start_outside);
    EXPECT_EQ(answer.cost, kInfinity);
    EXPECT_TRUE(answer.polygons.empty());
    EXPECT_EQ(query.find(ref, ref, {6, 0, 6}, {7, 0, std::nanf("")}, answer),
              StatusCode::goal_outside);
}

/// Indexes whose queries take labels, climb, or search.
std::vector<PathIndex> indexes_of(const dtNavMesh& nav_mesh, const dtQueryFilter& filter) {
    std::vector<PathIndex> indexes{index_of(nav_mesh, filter)};
    for (const int levels : {1, 2}) {
        PathIndexOptions options;
        options.hna.labels = false;
        options.hna.mu = 3;
        options.hna.levels = levels;
        indexes.push_back(PathIndex::build(nav_mesh, filter, options).value());
    }
    return indexes;
}

TEST(PathQuerySlices, GiveThePathOfFindPath) {
    const NavMesh nav_mesh = small_nav_mesh();
    dtQueryFilter filter;
    filter.setExcludeFlags(2);
    nav_mesh->setPolyFlags(PolyRefs::create(*nav_mesh).value().ref(6), 2);
    for (const PathIndex& index : indexes_of(*nav_mesh, filter)) {
        PathQuery whole(index);
        PathQuery sliced(index);
        const Polygon count = index.refs().num_polygons();
        for (Polygon i = 0; i < count * count; ++i) {
            const Ends ends = endpoints_of(index, i / count, i % count);
            const Found expected = find_path(whole, ends, filter);
            for (const int nodes : {1, 3, 1000}) {
                const Found found = find_path_in_slices(sliced, ends, filter, nodes);
                ASSERT_EQ(found.status, expected.status) << i;
                ASSERT_EQ(found.path, expected.path) << i;
            }
        }
    }
}

TEST(PathQuerySlices, EndedEarlyGiveAWayTowardsTheEnd) {
    const NavMesh nav_mesh = small_nav_mesh();
    const dtQueryFilter filter;
    int partial = 0;
    int complete = 0;
    for (const PathIndex& index : indexes_of(*nav_mesh, filter)) {
        PathQuery query(index);
        const Polygon count = index.refs().num_polygons();
        for (Polygon i = 0; i < count * count; ++i) {
            const Ends ends = endpoints_of(index, i / count, i % count);
            for (const int updates : {0, 1, 2, 4}) {
                const Found found = find_path_in_slices(query, ends, filter, 1, updates);
                ASSERT_TRUE(dtStatusSucceed(found.status));
                ASSERT_EQ(found.path.front(), ends.start);
                expect_linked(*nav_mesh, filter, found.path);
                if (found.complete()) {
                    ASSERT_EQ(found.path.back(), ends.end);
                }
                (found.complete() ? complete : partial) += 1;
            }
        }
    }
    EXPECT_GT(partial, 0);
    EXPECT_GT(complete, 0);
}

TEST(PathQuerySlices, CanJoinAPathThatTheAgentHas) {
    const NavMesh nav_mesh = small_nav_mesh();
    const dtQueryFilter filter;
    for (const PathIndex& index : indexes_of(*nav_mesh, filter)) {
        PathQuery query(index);
        const Ends ends = endpoints_of(index, 0, 15);
        const Found whole = find_path(query, ends, filter);
        ASSERT_GT(whole.path.size(), 3U);
        std::array<dtPolyRef, 64> path{};
        int count = 0;
        const auto join = [&](const std::vector<dtPolyRef>& existing, int room) {
            EXPECT_FALSE(dtStatusFailed(query.initSlicedFindPath(
                ends.start, ends.end, ends.from.data(), ends.to.data(), &filter)));
            while (dtStatusInProgress(query.updateSlicedFindPath(5, nullptr))) {
            }
            return query.finalizeSlicedFindPathPartial(
                existing.data(), static_cast<int>(existing.size()), path.data(), &count, room);
        };
        const auto joined = [&] { return std::vector(path.begin(), path.begin() + count); };
        EXPECT_EQ(join(whole.path, 64), DT_SUCCESS);
        EXPECT_EQ(joined(), whole.path);
        // Later polygons of the existing path are not on the new one, or do not exist.
        EXPECT_EQ(join({whole.path[0], whole.path[2], 0, ~dtPolyRef{0}}, 64), DT_SUCCESS);
        EXPECT_EQ(joined(), std::vector(whole.path.begin(), whole.path.begin() + 3));
        EXPECT_EQ(join({whole.path[0], whole.path[2]}, 2), DT_SUCCESS | DT_BUFFER_TOO_SMALL);
        EXPECT_EQ(count, 2);
        EXPECT_EQ(join({0}, 64), DT_SUCCESS | DT_PARTIAL_RESULT);
        EXPECT_EQ(joined(), whole.path);
        EXPECT_EQ(join({}, 64), kRefused);
        EXPECT_EQ(count, 0);
    }
}

TEST(PathQuerySlices, StayOnTheIndexTheyBeganOn) {
    const NavMesh nav_mesh = small_nav_mesh();
    const dtQueryFilter filter;
    const PathIndex index = indexes_of(*nav_mesh, filter).back();
    const Ends ends = endpoints_of(index, 0, 15);
    PathQuery query(index);
    const Found before = find_path(query, ends, filter);
    ASSERT_EQ(
        query.initSlicedFindPath(ends.start, ends.end, ends.from.data(), ends.to.data(), nullptr),
        DT_IN_PROGRESS);
    nav_mesh->setPolyFlags(before.path[1], 0);
    query.set_index(index.updated(*nav_mesh).value());
    while (dtStatusInProgress(query.updateSlicedFindPath(1, nullptr))) {
    }
    std::vector<dtPolyRef> path(64);
    int count = 0;
    EXPECT_EQ(query.finalizeSlicedFindPath(path.data(), &count, 64), DT_SUCCESS);
    path.resize(static_cast<std::size_t>(count));
    EXPECT_EQ(path, before.path);
    EXPECT_NE(find_path_in_slices(query, ends, filter, 5).path, before.path);
}

TEST(PathQuerySlices, RefuseWhatFindPathRefuses) {
    const NavMesh nav_mesh = small_nav_mesh();
    const dtQueryFilter filter;
    const PathIndex index = index_of(*nav_mesh, filter);
    PathQuery query(index);
    std::array<dtPolyRef, 64> path{};
    int count = 0;
    const auto finish = [&] { return query.finalizeSlicedFindPath(path.data(), &count, 64); };
    EXPECT_EQ(query.updateSlicedFindPath(9, &count), DT_FAILURE);
    EXPECT_EQ(finish(), DT_FAILURE);
    const Ends good = endpoints_of(index, 0, 15);
    const auto begin = [&](const Ends& ends, const float* from, const dtQueryFilter* by) {
        return query.initSlicedFindPath(ends.start, ends.end, from, ends.to.data(), by);
    };
    EXPECT_FALSE(dtStatusFailed(begin(good, good.from.data(), &filter)));
    EXPECT_EQ(query.finalizeSlicedFindPath(nullptr, &count, 64), kRefused);
    EXPECT_EQ(query.finalizeSlicedFindPath(path.data(), nullptr, 64), kRefused);
    EXPECT_EQ(query.finalizeSlicedFindPath(path.data(), &count, 0), kRefused);
    EXPECT_EQ(finish(), DT_SUCCESS);
    EXPECT_EQ(finish(), DT_FAILURE) << "it has ended";
    dtQueryFilter other;
    other.setExcludeFlags(4);
    EXPECT_EQ(begin(good, nullptr, &filter), kRefused);
    EXPECT_EQ(begin(good, good.from.data(), &other), kRefused);
    EXPECT_EQ(begin({0, good.end, {}, {}}, good.from.data(), &filter), kRefused);
    EXPECT_EQ(begin({good.start, ~dtPolyRef{0}, {}, {}}, good.from.data(), &filter), kRefused);
    EXPECT_EQ(query.updateSlicedFindPath(9, &count), DT_FAILURE);
    EXPECT_EQ(finish(), DT_FAILURE);
    EXPECT_FALSE(dtStatusFailed(begin(good, good.from.data(), &filter)));
    static_cast<void>(find_path(query, good, filter));
    EXPECT_EQ(finish(), DT_FAILURE) << "findPath has abandoned it";
}

TEST(PathQuery, WarmedQueriesAllocateNothing) {
    if (!test::counts_allocations()) GTEST_SKIP() << "allocations are not counted";
    const NavMesh nav_mesh = small_nav_mesh();
    nav_mesh->setPolyFlags(PolyRefs::create(*nav_mesh).value().ref(6), 2);
    dtQueryFilter filter;
    filter.setExcludeFlags(2);
    const PathIndex index = index_of(*nav_mesh, filter);
    PathQuery query(index);
    std::array<dtPolyRef, 64> path{};
    const auto find_all_pairs = [&] {
        const Polygon count = index.refs().num_polygons();
        for (Polygon i = 0; i < count * count; ++i) {
            const Ends ends = endpoints_of(index, i / count, i % count);
            int found = 0;
            query.findPath(ends.start, ends.end, ends.from.data(), ends.to.data(), &filter,
                           path.data(), &found, 64);
        }
    };
    find_all_pairs();
    find_all_pairs();
    const std::uint64_t before = test::allocations();
    find_all_pairs();
    EXPECT_EQ(test::allocations(), before);
}

TEST(PathQueryThreads, QueriesOfAnIndexFindTheSameInParallel) {
    const NavMesh nav_mesh = small_nav_mesh();
    const dtQueryFilter filter;
    const PathIndex index = index_of(*nav_mesh, filter);
    const Polygon count = index.refs().num_polygons();
    std::vector<std::vector<Found>> found(4);
    {
        std::vector<std::thread> threads;
        threads.reserve(found.size());
        for (auto& mine : found) {
            threads.emplace_back([&] {
                PathQuery query(index);
                mine.reserve(std::size_t{count} * count);
                for (Polygon i = 0; i < count * count; ++i)
                    mine.push_back(
                        find_path(query, endpoints_of(index, i / count, i % count), filter, 64));
            });
        }
        for (auto& thread : threads) thread.join();
    }
    for (const auto& other : found) {
        for (std::size_t i = 0; i < other.size(); ++i) {
            EXPECT_EQ(other[i].status, found[0][i].status);
            EXPECT_EQ(other[i].path, found[0][i].path);
        }
    }
}

}  // namespace
}  // namespace cairn::detour
