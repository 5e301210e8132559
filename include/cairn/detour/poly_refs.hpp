#pragma once
// A converted mesh's polygons by the names Detour has for them.

#include <DetourNavMesh.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "cairn/mesh/mesh.hpp"

namespace cairn::detour {

/// Polygon <-> dtPolyRef, as a dtNavMesh had them when it was converted or last looked at. Needs
/// that dtNavMesh no more. All members are const and may be called from any thread; both ways O(1),
/// nothing allocated.
class PolyRefs {
public:
    /// Of a mesh without tiles.
    PolyRefs() = default;

    /// Numbers the polygons: those with corners tile by tile, off-mesh connections after them.
    explicit PolyRefs(const dtNavMesh& nav_mesh);

    /// Those of the same dtNavMesh after tiles were added, removed or replaced: polygons of tiles
    /// that are still there keep their numbers, those of others get the numbers behind, in the
    /// order said above. So do connections whose ends are not those in `mesh`, which is the one
    /// numbered by these: Detour moves them to the tile that they lead to. Nothing if the dtNavMesh
    /// is one whose references are made otherwise. A tile is another one if its salt, its place or
    /// the number of its polygons is. O(polygons).
    [[nodiscard]] std::optional<PolyRefs> updated(const dtNavMesh& nav_mesh,
                                                  const mesh::Mesh& mesh) const;

    /// Those that were removed included.
    [[nodiscard]] std::uint32_t num_polygons() const noexcept {
        return static_cast<std::uint32_t>(refs_.size());
    }
    /// The polygon must exist; 0, which no reference is, where it was removed.
    [[nodiscard]] dtPolyRef ref(mesh::Polygon polygon) const noexcept { return refs_[polygon]; }

    /// kNone for what is no polygon, or was one of another tile that stood there before or after
    /// (its salt is stale).
    [[nodiscard]] mesh::Polygon polygon(dtPolyRef ref) const noexcept {
        const dtPolyRef place = ref & ((dtPolyRef{1} << poly_bits_) - 1);
        const dtPolyRef tile = (ref & ((dtPolyRef{1} << salt_shift_) - 1)) >> poly_bits_;
        if (tile >= tiles_.size() || tiles_[tile].base != ref - place) return mesh::kNone;
        const Tile& found = tiles_[tile];
        return place < found.count ? polygons_[found.first + place] : mesh::kNone;
    }

    [[nodiscard]] std::size_t bytes() const noexcept;

private:
    struct Tile {
        dtPolyRef base = 0;       // of its first polygon; 0 for none, which no reference is
        std::uint32_t first = 0;  // into polygons_
        std::uint32_t count = 0;
    };
    /// Without polygons: the tiles.
    struct TilesOf {
        const dtNavMesh& nav_mesh;
    };
    explicit PolyRefs(TilesOf of);
    /// Numbers the polygons that have no number.
    void number(const dtNavMesh& nav_mesh);
    /// Takes over the numbers of a tile that is still there.
    void keep(const dtMeshTile& tile, std::size_t t, const PolyRefs& before,
              const mesh::Mesh& mesh);

    unsigned poly_bits_ = 0;
    unsigned salt_shift_ = 0;
    std::vector<Tile> tiles_;
    std::vector<mesh::Polygon> polygons_;
    std::vector<dtPolyRef> refs_;
};

}  // namespace cairn::detour
