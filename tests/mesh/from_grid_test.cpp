#include "cairn/mesh/from_grid.hpp"

#include <gtest/gtest.h>

#include <set>

#include "cairn/mesh/reachability.hpp"
#include "support/ascii_map.hpp"
#include "support/random_maps.hpp"
#include "support/scale.hpp"

namespace cairn::mesh {
namespace {

// The polygon of each cell, kNone where none or more than one covers it.
std::vector<Polygon> owners(const grid::Map& map, const Mesh& mesh) {
    std::vector<Polygon> owner(map.size(), kNone);
    for (Polygon p = 0; p < mesh.num_polygons(); ++p) {
        const Point low = mesh.vertices()[mesh.corners(p)[0]];
        const Point high = mesh.vertices()[mesh.corners(p)[2]];
        for (int y = static_cast<int>(low.z); y < static_cast<int>(high.z); ++y) {
            for (int x = static_cast<int>(low.x); x < static_cast<int>(high.x); ++x) {
                const grid::Cell c = map.cell({x, y});
                EXPECT_EQ(owner[c], kNone) << "cell " << c << " is covered twice";
                owner[c] = p;
            }
        }
    }
    return owner;
}

// Pairs of polygons with a portal, and the edges of cells these cover.
std::size_t expect_portals_are_borders(const Mesh& mesh,
                                       std::set<std::pair<Polygon, Polygon>>& pairs) {
    std::size_t edges = 0;
    for (Portal portal = 0; portal < mesh.num_portals(); ++portal) {
        const Link link = 2 * portal;
        const Polygon a = mesh.polygon_of(link);
        const Polygon b = mesh.polygon_of(twin(link));
        EXPECT_TRUE(pairs.insert(std::minmax(a, b)).second) << "two portals of one pair";
        const Point left = mesh.left(link);
        const Point right = mesh.right(link);
        edges += static_cast<std::size_t>(std::abs(left.x - right.x) + std::abs(left.z - right.z));
    }
    return edges;
}

TEST(FromGridTest, CoversFreeCellsOnceAndJoinsNeighbours) {
    for (std::uint64_t seed = 0; seed < test::scaled(300); ++seed) {
        SCOPED_TRACE(seed);
        test::RandomMaps random(seed);
        const grid::Map map = random.map(random.size(40), {});
        const Mesh mesh = mesh_from_grid(map).value();
        const std::vector<Polygon> owner = owners(map, mesh);
        const Reachability reachability = Reachability::build(mesh);
        std::set<std::pair<Polygon, Polygon>> pairs;
        const std::size_t edges = expect_portals_are_borders(mesh, pairs);
        std::size_t expected = 0;
        for (grid::Cell c = 0; c < map.size(); ++c) {
            ASSERT_EQ(owner[c] != kNone, map.passable(c));
            if (owner[c] == kNone) continue;
            const float cost = mesh.options().area_costs[mesh.area(owner[c])];
            ASSERT_EQ(cost, static_cast<float>(map.weight(c)));
            for (const int d : {2, 4}) {
                if ((map.moves(c) >> d & 1) == 0) continue;
                const Polygon next = owner[map.step(c, d)];
                ASSERT_TRUE(reachability.reaches(owner[c], next));
                if (next == owner[c]) continue;
                ++expected;
                ASSERT_TRUE(pairs.contains(std::minmax(owner[c], next)));
            }
        }
        ASSERT_EQ(edges, expected);
    }
}

TEST(FromGridTest, MergesTheLargerWay) {
    const grid::Map map = test::ascii_map({
        "...@",
        "..@.",
        "...@",
    });
    const Mesh mesh = mesh_from_grid(map).value();
    // Two columns of three first; then single cells, of which one touches but a corner of another.
    ASSERT_EQ(mesh.num_polygons(), 4U);
    EXPECT_EQ(mesh.centre(0), (Point{1, 0, 1.5F}));
    EXPECT_EQ(mesh.centre(1), (Point{2.5F, 0, 0.5F}));
    EXPECT_EQ(mesh.centre(2), (Point{3.5F, 0, 1.5F}));
    EXPECT_EQ(mesh.centre(3), (Point{2.5F, 0, 2.5F}));
    EXPECT_EQ(mesh.num_portals(), 2U);
    EXPECT_TRUE(mesh.links(2).empty());
    EXPECT_EQ(mesh.midpoint(0), (Point{2, 0, 0.5F}));
}

TEST(FromGridTest, WeightsAreAreas) {
    const grid::Map map = test::ascii_map({"1193", "1193"});
    const Mesh mesh = mesh_from_grid(map).value();
    ASSERT_EQ(mesh.num_polygons(), 3U);
    EXPECT_EQ(mesh.area(0), 0);
    EXPECT_EQ(mesh.area(1), 2);
    EXPECT_EQ(mesh.area(2), 1);
    EXPECT_EQ(mesh.inside_cost(1, 0, 1), static_cast<Cost>(9 * mesh.units_per_length()));
}

TEST(FromGridTest, MapsWithoutFreeCellsAndTooManyWeights) {
    EXPECT_EQ(mesh_from_grid(test::ascii_map({"@@", "@@"})).value().num_polygons(), 0U);
    grid::MapOptions options;
    options.weights = grid::TerrainWeights::literal();
    std::vector<std::uint8_t> terrain(65);
    for (std::size_t i = 0; i < terrain.size(); ++i) terrain[i] = static_cast<std::uint8_t>(i);
    EXPECT_EQ(mesh_from_grid(grid::Map::create(65, 1, terrain, options).value())->num_polygons(),
              64U);
    terrain[0] = 200;
    const Result<Mesh> refused = mesh_from_grid(grid::Map::create(65, 1, terrain, options).value());
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, StatusCode::unsupported);
    EXPECT_EQ(refused.error().message, "the map has cells of 65 weights, a mesh at most 64 areas");
}

}  // namespace
}  // namespace cairn::mesh
