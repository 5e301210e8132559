#include "cairn/detour/tile_set.hpp"
#include "cairn/hna/hna.hpp"
#include "cairn/mesh/astar.hpp"
#include "cairn/mesh/funnel.hpp"
#include "cairn/mesh/locator.hpp"

#include <DetourNavMeshQuery.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>
#include <set>
#include <vector>

#include "detour/tile_layout.hpp"
#include "guarded_memory.hpp"
#include "small_tile_sets.hpp"
#include "support/mutation.hpp"
#include "support/scratch_folder.hpp"
#include "support/source_folder.hpp"
#include "tile_caches.hpp"
#include "wide_tile_sets.hpp"

namespace cairn::detour {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

// Bytes of a file: the header of the set, then for each tile its header in the set and its data.
constexpr std::size_t kSetHeader = kSetHeaderBytes;
constexpr std::size_t kTileHeader = 8;
constexpr std::size_t kFirstTile = kSetHeader + kTileHeader;

std::string small_bytes() { return format_tile_set(*small_nav_mesh()).value(); }

/// The small set with `value` written over the bytes from offset `at` on.
template <class T>
std::string with(std::size_t at, T value) {
    std::string bytes = small_bytes();
    std::memcpy(bytes.data() + at, &value, sizeof(T));
    return bytes;
}

TEST(TileSet, ReadsBackAsWritten) {
    const NavMesh nav_mesh = small_nav_mesh();
    const test::ScratchFolder folder;
    const auto path = folder.path() / "small.bin";
    ASSERT_TRUE(write_tile_set(path, *nav_mesh).ok());
    const auto again = read_tile_set(path);
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(format_tile_set(**again).value(), small_bytes());
    const auto a = convert(*nav_mesh, dtQueryFilter());
    const auto b = convert(**again, dtQueryFilter());
    ASSERT_TRUE(a && b);
    EXPECT_EQ(a->mesh, b->mesh);
    for (mesh::Polygon p = 0; p < a->refs.num_polygons(); ++p)
        EXPECT_EQ(a->refs.ref(p), b->refs.ref(p));
}

TEST(TileSet, IsWhatTheFuzzerStartsFrom) {
    const auto corpus = cairn::test::source_folder() / "fuzz/corpus/detour_tiles";
    EXPECT_EQ(test::bytes_of(corpus / "small.bin"), small_bytes());
    EXPECT_EQ(test::bytes_of(corpus / "small64.bin"), widened(small_bytes()));
}

TEST(TileSet, WithReferencesOf64BitsHasTheSameMesh) {
    const auto expected = convert(*small_nav_mesh(), dtQueryFilter());
    ASSERT_TRUE(expected);
    for (const std::size_t padding : {4, 0}) {
        const std::string bytes = widened(small_bytes(), padding);
        const auto nav_mesh = parse_tile_set(bytes, "m");
        ASSERT_TRUE(nav_mesh) << nav_mesh.error().message;
        const auto converted = convert(**nav_mesh, dtQueryFilter());
        ASSERT_TRUE(converted);
        EXPECT_EQ(converted->mesh, expected->mesh);
        // References are new, in the order of the file, and the set is written with them.
        EXPECT_EQ(format_tile_set(**nav_mesh).value(), small_bytes());
    }
}

TEST(TileSet, WithReferencesOf64BitsKeepsTheRoomThatReferencesCanName) {
    const auto params_of = [](int most_tiles, int most_polygons) {
        std::string bytes = widened(small_bytes());
        std::memcpy(bytes.data() + 32, &most_tiles, sizeof(most_tiles));
        std::memcpy(bytes.data() + 36, &most_polygons, sizeof(most_polygons));
        const auto nav_mesh = parse_tile_set(bytes, "m");
        EXPECT_TRUE(nav_mesh) << nav_mesh.error().message;
        const dtNavMeshParams& params = *(*nav_mesh)->getParams();
        return std::pair(params.maxTiles, params.maxPolys);
    };
    EXPECT_EQ(params_of(1 << 10, 1 << 12), std::pair(1 << 10, 1 << 12));
    EXPECT_EQ(params_of(1 << 16, 1 << 20), std::pair(1 << 16, 7));
    EXPECT_EQ(params_of(1 << 28, 1 << 15), std::pair(5, 1 << 15));
    EXPECT_EQ(params_of(1 << 28, 1 << 20), std::pair(5, 7));
}

TEST(TileSet, WithReferencesOf64BitsIsChecked) {
    const std::string good = widened(small_bytes());
    const auto message = [&](std::size_t at, auto value) {
        std::string bytes = good;
        std::memcpy(bytes.data() + at, &value, sizeof(value));
        const auto nav_mesh = parse_tile_set(bytes, "m");
        return nav_mesh ? "read" : nav_mesh.error().message;
    };
    constexpr std::size_t kWideTile = kSetHeader + 16;
    EXPECT_EQ(message(kSetHeader, std::uint64_t{0}), "read");
    EXPECT_THAT(message(kSetHeader + 8, -1), HasSubstr("tile 0: -1 bytes"));
    EXPECT_THAT(message(kWideTile + offsetof(dtMeshHeader, polyCount), 8),
                HasSubstr("tile 0: its counts make"));
    EXPECT_THAT(message(8, 6), HasSubstr("tile 5: the file ends before it"));
    // Links of 32 bits in a set of 64.
    const std::string narrow = small_bytes();
    std::string mixed = narrow.substr(0, kSetHeader) + good.substr(kSetHeader, 16);
    std::memcpy(mixed.data() + kSetHeader + 8, narrow.data() + kSetHeader + 4, 4);
    mixed += narrow.substr(kFirstTile);
    EXPECT_THAT(parse_tile_set(mixed, "m").error().message, HasSubstr("tile 0: its counts make"));
}

TEST(TileSet, KeepsReferencesOfTilesThatWereReplaced) {
    const NavMesh nav_mesh = small_nav_mesh();
    ASSERT_TRUE(
        dtStatusSucceed(nav_mesh->removeTile(nav_mesh->getTileRefAt(1, 1, 0), nullptr, nullptr)));
    add_tile(*nav_mesh, {.x = 3, .y = 3});
    const auto again = parse_tile_set(format_tile_set(*nav_mesh).value(), "again");
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ((*again)->getTileRefAt(3, 3, 0), nav_mesh->getTileRefAt(3, 3, 0));
}

TEST(TileSet, ErrorsNameTheFileAndWhatIsWrong) {
    struct BadFile {
        std::string bytes;
        const char* message;
        StatusCode code = StatusCode::corrupt_file;
    };
    const float nan = std::numeric_limits<float>::quiet_NaN();
    // Offsets in the header of the set: 0 magic, 4 version, 8 number of tiles, 12 origin, 24 width
    // and 28 height of a tile, 32 most tiles, 36 most polygons of a tile. In that of a tile: 0
    // reference, 4 number of bytes. Its data begin with magic and version.
    const std::vector<BadFile> bad{
        {"", "m: too short for a tile set"},
        {with(0, 'X'), "m: a tile set begins with 'MSET'"},
        {with(0, 0x5445534d), "big-endian", StatusCode::wrong_version},
        {with(4, 2), "tile set version 2", StatusCode::wrong_version},
        {with(8, -1), "-1 tiles"},
        {with(8, 6), "m: tile 5: the file ends before it"},
        {with(8, 4), "bytes after the last tile"},
        {with(8, 17), "17 tiles where at most 16"},
        {with(12, nan), "its origin is not finite"},
        {with(24, 0.0F), "width and height"},
        {with(28, nan), "width and height"},
        {with(32, 0), "5 tiles where at most 0"},
        {with(32, 1 << 20), "room for 1048576 tiles", StatusCode::too_large},
        {with(36, 0), "no polygons"},
        {with(36, 1 << 30), "references cannot name so many", StatusCode::too_large},
        {with(36, 2), "tile 0: 7 polygons where at most 2"},
        {with(kSetHeader, 0), "tile 0: no tile can have the reference 0x0"},
        {with(kSetHeader, 0x101), "tile 0: no tile can have the reference 0x101"},
        {with(kSetHeader + 4, -1), "tile 0: -1 bytes"},
        {with(kSetHeader + 4, 1 << 30), "tile 0: 1073741824 bytes, but"},
        {with(kSetHeader + 4, 50), "tile 0: 50 bytes are too few"},
        {with(kFirstTile, 0), "tile 0: it does not begin with 'DNAV'"},
        {with(kFirstTile + 4, 6), "tile 0: version 6", StatusCode::wrong_version}};
    for (const BadFile& file : bad) {
        const auto nav_mesh = parse_tile_set(file.bytes, "m");
        ASSERT_FALSE(nav_mesh) << file.message;
        EXPECT_EQ(nav_mesh.error().code, file.code) << nav_mesh.error().message;
        EXPECT_THAT(nav_mesh.error().message, StartsWith("m: "));
        EXPECT_THAT(nav_mesh.error().message, HasSubstr(file.message));
    }
    EXPECT_EQ(read_tile_set("/does/not/exist.bin").error().code, StatusCode::io_error);
}

/// Changes the first tile of the small set; each change gives the error message, or "read".
class BadTile {
public:
    BadTile() : bytes_(small_bytes()) {
        std::memcpy(&header_, bytes_.data() + kFirstTile, sizeof(header_));
    }
    TileLayout layout() const { return TileLayout(header_); }

