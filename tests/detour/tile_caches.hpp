#pragma once
// Tile caches for tests: layers that Recast makes of geometry, and Detour's own dtTileCache.

#include <DetourNavMesh.h>
#include <DetourNavMeshBuilder.h>
#include <DetourTileCache.h>
#include <DetourTileCacheBuilder.h>
#include <gtest/gtest.h>
#include <Recast.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cairn/detour/nav_mesh.hpp"
#include "cairn/detour/triangles.hpp"
#include "detour/fastlz.hpp"

namespace cairn::detour {

/// A block of FastLZ. Finds matches by trying earlier places of the next bytes, the nearest first,
/// up to `reach` back.
[[nodiscard]] inline std::string encode_fastlz(std::string_view bytes, int level,
                                               std::size_t reach = 8'000) {
    constexpr std::size_t kMostLiterals = 32;
    constexpr std::size_t kLongEnough = 64;
    std::string out;
    std::size_t literals = 0;  // at the end of `out`, with their instruction before them
    std::vector<std::vector<std::size_t>> places(1 << 16);
    const auto hash = [&](std::size_t at) {
        return std::size_t{static_cast<unsigned char>(bytes[at])} |
               std::size_t{static_cast<unsigned char>(bytes[at + 1])} << 8;
    };
    for (std::size_t at = 0; at < bytes.size();) {
        std::size_t length = 0;
        std::size_t offset = 0;
        if (at > 0 && at + 3 <= bytes.size()) {
            const auto& found = places[hash(at)];
            for (auto place = found.rbegin();
                 place != found.rend() && at - *place <= reach && length < kLongEnough; ++place) {
                std::size_t same = 0;
                while (at + same < bytes.size() && bytes[*place + same] == bytes[at + same]) ++same;
                if (same <= length) continue;
                length = same;
                offset = at - *place - 1;
            }
        }
        const std::size_t least = offset >= 8'191 ? 5 : 3;
        if (length >= least) {
            if (level == 1) length = std::min<std::size_t>(length, 264);
            const std::size_t near = std::min<std::size_t>(offset, 8'191);
            std::size_t more = length - 2;
            out.push_back(static_cast<char>(std::min<std::size_t>(more, 7) << 5 | near >> 8));
            if (more >= 7) {
                for (more -= 7; level == 2 && more >= 255; more -= 255) out.push_back('\xff');
                out.push_back(static_cast<char>(more));
            }
            out.push_back(static_cast<char>(near & 255));
            if (level == 2 && near == 8'191) {
                out.push_back(static_cast<char>((offset - near) >> 8));
                out.push_back(static_cast<char>((offset - near) & 255));
            }
            literals = 0;
        } else {
            length = 1;
            if (literals == 0 || literals == kMostLiterals) {
                out.push_back(static_cast<char>(-1));
                literals = 0;
            }
            out.push_back(bytes[at]);
            ++literals;
            out[out.size() - literals - 1] = static_cast<char>(literals - 1);
        }
        for (std::size_t i = at; i < at + length && i + 2 <= bytes.size(); ++i)
            places[hash(i)].push_back(i);
        at += length;
    }
    if (level == 2 && !out.empty()) out[0] = static_cast<char>(out[0] | 1 << 5);
    return out;
}

struct FastLzCompressor : dtTileCacheCompressor {
    int maxCompressedSize(int size) override { return size + size / 16 + 16; }
    dtStatus compress(const unsigned char* bytes, int size, unsigned char* compressed, int /*most*/,
                      int* compressed_size) override {
        const std::string out = encode_fastlz(
            {reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(size)}, 1);
        std::memcpy(compressed, out.data(), out.size());
        *compressed_size = static_cast<int>(out.size());
        return DT_SUCCESS;
    }
    dtStatus decompress(const unsigned char* compressed, int size, unsigned char* bytes, int most,
                        int* bytes_size) override {
        *bytes_size = static_cast<int>(decode_fastlz(
            {reinterpret_cast<const char*>(compressed), static_cast<std::size_t>(size)},
            {bytes, static_cast<std::size_t>(most)}));
        return *bytes_size > 0 ? DT_SUCCESS : DT_FAILURE;
    }
};

/// What RecastDemo's class of that name does with areas.
struct DemoMeshProcess : dtTileCacheMeshProcess {
    void process(dtNavMeshCreateParams* params, unsigned char* areas,
                 std::uint16_t* flags) override {
        for (int p = 0; p < params->polyCount; ++p) {
            if (areas[p] == DT_TILECACHE_WALKABLE_AREA) areas[p] = 0;
            flags[p] = areas[p] == 1 ? 2 : areas[p] == 3 ? 5 : 1;
        }
    }
};

struct FreeTileCache {
    void operator()(dtTileCache* cache) const noexcept { dtFreeTileCache(cache); }
};

/// The layers of a level, the parameters of its cache and its mesh, and Detour's objects.
class LayeredLevel {
public:
    /// `tile_size`: in cells.
    explicit LayeredLevel(const Triangles& triangles, int tile_size = 48, float cell_size = 0.3F) {
        for (const mesh::Point& p : triangles.vertices)
            vertices_.insert(vertices_.end(), {p.x, p.y, p.z});
        corners_.assign(triangles.corners.begin(), triangles.corners.end());
        config_.cs = cell_size;
        config_.ch = 0.2F;
        config_.walkableSlopeAngle = 45;
        config_.walkableHeight = 10;
        config_.walkableClimb = 4;
        config_.walkableRadius = 2;
        config_.borderSize = config_.walkableRadius + 3;
        config_.tileSize = tile_size;
        rcCalcBounds(vertices_.data(), static_cast<int>(triangles.vertices.size()), config_.bmin,
                     config_.bmax);
        int width = 0;
        int depth = 0;
        rcCalcGridSize(config_.bmin, config_.bmax, config_.cs, &width, &depth);
        columns_ = (width + tile_size - 1) / tile_size;
        rows_ = (depth + tile_size - 1) / tile_size;
        for (int y = 0; y < rows_; ++y) {
            for (int x = 0; x < columns_; ++x) add_layers(x, y);
        }
        std::copy_n(config_.bmin, 3, mesh_params.orig);
        mesh_params.tileWidth = mesh_params.tileHeight = static_cast<float>(tile_size) * cell_size;
        mesh_params.maxTiles = 1 << bits_of(layers.size());
        mesh_params.maxPolys = 1 << (22 - bits_of(layers.size()));
        std::copy_n(config_.bmin, 3, cache_params.orig);
        cache_params.cs = config_.cs;
        cache_params.ch = config_.ch;
        cache_params.width = cache_params.height = tile_size;
        cache_params.walkableHeight = 2;
        cache_params.walkableRadius = 0.6F;
        cache_params.walkableClimb = 0.9F;
        cache_params.maxSimplificationError = 1.3F;
        cache_params.maxTiles = static_cast<int>(layers.size()) + 8;
        cache_params.maxObstacles = 128;
    }

    /// The tile cache with all layers, and in `nav_mesh` the tiles it makes of them. Refers to this
    /// object.
    [[nodiscard]] std::unique_ptr<dtTileCache, FreeTileCache> tile_cache(NavMesh& nav_mesh) {
        nav_mesh.reset(dtAllocNavMesh());
        EXPECT_TRUE(dtStatusSucceed(nav_mesh->init(&mesh_params)));
        std::unique_ptr<dtTileCache, FreeTileCache> cache(dtAllocTileCache());
        EXPECT_TRUE(dtStatusSucceed(cache->init(&cache_params, &memory_, &compressor_, &process_)));
        for (std::string& layer : layers) {
            dtCompressedTileRef ref = 0;
            EXPECT_TRUE(
                dtStatusSucceed(cache->addTile(reinterpret_cast<unsigned char*>(layer.data()),
                                               static_cast<int>(layer.size()), 0, &ref)));
            EXPECT_TRUE(dtStatusSucceed(cache->buildNavMeshTile(ref, nav_mesh.get())));
        }
        return cache;
    }

    /// The bytes of the set, as RecastDemo writes it.
    [[nodiscard]] std::string set() const {
        std::string bytes;
        const auto put = [&](const auto& value) {
            bytes.append(reinterpret_cast<const char*>(&value), sizeof(value));
        };
        put(std::uint32_t{'T' << 24 | 'S' << 16 | 'E' << 8 | 'T'});
        put(std::uint32_t{1});
        put(static_cast<std::int32_t>(layers.size()));
        put(mesh_params);
        put(cache_params);
        for (std::size_t i = 0; i < layers.size(); ++i) {
            put(static_cast<dtCompressedTileRef>(1 << 10 | i));
            put(static_cast<std::int32_t>(layers[i].size()));
            bytes += layers[i];
        }
        return bytes;
    }

    std::vector<std::string> layers;  ///< as dtBuildTileCacheLayer makes them
    dtNavMeshParams mesh_params{};
    dtTileCacheParams cache_params{};

private:
    static int bits_of(std::size_t count) {
        int bits = 0;
        while (std::size_t{1} << bits < count) ++bits;
        return bits;
    }

    void add_layers(int x, int y) {
        rcContext context;
        rcConfig config = config_;
        config.width = config.height = config.tileSize + 2 * config.borderSize;
        const float side = static_cast<float>(config.tileSize) * config.cs;
        const float border = static_cast<float>(config.borderSize) * config.cs;
        config.bmin[0] = config_.bmin[0] + static_cast<float>(x) * side - border;
        config.bmin[2] = config_.bmin[2] + static_cast<float>(y) * side - border;
        config.bmax[0] = config_.bmin[0] + static_cast<float>(x + 1) * side + border;
        config.bmax[2] = config_.bmin[2] + static_cast<float>(y + 1) * side + border;
        const auto num_vertices = static_cast<int>(vertices_.size() / 3);
        const auto num_triangles = static_cast<int>(corners_.size() / 3);
        rcHeightfield& field = *rcAllocHeightfield();
        EXPECT_TRUE(rcCreateHeightfield(&context, field, config.width, config.height, config.bmin,
                                        config.bmax, config.cs, config.ch));
        std::vector<unsigned char> areas(corners_.size() / 3);
        rcMarkWalkableTriangles(&context, config.walkableSlopeAngle, vertices_.data(), num_vertices,
                                corners_.data(), num_triangles, areas.data());
        EXPECT_TRUE(rcRasterizeTriangles(&context, vertices_.data(), num_vertices, corners_.data(),
                                         areas.data(), num_triangles, field, config.walkableClimb));
        rcFilterLowHangingWalkableObstacles(&context, config.walkableClimb, field);
        rcFilterLedgeSpans(&context, config.walkableHeight, config.walkableClimb, field);
        rcFilterWalkableLowHeightSpans(&context, config.walkableHeight, field);
        rcCompactHeightfield& compact = *rcAllocCompactHeightfield();
        EXPECT_TRUE(rcBuildCompactHeightfield(&context, config.walkableHeight, config.walkableClimb,
                                              field, compact));
        EXPECT_TRUE(rcErodeWalkableArea(&context, config.walkableRadius, compact));
        rcHeightfieldLayerSet& set = *rcAllocHeightfieldLayerSet();
        EXPECT_TRUE(rcBuildHeightfieldLayers(&context, compact, config.borderSize,
                                             config.walkableHeight, set));
        for (int l = 0; l < set.nlayers; ++l) layers.push_back(bytes_of(set.layers[l], x, y, l));
        rcFreeHeightfieldLayerSet(&set);
        rcFreeCompactHeightfield(&compact);
        rcFreeHeightField(&field);
    }

    std::string bytes_of(const rcHeightfieldLayer& layer, int x, int y, int number) {
        dtTileCacheLayerHeader header{};
        header.magic = DT_TILECACHE_MAGIC;
        header.version = DT_TILECACHE_VERSION;
        header.tx = x;
        header.ty = y;
        header.tlayer = number;
        std::copy_n(layer.bmin, 3, header.bmin);
        std::copy_n(layer.bmax, 3, header.bmax);
        header.width = static_cast<unsigned char>(layer.width);
        header.height = static_cast<unsigned char>(layer.height);
        header.minx = static_cast<unsigned char>(layer.minx);
        header.maxx = static_cast<unsigned char>(layer.maxx);
        header.miny = static_cast<unsigned char>(layer.miny);
        header.maxy = static_cast<unsigned char>(layer.maxy);
        header.hmin = static_cast<unsigned short>(layer.hmin);
        header.hmax = static_cast<unsigned short>(layer.hmax);
        unsigned char* bytes = nullptr;
        int size = 0;
        EXPECT_TRUE(dtStatusSucceed(dtBuildTileCacheLayer(&compressor_, &header, layer.heights,
                                                          layer.areas, layer.cons, &bytes, &size)));
        std::string copy(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(size));
        dtFree(bytes);
        return copy;
    }

    std::vector<float> vertices_;
    std::vector<int> corners_;
    rcConfig config_{};
    int columns_ = 0;
    int rows_ = 0;
    dtTileCacheAlloc memory_;
    FastLzCompressor compressor_;
    DemoMeshProcess process_;
};

/// A ground floor of 40 x 40 with four pillars, and above its middle a second floor, 4 higher,
/// which a ramp joins.
[[nodiscard]] inline Triangles house_of_two_storeys() {
    Triangles level;
    const auto quad = [&](const std::array<mesh::Point, 4>& corners) {
        const auto first = static_cast<std::uint32_t>(level.vertices.size());
        level.vertices.insert(level.vertices.end(), corners.begin(), corners.end());
        for (const std::uint32_t c : {0U, 1U, 2U, 0U, 2U, 3U}) level.corners.push_back(first + c);
    };
    const auto flat = [&](float x, float z, float to_x, float to_z, float y, float to_y) {
        quad({{{x, y, z}, {x, y, to_z}, {to_x, to_y, to_z}, {to_x, to_y, z}}});
    };
    flat(0, 0, 40, 40, 0, 0);
    flat(16, 10, 32, 30, 4, 4);
    flat(6, 16, 16, 22, 0, 4);  // the ramp
    for (const float x : {8.0F, 34.0F}) {
        for (const float z : {5.0F, 33.0F}) flat(x, z, x + 2, z + 3, 3, 3);
    }
    return level;
}

}  // namespace cairn::detour
