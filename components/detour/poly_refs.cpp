#include "cairn/detour/poly_refs.hpp"

#include <algorithm>
#include <bit>

#include "core/guarded.hpp"
#include "detour/detour_mesh.hpp"

namespace cairn::detour {
namespace {

std::uint32_t count_of(const dtMeshTile& tile) {
    return tile.header == nullptr ? 0 : static_cast<std::uint32_t>(tile.header->polyCount);
}

// The reference of a tile's first polygon; 0 if it has none.
dtPolyRef base_of(const dtNavMesh& nav_mesh, const dtMeshTile& tile, int t) {
    return count_of(tile) == 0 ? 0 : nav_mesh.encodePolyId(tile.salt, static_cast<unsigned>(t), 0);
}

// Whether the polygon is a connection whose start or end differs from that in `mesh`.
bool has_moved(const dtMeshTile& tile, const dtPoly& poly, const mesh::Mesh& mesh,
               mesh::Polygon polygon) {
    if (poly.getType() != DT_POLYTYPE_OFFMESH_CONNECTION) return false;
    const auto corners = mesh.corners(polygon);
    const auto differs = [&](std::size_t end) {
        return mesh.vertices()[corners[end]] != corner_of(tile, poly, end);
    };
    return corners.size() != 2 || differs(0) || differs(1);
}

}  // namespace

void PolyRefs::set_shape(const dtNavMesh& nav_mesh) {
    poly_bits_ = static_cast<unsigned>(std::countr_zero(nav_mesh.encodePolyId(0, 1, 0)));
    salt_shift_ = static_cast<unsigned>(std::countr_zero(nav_mesh.encodePolyId(1, 0, 0)));
    tiles_.resize(static_cast<std::size_t>(nav_mesh.getMaxTiles()));
}

void PolyRefs::replace(const dtNavMesh& nav_mesh, int t) {
    Tile& entry = tiles_[static_cast<std::size_t>(t)];
    for (const mesh::Polygon polygon : of_tile(static_cast<std::size_t>(t))) {
        if (polygon != mesh::kNone) refs_[polygon] = 0;
    }
    const dtMeshTile& tile = *nav_mesh.getTile(t);
    const std::uint32_t count = count_of(tile);
    if (count > entry.count) {
        entry.first = static_cast<std::uint32_t>(polygons_.size());
        polygons_.resize(polygons_.size() + count);
    }
    entry.base = base_of(nav_mesh, tile, t);
    entry.count = count;
    std::fill_n(polygons_.begin() + entry.first, count, mesh::kNone);
}

bool PolyRefs::drop_moved(const dtMeshTile& tile, int t, const mesh::Mesh& mesh) {
    if (tile.header == nullptr || tile.header->offMeshConCount == 0) return false;
    bool dropped = false;
    const Tile& entry = tiles_[static_cast<std::size_t>(t)];
    for (std::uint32_t i = 0; i < entry.count; ++i) {
        mesh::Polygon& polygon = polygons_[entry.first + i];
        if (!has_moved(tile, tile.polys[i], mesh, polygon)) continue;
        refs_[polygon] = 0;
        polygon = mesh::kNone;
        dropped = true;
    }
    return dropped;
}

void PolyRefs::number(const dtNavMesh& nav_mesh, std::span<const int> tiles) {
    for (const unsigned char type : {DT_POLYTYPE_GROUND, DT_POLYTYPE_OFFMESH_CONNECTION}) {
        for (const int t : tiles) {
            const dtMeshTile& tile = *nav_mesh.getTile(t);
            const Tile& entry = tiles_[static_cast<std::size_t>(t)];
            for (std::uint32_t i = 0; i < entry.count; ++i) {
                mesh::Polygon& polygon = polygons_[entry.first + i];
                if (polygon != mesh::kNone || tile.polys[i].getType() != type) continue;
                polygon = static_cast<mesh::Polygon>(refs_.size());
                refs_.push_back(entry.base | static_cast<dtPolyRef>(i));
            }
        }
    }
}

Result<PolyRefs> PolyRefs::create(const dtNavMesh& nav_mesh) noexcept try {
    PolyRefs refs;
    refs.set_shape(nav_mesh);
    const std::vector<int> tiles = all_tiles(nav_mesh);
    for (const int t : tiles) refs.replace(nav_mesh, t);
    refs.refs_.reserve(refs.polygons_.size());
    refs.number(nav_mesh, tiles);
    return refs;
} catch (...) {
    return out_of_memory();
}

Result<PolyRefs> PolyRefs::updated(const dtNavMesh& nav_mesh, const mesh::Mesh& mesh) const noexcept
    try {
    return updated(nav_mesh, mesh, all_tiles(nav_mesh));
} catch (...) {
    return out_of_memory();
}

Result<PolyRefs> PolyRefs::updated(const dtNavMesh& nav_mesh, const mesh::Mesh& mesh,
                                   std::span<const int> tiles) const noexcept try {
    PolyRefs shape;
    shape.set_shape(nav_mesh);
    if (shape.poly_bits_ != poly_bits_ || shape.salt_shift_ != salt_shift_ ||
        shape.tiles_.size() != tiles_.size()) {
        return fail(StatusCode::stale_index,
                    "the references are those of another dtNavMesh: build the index again");
    }
    PolyRefs now = *this;
    std::vector<int> with_new;
    for (const int t : tiles) {
        const dtMeshTile& tile = *nav_mesh.getTile(t);
        const Tile& before = tiles_[static_cast<std::size_t>(t)];
        if (before.base != base_of(nav_mesh, tile, t) || before.count != count_of(tile)) {
            now.replace(nav_mesh, t);
        } else if (!now.drop_moved(tile, t, mesh)) {
            continue;
        }
        with_new.push_back(t);
    }
    now.number(nav_mesh, with_new);
    return now;
} catch (...) {
    return out_of_memory();
}

std::size_t PolyRefs::bytes() const noexcept {
    return sizeof(*this) + tiles_.capacity() * sizeof(Tile) +
           polygons_.capacity() * sizeof(mesh::Polygon) + refs_.capacity() * sizeof(dtPolyRef);
}

}  // namespace cairn::detour