    /// Writes `value` at an offset of the dtMeshHeader.
    template <class T>
    std::string header(std::size_t at, T value) {
        return set(at, value);
    }
    /// Calls change(item) with item `i` of a part.
    template <class T, class Change>
    std::string item(const TilePart& part, std::uint64_t i, Change&& change) {
        T value = item_at<T>(std::string_view(bytes_).substr(kFirstTile), part, i);
        change(value);
        return set(part.begin + i * part.item_size, value);
    }

private:
    template <class T>
    std::string set(std::size_t at, T value) {
        std::string bytes = bytes_;
        std::memcpy(bytes.data() + kFirstTile + at, &value, sizeof(T));
        const auto nav_mesh = parse_tile_set(bytes, "m");
        return nav_mesh ? "read" : nav_mesh.error().message;
    }

    std::string bytes_;
    dtMeshHeader header_;
};

TEST(TileSet, TileHeadersAreChecked) {
    BadTile tile;
    const float infinite = std::numeric_limits<float>::infinity();
    EXPECT_EQ(tile.header(0, DT_NAVMESH_MAGIC), "read");
    EXPECT_THAT(tile.header(offsetof(dtMeshHeader, x), 1 << 31), HasSubstr("it lies at -2147"));
    EXPECT_THAT(tile.header(offsetof(dtMeshHeader, x), 1), HasSubstr("tile 1: there is another"));
    EXPECT_THAT(tile.header(offsetof(dtMeshHeader, polyCount), -1), HasSubstr("a count of -1"));
    EXPECT_THAT(tile.header(offsetof(dtMeshHeader, polyCount), 8), HasSubstr("its counts make"));
    EXPECT_THAT(tile.header(offsetof(dtMeshHeader, vertCount), 1 << 30), HasSubstr("counts make"));
    EXPECT_THAT(tile.header(offsetof(dtMeshHeader, offMeshBase), 5), HasSubstr("from 5 on for 3"));
    EXPECT_THAT(tile.header(offsetof(dtMeshHeader, bmin), infinite), HasSubstr("bounds"));
    EXPECT_THAT(tile.header(offsetof(dtMeshHeader, bmin), 11.0F), HasSubstr("bounds"));
    EXPECT_THAT(tile.header(offsetof(dtMeshHeader, walkableClimb), -1.0F), HasSubstr("climb"));
    EXPECT_THAT(tile.header(offsetof(dtMeshHeader, bvQuantFactor), 1e4F), HasSubstr("tree"));
}

TEST(TileSet, TilePartsAreChecked) {
    BadTile tile;
    const TileLayout parts = tile.layout();
    const auto polygon = [&](std::uint64_t i, auto change) {
        return tile.item<dtPoly>(parts.polys, i, change);
    };
    EXPECT_THAT(polygon(0, [](dtPoly& p) { p.vertCount = 7; }), HasSubstr("has 7 corners"));
    EXPECT_THAT(polygon(0, [](dtPoly& p) { p.vertCount = 2; }), HasSubstr("has 2 corners"));
    EXPECT_THAT(polygon(4, [](dtPoly& p) { p.vertCount = 3; }), HasSubstr("has 3 corners"));
    EXPECT_THAT(polygon(0, [](dtPoly& p) { p.setType(1); }), HasSubstr("is of type 1"));
    EXPECT_THAT(polygon(4, [](dtPoly& p) { p.setType(3); }), HasSubstr("is of type 3"));
    EXPECT_THAT(polygon(2, [](dtPoly& p) { p.verts[3] = 15; }), HasSubstr("no vertex 15"));
    EXPECT_THAT(polygon(2, [](dtPoly& p) { p.neis[0] = 5; }), HasSubstr("neighbour 0x5"));
    EXPECT_THAT(polygon(2, [](dtPoly& p) { p.neis[0] = 3; }), HasSubstr("neighbour 0x3"));
    EXPECT_THAT(polygon(2, [](dtPoly& p) { p.neis[0] = 0x8001; }), HasSubstr("neighbour 0x8001"));
    EXPECT_THAT(tile.item<float>(parts.verts, 1, [](float& x) { x = 2e7F; }),
                HasSubstr("vertex 1"));
    const auto detail = [&](auto change) {
        return tile.item<dtPolyDetail>(parts.detail_meshes, 1, change);
    };
    EXPECT_THAT(detail([](auto& d) { d.triBase = 7; }), HasSubstr("detail mesh of polygon 1"));
    EXPECT_THAT(detail([](auto& d) { d.vertBase = 0xffffffff; }), HasSubstr("is not there"));
    EXPECT_THAT(detail([](auto& d) { d.triCount = 0; }), HasSubstr("no edge on its border"));
    using Triangle = std::array<unsigned char, 4>;
    EXPECT_THAT(tile.item<Triangle>(parts.detail_tris, 3, [](Triangle& t) { t[1] = 4; }),
                HasSubstr("triangle 1 has a corner"));
    const auto node = [&](std::uint64_t i, int next) {
        return tile.item<dtBVNode>(parts.tree, i, [next](dtBVNode& n) { n.i = next; });
    };
    EXPECT_THAT(node(0, -9), HasSubstr("node 0 of its bounding volume tree leads to -9"));
    EXPECT_THAT(node(3, std::numeric_limits<int>::min()), HasSubstr("node 3"));
    EXPECT_THAT(node(3, 4), HasSubstr("leads to 4"));
    const auto connection = [&](auto change) {
        return tile.item<dtOffMeshConnection>(parts.connections, 1, change);
    };
    EXPECT_THAT(connection([](auto& c) { c.poly = 4; }), HasSubstr("is of polygon 4, not 5"));
    EXPECT_THAT(connection([](auto& c) { c.side = 8; }), HasSubstr("leads to side 8"));
    EXPECT_THAT(connection([](auto& c) { c.rad = -1; }), HasSubstr("off-mesh connection 1"));
}

TEST(TileSet, TilesNeedRoomForTheirLinks) {
    std::string bytes = small_bytes();
    dtMeshHeader header;
    std::memcpy(&header, bytes.data() + kFirstTile, sizeof(header));
    const TileLayout layout(header);
    // Keep room for one link, and cut the others out of the tile.
    header.maxLinkCount = 1;
    std::memcpy(bytes.data() + kFirstTile, &header, sizeof(header));
    const std::uint64_t cut = layout.links.end() - layout.links.begin - sizeof(dtLink);
    bytes.erase(kFirstTile + layout.links.begin, cut);
    const auto size = static_cast<int>(layout.size() - cut);
    std::memcpy(bytes.data() + kSetHeader + 4, &size, sizeof(size));
    EXPECT_THAT(parse_tile_set(bytes, "m").error().message, HasSubstr("room for 1 links, but"));
}

TEST(TileSet, TilesNeedPolygonsRoomForLinksAndADetailMeshForEachPolygon) {
    // A set of one tile with these counts and zeros for everything else.
    const auto message = [](auto change) {
        const std::string small = small_bytes();
        dtMeshHeader header;
        std::memcpy(&header, small.data() + kFirstTile, sizeof(header));
        for (int* count : {&header.polyCount, &header.vertCount, &header.maxLinkCount,
                           &header.detailMeshCount, &header.detailVertCount, &header.detailTriCount,
                           &header.bvNodeCount, &header.offMeshConCount, &header.offMeshBase})
            *count = 0;
        change(header);
        const auto size = static_cast<int>(TileLayout(header).size());
        std::string bytes = small.substr(0, kFirstTile);
        bytes.resize(kFirstTile + static_cast<std::size_t>(size));
        const int one = 1;
        std::memcpy(bytes.data() + 8, &one, sizeof(one));
        std::memcpy(bytes.data() + kSetHeader + 4, &size, sizeof(size));
        std::memcpy(bytes.data() + kFirstTile, &header, sizeof(header));
        return parse_tile_set(bytes, "m").error().message;
    };
    EXPECT_THAT(message([](dtMeshHeader&) {}), HasSubstr("tile 0: it has no polygons"));
    EXPECT_THAT(message([](dtMeshHeader& h) { h.polyCount = h.offMeshBase = 1; }),
                HasSubstr("tile 0: it has no room for links"));
    EXPECT_THAT(message([](dtMeshHeader& h) {
                    h.polyCount = h.offMeshBase = 2;
                    h.maxLinkCount = h.detailMeshCount = 1;
                }),
                HasSubstr("tile 0: 1 detail meshes for 2 polygons"));
}

// The numbers of tiles in references have as many bits as the power of two above the most tiles.
TEST(TileSet, ReferencesNameTilesThatThereIsRoomFor) {
    std::string bytes = small_bytes();
    const int most_tiles = 5;
    std::memcpy(bytes.data() + 32, &most_tiles, sizeof(most_tiles));
    const auto parse_with = [&](unsigned index) {
        const dtTileRef ref = 1U << 7 | index << 4;  // 3 bits of the tile, 4 of the polygon
        std::memcpy(bytes.data() + kSetHeader, &ref, sizeof(ref));
        return parse_tile_set(bytes, "m").error().message;
    };
    EXPECT_THAT(parse_with(5), HasSubstr("tile 0: no tile can have the reference 0xd0"));
    EXPECT_THAT(parse_with(4), HasSubstr("tile 4: the reference 0x140 is taken"));
}

// Detour would compare each outer edge with each edge of the layers at the same place.
TEST(TileSet, TilesOfVeryManyOuterEdgesAreNotJoined) {
    constexpr int kPolygons = 20'000;
    const std::string small = format_tile_set(*nav_mesh_of({{.tree = false}})).value();
    const std::string_view tile = std::string_view(small).substr(kFirstTile);
    dtMeshHeader header;
    std::memcpy(&header, tile.data(), sizeof(header));
    const TileLayout from(header);
    header.polyCount = header.offMeshBase = header.detailMeshCount = kPolygons;
    header.maxLinkCount = 4 * kPolygons;
    const TileLayout to(header);
    std::string large(static_cast<std::size_t>(to.size()), '\0');
    std::memcpy(large.data(), &header, sizeof(header));
    const auto copy = [&](const TilePart& source, const TilePart& target, std::uint64_t i) {
        std::memcpy(large.data() + target.begin + i * target.item_size,
                    tile.data() + source.begin + (i % source.count) * source.item_size,
                    source.item_size);
    };
    for (std::uint64_t i = 0; i < from.verts.count; ++i) copy(from.verts, to.verts, i);
    for (std::uint64_t i = 0; i < from.detail_tris.count; ++i)
        copy(from.detail_tris, to.detail_tris, i);
    auto polygon = item_at<dtPoly>(tile, from.polys, 0);
    std::fill(std::begin(polygon.neis), std::end(polygon.neis), std::uint16_t{DT_EXT_LINK});
    for (std::uint64_t i = 0; i < kPolygons; ++i) {
        std::memcpy(large.data() + to.polys.begin + i * sizeof(dtPoly), &polygon, sizeof(dtPoly));
        copy(from.detail_meshes, to.detail_meshes, i);
    }
    std::string bytes = small.substr(0, kSetHeader);
    const int tiles = 2;
    std::memcpy(bytes.data() + 8, &tiles, sizeof(tiles));
    const int most_polygons = 1 << 16;
    std::memcpy(bytes.data() + 36, &most_polygons, sizeof(most_polygons));
    for (const int layer : {0, 1}) {
        const dtTileRef ref = 1U << 20 | static_cast<unsigned>(layer) << 16;  // a number and a tile
        const auto size = static_cast<int>(large.size());
        bytes.append(reinterpret_cast<const char*>(&ref), sizeof(ref));
        bytes.append(reinterpret_cast<const char*>(&size), sizeof(size));
        std::memcpy(large.data() + offsetof(dtMeshHeader, layer), &layer, sizeof(layer));
        bytes += large;
    }
    const auto refused = parse_tile_set(bytes, "m");
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, StatusCode::too_large);
    EXPECT_THAT(refused.error().message, HasSubstr("tile 1: too many edges at its borders"));
}

