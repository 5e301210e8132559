#include "cairn/detour/poly_refs.hpp"

#include <bit>

#include "core/guarded.hpp"
#include "detour/detour_mesh.hpp"

namespace cairn::detour {
namespace {

std::uint32_t count_of(const dtMeshTile& tile) {
    return tile.header == nullptr ? 0 : static_cast<std::uint32_t>(tile.header->polyCount);
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

PolyRefs::PolyRefs(TilesOf of)
    : poly_bits_(static_cast<unsigned>(std::countr_zero(of.nav_mesh.encodePolyId(0, 1, 0)))),
      salt_shift_(static_cast<unsigned>(std::countr_zero(of.nav_mesh.encodePolyId(1, 0, 0)))) {
    tiles_.resize(static_cast<std::size_t>(of.nav_mesh.getMaxTiles()));
    for (std::size_t t = 0; t < tiles_.size(); ++t) {
        const dtMeshTile& tile = *of.nav_mesh.getTile(static_cast<int>(t));
        tiles_[t].first = static_cast<std::uint32_t>(polygons_.size());
        tiles_[t].count = count_of(tile);
        if (tiles_[t].count > 0) tiles_[t].base = of.nav_mesh.getPolyRefBase(&tile);
        polygons_.resize(polygons_.size() + tiles_[t].count, mesh::kNone);
    }
}

void PolyRefs::number(const dtNavMesh& nav_mesh) {
    for (const unsigned char type : {DT_POLYTYPE_GROUND, DT_POLYTYPE_OFFMESH_CONNECTION}) {
        for (std::size_t t = 0; t < tiles_.size(); ++t) {
            const dtMeshTile& tile = *nav_mesh.getTile(static_cast<int>(t));
            for (std::uint32_t i = 0; i < tiles_[t].count; ++i) {
                mesh::Polygon& polygon = polygons_[tiles_[t].first + i];
                if (polygon != mesh::kNone || tile.polys[i].getType() != type) continue;
                polygon = static_cast<mesh::Polygon>(refs_.size());
                refs_.push_back(tiles_[t].base | static_cast<dtPolyRef>(i));
            }
        }
    }
}

Result<PolyRefs> PolyRefs::create(const dtNavMesh& nav_mesh) noexcept try {
    PolyRefs refs(TilesOf{nav_mesh});
    refs.refs_.reserve(refs.polygons_.size());
    refs.number(nav_mesh);
    return refs;
} catch (...) {
    return out_of_memory();
}

void PolyRefs::keep(const dtMeshTile& tile, std::size_t t, const PolyRefs& before,
                    const mesh::Mesh& mesh) {
    for (std::uint32_t i = 0; i < tiles_[t].count; ++i) {
        const mesh::Polygon polygon = before.polygons_[before.tiles_[t].first + i];
        if (polygon == mesh::kNone || has_moved(tile, tile.polys[i], mesh, polygon)) continue;
        polygons_[tiles_[t].first + i] = polygon;
        refs_[polygon] = before.refs_[polygon];
    }
}

Result<PolyRefs> PolyRefs::updated(const dtNavMesh& nav_mesh, const mesh::Mesh& mesh) const noexcept
    try {
    PolyRefs now(TilesOf{nav_mesh});
    if (now.poly_bits_ != poly_bits_ || now.salt_shift_ != salt_shift_ ||
        now.tiles_.size() != tiles_.size()) {
        return fail(StatusCode::stale_index,
                    "the references are those of another dtNavMesh: build the index again");
    }
    now.refs_.assign(refs_.size(), 0);
    for (std::size_t t = 0; t < tiles_.size(); ++t) {
        const bool stayed =
            now.tiles_[t].base == tiles_[t].base && now.tiles_[t].count == tiles_[t].count;
        if (stayed) now.keep(*nav_mesh.getTile(static_cast<int>(t)), t, *this, mesh);
    }
    now.number(nav_mesh);
    return now;
} catch (...) {
    return out_of_memory();
}

std::size_t PolyRefs::bytes() const noexcept {
    return sizeof(*this) + tiles_.capacity() * sizeof(Tile) +
           polygons_.capacity() * sizeof(mesh::Polygon) + refs_.capacity() * sizeof(dtPolyRef);
}

}  // namespace cairn::detour
