#include "cairn/detour/path_index.hpp"

#include <gtest/gtest.h>

#include <array>
#include <span>
#include <vector>

#include "detour_query.hpp"
#include "small_tile_sets.hpp"

namespace cairn::detour {
namespace {

using mesh::Polygon;

/// Area 1 costs 3; polygons with flag 2 are blocked.
dtQueryFilter filter_with_costs() {
    dtQueryFilter filter;
    filter.setAreaCost(1, 3);
    filter.setExcludeFlags(2);
    return filter;
}

TEST(PathIndex, UpdatesEqualBuildsAnew) {
    const NavMesh nav_mesh = small_nav_mesh();
    const dtQueryFilter filter = filter_with_costs();
    PathIndex index = index_of(*nav_mesh, filter);
    std::mt19937 random(1);
    for (int round = 0; round < 50; ++round) {
        std::vector<dtPolyRef> changed;
        for (int i = 0; i < 3; ++i) {
            const auto polygon = static_cast<Polygon>(random() % index.refs().num_polygons());
            changed.push_back(index.refs().ref(polygon));
            nav_mesh->setPolyArea(changed.back(), static_cast<std::uint8_t>(random() % 3));
            nav_mesh->setPolyFlags(changed.back(), static_cast<std::uint16_t>(1 + random() % 3));
        }
        const auto from_scan = index.updated(*nav_mesh);
        const auto from_list = index.updated(*nav_mesh, changed);
        ASSERT_TRUE(from_scan && from_list);
        const PathIndex anew = index_of(*nav_mesh, filter);
        ASSERT_EQ(from_scan->index(), anew.index());
        ASSERT_EQ(from_list->index(), anew.index());
        index = *from_scan;
    }
    const auto completed = index.with_labels();
    ASSERT_TRUE(completed);
    EXPECT_EQ(completed->index(), index.index());
    EXPECT_TRUE(same_filter(completed->filter(), filter));
}

TEST(PathIndex, UpdatesChangeTheSnapshotOnlyWithTheNavMesh) {
    const NavMesh nav_mesh = nav_mesh_of({{.x = 0, .y = 0}, {.x = 1, .y = 0}});
    const PathIndex index = index_of(*nav_mesh, filter_with_costs());
    ASSERT_TRUE(index.index().has_labels());
    EXPECT_EQ(index.updated(*nav_mesh)->index().snapshot_id(), index.index().snapshot_id());
    nav_mesh->setPolyFlags(index.refs().ref(1), 2);
    const auto updated = index.updated(*nav_mesh);
    EXPECT_NE(updated->index().snapshot_id(), index.index().snapshot_id());
    EXPECT_FALSE(updated->index().has_labels());
    EXPECT_TRUE(updated->with_labels()->index().has_labels());
    EXPECT_TRUE(index.reachable(index.refs().ref(0), index.refs().ref(1)));
    EXPECT_FALSE(updated->reachable(index.refs().ref(0), index.refs().ref(1)));
}

TEST(PathIndex, AQuerySeesChangesOnceItHasTheUpdatedIndex) {
    const NavMesh nav_mesh = small_nav_mesh();
    const dtQueryFilter filter = filter_with_costs();
    PathQuery query(index_of(*nav_mesh, filter));
    const Ends ends{query.index().refs().ref(0), query.index().refs().ref(1), {2, 0, 2}, {8, 0, 2}};
    EXPECT_TRUE(find_path(query, ends, filter).complete());
    nav_mesh->setPolyFlags(ends.end, 2);
    EXPECT_TRUE(find_path(query, ends, filter).complete());
    query.set_index(query.index().updated(*nav_mesh).value());
    EXPECT_FALSE(find_path(query, ends, filter).complete());
}

TEST(PathIndex, ReferencesToReplacedTilesAreRefused) {
    const NavMesh nav_mesh = small_nav_mesh();
    const PathIndex index = index_of(*nav_mesh, dtQueryFilter());
    const dtPolyRef old = index.refs().ref(5);
    ASSERT_TRUE(
        dtStatusSucceed(nav_mesh->removeTile(nav_mesh->getTileRefAt(1, 0, 0), nullptr, nullptr)));
    const auto is_stale = [&](const auto& result) {
        return !result && result.error().code == StatusCode::stale_index;
    };
    EXPECT_TRUE(is_stale(index.updated(*nav_mesh, std::array{old})));
    add_tile(*nav_mesh, {.x = 1, .y = 0});
    const PathIndex anew = index_of(*nav_mesh, dtQueryFilter());
    const dtPolyRef now = anew.refs().ref(5);
    EXPECT_TRUE(is_stale(index.updated(*nav_mesh, std::array{now})));
    EXPECT_TRUE(is_stale(index.updated(*nav_mesh, std::array{dtPolyRef{0}})));
    // The salt tells the old polygon from the new one.
    EXPECT_TRUE(index.reachable(index.refs().ref(0), old));
    EXPECT_FALSE(anew.reachable(anew.refs().ref(0), old));
    EXPECT_TRUE(anew.reachable(anew.refs().ref(0), now));
    PathQuery query(anew);
    EXPECT_EQ(find_path(query, {old, old, {}, {}}, dtQueryFilter()).status,
              DT_FAILURE | DT_INVALID_PARAM);
}

TEST(PathIndex, AdoptsAnIndexOfTheSameMesh) {
    const NavMesh nav_mesh = small_nav_mesh();
    const dtQueryFilter filter = filter_with_costs();
    const PathIndex index = index_of(*nav_mesh, filter);
    const auto adopted = PathIndex::adopt(index.index(), *nav_mesh, filter);
    ASSERT_TRUE(adopted) << adopted.error().message;
    EXPECT_EQ(adopted->index(), index.index());
    const auto refused = PathIndex::adopt(index.index(), *nav_mesh, dtQueryFilter());
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, StatusCode::wrong_map);
}

TEST(PathIndex, BadOptionsAreRefused) {
    const NavMesh nav_mesh = small_nav_mesh();
    dtQueryFilter filter;
    filter.setAreaCost(3, 1e9F);
    EXPECT_EQ(PathIndex::build(*nav_mesh, filter).error().code, StatusCode::bad_option);
    EXPECT_EQ(PathIndex::build(*nav_mesh, dtQueryFilter(), {.hna = {.levels = 9}, .mesh = {}})
                  .error()
                  .code,
              StatusCode::bad_option);
}

TEST(PathIndex, FindsTheNearestPolygon) {
    const NavMesh nav_mesh = small_nav_mesh();
    const PathIndex index = index_of(*nav_mesh, dtQueryFilter());
    const auto found = index.nearest({2, 19, 3}, 5);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->ref, index.refs().ref(16));  // of the upper tile
    EXPECT_EQ(found->point, (mesh::Point{2, 20, 3}));
    EXPECT_EQ(found->distance, 1);
    EXPECT_FALSE(index.nearest({-30, 0, 0}, 5));
    EXPECT_EQ(index.nearest({-30, 0, 1}, 50)->ref, index.refs().ref(0));
}

