// Sets of tile caches, against Detour's dtTileCache.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "cairn/detour/path_query.hpp"
#include "cairn/detour/tile_set.hpp"
#include "detour_query.hpp"
#include "guarded_memory.hpp"
#include "support/mutation.hpp"
#include "support/navmesh_files.hpp"
#include "support/scratch_folder.hpp"
#include "support/source_folder.hpp"
#include "tile_caches.hpp"

namespace cairn::detour {
namespace {

using ::testing::HasSubstr;

/// Expects that a set gives the mesh that Detour makes of its layers, and returns it.
NavMesh expect_detours_mesh(LayeredLevel& level) {
    NavMesh theirs;
    const auto cache = level.tile_cache(theirs);
    auto ours = parse_tile_set(level.set(), "m");
    EXPECT_TRUE(ours) << ours.error().message;
    if (!ours) return theirs;
    EXPECT_TRUE(format_tile_set(**ours).value() == format_tile_set(*theirs).value());
    return std::move(*ours);
}

/// The links between tiles of different layers.
int links_between_layers(const dtNavMesh& nav_mesh) {
    int found = 0;
    for (int t = 0; t < nav_mesh.getMaxTiles(); ++t) {
        const dtMeshTile& tile = *nav_mesh.getTile(t);
        for (int p = 0; tile.header != nullptr && p < tile.header->polyCount; ++p) {
            for (unsigned l = tile.polys[p].firstLink; l != DT_NULL_LINK; l = tile.links[l].next) {
                const TileAndPoly other = look_up(nav_mesh, tile.links[l].ref);
                found += other.tile->header->layer != tile.header->layer ? 1 : 0;
            }
        }
    }
    return found;
}

/// Expects a path exactly where Detour finds one, and none that costs more.
void expect_detours_paths(const dtNavMesh& nav_mesh, std::uint64_t pairs) {
    const dtQueryFilter filter;
    const auto index = PathIndex::build(nav_mesh, filter);
    ASSERT_TRUE(index) << index.error().message;
    PathQuery ours(*index);
    const NavMeshQuery theirs = detour_query(nav_mesh);
    std::mt19937 random(3);
    std::uint64_t complete = 0;
    for (std::uint64_t i = 0; i < pairs; ++i) {
        const Ends ends = random_ends(*index, random);
        const Found found = find_path(ours, ends, filter);
        const Found expected = find_path(*theirs, ends, filter);
        ASSERT_EQ(found.complete(), expected.complete());
        ASSERT_EQ(found.path.front(), ends.start);
        expect_linked(nav_mesh, filter, found.path);
        if (!found.complete()) continue;
        ++complete;
        EXPECT_LE(detour_cost(nav_mesh, filter, ends, found.path),
                  1.005 * detour_cost(nav_mesh, filter, ends, expected.path) + 0.01);
    }
    EXPECT_GT(complete, pairs / 10);
}

TEST(TileCacheSet, GivesTheMeshThatDetourMakes) {
    for (const int tile_size : {20, 48, 127}) {
        LayeredLevel level(house_of_two_storeys(), tile_size);
        const NavMesh nav_mesh = expect_detours_mesh(level);
        EXPECT_GT(links_between_layers(*nav_mesh), 0);
        ASSERT_NO_FATAL_FAILURE(expect_detours_paths(*nav_mesh, test::scaled(300)));
    }
}

TEST(TileCacheSet, LayersAboveEachOtherAreReached) {
    LayeredLevel level(house_of_two_storeys());
    const NavMesh nav_mesh = expect_detours_mesh(level);
    const auto index = PathIndex::build(*nav_mesh, dtQueryFilter());
    ASSERT_TRUE(index) << index.error().message;
    // The same place on the ground and on the second floor, in layers of one position.
    const auto ground = index->nearest({24, 0, 14}, 1);
    const auto above = index->nearest({24, 4, 14}, 1);
    ASSERT_TRUE(ground && above);
    const dtMeshHeader& low = *look_up(*nav_mesh, ground->ref).tile->header;
    const dtMeshHeader& high = *look_up(*nav_mesh, above->ref).tile->header;
    EXPECT_EQ(low.x, high.x);
    EXPECT_EQ(low.y, high.y);
    EXPECT_NE(low.layer, high.layer);
    PathQuery query(*index);
    const Ends ends{ground->ref, above->ref, {24, 0, 14}, {24, 4, 14}};
    const Found found = find_path(query, ends, dtQueryFilter());
    ASSERT_TRUE(found.complete());
    // By the ramp at x = 6 and back.
    EXPECT_GT(detour_cost(*nav_mesh, dtQueryFilter(), ends, found.path), 2 * (24 - 8));
}

using TileCachePublished = test::NavmeshFiles;

TEST_F(TileCachePublished, GivesTheMeshThatDetourMakes) {
    for (const char* name : {"nav_test", "dungeon", "oacmpdm10"}) {
        LayeredLevel level(read_obj(folder_ / "obj" / (std::string(name) + ".obj")).value());
        const NavMesh nav_mesh = expect_detours_mesh(level);
        EXPECT_GT(links_between_layers(*nav_mesh), 0) << name;
        ASSERT_NO_FATAL_FAILURE(expect_detours_paths(*nav_mesh, test::scaled(300))) << name;
    }
}

/// RecastDemo's process, with other flags and a connection between the storeys.
struct OtherProcess : dtTileCacheMeshProcess {
    void process(dtNavMeshCreateParams* params, unsigned char* areas,
                 std::uint16_t* flags) override {
        for (int p = 0; p < params->polyCount; ++p) {
            areas[p] = 7;
            flags[p] = 8;
        }
        params->offMeshConVerts = ends.data();
        params->offMeshConRad = &radius;
        params->offMeshConFlags = &flag;
        params->offMeshConAreas = &area;
        params->offMeshConDir = &direction;
        params->offMeshConCount = 1;
    }
    std::array<float, 6> ends{24, 0, 14, 24, 4, 14};
    float radius = 0.6F;
    std::uint16_t flag = 16;
    unsigned char area = 9;
    unsigned char direction = DT_OFFMESH_CON_BIDIR;
};

/// Layers that are not compressed.
struct StoredCompressor : dtTileCacheCompressor {
    int maxCompressedSize(int size) override { return size; }
    dtStatus compress(const unsigned char*, int, unsigned char*, int, int*) override {
        return DT_FAILURE;
    }
    dtStatus decompress(const unsigned char* compressed, int size, unsigned char* bytes, int most,
                        int* bytes_size) override {
        if (size > most) return DT_FAILURE;
        std::memcpy(bytes, compressed, static_cast<std::size_t>(size));
        *bytes_size = size;
        return DT_SUCCESS;
    }
};

TEST(TileCacheSet, AreasFlagsAndConnectionsAreThoseOfTheGamesProcess) {
    LayeredLevel level(house_of_two_storeys());
    OtherProcess process;
    const auto nav_mesh = parse_tile_set(level.set(), "m", {.process = &process});
    ASSERT_TRUE(nav_mesh) << nav_mesh.error().message;
    const auto converted = convert(**nav_mesh, dtQueryFilter());
    ASSERT_TRUE(converted);
    int connections = 0;
    for (mesh::Polygon p = 0; p < converted->mesh.num_polygons(); ++p) {
        const auto [tile, poly] = look_up(**nav_mesh, converted->refs.ref(p));
        const bool connection = converted->mesh.is_connection(p);
        EXPECT_EQ(poly->flags, connection ? 16 : 8);
        EXPECT_EQ(poly->getArea(), connection ? 9 : 7);
        connections += connection && !converted->mesh.links(p).empty() ? 1 : 0;
    }
    EXPECT_GT(connections, 0);
}

TEST(TileCacheSet, LayersAreDecompressedByTheGamesCompressor) {
    LayeredLevel level(house_of_two_storeys());
    const std::string expected = format_tile_set(**parse_tile_set(level.set(), "m")).value();
    for (std::string& layer : level.layers) {
        dtTileCacheLayerHeader header;
        std::memcpy(&header, layer.data(), sizeof(header));
        std::string grids(std::size_t{3} * header.width * header.height, '\0');
        ASSERT_EQ(decode_fastlz(layer.substr(sizeof(header)),
                                {reinterpret_cast<unsigned char*>(grids.data()), grids.size()}),
                  grids.size());
        layer.resize(sizeof(header));
        layer += grids;
    }
    StoredCompressor stored;
    const auto nav_mesh = parse_tile_set(level.set(), "m", {.compressor = &stored});
    ASSERT_TRUE(nav_mesh) << nav_mesh.error().message;
    EXPECT_TRUE(format_tile_set(**nav_mesh).value() == expected);
    const auto refused = parse_tile_set(level.set(), "m");
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().message,
                HasSubstr("m: tile 0: its 48 x 48 cells cannot be decompressed by FastLZ"));
}

// Offsets in the file: 8 number of layers, 12 dtNavMeshParams, 40 dtTileCacheParams, 92 the first
// layer's reference, 96 its size, 100 its bytes.
constexpr std::size_t kFirstLayer = 100;

TEST(TileCacheSet, ErrorsNameTheFileAndWhatIsWrong) {
    const std::string good = LayeredLevel(house_of_two_storeys()).set();
    const auto with = [&](std::size_t at, auto value) {
        std::string bytes = good;
        std::memcpy(bytes.data() + at, &value, sizeof(value));
        return bytes;
    };
    struct BadFile {
        std::string bytes;
        const char* message;
        StatusCode code = StatusCode::corrupt_file;
    };
    const float nan = std::numeric_limits<float>::quiet_NaN();
    std::string twice = good.substr(0, kFirstLayer - 8);
    for (int i = 0; i < 2; ++i) twice += good.substr(kFirstLayer - 8);
    const int layers = 2 * static_cast<int>(LayeredLevel(house_of_two_storeys()).layers.size());
    std::memcpy(twice.data() + 8, &layers, sizeof(layers));
    std::memcpy(twice.data() + 36, "\0\0\1\0", 4);
    std::memcpy(twice.data() + 32, &layers, sizeof(layers));
    const std::vector<BadFile> bad{
        {good.substr(0, 91), "m: too short for a tile cache"},
        {with(0, 0x54455354), "m: a tile set in big-endian order", StatusCode::wrong_version},
        {with(4, 2), "tile set version 2", StatusCode::wrong_version},
        {with(8, -1), "-1 tiles"},
        {with(8, layers / 2 + 1), "the file ends before it"},
        {with(8, 1), "bytes after the last tile"},
        {with(12, nan), "its origin is not finite"},
        {with(32, 1 << 20), "room for 1048576 tiles", StatusCode::too_large},
        {with(52, 0.0F), "a cell's side and height"},
        {with(56, nan), "a cell's side and height"},
        {with(76, -1.0F), "an agent's height, radius or climb"},
        {with(80, nan), "greatest error of edges"},
        {with(kFirstLayer - 4, 1 << 30), "tile 0: 1073741824 bytes, but"},
        {with(kFirstLayer - 4, 56), "tile 0: 56 bytes are too few for a layer"},
        {with(kFirstLayer, 0), "tile 0: it does not begin with 'DTLR'"},
        {with(kFirstLayer + 4, 2), "tile 0: version 2", StatusCode::wrong_version},
        {with(kFirstLayer + 20, nan), "tile 0: its bounds are not finite"},
        {with(kFirstLayer + 48, std::uint16_t{0}), "tile 0: 0 x 0 cells"},
        {with(kFirstLayer + 48, std::uint8_t{49}), "tile 0: its 49 x 48 cells cannot be decompres"},
        {twice, "there is another at 0, 0 in layer 0"}};
    for (const BadFile& file : bad) {
        const auto nav_mesh = parse_tile_set(file.bytes, "m");
        ASSERT_FALSE(nav_mesh) << file.message;
        EXPECT_EQ(nav_mesh.error().code, file.code) << nav_mesh.error().message;
        EXPECT_THAT(nav_mesh.error().message, HasSubstr(file.message));
    }
}

/// A set of one layer with these grids.
std::string set_of_grids(int width, int height, const std::string& grids) {
    std::string layer(sizeof(dtTileCacheLayerHeader), '\0');
    dtTileCacheLayerHeader header{};
    header.magic = DT_TILECACHE_MAGIC;
    header.version = DT_TILECACHE_VERSION;
    for (const int axis : {0, 1, 2}) header.bmax[axis] = 10;
    header.width = static_cast<unsigned char>(width);
    header.height = static_cast<unsigned char>(height);
    std::memcpy(layer.data(), &header, sizeof(header));
    LayeredLevel level(Triangles{{{0, 0, 0}, {0, 0, 1}, {1, 0, 1}}, {0, 1, 2}});
    level.layers = {layer + encode_fastlz(grids, 1)};
    return level.set();
}

/// Grids of random cells; the chances are in 256ths.
std::string random_grids(int width, int height, std::mt19937_64& random) {
    const auto cells = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
    std::string grids(3 * cells, '\0');
    const auto chance = [&] { return random() % 257; };
    const auto walkable = chance();
    const auto high = chance() / 4;
    const auto area = chance() / 8;
    const auto connected = chance();
    const auto portal = random() % 2 == 0 ? 0 : chance();
    for (std::size_t c = 0; c < cells; ++c) {
        const auto happens = [&](std::uint64_t likely) { return random() % 256 < likely; };
        grids[c] = static_cast<char>(happens(high) ? random() % 256 : random() % 3);
        grids[cells + c] = static_cast<char>(!happens(walkable) ? 0 : happens(area) ? 1 : 63);
        const int x = static_cast<int>(c) % width;
        const int y = static_cast<int>(c) / width;
        unsigned inside = (x > 0 ? 1U : 0) | (y + 1 < height ? 2U : 0) | (x + 1 < width ? 4U : 0) |
                          (y > 0 ? 8U : 0);
        unsigned portals = 0;
        for (unsigned d = 0; d < 4; ++d) {
            if (!happens(connected)) inside &= ~(1U << d);
            if (happens(portal)) portals |= 16U << d;
        }
        // Whole sides of portals, as between tiles.
        if (portal > 0 && x == 0) portals |= 16;
        if (portal > 0 && y == 0) portals |= 128;
        grids[2 * cells + c] = static_cast<char>(inside | portals);
    }
    return grids;
}

/// Lets Detour and Cairn use a mesh.
void use(const dtNavMesh& nav_mesh) {
    const auto converted = convert(nav_mesh, dtQueryFilter());
    ASSERT_TRUE(converted) << converted.error().message;
    if (converted->mesh.num_polygons() == 0) return;
    const NavMeshQuery query = detour_query(nav_mesh);
    const mesh::Polygon last = converted->mesh.num_polygons() - 1;
    Ends ends{converted->refs.ref(0), converted->refs.ref(last),
              position(converted->mesh.centre(0)), position(converted->mesh.centre(last))};
    EXPECT_TRUE(dtStatusSucceed(find_path(*query, ends, dtQueryFilter(), 256).status));
}

TEST(TileCacheSet, AnyCellsGiveAMeshOrAnError) {
    std::mt19937_64 random(11);
    std::uint64_t meshes = 0;
    std::uint64_t polygons = 0;
    const std::uint64_t layers = test::scaled(6'000);
    for (std::uint64_t i = 0; i < layers; ++i) {
        const std::uint64_t most = random() % 64 == 0 ? 254 : 40;
        const int width = 1 + static_cast<int>(random() % most);
        const int height = 2 + static_cast<int>(random() % most);
        const auto nav_mesh =
            parse_tile_set(set_of_grids(width, height, random_grids(width, height, random)), "m");
        if (!nav_mesh) {
            EXPECT_EQ(nav_mesh.error().code, StatusCode::too_large) << nav_mesh.error().message;
            continue;
        }
        ++meshes;
        polygons += PolyRefs::create(**nav_mesh).value().num_polygons();
        ASSERT_NO_FATAL_FAILURE(use(**nav_mesh));
    }
    EXPECT_GT(meshes, layers / 4);
    EXPECT_GT(polygons, meshes);
}

TEST(TileCacheSet, CellsConnectedBeyondTheLayerAreRefused) {
    for (const auto& [cell, bit] : {std::pair{0, 1}, {0, 8}, {24, 2}, {24, 4}}) {
        std::string grids(3 * 25, '\0');
        grids[static_cast<std::size_t>(50 + cell)] = static_cast<char>(bit);
        const auto refused = parse_tile_set(set_of_grids(5, 5, grids), "m");
        ASSERT_FALSE(refused);
        EXPECT_EQ(refused.error().code, StatusCode::corrupt_file);
        EXPECT_THAT(refused.error().message, HasSubstr("is connected beyond its cells"));
    }
    EXPECT_TRUE(parse_tile_set(set_of_grids(5, 5, std::string(75, '\0')), "m"));
}

TEST(TileCacheSet, MoreThan255RegionsAreRefused) {
    std::string grids(3 * 48 * 48, '\0');
    for (std::size_t c = 0; c < std::size_t{48} * 48; c += 2) grids[48 * 48 + c + c / 48 % 2] = 63;
    const auto refused = parse_tile_set(set_of_grids(48, 48, grids), "m");
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, StatusCode::too_large);
    EXPECT_THAT(refused.error().message, HasSubstr("m: tile 0: more than 255 regions"));
}

TEST(TileCacheSet, DamageGivesAMeshOrAnError) {
    const std::string good = LayeredLevel(house_of_two_storeys(), 64, 0.6F).set();
    std::uint64_t meshes = 0;
    const GuardedMemory guarded;
    test::for_each_damage(good, 3'000, [&](const std::string& bytes) {
        const auto nav_mesh = parse_tile_set(bytes, "m");
        if (!nav_mesh) {
            EXPECT_TRUE(nav_mesh.error().message.starts_with("m: "));
            return;
        }
        ++meshes;
        ASSERT_NO_FATAL_FAILURE(use(**nav_mesh));
    });
    EXPECT_GT(meshes, 0U);
}

TEST(TileCacheSet, IsWhatTheFuzzerStartsFrom) {
    const auto corpus = test::source_folder() / "fuzz/corpus/detour_tiles/layers.bin";
    EXPECT_TRUE(test::bytes_of(corpus) == LayeredLevel(house_of_two_storeys(), 64, 0.6F).set());
}

}  // namespace
}  // namespace cairn::detour
