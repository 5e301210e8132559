// Meshes and indexes whose polygons are removed and added through cairn.h, against Mesh::changed of
// the C++ interface and the least costs on the mesh that it makes.

#include <gmock/gmock.h>

#include <array>
#include <cmath>
#include <string_view>
#include <vector>

#include "c/handles.hpp"
#include "cairn/hna/hna.hpp"
#include "support/mesh_dijkstra.hpp"
#include "support/scale.hpp"
#include "support/tiled_meshes.hpp"

namespace cairn::test {
namespace {

using testing::HasSubstr;

/// A change in C that refers to one of C++.
struct CChange {
    explicit CChange(const mesh::MeshChange& change, const mesh::MeshImage& image) : added(image) {
        for (const mesh::PolygonEdit& e : change.edits)
            edits.push_back({e.polygon, e.area, e.blocked ? 1U : 0U});
        given.removed = change.removed.data();
        given.num_removed = change.removed.size();
        given.added = &added.arrays;
        given.edits = edits.data();
        given.num_edits = edits.size();
    }
    MeshArrays added;
    std::vector<cairn_polygon_edit> edits;
    cairn_mesh_change given = CAIRN_INIT(cairn_mesh_change);
};

/// Expects the same polygons, areas and blocks of both meshes.
void expect_same(const mesh::Mesh& expected, const cairn_map* map) {
    auto info = CAIRN_INIT(cairn_map_info);
    ASSERT_FINE(cairn_map_get(map, &info));
    ASSERT_EQ(info.num_polygons, expected.num_polygons());
    std::vector<double> vertices(3 * std::size_t{info.num_vertices});
    std::vector<std::uint32_t> first(info.num_polygons + 1);
    std::vector<std::uint32_t> corners(info.num_corners);
    std::vector<std::uint8_t> areas(info.num_polygons);
    std::vector<std::uint8_t> blocked(info.num_polygons);
    ASSERT_FINE(cairn_mesh_copy(map, vertices.data(), first.data(), corners.data(), areas.data(),
                                blocked.data()));
    for (mesh::Polygon p = 0; p < info.num_polygons; ++p) {
        const auto own = expected.corners(p);
        ASSERT_EQ(std::vector(corners.begin() + first[p], corners.begin() + first[p + 1]),
                  std::vector(own.begin(), own.end()));
        for (const std::uint32_t corner : own) {
            const mesh::Point& at = expected.vertices()[corner];
            const double* const xyz = &vertices[3 * std::size_t{corner}];
            EXPECT_EQ((mesh::Point{float(xyz[0]), float(xyz[1]), float(xyz[2])}), at);
        }
        EXPECT_EQ(areas[p], expected.area(p));
        EXPECT_EQ(blocked[p] != 0, expected.blocked(p));
    }
}

/// Edits of some polygons of a mesh that will not be removed, or of added ones.
std::vector<mesh::PolygonEdit> some_edits(const mesh::Mesh& changed, RandomMaps& random) {
    std::vector<mesh::PolygonEdit> edits;
    for (mesh::Polygon p = 0; p < changed.num_polygons(); ++p) {
        if (!changed.is_removed(p) && random.chance(5))
            edits.push_back({p, static_cast<std::uint8_t>(random.number(0, 2)), random.chance(50)});
    }
    return edits;
}

TEST(CMeshChanges, GiveTheMeshesOfCppAndLeastCosts) {
    std::size_t found = 0;
    std::size_t edited = 0;
    for (std::uint64_t seed = 0; seed < scaled(60) + 6; ++seed) {
        SCOPED_TRACE(seed);
        RandomMaps random(seed);
        TiledMesh tiles(random, random.number(2, 4), random.number(1, 3),
                        random.chance(40) ? 4 : 0);
        const TileChange all = tiles.all();
        mesh::Mesh mesh = mesh::Mesh::build(all.added.source()).value();
        MapHandle c_mesh = to_c(static_cast<const mesh::MeshImage&>(all.added));
        // Both find least costs.
        std::array<IndexHandle, 2> indexes;
        ASSERT_FINE(cairn_index_build("astar", c_mesh, nullptr, 0, nullptr, indexes[0].out()));
        ASSERT_FINE(cairn_index_build("hna", c_mesh, nullptr, 0, nullptr, indexes[1].out()));
        for (int step = 0; step < 5; ++step) {
            const auto tile =
                static_cast<std::size_t>(random.number(0, static_cast<int>(tiles.tiles()) - 1));
            const std::vector<std::size_t> taken{tile};
            const TileChange tile_change = tiles.change(
                taken, random.chance(75) ? taken : std::vector<std::size_t>{}, mesh.num_polygons());
            mesh::MeshChange change = tile_change.change();
            const auto edits = some_edits(mesh.changed(change).value(), random);
            change.edits = edits;
            edited += edits.size();
            const CChange c_change(change, tile_change.added);
            mesh = mesh.changed(change).value();
            MapHandle next;
            ASSERT_FINE(cairn_mesh_changed(c_mesh, &c_change.given, next.out()));
            std::swap(*c_mesh.again(), *next.again());
            expect_same(mesh, c_mesh);
            const MeshDijkstra oracle(mesh);
            for (IndexHandle& index : indexes) {
                IndexHandle changed;
                ASSERT_FINE(cairn_index_changed(index, &c_change.given, changed.out()));
                std::swap(*index.again(), *changed.again());
                MapHandle of_index;
                ASSERT_FINE(cairn_index_map(index, of_index.out()));
                expect_same(mesh, of_index);
                if (mesh.num_removed() == mesh.num_polygons()) continue;
                SearcherHandle searcher;
                AnswerHandle answer;
                ASSERT_FINE(cairn_searcher_create(index, searcher.out()));
                for (int i = 0; i < 5; ++i) {
                    const mesh::Place start = random_place(mesh, random);
                    const mesh::Place goal = random_place(mesh, random);
                    const cairn_status status =
                        c_find(searcher, nullptr, start, goal, answer.again());
                    auto path = CAIRN_INIT(cairn_path);
                    ASSERT_FINE(cairn_answer_get(answer, &path));
                    const Cost least = mesh.blocked(start.polygon) || mesh.blocked(goal.polygon)
                                           ? kInfinity
                                           : oracle.cost(start, goal);
                    EXPECT_EQ(path.cost, least);
                    EXPECT_EQ(status == CAIRN_OK, least != kInfinity);
                    found += status == CAIRN_OK ? 1 : 0;
                }
            }
        }
    }
    EXPECT_GT(found, 20U);
    EXPECT_GT(edited, 20U);
}

/// Two unit squares in a row, and a change that adds a third.
class CMeshChange : public testing::Test {
protected:
    CMeshChange() : mesh_(to_c(static_cast<const mesh::MeshImage&>(drawn_parts({"ab"})))) {
        added_.num_polygons = 1;
        added_.vertices = kVertices;
        added_.num_vertices = 4;
        added_.first_corner = kFirst;
        added_.corners = kCorners;
        added_.num_corners = 4;
        added_.portals = &portal_;
        added_.num_portals = 1;
        change_.added = &added_;
    }
    /// The status of the change of the mesh and of an index.
    [[nodiscard]] cairn_status status() {
        const cairn_status code = cairn_mesh_changed(mesh_, &change_, changed_.out());
        IndexHandle index;
        IndexHandle changed;
        EXPECT_FINE(cairn_index_build("hna", mesh_, nullptr, 0, nullptr, index.out()));
        EXPECT_EQ(cairn_index_changed(index, &change_, changed.out()), code);
        EXPECT_EQ(changed != nullptr, code == CAIRN_OK);
        EXPECT_EQ(changed_ != nullptr, code == CAIRN_OK);
        return code;
    }

