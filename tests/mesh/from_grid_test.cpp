// Meshes from grid maps cover the free cells once and join neighbours.

#include "cairn/mesh/from_grid.hpp"

#include <gtest/gtest.h>

#include <set>

#include "cairn/mesh/reachability.hpp"
#include "support/ascii_map.hpp"
#include "support/random_maps.hpp"
#include "support/scale.hpp"

namespace cairn::mesh {
namespace {

// The polygon that covers each cell, kNone if there is none. Fails if two polygons cover a cell.
std::vector<Polygon> polygons_by_cell(const grid::Map& map, const Mesh& mesh) {
    std::vector<Polygon> polygon_of_cell(map.size(), kNone);
    for (Polygon p = 0; p < mesh.num_polygons(); ++p) {
        const Point low = mesh.vertices()[mesh.corners(p)[0]];
        const Point high = mesh.vertices()[mesh.corners(p)[2]];
        for (int y = static_cast<int>(low.z); y < static_cast<int>(high.z); ++y) {
            for (int x = static_cast<int>(low.x); x < static_cast<int>(high.x); ++x) {
                const grid::Cell c = map.cell({x, y});
                EXPECT_EQ(polygon_of_cell[c], kNone) << "cell " << c << " is covered twice";
                polygon_of_cell[c] = p;
            }
        }
    }
    return polygon_of_cell;
}

// Adds the pairs of polygons that have a portal; each may have only one. Returns the length of all
// portals in edges of cells.
std::size_t add_portal_pairs(const Mesh& mesh, std::set<std::pair<Polygon, Polygon>>& pairs) {
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
        const std::vector<Polygon> polygon_of_cell = polygons_by_cell(map, mesh);
        const Reachability reachability = Reachability::build(mesh).value();
        std::set<std::pair<Polygon, Polygon>> pairs;
        const std::size_t portal_edges = add_portal_pairs(mesh, pairs);
        std::size_t expected_edges = 0;
        for (grid::Cell c = 0; c < map.size(); ++c) {
            ASSERT_EQ(polygon_of_cell[c] != kNone, map.passable(c));
            if (polygon_of_cell[c] == kNone) continue;
            const float cost = mesh.options().area_costs[mesh.area(polygon_of_cell[c])];
            ASSERT_EQ(cost, static_cast<float>(map.weight(c)));
            for (const int d : {grid::kEast, grid::kSouth}) {
                if ((map.moves(c) >> d & 1) == 0) continue;
                const Polygon next = polygon_of_cell[map.step(c, d)];
                ASSERT_TRUE(reachability.reaches(polygon_of_cell[c], next));
                if (next == polygon_of_cell[c]) continue;
                ++expected_edges;
                ASSERT_TRUE(pairs.contains(std::minmax(polygon_of_cell[c], next)));
            }
        }
        ASSERT_EQ(portal_edges, expected_edges);
    }
}

TEST(FromGridTest, GrowsRectanglesInTheOrderThatCoversMore) {
    const grid::Map map = test::ascii_map({
        "...@",
        "..@.",
        "...@",
    });
    const Mesh mesh = mesh_from_grid(map).value();
    // First a rectangle of two columns and three rows, then single cells. The cell at {3, 1},
    // polygon 2, touches others only at corners.
    ASSERT_EQ(mesh.num_polygons(), 4U);
    EXPECT_EQ(mesh.centre(0), (Point{1, 0, 1.5F}));
    EXPECT_EQ(mesh.centre(1), (Point{2.5F, 0, 0.5F}));
    EXPECT_EQ(mesh.centre(2), (Point{3.5F, 0, 1.5F}));
    EXPECT_EQ(mesh.centre(3), (Point{2.5F, 0, 2.5F}));
    EXPECT_EQ(mesh.num_portals(), 2U);
    EXPECT_TRUE(mesh.links(2).empty());
    EXPECT_EQ(mesh.midpoint(0), (Point{2, 0, 0.5F}));
}

TEST(FromGridTest, AreasAreTheWeightsInAscendingOrder) {
    const grid::Map map = test::ascii_map({"1193", "1193"});
    const Mesh mesh = mesh_from_grid(map).value();
    ASSERT_EQ(mesh.num_polygons(), 3U);
    EXPECT_EQ(mesh.area(0), 0);
    EXPECT_EQ(mesh.area(1), 2);
    EXPECT_EQ(mesh.area(2), 1);
    EXPECT_EQ(mesh.inside_cost(1, 0, 1), static_cast<Cost>(9 * mesh.units_per_length()));
}

TEST(FromGridTest, AcceptsMapsWithoutFreeCellsAndRefusesMoreThan64Weights) {
    EXPECT_EQ(mesh_from_grid(test::ascii_map({"@@", "@@"})).value().num_polygons(), 0U);
    grid::MapOptions options;
    options.weights = grid::TerrainWeights::literal();
    std::vector<std::uint8_t> terrain(65);  // weights 0 to 64
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
