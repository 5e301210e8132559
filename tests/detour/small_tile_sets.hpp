#pragma once
// Small Detour meshes for tests: square tiles of four square polygons, with off-mesh connections.

#include <DetourNavMeshBuilder.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <vector>

#include "cairn/detour/nav_mesh.hpp"
#include "cairn/detour/path_index.hpp"

namespace cairn::detour {

/// An off-mesh connection between two points.
struct SmallConnection {
    std::array<float, 6> ends{};  ///< x, y, z of its start, then of its end
    bool both_ways = true;
    std::uint8_t area = 5;
};

/// A tile of 10 x 10 with four polygons of 5 x 5: polygon 0 at the tile's least corner, 1 next to
/// it along x, 2 along z, 3 diagonally.
struct SmallTile {
    int x = 0;  ///< in tiles
    int y = 0;  ///< in tiles, along the z axis
    int layer = 0;
    float height = 0;  ///< the y coordinate of all vertices
    std::vector<SmallConnection> connections{};
    /// Areas and flags of its four polygons.
    std::array<std::uint8_t, 4> areas{0, 0, 0, 0};
    std::array<std::uint16_t, 4> flags{1, 1, 1, 1};
    bool tree = true;  ///< with a bounding volume tree
};

/// The side of a tile.
inline constexpr float kSmallTile = 10;

namespace small {

constexpr int kNone = 0xffff;    // no further corner, no neighbour
constexpr int kPortal = 0x8000;  // plus a side: the edge lies on that side of the tile

/// For each of the four polygons: six corners, then the neighbours at six edges, of which four are
/// used; the edges face x-, z+, x+, z-, which are also the sides 0 to 3.
constexpr std::array<int, 4 * 12> kPolygons{
    0, 3, 4, 1, kNone, kNone, kPortal | 0, 2,           1,           kPortal | 3, kNone, kNone,
    1, 4, 5, 2, kNone, kNone, 0,           3,           kPortal | 2, kPortal | 3, kNone, kNone,
    3, 6, 7, 4, kNone, kNone, kPortal | 0, kPortal | 1, 3,           0,           kNone, kNone,
    4, 7, 8, 5, kNone, kNone, 2,           kPortal | 1, kPortal | 2, 1,           kNone, kNone};

}  // namespace small

/// The bytes of a tile, allocated by Detour. dtNavMesh::addTile may take ownership.
struct SmallTileBytes {
    unsigned char* bytes = nullptr;
    int size = 0;
};

[[nodiscard]] inline SmallTileBytes bytes_of(const SmallTile& tile) {
    // 3 x 3 vertices with a distance of 5; y is 0, relative to the tile's height.
    std::array<unsigned short, 27> vertices{};
    for (unsigned v = 0; v < 9; ++v) {
        vertices[3 * v] = static_cast<unsigned short>(v % 3 * 5);
        vertices[3 * v + 2] = static_cast<unsigned short>(v / 3 * 5);
    }
    std::array<unsigned short, small::kPolygons.size()> polygons{};
    for (std::size_t i = 0; i < polygons.size(); ++i)
        polygons[i] = static_cast<unsigned short>(small::kPolygons[i]);
    std::vector<float> ends;
    std::vector<float> radii;
    std::vector<unsigned short> flags;
    std::vector<unsigned char> areas;
    std::vector<unsigned char> directions;
    for (const SmallConnection& connection : tile.connections) {
        ends.insert(ends.end(), connection.ends.begin(), connection.ends.end());
        radii.push_back(0.5F);
        flags.push_back(1);
        areas.push_back(connection.area);
        directions.push_back(connection.both_ways ? 1 : 0);
    }
    dtNavMeshCreateParams params{};
    params.verts = vertices.data();
    params.vertCount = 9;
    params.polys = polygons.data();
    params.polyFlags = tile.flags.data();
    params.polyAreas = tile.areas.data();
    params.polyCount = 4;
    params.nvp = 6;
    params.offMeshConVerts = ends.data();
    params.offMeshConRad = radii.data();
    params.offMeshConFlags = flags.data();
    params.offMeshConAreas = areas.data();
    params.offMeshConDir = directions.data();
    params.offMeshConCount = static_cast<int>(radii.size());
    params.tileX = tile.x;
    params.tileY = tile.y;
    params.tileLayer = tile.layer;
    params.bmin[0] = static_cast<float>(tile.x) * kSmallTile;
    params.bmin[1] = tile.height;
    params.bmin[2] = static_cast<float>(tile.y) * kSmallTile;
    params.bmax[0] = params.bmin[0] + kSmallTile;
    params.bmax[1] = tile.height + 1;
    params.bmax[2] = params.bmin[2] + kSmallTile;
    params.walkableHeight = 2;
    params.walkableRadius = 0.5F;
    params.walkableClimb = 0.5F;
    params.cs = 1;
    params.ch = 1;
    params.buildBvTree = tile.tree;
    SmallTileBytes made;
    EXPECT_TRUE(dtCreateNavMeshData(&params, &made.bytes, &made.size));
    return made;
}

inline void add_tile(dtNavMesh& nav_mesh, const SmallTile& tile) {
    const SmallTileBytes made = bytes_of(tile);
    EXPECT_TRUE(
        dtStatusSucceed(nav_mesh.addTile(made.bytes, made.size, DT_TILE_FREE_DATA, 0, nullptr)));
}

/// A dtNavMesh with room for 16 tiles, unless told otherwise.
[[nodiscard]] inline NavMesh nav_mesh_of(const std::vector<SmallTile>& tiles, int most = 16) {
    NavMesh nav_mesh(dtAllocNavMesh());
    dtNavMeshParams params{};
    params.tileWidth = kSmallTile;
    params.tileHeight = kSmallTile;
    params.maxTiles = most;
    params.maxPolys = 16;
    EXPECT_TRUE(dtStatusSucceed(nav_mesh->init(&params)));
    for (const SmallTile& tile : tiles) add_tile(*nav_mesh, tile);
    return nav_mesh;
}

/// Two by two tiles on the ground, one above the first. Three connections start on the first tile:
/// both ways to the upper tile, one way to the last tile, and to a point without a polygon.
[[nodiscard]] inline NavMesh small_nav_mesh() {
    return nav_mesh_of(
        {{.x = 0,
          .y = 0,
          .connections = {{.ends = {2, 0, 2, 3, 20, 3}},
                          {.ends = {7, 0, 7, 17, 0, 17}, .both_ways = false, .area = 6},
                          {.ends = {2, 0, 7, -50, 0, 9}}}},
         {.x = 1, .y = 0, .areas = {1, 2, 1, 1}},
         {.x = 0, .y = 1, .flags = {1, 2, 1, 1}, .tree = false},
         {.x = 1, .y = 1},
         {.x = 0, .y = 0, .layer = 1, .height = 20}});
}

/// A connection joins the first tile to four others, of several areas.
[[nodiscard]] inline NavMesh two_islands() {
    return nav_mesh_of({{.x = 0, .y = 0, .connections = {{.ends = {7, 0, 7, 17, 0, 17}}}},
                        {.x = 1, .y = 1, .areas = {1, 2, 1, 1}},
                        {.x = 2, .y = 1, .tree = false},
                        {.x = 1, .y = 2, .areas = {1, 1, 0, 1}},
                        {.x = 2, .y = 2}});
}

[[nodiscard]] inline PathIndex index_of(const dtNavMesh& nav_mesh, const dtQueryFilter& filter) {
    return PathIndex::build(nav_mesh, filter, {.hna = {.mu = 4}, .mesh = {}}).value();
}

}  // namespace cairn::detour