    static constexpr double kVertices[] = {2, 0, 0, 3, 0, 0, 3, 0, 1, 2, 0, 1};
    static constexpr std::uint32_t kFirst[] = {0, 4};
    static constexpr std::uint32_t kCorners[] = {0, 1, 2, 3};
    cairn_portal portal_{1, 2, {2, 0, 0}, {2, 0, 1}, INFINITY, 0};
    cairn_mesh_arrays added_ = CAIRN_INIT(cairn_mesh_arrays);
    cairn_mesh_change change_ = CAIRN_INIT(cairn_mesh_change);
    MapHandle mesh_;
    MapHandle changed_;
};

TEST_F(CMeshChange, AddsRemovesAndEdits) {
    ASSERT_FINE(status());
    auto info = CAIRN_INIT(cairn_map_info);
    ASSERT_FINE(cairn_map_get(changed_, &info));
    EXPECT_EQ(info.num_polygons, 3U);
    const std::uint32_t removed[] = {0};
    const cairn_polygon_edit block{2, 5, 1};
    change_.removed = removed;
    change_.num_removed = 1;
    change_.edits = &block;
    change_.num_edits = 1;
    ASSERT_FINE(status());
    std::uint32_t first[4];
    std::uint8_t areas[3];
    std::uint8_t blocked[3];
    ASSERT_FINE(cairn_mesh_copy(changed_, nullptr, first, nullptr, areas, blocked));
    EXPECT_EQ(first[1], 0U);  // a removed polygon has no corners
    EXPECT_THAT(areas, testing::ElementsAre(0, 0, 5));
    EXPECT_THAT(blocked, testing::ElementsAre(1, 0, 1));
    change_ = CAIRN_INIT(cairn_mesh_change);
    ASSERT_FINE(status());  // no change
    ASSERT_FINE(cairn_map_get(changed_, &info));
    EXPECT_EQ(info.num_polygons, 2U);
}

TEST_F(CMeshChange, WrongOnesAreRefused) {
    for (const std::vector<std::uint32_t>& removed :
         {std::vector<std::uint32_t>{2}, {1, 1}, {CAIRN_NONE}}) {
        change_.removed = removed.data();
        change_.num_removed = removed.size();
        EXPECT_EQ(status(), CAIRN_BAD_OPTION);
    }
    change_.num_removed = 0;
    portal_.first = 0;  // it is not on the border of polygon 0
    EXPECT_EQ(status(), CAIRN_CORRUPT_FILE);
    portal_.first = 1;
    for (const cairn_polygon_edit wrong :
         {cairn_polygon_edit{3, 0, 0}, {0, 64, 0}, {0, 0, 2}, {0, CAIRN_NONE, 0}}) {
        change_.edits = &wrong;
        change_.num_edits = 1;
        EXPECT_EQ(status(), CAIRN_BAD_OPTION);
    }
    change_.edits = nullptr;
    EXPECT_EQ(status(), CAIRN_BAD_OPTION);
    change_.num_edits = 0;
    change_.removed = nullptr;
    change_.num_removed = 1;
    EXPECT_EQ(status(), CAIRN_BAD_OPTION);
    change_.num_removed = 0;
    added_.size = 0;
    EXPECT_EQ(status(), CAIRN_BAD_OPTION);
    added_.size = sizeof added_;
    change_.size = 0;
    EXPECT_EQ(status(), CAIRN_BAD_OPTION);
    change_.size = sizeof change_;
    EXPECT_EQ(status(), CAIRN_OK);
    constexpr double kFlat[] = {2, 0, 0, 3, 0, 0, 4, 0, 0, 5, 0, 0};
    added_.vertices = kFlat;
    added_.num_portals = 0;
    EXPECT_EQ(status(), CAIRN_CORRUPT_FILE);
    change_.accept_odd = 1;
    EXPECT_EQ(status(), CAIRN_OK);
}

TEST_F(CMeshChange, IsForMeshesAlone) {
    const MapHandle grid = to_c(RandomMaps(1).uniform_map({9, 9}));
    EXPECT_EQ(cairn_mesh_changed(grid, &change_, changed_.out()), CAIRN_UNSUPPORTED);
    for (const char* planner : {"hpa", "subgoal", "astar"}) {
        IndexHandle index;
        IndexHandle changed;
        ASSERT_FINE(cairn_index_build(planner, grid, nullptr, 0, nullptr, index.out()));
        EXPECT_EQ(cairn_index_changed(index, &change_, changed.out()), CAIRN_UNSUPPORTED);
        EXPECT_THAT(cairn_last_message(), HasSubstr("no mesh"));
    }
}

}  // namespace
}  // namespace cairn::test
