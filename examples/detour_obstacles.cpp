// Crates that come and go on a dtTileCache. Each frame the cache builds one tile again, the index
// follows it, and units whose paths are broken find others. Prints how long that takes, and fails
// if the index answers otherwise than one built anew.

#include <DetourNavMesh.h>
#include <DetourNavMeshBuilder.h>
#include <DetourTileCache.h>
#include <DetourTileCacheBuilder.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>
#include <vector>

#include "cairn/detour/path_query.hpp"

using namespace cairn;

namespace {

constexpr int kTiles = 12;  // in a row, and in a column
constexpr int kCells = 32;  // along the side of a tile
constexpr float kCell = 0.5F;
constexpr float kSide = kTiles * kCells * kCell;
constexpr int kFrames = 1'000;
constexpr float kSeconds = 1.0F / 30;  // of a frame
constexpr std::size_t kCrates = 100;
constexpr std::size_t kUnits = 200;
constexpr int kMaxPath = 256;

void check(bool good, const char* what) {
    if (good) return;
    std::puts(what);
    std::exit(1);
}

/// Layers that are not compressed. A game has a real compressor here.
struct NoCompressor : dtTileCacheCompressor {
    int maxCompressedSize(int size) override { return size; }
    dtStatus compress(const unsigned char* bytes, int size, unsigned char* compressed, int /*most*/,
                      int* compressed_size) override {
        std::memcpy(compressed, bytes, static_cast<std::size_t>(size));
        *compressed_size = size;
        return DT_SUCCESS;
    }
    dtStatus decompress(const unsigned char* compressed, int size, unsigned char* bytes,
                        int /*most*/, int* bytes_size) override {
        return compress(compressed, size, bytes, size, bytes_size);
    }
};

/// Agents may walk on every polygon.
struct WalkEverywhere : dtTileCacheMeshProcess {
    void process(dtNavMeshCreateParams* params, unsigned char* areas,
                 std::uint16_t* flags) override {
        std::fill_n(areas, params->polyCount, static_cast<unsigned char>(0));
        std::fill_n(flags, params->polyCount, static_cast<std::uint16_t>(1));
    }
};

/// A level floor, as a tile cache with its dtNavMesh.
struct Arena {
    dtTileCacheAlloc memory;
    NoCompressor compressor;
    WalkEverywhere process;
    dtNavMesh nav_mesh;
    dtTileCache tile_cache;

    Arena() {
        dtNavMeshParams mesh{};
        mesh.tileWidth = mesh.tileHeight = kCells * kCell;
        mesh.maxTiles = 256;
        mesh.maxPolys = 1 << 14;
        check(dtStatusSucceed(nav_mesh.init(&mesh)), "no dtNavMesh");
        dtTileCacheParams cache{};
        cache.cs = kCell;
        cache.ch = 0.2F;
        cache.width = cache.height = kCells;
        cache.walkableHeight = 2;
        cache.walkableRadius = 0.5F;
        cache.walkableClimb = 0.5F;
        cache.maxSimplificationError = 1.3F;
        cache.maxTiles = kTiles * kTiles;
        cache.maxObstacles = kCrates;
        check(dtStatusSucceed(tile_cache.init(&cache, &memory, &compressor, &process)), "no cache");
        for (int y = 0; y < kTiles; ++y) {
            for (int x = 0; x < kTiles; ++x) add_tile(x, y);
        }
    }