/// While it lives, Detour's n-th allocation fails, and those after it. Frees in the end what Detour
/// did not: when a dtNavMesh cannot begin, its memory is lost.
class FailingMemory {
public:
    explicit FailingMemory(int n) {
        left() = n;
        dtAllocSetCustom(allocate, release);
    }
    FailingMemory(const FailingMemory&) = delete;
    FailingMemory& operator=(const FailingMemory&) = delete;
    ~FailingMemory() {
        dtAllocSetCustom(nullptr, nullptr);
        for (void* const memory : held()) std::free(memory);
        held().clear();
    }
    [[nodiscard]] static bool failed() { return left() <= 0; }

private:
    static int& left() {
        static int count = 0;
        return count;
    }
    static std::set<void*>& held() {
        static std::set<void*> all;
        return all;
    }
    static void* allocate(std::size_t size, dtAllocHint /*hint*/) {
        if (--left() <= 0) return nullptr;
        return *held().insert(std::malloc(size)).first;
    }
    static void release(void* memory) {
        held().erase(memory);
        std::free(memory);
    }
};

TEST(TileSet, WithoutMemoryForDetourThereIsNone) {
    for (const std::string& bytes :
         {small_bytes(), LayeredLevel(house_of_two_storeys(), 64, 0.6F).set()}) {
        for (int n = 1;; ++n) {
            ASSERT_LT(n, 100);
            const FailingMemory failing(n);
            const auto nav_mesh = parse_tile_set(bytes, "m");
            ASSERT_EQ(nav_mesh.has_value(), !FailingMemory::failed()) << n;
            if (nav_mesh) break;
            EXPECT_EQ(nav_mesh.error().code, StatusCode::out_of_memory) << n;
        }
    }
}

