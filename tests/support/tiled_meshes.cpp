#include "support/tiled_meshes.hpp"

#include <algorithm>
#include <numeric>

namespace cairn::test {

using mesh::Polygon;

TiledMesh::TiledMesh(RandomMaps& random, int tiles, int cells, int one_way)
    : random_(random), tiles_(tiles), cells_(cells), one_way_(one_way) {
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
    std::vector<std::size_t> every(tiles());
    std::iota(every.begin(), every.end(), std::size_t{0});
    return change({}, every, 0);
}

TileChange TiledMesh::change(std::span<const std::size_t> taken,
                             std::span<const std::size_t> filled, Polygon first) {
    TileChange change;
    change.added.vertices = points_;
    change.added.portals_given = true;
    for (const std::size_t tile : taken) take(tile, change);
    for (const std::size_t tile : filled) fill(tile, first, change);
    if (!filled.empty() && random_.chance(30)) {
        connect(first, change);
        if (!change.added.connections.empty())
            polygons_[filled.front()].push_back(first + change.added.num_polygons());
    }
    return change;
}

void TiledMesh::take(std::size_t tile, TileChange& change) {
    const std::vector<Polygon>& dropped = polygons_[tile];
    change.removed.insert(change.removed.end(), dropped.begin(), dropped.end());
    for (auto& [edge, polygons] : at_) {
        std::erase_if(polygons, [&](Polygon p) {
            return std::find(dropped.begin(), dropped.end(), p) != dropped.end();
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
        std::vector<Polygon>& there = at_[edge];
        if (there.size() == 1) {
            mesh::PortalSource portal;
            portal.first = there.front();
            portal.second = polygon;
            portal.begin = points_[edge.first];
            portal.end = points_[edge.second];
            if (random_.chance(one_way_)) portal.back = false;
            parts.portals.push_back(portal);
        }
        there.push_back(polygon);
    }
}

// From a corner of a new polygon to one of any other.
void TiledMesh::connect(Polygon first, TileChange& change) {
    MeshParts& parts = change.added;
    if (parts.num_polygons() == 0) return;
    const Polygon from = first;
    for (const auto& [edge, polygons] : at_) {
        if (polygons.empty() || polygons.front() == from || !random_.chance(5)) continue;
        parts.connections.push_back({from, polygons.front(), points_[parts.corners[0]],
                                     points_[edge.first], 0, one_way_ == 0});
        return;
    }
}

}  // namespace cairn::test
