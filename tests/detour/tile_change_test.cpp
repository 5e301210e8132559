// Indexes updated after tiles were added, removed or replaced, against indexes built anew.

#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <vector>

#include "cairn/detour/path_index.hpp"
#include "detour_query.hpp"
#include "same_answers.hpp"
#include "small_tile_sets.hpp"
#include "support/scale.hpp"

namespace cairn::detour {
namespace {

using mesh::kNone;
using mesh::Polygon;

constexpr int kTilesPerSide = 3;
constexpr float kUpperHeight = 20;  // of layer 1; layer 0 lies at about 0

std::uint8_t random_area(std::mt19937& random) { return static_cast<std::uint8_t>(random() % 3); }

/// A connection from a point of the tile to a point of it or of a neighbour, on either layer.
SmallConnection random_connection(const SmallTile& tile, std::mt19937& random) {
    // A coordinate `from` to `to` after the begin of a tile, plus 0.25 to stay off its edges.
    const auto coordinate = [&](int tile_index, int from, int to) {
        const int range = to - from + 1;
        const int offset = from + static_cast<int>(random() % static_cast<unsigned>(range));
        return static_cast<float>(tile_index) * kSmallTile + static_cast<float>(offset) + 0.25F;
    };
    SmallConnection made;
    made.ends[0] = coordinate(tile.x, 1, 8);
    made.ends[1] = tile.height;
    made.ends[2] = coordinate(tile.y, 1, 8);
    made.ends[3] = coordinate(tile.x, -6, 15);
    made.ends[4] = random() % 2 == 0 ? 0.0F : kUpperHeight;
    made.ends[5] = coordinate(tile.y, -6, 15);
    made.both_ways = random() % 8 != 0;
    made.area = random_area(random);
    return made;
}

SmallTile random_tile(int x, int y, int layer, std::mt19937& random) {
    SmallTile tile{.x = x, .y = y, .layer = layer};
    // Heights differ by less than the climb, so connections still land, but at other points.
    tile.height = static_cast<float>(layer) * kUpperHeight + static_cast<float>(random() % 3) / 8;
    for (std::uint8_t& area : tile.areas) area = random_area(random);
    for (std::uint16_t& flags : tile.flags)
        flags = static_cast<std::uint16_t>(random() % 6 == 0 ? 2 : 1);
    const std::size_t connections = random() % 3;
    for (std::size_t i = 0; i < connections; ++i)
        tile.connections.push_back(random_connection(tile, random));
    tile.tree = random() % 2 == 0;
    return tile;
}

dtTileRef tile_at(const dtNavMesh& nav_mesh, const std::array<int, 3>& place) {
    return nav_mesh.getTileRefAt(place[0], place[1], place[2]);
}

/// Removes, adds or replaces the tile at a random place. Appends the references of tiles that are
/// no longer there or new.
void change_random_tile(dtNavMesh& nav_mesh, std::mt19937& random,
                        std::vector<dtTileRef>& changed) {
    std::array<int, 3> place{};
    place[0] = static_cast<int>(random() % kTilesPerSide);
    place[1] = static_cast<int>(random() % kTilesPerSide);
    place[2] = random() % 3 == 0 ? 1 : 0;
    const dtTileRef old_tile = tile_at(nav_mesh, place);
    if (old_tile != 0) {
        ASSERT_TRUE(dtStatusSucceed(nav_mesh.removeTile(old_tile, nullptr, nullptr)));
        changed.push_back(old_tile);
        if (random() % 3 == 0) return;
    }
    add_tile(nav_mesh, random_tile(place[0], place[1], place[2], random));
    changed.push_back(tile_at(nav_mesh, place));
}

PathIndexOptions random_options(std::mt19937& random) {
    PathIndexOptions options;
    options.hna.mu = 2 + static_cast<int>(random() % 4);
    options.hna.levels = 1 + static_cast<int>(random() % 3);
    options.mesh.units_per_length = 256;
    return options;
}

dtQueryFilter filter_of_two_costs() {
    dtQueryFilter filter;
    filter.setAreaCost(1, 3);
    filter.setAreaCost(2, 1.5F);
    filter.setExcludeFlags(2);
    return filter;
}

/// Two indexes are the same, with the same references.
void expect_same(const Result<PathIndex>& found, const PathIndex& expected) {
    ASSERT_TRUE(found) << found.error().message;
    ASSERT_EQ(found->index(), expected.index());
    ASSERT_EQ(found->index().snapshot_id(), expected.index().snapshot_id());
    ASSERT_EQ(found->refs().num_polygons(), expected.refs().num_polygons());
    for (Polygon p = 0; p < expected.refs().num_polygons(); ++p) {
        const dtPolyRef ref = expected.refs().ref(p);
        ASSERT_EQ(found->refs().ref(p), ref);
        ASSERT_EQ(found->refs().polygon(ref), ref == 0 ? kNone : p);
    }
}

/// Changes random tiles step by step, updates the index and compares it with one built anew.
void run_sequence(unsigned seed) {
    std::mt19937 random(seed);
    NavMesh nav_mesh = nav_mesh_of({});
    std::vector<dtTileRef> changed;
    for (int i = 0; i < 10; ++i)
        ASSERT_NO_FATAL_FAILURE(change_random_tile(*nav_mesh, random, changed));
    const dtQueryFilter filter = filter_of_two_costs();
    const PathIndexOptions options = random_options(random);
    const auto build = [&] { return PathIndex::build(*nav_mesh, filter, options).value(); };
    PathQuery query(build());
    for (int step = 0; step < 6; ++step) {
        SCOPED_TRACE(step);
        const PathIndex old = query.index();
        const std::size_t changes = 1 + random() % 2;
        changed.clear();
        for (std::size_t i = 0; i < changes; ++i)
            ASSERT_NO_FATAL_FAILURE(change_random_tile(*nav_mesh, random, changed));
        const auto updated = old.updated(*nav_mesh);
        ASSERT_TRUE(updated) << updated.error().message;
        ASSERT_NO_FATAL_FAILURE(expect_same(old.updated_tiles(*nav_mesh, changed), *updated));
        const PathIndex anew = build();
        query.set_index(*updated);
        ASSERT_NO_FATAL_FAILURE(check_refs(*updated, anew));
        if (anew.refs().num_polygons() == 0) continue;
        PathQuery query_anew(anew);
        ASSERT_NO_FATAL_FAILURE(check_answers(query, query_anew, 12, random));
        if (random() % 2 == 0) query.set_index(updated->with_labels().value());
        ASSERT_NO_FATAL_FAILURE(check_answers(query, query_anew, 12, random));
        ASSERT_EQ(query.index().updated(*nav_mesh)->index().snapshot_id(),
                  updated->index().snapshot_id());
    }
}

TEST(TileChange, UpdatedIndexesAnswerAsThoseBuiltAnew) {
    for (unsigned seed = 0; seed < test::scaled(150); ++seed) {
        SCOPED_TRACE(seed);
        ASSERT_NO_FATAL_FAILURE(run_sequence(seed));
    }
}

TEST(TileChange, OldIndexesStillAnswer) {
    const NavMesh nav_mesh = small_nav_mesh();
    const PathIndex index = PathIndex::build(*nav_mesh, dtQueryFilter()).value();
    const dtPolyRef old = index.refs().ref(5);
    ASSERT_TRUE(
        dtStatusSucceed(nav_mesh->removeTile(nav_mesh->getTileRefAt(1, 0, 0), nullptr, nullptr)));
    const PathIndex without = index.updated(*nav_mesh).value();
    EXPECT_EQ(without.refs().polygon(old), kNone);
    EXPECT_EQ(without.index().mesh().num_removed(), 4U);
    add_tile(*nav_mesh, {.x = 1, .y = 0});
    const PathIndex replaced = without.updated(*nav_mesh).value();
    const dtPolyRef now = nav_mesh->getPolyRefBase(nav_mesh->getTileAt(1, 0, 0)) | 1U;
    EXPECT_NE(old, now);
    EXPECT_TRUE(index.reachable(index.refs().ref(0), old));
    EXPECT_FALSE(replaced.reachable(index.refs().ref(0), old));
    EXPECT_TRUE(replaced.reachable(index.refs().ref(0), now));
}

TEST(TileChange, AConnectionFollowsTheTileItLeadsTo) {
    const SmallTile from{.x = 0, .y = 0, .connections = {{.ends = {7, 0, 7, 17, 0.25F, 7}}}};
    const NavMesh nav_mesh = nav_mesh_of({from, {.x = 1, .y = 0}});
    PathQuery query(PathIndex::build(*nav_mesh, dtQueryFilter()).value());
    ASSERT_TRUE(
        dtStatusSucceed(nav_mesh->removeTile(nav_mesh->getTileRefAt(1, 0, 0), nullptr, nullptr)));
    add_tile(*nav_mesh, {.x = 1, .y = 0, .height = 0.25F});
    query.set_index(query.index().updated(*nav_mesh).value());
    // The four polygons of the tile, and the connection.
    EXPECT_EQ(query.index().index().mesh().num_removed(), 5U);
    const auto connection = static_cast<Polygon>(query.index().refs().num_polygons() - 1);
    EXPECT_TRUE(query.index().index().mesh().is_connection(connection));
    EXPECT_EQ(query.index().index().mesh().links(connection).size(), 2U);
}

TEST(TileChange, OnlyTilesThatAreNamedAreExamined) {
    const NavMesh nav_mesh = small_nav_mesh();
    const PathIndex index = PathIndex::build(*nav_mesh, dtQueryFilter()).value();
    const dtTileRef old = nav_mesh->getTileRefAt(1, 0, 0);
    ASSERT_TRUE(dtStatusSucceed(nav_mesh->removeTile(old, nullptr, nullptr)));
    const auto unnamed = index.updated_tiles(*nav_mesh, {});
    ASSERT_TRUE(unnamed);
    EXPECT_EQ(unnamed->index().snapshot_id(), index.index().snapshot_id());
    const auto named = index.updated_tiles(*nav_mesh, std::array{old});
    ASSERT_NO_FATAL_FAILURE(expect_same(named, index.updated(*nav_mesh).value()));
    EXPECT_EQ(named->index().mesh().num_removed(), 4U);
}

TEST(TileChange, PolygonsOfUnknownTypesAreLeftOut) {
    constexpr unsigned char kUnknown = 2;
    const NavMesh nav_mesh = small_nav_mesh();
    const dtMeshTile& tile = *nav_mesh->getTileAt(1, 0, 0);
    tile.polys[2].setType(kUnknown);
    const PathIndex index = PathIndex::build(*nav_mesh, dtQueryFilter()).value();
    EXPECT_EQ(index.refs().polygon(nav_mesh->getPolyRefBase(&tile) | 2U), kNone);
    EXPECT_EQ(index.updated(*nav_mesh)->index().snapshot_id(), index.index().snapshot_id());
    const dtTileRef old = nav_mesh->getTileRef(&tile);
    ASSERT_TRUE(dtStatusSucceed(nav_mesh->removeTile(old, nullptr, nullptr)));
    const auto without = index.updated(*nav_mesh);
    ASSERT_TRUE(without) << without.error().message;
    EXPECT_EQ(without->index().mesh().num_removed(), 3U);
    expect_same(index.updated_tiles(*nav_mesh, std::array{old}), *without);
}

TEST(TileChange, ATileNumberBeyondTheRoomIsRefused) {
    const NavMesh nav_mesh = nav_mesh_of({{.x = 0, .y = 0}}, 12);
    const PathIndex index = PathIndex::build(*nav_mesh, dtQueryFilter()).value();
    const auto refused =
        index.updated_tiles(*nav_mesh, std::array{dtTileRef{nav_mesh->encodePolyId(1, 12, 0)}});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, StatusCode::bad_option);
}

TEST(TileChange, AnotherDtNavMeshIsRefused) {
    const NavMesh nav_mesh = small_nav_mesh();
    const PathIndex index = PathIndex::build(*nav_mesh, dtQueryFilter()).value();
    const NavMesh other(dtAllocNavMesh());
    dtNavMeshParams params{};
    params.tileWidth = kSmallTile;
    params.tileHeight = kSmallTile;
    params.maxTiles = 64;
    params.maxPolys = 16;
    ASSERT_TRUE(dtStatusSucceed(other->init(&params)));
    const auto refused = index.updated(*other);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, StatusCode::stale_index);
}

}  // namespace
}  // namespace cairn::detour
