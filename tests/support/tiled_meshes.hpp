#pragma once
// Meshes cut into tiles, whose tiles are taken away and put back, as they were or otherwise.

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "cairn/mesh/mesh.hpp"
#include "support/random_meshes.hpp"

namespace cairn::test {

/// What a tile's going and coming does to a mesh.
struct TileChange {
    std::vector<mesh::Polygon> removed;
    MeshParts added;
    [[nodiscard]] mesh::MeshChange change() const { return {removed, added.source()}; }
};

/// Square tiles of square cells: a quad, two triangles or nothing each.
class TiledMesh {
public:
    /// So many tiles a side, of so many cells a side. `one_way`: percent of portals.
    TiledMesh(RandomMaps& random, int tiles, int cells, int one_way = 0);

    [[nodiscard]] std::size_t tiles() const noexcept { return polygons_.size(); }
    /// The polygons of a tile.
    [[nodiscard]] const std::vector<mesh::Polygon>& polygons(std::size_t tile) const {
        return polygons_[tile];
    }
    /// Takes these tiles' polygons away, and puts new ones in the place of those that are in
    /// `filled`, with the numbers from `first` on. May add a connection from a new polygon.
    [[nodiscard]] TileChange change(std::span<const std::size_t> taken,
                                    std::span<const std::size_t> filled, mesh::Polygon first);
    /// All tiles filled.
    [[nodiscard]] TileChange all();

private:
    using Edge = std::pair<std::uint32_t, std::uint32_t>;

    void take(std::size_t tile, TileChange& change);
    void fill(std::size_t tile, mesh::Polygon first, TileChange& change);
    void add(std::size_t tile, std::vector<std::uint32_t> corners, mesh::Polygon first,
             TileChange& change);
    void connect(mesh::Polygon first, TileChange& change);

    RandomMaps& random_;
    int tiles_;
    int cells_;
    int one_way_;
    std::vector<mesh::Point> points_;
    std::vector<std::vector<mesh::Polygon>> polygons_;  // per tile, connections among them
    std::map<Edge, std::vector<mesh::Polygon>> at_;     // the polygons at an edge
};

}  // namespace cairn::test
