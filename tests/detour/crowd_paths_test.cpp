// CrowdPaths plans for the agents of a dtCrowd.

#include "cairn/detour/crowd_paths.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "crowd.hpp"
#include "detour_query.hpp"
#include "small_tile_sets.hpp"

namespace cairn::detour {
namespace {

using mesh::Polygon;

/// Four by four tiles without gaps.
NavMesh plain() {
    std::vector<SmallTile> tiles;
    for (int x = 0; x < 4; ++x) {
        for (int y = 0; y < 4; ++y) tiles.push_back({.x = x, .y = y});
    }
    return nav_mesh_of(tiles);
}

/// The polygon of plain() at a place of its 8 x 8 polygons.
Polygon polygon_at(unsigned x, unsigned z) {
    return 4 * (4 * (x / 2) + z / 2) + x % 2 + 2 * (z % 2);
}

TEST(CrowdPaths, FiveHundredAgentsGetTheirPathsAtOnceAndArrive) {
    constexpr int kAgents = 500;
    const NavMesh nav_mesh = plain();
    const PathIndex index = index_of(*nav_mesh, dtQueryFilter());
    PathQuery query(index);
    CrowdPaths paths(index);
    Crowd crowd(*nav_mesh, kAgents);
    std::mt19937 random(1);
    std::vector<Ends> requests;
    for (int i = 0; i < kAgents; ++i) {
        requests.push_back(random_ends(index, random));
        ASSERT_EQ(crowd.add(requests.back().from), i);
        crowd.send(i, requests.back().end, requests.back().to);
    }
    EXPECT_EQ(paths.answer(crowd.crowd()), kAgents);
    EXPECT_EQ(paths.answer(crowd.crowd()), 0);
    for (int i = 0; i < kAgents; ++i) {
        const Ends& request = requests[static_cast<std::size_t>(i)];
        EXPECT_EQ(crowd[i].targetState, DT_CROWDAGENT_TARGET_VALID);
        EXPECT_FALSE(crowd[i].partial);
        const float* const at = crowd[i].corridor.getPos();
        const Ends ends{
            crowd[i].corridor.getFirstPoly(), request.end, {at[0], at[1], at[2]}, request.to};
        EXPECT_EQ(crowd.path(i), find_path(query, ends, dtQueryFilter()).path);
    }
    std::vector<bool> arrived(kAgents, false);
    for (int i = 0; i < 600; ++i) {
        EXPECT_EQ(crowd.frame(paths), 0);
        for (int agent = 0; agent < kAgents; ++agent) {
            ASSERT_EQ(crowd[agent].targetState, DT_CROWDAGENT_TARGET_VALID) << "the crowd plans";
            const auto at = static_cast<std::size_t>(agent);
            if (crowd.distance_to(agent, requests[at].to) < 1) arrived[at] = true;
        }
    }
    EXPECT_EQ(std::count(arrived.begin(), arrived.end(), true), kAgents);
}

TEST(CrowdPaths, AgentsThatWaitInTheCrowdsQueueAreAnswered) {
    // Walls with a gap at one end and at the other in turn.
    const NavMesh nav_mesh = plain();
    const PolyRefs refs = PolyRefs::create(*nav_mesh).value();
    for (unsigned i = 0; i < 7; ++i) {
        for (const unsigned wall : {1U, 3U, 5U})
            nav_mesh->setPolyFlags(refs.ref(polygon_at(wall, wall == 3 ? i + 1 : i)), 0);
    }
    const PathIndex index = index_of(*nav_mesh, dtQueryFilter());
    CrowdPaths paths(index);
    Crowd crowd(*nav_mesh, 64);
    const dtPolyRef target = refs.ref(polygon_at(7, 0));
    for (int i = 0; i < 64; ++i) {
        crowd.add({1, 0, 1});
        crowd.send(i, target, {39, 0, 1});
    }
    crowd.update();
    int waiting = 0;
    for (int i = 0; i < 64; ++i)
        waiting += crowd[i].targetState == DT_CROWDAGENT_TARGET_VALID ? 0 : 1;
    EXPECT_GT(waiting, 0);
    EXPECT_EQ(paths.answer(crowd.crowd()), waiting);
    for (int i = 0; i < 10; ++i) EXPECT_EQ(crowd.frame(paths), 0);
    for (int i = 0; i < 64; ++i) EXPECT_EQ(crowd[i].corridor.getLastPoly(), target);
    EXPECT_TRUE(crowd.arrives(paths, 63, {39, 0, 1}));
}

TEST(CrowdPaths, AgentsCrossConnections) {
    const NavMesh nav_mesh = two_islands();
    const PathIndex index = index_of(*nav_mesh, dtQueryFilter());
    CrowdPaths paths(index);
    Crowd crowd(*nav_mesh);
    const int agent = crowd.add({1, 0, 1});
    crowd.send(agent, index.refs().ref(19), {29, 0, 29});
    EXPECT_TRUE(crowd.arrives(paths, agent, {29, 0, 29}));
}

TEST(CrowdPaths, PartialPathsStayUntilTheMeshChanges) {
    const NavMesh nav_mesh = nav_mesh_of({{.x = 0, .y = 0}, {.x = 2, .y = 0}});
    const PathIndex index = index_of(*nav_mesh, dtQueryFilter());
    CrowdPaths paths(index);
    Crowd crowd(*nav_mesh);
    const Position target{27, 0, 3};
    const int agent = crowd.add({1, 0, 3});
    crowd.send(agent, index.refs().ref(5), target);
    EXPECT_EQ(crowd.frame(paths), 1);
    EXPECT_TRUE(crowd[agent].partial);
    EXPECT_EQ(crowd[agent].corridor.getTarget()[0], 10);
    EXPECT_EQ(crowd[agent].corridor.getTarget()[2], 3);
    for (int i = 0; i < 100; ++i) {
        EXPECT_EQ(crowd.frame(paths), 0);
        ASSERT_EQ(crowd[agent].targetState, DT_CROWDAGENT_TARGET_VALID) << "the crowd tries again";
    }
    EXPECT_LT(crowd.distance_to(agent, {10, 0, 3}), 0.5);
    add_tile(*nav_mesh, {.x = 1, .y = 0});
    EXPECT_EQ(paths.set_index(index.updated(*nav_mesh).value()), StatusCode::ok);
    EXPECT_EQ(crowd.frame(paths), 1);
    EXPECT_FALSE(crowd[agent].partial);
    EXPECT_TRUE(crowd.arrives(paths, agent, target));
}

TEST(CrowdPaths, AfterAChangeOnlyBrokenPathsAreReplaced) {
    const NavMesh nav_mesh = plain();
    const PathIndex index = index_of(*nav_mesh, dtQueryFilter());
    CrowdPaths paths(index);
    Crowd crowd(*nav_mesh);
    const int near = crowd.add({1, 0, 1});
    const int far = crowd.add({1, 0, 2});
    const PathQuery query(index, *nav_mesh);
    const dtPolyRef corner = index.refs().ref(polygon_at(7, 7));
    crowd.send(near, index.refs().ref(0), {4, 0, 4});
    crowd.send(far, corner, {39, 0, 39});
    EXPECT_EQ(crowd.frame(paths), 2);
    const std::vector<dtPolyRef> before = crowd.path(far);
    ASSERT_GT(before.size(), 12U) << "the break is farther ahead than the crowd looks";
    nav_mesh->setPolyFlags(before[before.size() - 2], 0);
    const PathIndex updated = index.updated(*nav_mesh).value();
    paths.set_index(updated);
    EXPECT_EQ(crowd.frame(paths), 1);
    EXPECT_EQ(updated.walkable(crowd.path(far)), crowd.path(far).size());
    EXPECT_EQ(crowd[far].corridor.getLastPoly(), corner);
    EXPECT_EQ(crowd.frame(paths), 0);
    EXPECT_TRUE(crowd.arrives(paths, far, {39, 0, 39}));
    EXPECT_TRUE(crowd.arrives(paths, near, {4, 0, 4}));
}

TEST(CrowdPaths, EachFilterHasItsIndex) {
    const NavMesh nav_mesh = plain();
    const PathIndex index = index_of(*nav_mesh, dtQueryFilter());
    // Agents of filter 3 may not cross a wall, except at its end.
    for (unsigned z = 0; z < 7; ++z) nav_mesh->setPolyFlags(index.refs().ref(polygon_at(3, z)), 2);
    Crowd crowd(*nav_mesh);
    dtQueryFilter& filter = *crowd.crowd().getEditableFilter(3);
    filter.setExcludeFlags(2);
    CrowdPaths paths;
    EXPECT_EQ(paths.answer(crowd.crowd()), 0);
    EXPECT_EQ(paths.set_index(index, -1), StatusCode::bad_option);
    EXPECT_EQ(paths.set_index(index, DT_CROWD_MAX_QUERY_FILTER_TYPE), StatusCode::bad_option);
    EXPECT_EQ(paths.set_index(index.updated(*nav_mesh).value()), StatusCode::ok);
    const Position target{39, 0, 1};
    const dtPolyRef end = index.refs().ref(polygon_at(7, 0));
    const int free = crowd.add({1, 0, 1});
    const int bound = crowd.add({1, 0, 1}, 3);
    crowd.send(free, end, target);
    crowd.send(bound, end, target);
    // Without an index of their filter, agents are left to the crowd.
    EXPECT_EQ(paths.answer(crowd.crowd()), 1);
    paths.set_index(index, 3);
    EXPECT_EQ(paths.answer(crowd.crowd()), 0) << "the index is of another filter";
    EXPECT_EQ(crowd[bound].targetState, DT_CROWDAGENT_TARGET_REQUESTING);
    const PathIndex of_filter = index.with_filter(*nav_mesh, filter).value();
    paths.set_index(of_filter, 3);
    EXPECT_EQ(paths.answer(crowd.crowd()), 1);
    EXPECT_EQ(of_filter.walkable(crowd.path(bound)), crowd.path(bound).size());
    EXPECT_LT(of_filter.walkable(crowd.path(free)), crowd.path(free).size());
    EXPECT_TRUE(crowd.arrives(paths, free, target));
    EXPECT_TRUE(crowd.arrives(paths, bound, target));
}

TEST(CrowdPaths, WhatTheIndexDoesNotKnowIsLeftToTheCrowd) {
    const NavMesh nav_mesh = plain();
    const PathIndex index = index_of(*nav_mesh, dtQueryFilter());
    CrowdPaths paths(index);
    Crowd crowd(*nav_mesh);
    const int agent = crowd.add({1, 0, 1});
    EXPECT_EQ(crowd.frame(paths), 0) << "it has no target";
    // The target's tile is replaced, and the index is not told.
    const dtPolyRef old = index.refs().ref(polygon_at(7, 7));
    ASSERT_TRUE(
        dtStatusSucceed(nav_mesh->removeTile(nav_mesh->getTileRefAt(3, 3, 0), nullptr, nullptr)));
    add_tile(*nav_mesh, {.x = 3, .y = 3});
    const PathIndex now = index.updated(*nav_mesh).value();
    EXPECT_FALSE(now.walkable(old));
    dtPolyRef target = 0;
    PathQuery query(now, *nav_mesh);
    const Position to{36, 0, 37};  // near the border of its polygon
    Position nearest{};
    query.findNearestPoly(to.data(), Position{1, 1, 1}.data(), nullptr, &target, nearest.data());
    EXPECT_TRUE(now.walkable(target));
    crowd.send(agent, target, to);
    EXPECT_EQ(paths.answer(crowd.crowd()), 0);
    EXPECT_TRUE(crowd.arrives(paths, agent, to)) << "the crowd plans for it";
    // Excluded under the agent: the crowd moves it, then it is planned for.
    nav_mesh->setPolyFlags(crowd[agent].corridor.getFirstPoly(), 0);
    paths.set_index(now.updated(*nav_mesh).value());
    crowd.send(agent, now.refs().ref(0), {1, 0, 1});
    EXPECT_EQ(paths.answer(crowd.crowd()), 0);
    EXPECT_TRUE(crowd.arrives(paths, agent, {1, 0, 1}));
}

/// A row of tiles.
NavMesh row_of(int tiles) {
    std::vector<SmallTile> row;
    for (int x = 0; x < tiles; ++x) row.push_back({.x = x, .y = 0});
    return nav_mesh_of(row, 256);
}

// A crowd's corridors have room for 256 polygons.
TEST(CrowdPaths, LongPathsAreWalkedPieceByPiece) {
    const NavMesh nav_mesh = row_of(200);
    const PathIndex index = index_of(*nav_mesh, dtQueryFilter());
    CrowdPaths paths(index);
    Crowd crowd(*nav_mesh);
    const int agent = crowd.add({1, 0, 2}, 0, 50);
    const dtPolyRef end = index.refs().ref(4 * 199 + 1);
    const Position to{1999, 0, 2};
    crowd.send(agent, end, to);
    EXPECT_EQ(paths.answer(crowd.crowd()), 1);
    EXPECT_EQ(crowd.path(agent).size(), 255U);
    EXPECT_NE(crowd.path(agent).back(), end);
    int answers = 1;
    for (int i = 0; i < 3000 && crowd.distance_to(agent, to) > 2.5; ++i) {
        answers += crowd.frame(paths);
        ASSERT_EQ(crowd[agent].targetState, DT_CROWDAGENT_TARGET_VALID);
        ASSERT_FALSE(crowd[agent].partial);
    }
    EXPECT_EQ(answers, 3);
    EXPECT_LE(crowd.distance_to(agent, to), 2.5);
}

TEST(CrowdPaths, LongPartialPathsAreWalkedToTheirEnd) {
    const NavMesh nav_mesh = row_of(200);
    ASSERT_TRUE(
        dtStatusSucceed(nav_mesh->removeTile(nav_mesh->getTileRefAt(198, 0, 0), nullptr, nullptr)));
    const PathIndex index = index_of(*nav_mesh, dtQueryFilter());
    CrowdPaths paths(index);
    Crowd crowd(*nav_mesh);
    const int agent = crowd.add({1, 0, 2}, 0, 50);
    crowd.send(agent, index.refs().ref(4 * 198 + 1), {1999, 0, 2});
    EXPECT_EQ(crowd.frame(paths), 1);
    EXPECT_FALSE(crowd[agent].partial) << "its end is not known yet";
    for (int i = 0; i < 3000 && crowd.distance_to(agent, {1980, 0, 2}) > 2.5; ++i)
        crowd.frame(paths);
    EXPECT_LE(crowd.distance_to(agent, {1980, 0, 2}), 2.5);
    EXPECT_TRUE(crowd[agent].partial);
    EXPECT_EQ(crowd.frame(paths), 0);
}

}  // namespace
}  // namespace cairn::detour
