// Any bytes as FastLZ decode within the memory given, or not at all. Any cells as the layer of a
// tile cache give a dtNavMesh, or an error.

#include <DetourNavMesh.h>
#include <DetourTileCache.h>
#include <DetourTileCacheBuilder.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "cairn/detour/tile_set.hpp"
#include "detour/fastlz.hpp"

namespace {

using namespace cairn;

/// Layers that are not compressed.
struct NoCompressor : dtTileCacheCompressor {
    int maxCompressedSize(int size) override { return size; }
    dtStatus compress(const unsigned char* /*bytes*/, int /*size*/, unsigned char* /*compressed*/,
                      int /*most*/, int* /*compressed_size*/) override {
        return DT_FAILURE;
    }
    dtStatus decompress(const unsigned char* compressed, int size, unsigned char* bytes, int most,
                        int* bytes_size) override {
        std::memcpy(bytes, compressed, static_cast<std::size_t>(std::min(size, most)));
        *bytes_size = size;
        return DT_SUCCESS;
    }
};

template <class T>
void put(std::string& bytes, const T& value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof(T));
}

/// A set of one layer: two bytes are its sides, and the others its heights, areas and connections,
/// without connections beyond its border. What is missing is 0.
std::string set_of(std::string_view data) {
    dtTileCacheLayerHeader header{};
    header.magic = DT_TILECACHE_MAGIC;
    header.version = DT_TILECACHE_VERSION;
    header.width = static_cast<unsigned char>(data[0]);
    header.height = static_cast<unsigned char>(data[1]);
    const std::size_t width = header.width;
    const std::size_t cells = width * header.height;
    std::string grids(data.substr(2, 3 * cells));
    grids.resize(3 * cells);
    for (std::size_t c = 0; c < cells; ++c) {
        const unsigned beyond = (c % width == 0 ? 1U : 0) | (c + width >= cells ? 2U : 0) |
                                ((c + 1) % width == 0 ? 4U : 0) | (c < width ? 8U : 0);
        grids[2 * cells + c] =
            static_cast<char>(static_cast<unsigned char>(grids[2 * cells + c]) & ~beyond);
    }
    dtNavMeshParams mesh{};
    mesh.tileWidth = mesh.tileHeight = 10;
    mesh.maxTiles = 1;
    mesh.maxPolys = 1 << 16;
    dtTileCacheParams cache{};
    cache.cs = cache.ch = 0.5F;
    cache.walkableClimb = 1;
    cache.maxSimplificationError = 1.3F;
    std::string set("TEST\1\0\0\0\1\0\0\0", 12);
    put(set, mesh);
    put(set, cache);
    put(set, dtCompressedTileRef{1});
    put(set, static_cast<int>(sizeof(header) + grids.size()));
    put(set, header);
    return set + grids;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 2) return 0;
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    std::vector<unsigned char> out(std::size_t{64} * data[0]);
    if (detour::decode_fastlz(bytes.substr(1), out) > out.size()) std::abort();
    NoCompressor compressor;
    const auto nav_mesh =
        detour::parse_tile_set(set_of(bytes), "fuzz", {.compressor = &compressor});
    if (!nav_mesh) {
        const StatusCode code = nav_mesh.error().code;
        // Fewer than two cells are no layer.
        if (code != StatusCode::too_large && data[0] * data[1] >= 2) std::abort();
        return 0;
    }
    const auto converted = detour::convert(**nav_mesh, dtQueryFilter());
    if (!converted && converted.error().code != StatusCode::too_large) std::abort();
    const std::string written = detour::format_tile_set(**nav_mesh).value();
    if (!detour::parse_tile_set(written, "again")) std::abort();
    return 0;
}