/// Lets Detour search the mesh: it must return, and read no memory beyond its allocations.
void search_with_detour(const dtNavMesh& nav_mesh) {
    const PolyRefs refs = PolyRefs::create(nav_mesh).value();
    dtNavMeshQuery query;
    ASSERT_TRUE(dtStatusSucceed(query.init(&nav_mesh, 256)));
    const dtQueryFilter filter;
    const std::array<float, 3> start{2, 0, 2};
    const std::array<float, 3> end{17, 0, 17};
    const std::array<float, 3> extents{2, 4, 2};
    std::array<float, 3> nearest{};
    std::array<dtPolyRef, 64> path{};
    dtPolyRef ref = 0;
    int count = 0;
    query.findNearestPoly(start.data(), extents.data(), &filter, &ref, nearest.data());
    if (refs.num_polygons() == 0) return;
    for (const mesh::Polygon from : {0U, refs.num_polygons() - 1}) {
        query.findPath(refs.ref(from), refs.ref(refs.num_polygons() / 2), start.data(), end.data(),
                       &filter, path.data(), &count, static_cast<int>(path.size()));
    }
}

/// Expects that an index finds paths of the cost that A* finds.
void expect_same_costs(const mesh::Mesh& mesh) {
    BuildControl control;
    control.threads = 1;
    const auto index = hna::Index::build(mesh, {.mu = 4}, control);
    ASSERT_TRUE(index) << index.error().message;
    hna::Searcher searcher;
    hna::Answer answer;
    mesh::Astar astar;
    mesh::Path path;
    const mesh::Polygon last = mesh.num_polygons() - 1;
    for (mesh::Polygon to = 0; to <= last; ++to) {
        hna::Query query;
        query.start = {last / 2, mesh.centre(last / 2)};
        query.goal = {to, mesh.centre(to)};
        ASSERT_EQ(searcher.find(*index, query, answer),
                  astar.find_path(mesh, query.start, query.goal, path));
        ASSERT_EQ(answer.cost, path.cost);
    }
}