    void add_tile(int x, int y) {
        dtTileCacheLayerHeader header{};
        header.magic = DT_TILECACHE_MAGIC;
        header.version = DT_TILECACHE_VERSION;
        header.tx = x;
        header.ty = y;
        header.width = header.height = kCells;
        header.maxx = header.maxy = kCells - 1;
        header.bmin[0] = static_cast<float>(x) * kCells * kCell;
        header.bmin[2] = static_cast<float>(y) * kCells * kCell;
        header.bmax[0] = header.bmin[0] + kCells * kCell;
        header.bmax[1] = 2;
        header.bmax[2] = header.bmin[2] + kCells * kCell;
        std::array<unsigned char, std::size_t{kCells} * kCells> heights{};
        auto areas = heights;
        areas.fill(DT_TILECACHE_WALKABLE_AREA);
        auto connections = heights;
        for (std::size_t c = 0; c < connections.size(); ++c) {
            // Directions: x - 1, z + 1, x + 1, z - 1. At a border a portal instead of a connection.
            const unsigned border = (c % kCells == 0 ? 1U : 0) |
                                    (c / kCells == kCells - 1 ? 2U : 0) |
                                    (c % kCells == kCells - 1 ? 4U : 0) | (c < kCells ? 8U : 0);
            connections[c] = static_cast<unsigned char>(border << 4 | (border ^ 15U));
        }
        unsigned char* bytes = nullptr;
        int size = 0;
        dtBuildTileCacheLayer(&compressor, &header, heights.data(), areas.data(),
                              connections.data(), &bytes, &size);
        dtCompressedTileRef ref = 0;
        check(dtStatusSucceed(tile_cache.addTile(bytes, size, DT_COMPRESSEDTILE_FREE_DATA, &ref)) &&
                  dtStatusSucceed(tile_cache.buildNavMeshTile(ref, &nav_mesh)),
              "no tile");
    }
};

struct Unit {
    std::array<float, 3> from{};
    std::array<float, 3> to{};
    std::vector<dtPolyRef> path;
};

/// Finds the path of a unit. It is empty if the unit stands in a crate.
void find(detour::PathQuery& query, Unit& unit) {
    const float half_extents[3] = {1, 2, 1};
    dtPolyRef start = 0;
    dtPolyRef end = 0;
    float from[3];
    float to[3];
    query.findNearestPoly(unit.from.data(), half_extents, nullptr, &start, from);
    query.findNearestPoly(unit.to.data(), half_extents, nullptr, &end, to);
    int count = 0;
    unit.path.resize(kMaxPath);
    query.findPath(start, end, from, to, nullptr, unit.path.data(), &count, kMaxPath);
    unit.path.resize(static_cast<std::size_t>(count));
}

double milliseconds_since(std::chrono::steady_clock::time_point begin) {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
        .count();
}

}  // namespace

int main() {
    Arena arena;
    dtTileCache& tile_cache = arena.tile_cache;
    dtNavMesh& nav_mesh = arena.nav_mesh;
    const dtQueryFilter filter;
    detour::PathQuery query(detour::PathIndex::build(nav_mesh, filter).value(), nav_mesh);

    std::mt19937 random(1);
    const auto anywhere = [&]() -> std::array<float, 3> {
        const auto along = [&] { return kSide * static_cast<float>(random() % 1'000) / 1'000; };
        const float x = along();
        return {x, 0, along()};
    };
    std::vector<Unit> units(kUnits);
    for (Unit& unit : units) {
        unit = {anywhere(), anywhere(), {}};
        find(query, unit);
    }
    std::vector<dtObstacleRef> crates;
    int changes = 0;
    int broken = 0;
    double cache_ms = 0;
    double index_ms = 0;
    for (int frame = 0; frame < kFrames; ++frame) {
        if (frame % 4 == 0) {  // a crate comes, or the oldest one goes
            if (crates.size() < kCrates / 2) {
                const std::array<float, 3> at = anywhere();
                dtObstacleRef crate = 0;
                tile_cache.addObstacle(at.data(), 3, 2, &crate);
                crates.push_back(crate);
            } else {
                tile_cache.removeObstacle(crates.front());
                crates.erase(crates.begin());
            }
        }
        auto begin = std::chrono::steady_clock::now();
        bool up_to_date = false;  // false while tiles are waiting
        tile_cache.update(kSeconds, &nav_mesh, &up_to_date);
        cache_ms += milliseconds_since(begin);

        begin = std::chrono::steady_clock::now();
        const auto updated = query.index().updated(nav_mesh);
        check(updated.has_value(), "no index");
        index_ms += milliseconds_since(begin);
        if (updated->index().snapshot_id() == query.index().index().snapshot_id()) continue;
        ++changes;
        query.set_index(*updated);
        for (Unit& unit : units) {
            if (updated->walkable(unit.path) == unit.path.size()) continue;
            ++broken;
            find(query, unit);
        }
    }

    const auto begin = std::chrono::steady_clock::now();
    const auto anew = detour::PathIndex::build(nav_mesh, filter);
    const double build_ms = milliseconds_since(begin);
    detour::PathQuery query_anew(*anew, nav_mesh);
    for (Unit& unit : units) {
        Unit other = unit;
        find(query, unit);
        find(query_anew, other);
        check(unit.path.empty() == other.path.empty(), "another answer");
        check(unit.path.empty() || unit.path.back() == other.path.back(), "another end");
    }
    std::printf("%u polygons; %d of %d frames changed a tile, %d paths were broken\n",
                anew->refs().num_polygons(), changes, kFrames, broken);
    std::printf("ms a frame: dtTileCache::update %.3f, PathIndex::updated %.3f; a new index %.3f\n",
                cache_ms / kFrames, index_ms / kFrames, build_ms);
    return 0;
}