TEST(PathIndex, TellsHowFarACorridorCanStillBeWalked) {
    const NavMesh nav_mesh = small_nav_mesh();
    const dtQueryFilter filter = filter_with_costs();
    const PathIndex before = index_of(*nav_mesh, filter);
    PathQuery query(before);
    const auto ref = [&](Polygon p) { return before.refs().ref(p); };
    const Ends ends{ref(0), ref(7), {1, 0, 1}, {19, 0, 9}};
    const std::vector<dtPolyRef> corridor = find_path(query, ends, filter).path;
    ASSERT_GE(corridor.size(), 4U);
    EXPECT_EQ(before.walkable(corridor), corridor.size());
    EXPECT_EQ(before.walkable(std::span<const dtPolyRef>()), 0U);
    for (const dtPolyRef polygon : corridor) {
        EXPECT_TRUE(query.isValidPolyRef(polygon, &filter));
        EXPECT_TRUE(query.isValidPolyRef(polygon, nullptr));
    }
    // Polygons that do not exist, are not linked, or follow themselves.
    EXPECT_FALSE(query.isValidPolyRef(0, &filter));
    EXPECT_EQ(before.walkable(std::array{ref(0), dtPolyRef{0}}), 1U);
    EXPECT_EQ(before.walkable(std::array{ref(0), ref(15)}), 1U);
    EXPECT_EQ(before.walkable(std::array{ref(0), ref(0)}), 1U);
    const dtQueryFilter other;
    EXPECT_FALSE(query.isValidPolyRef(ref(0), &other));
    // A polygon is excluded.
    nav_mesh->setPolyFlags(corridor[2], 2);
    const PathIndex blocked = before.updated(*nav_mesh).value();
    EXPECT_EQ(blocked.walkable(corridor), 2U);
    EXPECT_EQ(blocked.walkable(std::span(corridor).first(2)), 2U);
    EXPECT_EQ(before.walkable(corridor), corridor.size());
    query.set_index(blocked);
    EXPECT_FALSE(query.isValidPolyRef(corridor[2], &filter));
    // The tile of the end is replaced.
    nav_mesh->setPolyFlags(corridor[2], 1);
    ASSERT_TRUE(
        dtStatusSucceed(nav_mesh->removeTile(nav_mesh->getTileRefAt(1, 0, 0), nullptr, nullptr)));
    add_tile(*nav_mesh, {.x = 1, .y = 0});
    const PathIndex replaced = blocked.updated(*nav_mesh).value();
    const std::size_t valid = replaced.walkable(corridor);
    ASSERT_LT(valid, corridor.size());
    const NavMeshQuery detour = detour_query(*nav_mesh);
    for (std::size_t i = 0; i < corridor.size(); ++i)
        EXPECT_EQ(replaced.walkable(corridor[i]), detour->isValidPolyRef(corridor[i], &filter));
    EXPECT_FALSE(replaced.walkable(corridor[valid]));
}

// A connection that leads one way can be walked only that way.
TEST(PathIndex, CorridorsKeepToOneWayLinks) {
    const NavMesh nav_mesh = small_nav_mesh();
    const PathIndex index = index_of(*nav_mesh, dtQueryFilter());
    const dtPolyRef jump = index.refs().ref(21);
    const dtPolyRef landing = index.refs().ref(15);
    EXPECT_EQ(index.walkable(std::array{jump, landing}), 2U);
    EXPECT_EQ(index.walkable(std::array{landing, jump}), 1U);
}

}  // namespace
}  // namespace cairn::detour
