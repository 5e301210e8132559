#pragma once
// RecastDemo's tile-set files (`.bin`), checked before Detour reads them.
//
// dtNavMesh::addTile trusts its data: a damaged tile makes it read and write out of bounds, or
// never return. Here every byte that Detour depends on is checked first. The format is the memory
// of the program that wrote it: little-endian, 4-byte integers and floats,
//
//   magic 'MSET', version 1, number of tiles, dtNavMeshParams (origin, tile width and height,
//   maxTiles, maxPolys); for each tile its dtTileRef, its size, and that many bytes as
//   dtCreateNavMeshData makes them (magic 'DNAV', version 7).
//
// Where the program's Detour has references of 64 bits (DT_POLYREF64), a dtTileRef takes 8 bytes,
// the size is padded to 8, and a link in the data takes 16 bytes in place of 12. The first tile
// tells which of the two it is, and both are read. The references of the other kind mean nothing in
// this program: tiles get new ones, in the order of the file.
//
// Links are not taken from the file: Detour makes them when a tile is added. If a tile has no room
// for all its links (maxLinkCount), Detour silently leaves out the last ones.
//
// A set of a tile cache (RecastDemo's temporary obstacles) holds the compressed layers of which
// dtTileCache builds the tiles:
//
//   magic 'TSET', version 1, number of layers, dtNavMeshParams, dtTileCacheParams; for each layer
//   its reference of 32 bits, its size, and that many bytes as dtBuildTileCacheLayer makes them
//   (magic 'DTLR', version 1).
//
// It becomes the dtNavMesh that dtTileCache::buildNavMeshTile makes, layer by layer in the order of
// the file, without obstacles. All functions are thread-safe.

#include <string>
#include <string_view>

#include "cairn/detour/nav_mesh.hpp"
#include "cairn/status.hpp"

struct dtTileCacheCompressor;
struct dtTileCacheMeshProcess;

namespace cairn::detour {

/// For the sets of tile caches. The game's own classes of Detour may be given, as it gives them to
/// dtTileCache::init; they are called on the calling thread, and must not throw.
struct TileCacheOptions {
    /// Decompresses the layers; null: FastLZ of level 1 or 2.
    dtTileCacheCompressor* compressor = nullptr;
    /// Sets the areas and flags of a tile's polygons, and may add connections; null: RecastDemo's.
    /// Area 63 (DT_TILECACHE_WALKABLE_AREA) becomes 0; the flags are 1 (walk), in area 1 (water) 2,
    /// in area 3 (door) 5.
    dtTileCacheMeshProcess* process = nullptr;
};

/// A dtNavMesh from the bytes of a set of either kind; `name` stands for the file in messages.
/// Memory grows with the bytes, not with the sizes in them. Tiles are added in the order of the
/// file. From a set of 64 bits in a program of 32 bits, maxTiles and maxPolys are kept as far as
/// references have bits for them; else they are the numbers that are there. Errors name the tile
/// and the polygon, vertex, cell or other part at fault: corrupt_file (numbers out of range, sizes
/// that contradict each other, coordinates that are not finite or beyond 1e7, two tiles at one
/// position, a bounding-volume tree whose nodes do not lead forwards, no room for a tile's own
/// edges among its links, a layer that cannot be decompressed or whose cells are connected beyond
/// it); wrong_version (of the set, a tile or a layer, or bytes in big-endian order); too_large
/// (more tiles or polygons than references can name, many more maxTiles than tiles, more pairs of
/// edges at tile borders than Detour could compare in reasonable time, or a layer of more than 255
/// regions or of very many corners). O(bytes), and the time of dtNavMesh::addTile; for layers
/// little more than that of dtTileCache.
[[nodiscard]] Result<NavMesh> parse_tile_set(std::string_view bytes, std::string_view name,
                                             const TileCacheOptions& options = {}) noexcept;

/// parse_tile_set of a file. Further errors: io_error; too_large (more than 4 GiB).
[[nodiscard]] Result<NavMesh> read_tile_set(const std::string& path,
                                            const TileCacheOptions& options = {}) noexcept;

/// The bytes of a tile set, in the order of the tiles. Links are left out, since Detour makes them
/// again, so that equal tiles give equal bytes. References are as wide as in this program's Detour.
/// O(bytes).
[[nodiscard]] Result<std::string> format_tile_set(const dtNavMesh& nav_mesh) noexcept;

/// Writes format_tile_set's bytes atomically. Errors: io_error.
[[nodiscard]] Status write_tile_set(const std::string& path, const dtNavMesh& nav_mesh) noexcept;

}  // namespace cairn::detour
