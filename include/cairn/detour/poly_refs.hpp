#pragma once
// A converted mesh's polygons by the names Detour has for them.

#include <DetourNavMesh.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cairn/navmesh/mesh.hpp"

namespace cairn::detour {

/// Polygon <-> dtPolyRef, as a dtNavMesh had them when it was converted. Needs that dtNavMesh no
/// more. All members are const and may be called from any thread; both ways O(1), nothing
/// allocated.
class PolyRefs {
public:
    /// Of a mesh without tiles.
    PolyRefs() = default;

    /// Numbers the polygons: those with corners tile by tile, off-mesh connections after them.
    explicit PolyRefs(const dtNavMesh& nav_mesh);

    [[nodiscard]] std::uint32_t num_polygons() const noexcept {
        return static_cast<std::uint32_t>(refs_.size());
    }
    /// The polygon must exist.
    [[nodiscard]] dtPolyRef ref(navmesh::Polygon polygon) const noexcept { return refs_[polygon]; }

    /// kNone for what is no polygon, or was one of another tile that stood there before or after
    /// (its salt is stale).
    [[nodiscard]] navmesh::Polygon polygon(dtPolyRef ref) const noexcept {
        const dtPolyRef place = ref & ((dtPolyRef{1} << poly_bits_) - 1);
        const dtPolyRef tile = (ref & ((dtPolyRef{1} << salt_shift_) - 1)) >> poly_bits_;
        if (tile >= tiles_.size() || tiles_[tile].base != ref - place) return navmesh::kNone;
        const Tile& found = tiles_[tile];
        return place < found.count ? polygons_[found.first + place] : navmesh::kNone;
    }

    [[nodiscard]] std::size_t bytes() const noexcept;

private:
    struct Tile {
        dtPolyRef base = 0;       // of its first polygon; 0 for none, which no reference is
        std::uint32_t first = 0;  // into polygons_
        std::uint32_t count = 0;
    };
    unsigned poly_bits_ = 0;
    unsigned salt_shift_ = 0;
    std::vector<Tile> tiles_;
    std::vector<navmesh::Polygon> polygons_;
    std::vector<dtPolyRef> refs_;
};

}  // namespace cairn::detour
