#pragma once
// The arrays in a tile's bytes, laid out as dtNavMesh::addTile expects them.

#include <DetourNavMesh.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace cairn::detour {

/// An array of `count` items in a tile, padded to a multiple of 4 bytes.
struct TilePart {
    std::uint64_t begin = 0;  ///< offset in bytes
    std::uint64_t count = 0;
    std::uint64_t item_size = 0;  ///< in bytes

    [[nodiscard]] constexpr std::uint64_t end() const noexcept {
        return begin + (count * item_size + 3) / 4 * 4;
    }
};

/// The arrays of a tile, one after another. No count in its header may be negative.
struct TileLayout {
    TilePart verts;
    TilePart polys;
    TilePart links;
    TilePart detail_meshes;
    TilePart detail_verts;
    TilePart detail_tris;
    TilePart tree;
    TilePart connections;

    /// `link_size`: the bytes of a dtLink, which depend on those of references.
    explicit constexpr TileLayout(const dtMeshHeader& h,
                                  std::size_t link_size = sizeof(dtLink)) noexcept
        : verts(after((sizeof(dtMeshHeader) + 3) / 4 * 4, h.vertCount, 3 * sizeof(float))),
          polys(after(verts.end(), h.polyCount, sizeof(dtPoly))),
          links(after(polys.end(), h.maxLinkCount, link_size)),
          detail_meshes(after(links.end(), h.detailMeshCount, sizeof(dtPolyDetail))),
          detail_verts(after(detail_meshes.end(), h.detailVertCount, 3 * sizeof(float))),
          detail_tris(after(detail_verts.end(), h.detailTriCount, 4)),
          tree(after(detail_tris.end(), h.bvNodeCount, sizeof(dtBVNode))),
          connections(after(tree.end(), h.offMeshConCount, sizeof(dtOffMeshConnection))) {}

    [[nodiscard]] constexpr std::uint64_t size() const noexcept { return connections.end(); }

private:
    static constexpr TilePart after(std::uint64_t begin, int count,
                                    std::size_t item_size) noexcept {
        return {begin, static_cast<std::uint64_t>(count), item_size};
    }
};

/// The i-th item of a part, which must exist. The tile's bytes need no alignment.
template <class T>
[[nodiscard]] T item_at(std::string_view tile, const TilePart& part, std::uint64_t i) noexcept {
    T item;
    std::memcpy(&item, tile.data() + part.begin + i * part.item_size, sizeof(T));
    return item;
}

}  // namespace cairn::detour