/// Locates points and finds paths and strings: all must return.
void search_mesh(const mesh::Mesh& mesh) {
    const auto locator = mesh::Locator::create(mesh);
    ASSERT_TRUE(locator) << locator.error().message;
    const mesh::Point point{2, 0, 2};
    static_cast<void>(locator->find(mesh, point, 1));
    static_cast<void>(locator->nearest(mesh, point, 5));
    if (mesh.num_polygons() == 0) return;
    mesh::Astar astar;
    mesh::Path path;
    mesh::Funnel funnel;
    std::vector<mesh::Waypoint> waypoints;
    const mesh::Polygon last = mesh.num_polygons() - 1;
    for (const mesh::Polygon to : {0U, last / 2, last}) {
        const mesh::Place start{last, mesh.centre(last)};
        const mesh::Place goal{to, mesh.centre(to)};
        if (astar.find_path(mesh, start, goal, path) != StatusCode::ok) continue;
        funnel.pull(mesh, start.point, goal.point, path.links, waypoints, mesh::Crossings::all);
        EXPECT_GE(waypoints.size(), 2U);
    }
    if (mesh.num_odd() > 0) expect_same_costs(mesh);
}

/// `odd` counts the meshes with odd polygons.
void check_damaged(const std::string& bytes, int& odd) {
    const auto nav_mesh = parse_tile_set(bytes, "m");
    if (!nav_mesh) {
        EXPECT_THAT(nav_mesh.error().message, StartsWith("m: "));
        return;
    }
    search_with_detour(**nav_mesh);
    // What Detour loads has a mesh, whatever its polygons look like.
    const auto converted = convert(**nav_mesh, dtQueryFilter());
    ASSERT_TRUE(converted) << converted.error().message;
    search_mesh(converted->mesh);
    odd += converted->mesh.num_odd() > 0 ? 1 : 0;
}

