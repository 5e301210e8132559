#pragma once
// Meshes cut into tiles that tests empty and fill again, as a game does that streams tiles.

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "cairn/mesh/mesh.hpp"
#include "support/random_meshes.hpp"

namespace cairn::test {

/// The polygons that emptying and filling tiles removes from a mesh and adds to it.
struct TileChange {
    std::vector<mesh::Polygon> removed;
    MeshParts added;
    [[nodiscard]] mesh::MeshChange change() const { return {removed, added.source()}; }
};

/// A mesh of square tiles of square cells. A cell holds a quad, two triangles or nothing, at
/// random.
class TiledMesh {
public:
    /// The mesh has `tiles` tiles a side, and a tile `cells` cells. All tiles are empty. If
    /// `one_way_percent` is above 0, so many portals and all connections are one-way.
    TiledMesh(RandomMaps& random, int tiles, int cells, int one_way_percent = 0);

    [[nodiscard]] std::size_t tiles() const noexcept { return polygons_.size(); }
    /// The numbers of a tile's polygons, connections included.
    [[nodiscard]] const std::vector<mesh::Polygon>& polygons(std::size_t tile) const {
        return polygons_[tile];
    }
    /// Empties some tiles, then fills some empty ones with new random polygons, whose numbers begin
    /// at `first`. May add a connection from a new polygon.
    [[nodiscard]] TileChange change(std::span<const std::size_t> emptied,
                                    std::span<const std::size_t> filled, mesh::Polygon first);
    /// Fills all tiles, which are empty.
    [[nodiscard]] TileChange all();

private:
    using Edge = std::pair<std::uint32_t, std::uint32_t>;  // its vertices, ascending

    void clear(std::size_t tile, TileChange& change);
    void fill(std::size_t tile, mesh::Polygon first, TileChange& change);
    void add(std::size_t tile, std::vector<std::uint32_t> corners, mesh::Polygon first,
             TileChange& change);
    void connect(mesh::Polygon first, TileChange& change);

    RandomMaps& random_;
    int tiles_;
    int cells_;
    int one_way_percent_;
    std::vector<mesh::Point> points_;
    std::vector<std::vector<mesh::Polygon>> polygons_;          // per tile, connections included
    std::map<Edge, std::vector<mesh::Polygon>> edge_polygons_;  // the polygons at an edge
};

}  // namespace cairn::test
