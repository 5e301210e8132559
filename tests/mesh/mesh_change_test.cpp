// A mesh whose tiles are removed and added equals a mesh built from scratch from what is left.

#include <gtest/gtest.h>

#include <limits>

#include "cairn/mesh/locator.hpp"
#include "cairn/mesh/reachability.hpp"
#include "mesh/mesh_data.hpp"
#include "support/mesh_dijkstra.hpp"
#include "support/scale.hpp"
#include "support/tiled_meshes.hpp"

namespace cairn::mesh {
namespace {

using test::MeshDijkstra;
using test::RandomMaps;
using test::TileChange;
using test::TiledMesh;

MeshOptions random_options(RandomMaps& random) {
    MeshOptions options;
    options.units_per_length = 512;
    options.area_costs[1] = 2.5F;
    options.area_costs[2] = 0.5F;
    options.area_costs[3] = random.chance(50) ? -1.0F : 1.0F;
    if (random.chance(30)) options.scoring = Scoring::polygon_centres;
    if (random.chance(30)) {
        options.scoring = Scoring::portal_parts;
        options.longest_part = random.chance(50) ? 0.4 : 0;
    }
    return options;
}

/// A mesh built from the polygons of a changed mesh that have not been removed.
struct Rebuilt {
    Mesh mesh;
    std::vector<Polygon> number;  // by polygon of the changed mesh: its number here, or kNone
};

Rebuilt rebuilt(const Mesh& mesh) {
    Rebuilt result;
    test::MeshParts parts;
    parts.portals_given = true;
    parts.vertices.assign(mesh.vertices().begin(), mesh.vertices().end());
    result.number.assign(mesh.num_polygons(), kNone);
    for (Polygon p = 0; p < mesh.num_polygons(); ++p) {
        if (mesh.is_removed(p) || mesh.is_connection(p)) continue;
        const auto corners = mesh.corners(p);
        parts.corners.insert(parts.corners.end(), corners.begin(), corners.end());
        parts.first_corner.push_back(static_cast<std::uint32_t>(parts.corners.size()));
        parts.areas.push_back(mesh.area(p));
        result.number[p] = parts.num_polygons() - 1;
    }
    for (Polygon p = 0; p < mesh.num_polygons(); ++p) {
        if (!mesh.is_connection(p)) continue;
        const auto ends = mesh.corners(p);
        result.number[p] =
            parts.num_polygons() + static_cast<std::uint32_t>(parts.connections.size());
        parts.connections.push_back(
            {kNone, kNone, mesh.vertices()[ends[0]], mesh.vertices()[ends[1]], mesh.area(p), true});
    }
    for (Link link = 0; link < mesh.num_links(); link += 2) {
        if (mesh.polygon_of(link) == kNone || mesh.part(portal_of(link)) != 0) continue;
        PortalSource portal;
        portal.first = result.number[mesh.polygon_of(link)];
        portal.second = result.number[mesh.polygon_of(twin(link))];
        portal.begin = mesh.right(link);
        portal.end = mesh.left(link);
        portal.forth = mesh.data().topology->passable[link] != 0;
        portal.back = mesh.data().topology->passable[twin(link)] != 0;
        parts.portals.push_back(portal);
    }
    result.mesh = Mesh::build(parts.source(), mesh.options()).value();
    return result;
}

// The links, costs and removed polygons of a mesh are consistent.
void check_consistency(const Mesh& mesh) {
    std::uint32_t removed = 0;
    std::size_t listed = 0;  // links listed by polygons
    const MeshDijkstra oracle(mesh);
    for (Polygon p = 0; p < mesh.num_polygons(); ++p) {
        const auto links = mesh.links(p);
        listed += links.size();
        if (mesh.is_removed(p)) {
            ++removed;
            ASSERT_TRUE(links.empty() && mesh.blocked(p) && mesh.area(p) == 0);
            ASSERT_FALSE(mesh.is_connection(p));
        }
        for (std::uint32_t i = 0; i < links.size(); ++i) {
            ASSERT_EQ(mesh.polygon_of(links[i]), p);
            ASSERT_EQ(mesh.place(links[i]), i);
            ASSERT_FALSE(mesh.is_removed(mesh.polygon_of(twin(links[i]))));
            if (mesh.blocked(p)) continue;  // the oracle has no costs for closed areas
            for (std::uint32_t j = 0; j < links.size(); ++j)
                ASSERT_EQ(mesh.inside_cost(p, i, j), oracle.inside(links[i], links[j]));
        }
    }
    ASSERT_EQ(removed, mesh.num_removed());
    for (Link link = 0; link < mesh.num_links(); ++link) {
        if (mesh.polygon_of(link) == kNone) {
            ASSERT_EQ(mesh.polygon_of(twin(link)), kNone);
            ASSERT_FALSE(mesh.open(link));
        } else {
            --listed;
        }
    }
    ASSERT_EQ(listed, 0U);
}

// Costs, reachability and located polygons agree with those of the mesh built from scratch.
void check_against_rebuilt(const Mesh& mesh, RandomMaps& random) {
    const Rebuilt expected = rebuilt(mesh);
    if (mesh.num_removed() == mesh.num_polygons()) return;
    ASSERT_EQ(mesh.directed(), expected.mesh.directed());
    const auto locator = Locator::create(mesh).value();
    const auto expected_locator = Locator::create(expected.mesh).value();
    const Reachability reach = Reachability::build(mesh).value();
    constexpr double kFar = std::numeric_limits<double>::infinity();
    for (int i = 0; i < 6; ++i) {
        const Place start = test::random_place(mesh, random);
        const Place goal = test::random_place(mesh, random);
        const Place expected_start{expected.number[start.polygon], start.point};
        const Place expected_goal{expected.number[goal.polygon], goal.point};
        const Cost cost = MeshDijkstra(mesh).cost(start, goal);
        ASSERT_EQ(cost, MeshDijkstra(expected.mesh).cost(expected_start, expected_goal));
        ASSERT_EQ(cost < kInfinity, reach.reaches(start.polygon, goal.polygon));
        const Polygon found = locator.find(mesh, start.point, kFar);
        ASSERT_EQ(found == kNone ? kNone : expected.number[found],
                  expected_locator.find(expected.mesh, start.point, kFar));
    }
}

TEST(MeshChangeTest, AfterEveryTileChangeTheMeshEqualsARebuild) {
    for (std::uint64_t seed = 0; seed < test::scaled(60); ++seed) {
        SCOPED_TRACE(seed);
        RandomMaps random(seed);
        TiledMesh tiles(random, random.number(2, 4), random.number(1, 3),
                        random.chance(40) ? 4 : 0);
        Mesh mesh = Mesh::build(tiles.all().added.source(), random_options(random)).value();
        for (int step = 0; step < 8; ++step) {
            const auto tile =
                static_cast<std::size_t>(random.number(0, static_cast<int>(tiles.tiles()) - 1));
            const std::vector<std::size_t> taken{tile};
            const bool fill = random.chance(70);
            const TileChange change =
                tiles.change(taken, fill ? taken : std::vector<std::size_t>{}, mesh.num_polygons());
            const Mesh before = mesh;
            const Mesh copy = before.edited({}).value();
            const auto changed = before.changed(change.change());
            ASSERT_TRUE(changed) << changed.error().message;
            mesh = *changed;
            ASSERT_EQ(mesh.num_polygons(), before.num_polygons() + change.added.num_polygons() +
                                               change.added.connections.size());
            ASSERT_TRUE(before == copy);
            ASSERT_NO_FATAL_FAILURE(check_consistency(before));
            ASSERT_NO_FATAL_FAILURE(check_consistency(mesh));
            ASSERT_NO_FATAL_FAILURE(check_against_rebuilt(mesh, random));
        }
    }
}

TEST(MeshChangeTest, AllTilesCanBeRemovedAndAddedAgain) {
    RandomMaps random(1);
    TiledMesh tiles(random, 2, 3);
    Mesh mesh = Mesh::build(tiles.all().added.source()).value();
    const std::vector<std::size_t> every_tile{0, 1, 2, 3};
    const TileChange removal = tiles.change(every_tile, {}, mesh.num_polygons());
    mesh = mesh.changed(removal.change()).value();
    EXPECT_EQ(mesh.num_removed(), mesh.num_polygons());
    check_consistency(mesh);
    EXPECT_EQ(Locator::create(mesh).value().find(mesh, {1, 0, 1}, 100), kNone);
    EXPECT_FALSE(Locator::create(mesh).value().nearest(mesh, {1, 0, 1}, 100));
    const TileChange refill = tiles.change({}, every_tile, mesh.num_polygons());
    mesh = mesh.changed(refill.change()).value();
    EXPECT_GT(mesh.num_polygons(), mesh.num_removed());
    check_consistency(mesh);
    check_against_rebuilt(mesh, random);
}

TEST(MeshChangeTest, AnEmptyChangeKeepsPolygonsLinksAndFingerprint) {
    RandomMaps random(2);
    TiledMesh tiles(random, 2, 3);
    const Mesh mesh = Mesh::build(tiles.all().added.source()).value();
    const Mesh same = mesh.changed({}).value();
    EXPECT_EQ(same.num_polygons(), mesh.num_polygons());
    EXPECT_EQ(same.num_links(), mesh.num_links());
    EXPECT_EQ(same.fingerprint(), mesh.fingerprint());
}

// Polygons 0 and 1 are unit squares in a row. The change adds a third one, 2, and the portal to it.
class MeshChangeRefusals : public testing::Test {
protected:
    MeshChangeRefusals() : mesh_(test::drawn_mesh({"ab"})) {
        for (const float x : {2.0F, 3.0F}) {
            for (const float z : {0.0F, 1.0F}) added_.vertex(x, 0, z);
        }
        added_.polygon({0, 2, 3, 1});
        added_.portals.push_back({1, 2, {2, 0, 0}, {2, 0, 1}});
    }
    [[nodiscard]] StatusCode status(std::vector<Polygon> removed) const {
        const auto result = mesh_.changed({removed, added_.source()});
        return result ? StatusCode::ok : result.error().code;
    }

