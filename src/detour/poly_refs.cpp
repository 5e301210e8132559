#include "cairn/detour/poly_refs.hpp"

#include <bit>

namespace cairn::detour {

namespace {

std::uint32_t count_of(const dtMeshTile& tile) {
    return tile.header == nullptr ? 0 : static_cast<std::uint32_t>(tile.header->polyCount);
}

}  // namespace

PolyRefs::PolyRefs(const dtNavMesh& nav_mesh)
    : poly_bits_(static_cast<unsigned>(std::countr_zero(nav_mesh.encodePolyId(0, 1, 0)))),
      salt_shift_(static_cast<unsigned>(std::countr_zero(nav_mesh.encodePolyId(1, 0, 0)))) {
    tiles_.resize(static_cast<std::size_t>(nav_mesh.getMaxTiles()));
    for (std::size_t t = 0; t < tiles_.size(); ++t) {
        const dtMeshTile& tile = *nav_mesh.getTile(static_cast<int>(t));
        tiles_[t].first = static_cast<std::uint32_t>(polygons_.size());
        tiles_[t].count = count_of(tile);
        if (tiles_[t].count > 0) tiles_[t].base = nav_mesh.getPolyRefBase(&tile);
        polygons_.resize(polygons_.size() + tiles_[t].count, navmesh::kNone);
    }
    refs_.reserve(polygons_.size());
    for (const unsigned char type : {DT_POLYTYPE_GROUND, DT_POLYTYPE_OFFMESH_CONNECTION}) {
        for (std::size_t t = 0; t < tiles_.size(); ++t) {
            const dtMeshTile& tile = *nav_mesh.getTile(static_cast<int>(t));
            for (std::uint32_t i = 0; i < tiles_[t].count; ++i) {
                if (tile.polys[i].getType() != type) continue;
                polygons_[tiles_[t].first + i] = static_cast<navmesh::Polygon>(refs_.size());
                refs_.push_back(tiles_[t].base | static_cast<dtPolyRef>(i));
            }
        }
    }
}

std::size_t PolyRefs::bytes() const noexcept {
    return sizeof(*this) + tiles_.capacity() * sizeof(Tile) +
           polygons_.capacity() * sizeof(navmesh::Polygon) + refs_.capacity() * sizeof(dtPolyRef);
}

}  // namespace cairn::detour
