#pragma once
// Detour's references of the polygons of a converted mesh.

#include <DetourNavMesh.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "cairn/mesh/mesh.hpp"

namespace cairn::detour {

/// Maps between mesh::Polygon and dtPolyRef, as the references were in a dtNavMesh at the
/// conversion or the last update. Does not refer to that dtNavMesh. All members are const and may
/// be called from any thread. Lookups in either direction are O(1) and do not allocate.
class PolyRefs {
public:
    /// The references of a mesh without tiles.
    PolyRefs() = default;

    /// Numbers the polygons: those with corners tile by tile, off-mesh connections after them.
    /// Errors: out_of_memory. O(polygons).
    [[nodiscard]] static Result<PolyRefs> create(const dtNavMesh& nav_mesh) noexcept;

    /// The references of the same dtNavMesh after tiles were added, removed or replaced. Polygons
    /// of tiles that are still there keep their numbers; all others get new numbers after them, in
    /// the order of the constructor. A tile counts as replaced if its salt or its number of
    /// polygons differs. `mesh` is the mesh that this object's numbers belong to. A connection also
    /// gets a new number if its ends are not where they are in `mesh`: Detour moves the ends when
    /// it adds the tile that a connection leads to. Errors: stale_index for a dtNavMesh that has
    /// room for another number of tiles, or whose references divide their bits in another way;
    /// out_of_memory. O(tiles + connections + polygons of replaced tiles), and copies of arrays.
    [[nodiscard]] Result<PolyRefs> updated(const dtNavMesh& nav_mesh,
                                           const mesh::Mesh& mesh) const noexcept;
    /// The same if only `tiles` may have changed: numbers of tiles in the dtNavMesh, which has room
    /// for them, ascending. Time: as above, for these tiles.
    [[nodiscard]] Result<PolyRefs> updated(const dtNavMesh& nav_mesh, const mesh::Mesh& mesh,
                                           std::span<const int> tiles) const noexcept;

    /// The number of polygons, including removed ones.
    [[nodiscard]] std::uint32_t num_polygons() const noexcept {
        return static_cast<std::uint32_t>(refs_.size());
    }
    /// The reference of a polygon below num_polygons(); 0, which is no reference, if it was
    /// removed.
    [[nodiscard]] dtPolyRef ref(mesh::Polygon polygon) const noexcept { return refs_[polygon]; }

    /// The polygon of a reference; kNone if there is none, or the reference belongs to an earlier
    /// or later tile of the same number (its salt differs).
    [[nodiscard]] mesh::Polygon polygon(dtPolyRef ref) const noexcept {
        const dtPolyRef place = ref & ((dtPolyRef{1} << poly_bits_) - 1);
        const dtPolyRef tile = (ref & ((dtPolyRef{1} << salt_shift_) - 1)) >> poly_bits_;
        if (tile >= tiles_.size() || tiles_[tile].base != ref - place) return mesh::kNone;
        const Tile& found = tiles_[tile];
        return place < found.count ? polygons_[found.first + place] : mesh::kNone;
    }

    /// The polygons of a tile, below the number of tiles that the dtNavMesh has room for, in its
    /// own order; kNone for those of a type that Detour does not have.
    [[nodiscard]] std::span<const mesh::Polygon> of_tile(std::size_t tile) const noexcept {
        return {polygons_.data() + tiles_[tile].first, tiles_[tile].count};
    }

    /// The bytes that the object takes.
    [[nodiscard]] std::size_t bytes() const noexcept;

private:
    struct Tile {
        dtPolyRef base = 0;       // reference of its first polygon; 0, which is none, without tile
        std::uint32_t first = 0;  // index into polygons_ of its first polygon
        std::uint32_t count = 0;
    };
    void set_shape(const dtNavMesh& nav_mesh);
    /// Takes the polygons of a tile out, and makes room for those that it has now.
    void replace(const dtNavMesh& nav_mesh, int t);
    /// Takes out the connections of a tile whose ends are not where they are in `mesh`. False if
    /// there are none.
    bool drop_moved(const dtMeshTile& tile, int t, const mesh::Mesh& mesh);
    /// Numbers the polygons of some tiles that have no number.
    void number(const dtNavMesh& nav_mesh, std::span<const int> tiles);

    unsigned poly_bits_ = 0;   // low bits of a reference: the polygon in its tile
    unsigned salt_shift_ = 0;  // the bits from this one on: the salt; between them the tile
    std::vector<Tile> tiles_;  // by tile number in the dtNavMesh
    std::vector<mesh::Polygon> polygons_;  // tile by tile; parts of it may be unused
    std::vector<dtPolyRef> refs_;          // by polygon
};

}  // namespace cairn::detour