    Mesh mesh_;
    test::MeshParts added_;
};

TEST_F(MeshChangeRefusals, RemovedPolygonsMustExist) {
    EXPECT_EQ(status({}), StatusCode::ok);
    EXPECT_EQ(status({0}), StatusCode::ok);
    EXPECT_EQ(status({2}), StatusCode::bad_option);
    EXPECT_EQ(status({0, 0}), StatusCode::bad_option);
    const std::vector<Polygon> first{0};
    mesh_ = mesh_.changed({first, {}}).value();
    EXPECT_EQ(status({0}), StatusCode::bad_option);
    EXPECT_EQ(status({}), StatusCode::ok);
    const std::vector<PolygonEdit> edit{{0, 0, false}};
    EXPECT_EQ(mesh_.edited(edit).error().code, StatusCode::bad_option);
}

TEST_F(MeshChangeRefusals, PortalsAndConnectionsMustJoinPolygonsThatExist) {
    EXPECT_EQ(status({1}), StatusCode::corrupt_file);
    added_.portals[0].second = 3;
    EXPECT_EQ(status({}), StatusCode::corrupt_file);
    added_.portals[0].second = 1;
    EXPECT_EQ(status({}), StatusCode::corrupt_file);
    added_.portals[0] = {0, 2, {2, 0, 0}, {2, 0, 1}};
    EXPECT_EQ(status({}), StatusCode::corrupt_file);
    added_.portals.clear();
    added_.connections.push_back({1, 2, {1.5F, 0, 0.5F}, {2.5F, 0, 0.5F}});
    EXPECT_EQ(status({}), StatusCode::ok);
    EXPECT_EQ(status({1}), StatusCode::corrupt_file);
    added_.connections[0].to = 3;
    EXPECT_EQ(status({}), StatusCode::corrupt_file);
}

TEST_F(MeshChangeRefusals, PolygonsMustBeConvex) {
    added_.corners = {0, 2, 1, 3};
    EXPECT_EQ(status({}), StatusCode::corrupt_file);
    added_.corners = {0, 2, 3, 9};
    EXPECT_EQ(status({}), StatusCode::corrupt_file);
}

TEST_F(MeshChangeRefusals, FixedUnitsMustStillFit) {
    added_.vertices[2].x = added_.vertices[3].x = 1e6F;
    EXPECT_EQ(status({}), StatusCode::ok);
    MeshOptions options;
    options.units_per_length = 1000;
    mesh_ = test::drawn_mesh({"ab"}, options);
    EXPECT_EQ(status({}), StatusCode::too_large);
}

TEST_F(MeshChangeRefusals, AutomaticUnitsBecomeCoarserInstead) {
    added_.vertices[2].x = added_.vertices[3].x = 1e6F;
    const Mesh changed = mesh_.changed({{}, added_.source()}).value();
    EXPECT_LT(changed.units_per_length(), mesh_.units_per_length());
    check_consistency(changed);
}

}  // namespace
}  // namespace cairn::mesh
