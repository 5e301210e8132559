// Random tiles: their polygons, and the portals and connections that join them.

#include "support/tiled_meshes.hpp"

#include <algorithm>
#include <numeric>

namespace cairn::test {

using mesh::Polygon;

TiledMesh::TiledMesh(RandomMaps& random, int tiles, int cells, int one_way_percent)
    : random_(random), tiles_(tiles), cells_(cells), one_way_percent_(one_way_percent) {
    const int side = tiles * cells;
    for (int z = 0; z <= side; ++z) {
        for (int x = 0; x <= side; ++x) {
            const auto shift = static_cast<float>(random.number(-20, 20)) / 100;
            const auto height = static_cast<float>(random.number(0, 30)) / 100;
            points_.push_back({static_cast<float>(x) + shift, height, static_cast<float>(z)});
        }
    }
    polygons_.resize(static_cast<std::size_t>(tiles * tiles));
}

TileChange TiledMesh::all() {
    std::vector<std::size_t> all_tiles(tiles());
    std::iota(all_tiles.begin(), all_tiles.end(), std::size_t{0});
    return change({}, all_tiles, 0);
}

TileChange TiledMesh::change(std::span<const std::size_t> emptied,
                             std::span<const std::size_t> filled, Polygon first) {
    TileChange change;
    change.added.vertices = points_;
    change.added.portals_given = true;
    for (const std::size_t tile : emptied) clear(tile, change);
    for (const std::size_t tile : filled) fill(tile, first, change);
    if (!filled.empty() && random_.chance(30)) {
        connect(first, change);
        // The connection is a polygon, numbered after those with corners.
        if (!change.added.connections.empty())
            polygons_[filled.front()].push_back(first + change.added.num_polygons());
    }
    return change;
}

void TiledMesh::clear(std::size_t tile, TileChange& change) {
    const std::vector<Polygon>& removed = polygons_[tile];
    change.removed.insert(change.removed.end(), removed.begin(), removed.end());
    for (auto& [edge, polygons] : edge_polygons_) {
        std::erase_if(polygons, [&](Polygon p) {
            return std::find(removed.begin(), removed.end(), p) != removed.end();
        });
    }
    polygons_[tile].clear();
}

void TiledMesh::fill(std::size_t tile, Polygon first, TileChange& change) {
    const int left = static_cast<int>(tile) % tiles_ * cells_;
    const int top = static_cast<int>(tile) / tiles_ * cells_;
    const auto vertex = [&](int x, int z) {
        return static_cast<std::uint32_t>(z * (tiles_ * cells_ + 1) + x);
    };
    for (int z = top; z < top + cells_; ++z) {
        for (int x = left; x < left + cells_; ++x) {
            if (random_.chance(15)) continue;
            const std::uint32_t a = vertex(x, z);
            const std::uint32_t b = vertex(x + 1, z);
            const std::uint32_t c = vertex(x + 1, z + 1);
            const std::uint32_t d = vertex(x, z + 1);
            if (random_.chance(70)) {
                add(tile, {a, b, c, d}, first, change);
            } else {
                add(tile, {a, b, c}, first, change);
                add(tile, {c, d, a}, first, change);
            }
        }
    }
}

void TiledMesh::add(std::size_t tile, std::vector<std::uint32_t> corners, Polygon first,
                    TileChange& change) {
    MeshParts& parts = change.added;
    const Polygon polygon = first + parts.num_polygons();
    parts.corners.insert(parts.corners.end(), corners.begin(), corners.end());
    parts.first_corner.push_back(static_cast<std::uint32_t>(parts.corners.size()));
    parts.areas.push_back(static_cast<std::uint8_t>(random_.number(0, 3)));
    polygons_[tile].push_back(polygon);
    for (std::size_t i = 0; i < corners.size(); ++i) {
        const Edge edge = std::minmax(corners[i], corners[(i + 1) % corners.size()]);
        std::vector<Polygon>& polygons = edge_polygons_[edge];
        if (polygons.size() == 1) {
            mesh::PortalSource portal;
            portal.first = polygons.front();
            portal.second = polygon;
            portal.begin = points_[edge.first];
            portal.end = points_[edge.second];
            if (random_.chance(one_way_percent_)) portal.back = false;
            parts.portals.push_back(portal);
        }
        polygons.push_back(polygon);
    }
}

// Mostly adds a connection, from a corner of the first new polygon to one of any other.
void TiledMesh::connect(Polygon first, TileChange& change) {
    MeshParts& parts = change.added;
    if (parts.num_polygons() == 0) return;
    for (const auto& [edge, polygons] : edge_polygons_) {
        if (polygons.empty() || polygons.front() == first || !random_.chance(5)) continue;
        parts.connections.push_back({first, polygons.front(), points_[parts.corners[0]],
                                     points_[edge.first], 0, one_way_percent_ == 0});
        return;
    }
}

}  // namespace cairn::test