TEST(TileSet, DamageGivesAMeshThatDetourCanUseOrAnError) {
    const std::string good = small_bytes();
    const std::string wide = widened(good);
    const GuardedMemory guarded;
    int odd = 0;
    const auto check = [&](const std::string& bytes) { check_damaged(bytes, odd); };
    test::for_each_damage(good, 10'000, check);
    test::for_each_damage(wide, 3'000, check);
    EXPECT_GT(odd, 0);
}

TEST(TileSet, DamagedNumbersGiveAMeshThatDetourCanUseOrAnError) {
    // Limits of integers and of 16-bit pairs, infinity, NaN, and coordinates too far away.
    constexpr std::array<std::uint32_t, 14> kEdgeValues{
        0,          1,          2,          0xffffffff, 0x7fffffff, 0x80000000, 0x00ff00ff,
        0x80008002, 0xffff0000, 0x7f800000, 0x7fc00000, 0x4b189680, 0xcb189680, 0x00000001};
    const std::string good = small_bytes();
    const GuardedMemory guarded;
    std::mt19937_64 random(7);
    int odd = 0;
    for (std::size_t at = 0; at + 4 <= good.size(); at += 4) {
        for (const std::uint32_t number : kEdgeValues) {
            // A scale below 1 tries only some of them.
            if (random() % 8 >= static_cast<std::uint64_t>(test::scaled_count(8))) continue;
            std::string bytes = good;
            std::memcpy(bytes.data() + at, &number, sizeof(number));
            check_damaged(bytes, odd);
        }
    }
}

}  // namespace
}  // namespace cairn::detour
