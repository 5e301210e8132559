// Pictures of navigation meshes and of HNA* on them.

#include "cairn/render/mesh_picture.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "cairn/hna/hna.hpp"
#include "support/random_meshes.hpp"

namespace cairn::render {
namespace {

using testing::HasSubstr;
using testing::Not;

/// Eight squares around a hole; polygon 3 (d) is blocked, polygon 4 (e) has area 2. The query goes
/// from the first square to the last.
class MeshPictureTest : public testing::Test {
protected:
    MeshPictureTest() {
        hna::Query query;
        query.start = {0, mesh_.centre(0)};
        query.goal = {mesh_.num_polygons() - 1, mesh_.centre(mesh_.num_polygons() - 1)};
        hna::Searcher().find(index_, query, answer_);
    }

    static mesh::Mesh drawn() {
        const mesh::Mesh mesh = test::drawn_mesh({
            "aabbcc",
            "aabbcc",
            "dd..ee",
            "dd..ee",
            "ffgghh",
            "ffgghh",
        });
        return mesh
            .edited(std::vector<mesh::PolygonEdit>{{.polygon = 3, .area = 0, .blocked = true},
                                                   {.polygon = 4, .area = 2, .blocked = false}})
            .value();
    }
    static hna::Index build(const mesh::Mesh& mesh) {
        hna::Options options;
        options.mu = 2;
        options.levels = 2;
        return hna::Index::build(mesh, options).value();
    }
    [[nodiscard]] std::string svg() const {
        return to_svg(draw_hna(index_, picture_).value()).value();
    }
    /// The code of the error of draw_hna; ok without one.
    [[nodiscard]] StatusCode error() const {
        const auto drawing = draw_hna(index_, picture_);
        return drawing ? StatusCode::ok : drawing.error().code;
    }
    static std::string of_class(const char* layer) { return std::string("class=\"") + layer + '"'; }

    mesh::Mesh mesh_ = drawn();
    hna::Index index_ = build(mesh_);
    hna::Answer answer_;
    MeshPicture picture_;
};

TEST_F(MeshPictureTest, EveryLayerOfIndexAndRouteIsDrawn) {
    ASSERT_EQ(answer_.status, StatusCode::ok);
    picture_.route = MeshRoute{&answer_};
    picture_.layers.level = 1;
    picture_.layers.intra_edges = IntraEdges::all;
    const std::string all = svg();
    for (const char* layer : {"polygons", "corridor", "blocked", "portals", "walls", "inter-edges",
                              "intra-edges", "abstract-path", "string", "ends"})
        EXPECT_THAT(all, HasSubstr(of_class(layer)));
    for (const char* label : {"clusters of level 1: ", "inter-edges: ", "area 2: cost 1",
                              "corridor: 5 polygons", "path, length "})
        EXPECT_THAT(all, HasSubstr(label));
}

TEST_F(MeshPictureTest, DiscsCoverABand) {
    const std::vector<double> radii{0.5, 1};
    const auto index = hna::DiscIndex::build(mesh_, radii).value();
    hna::DiscQuery query{.start = answer_.start, .goal = answer_.goal, .radius = 0.5};
    hna::DiscAnswer answer;
    EXPECT_EQ(draw_disc_path(index, query, answer).error().code, StatusCode::bad_option);
    ASSERT_EQ(hna::DiscSearcher().find(index, query, answer), StatusCode::ok);
    const std::string drawn = to_svg(draw_disc_path(index, query, answer).value()).value();
    for (const char* layer : {"polygons", "corridor", "band", "string", "ends"})
        EXPECT_THAT(drawn, HasSubstr(of_class(layer)));
    EXPECT_THAT(drawn, HasSubstr("disc of radius 0.5"));
    answer.polygons.push_back(mesh_.num_polygons());
    EXPECT_EQ(draw_disc_path(index, query, answer).error().code, StatusCode::bad_option);
}

TEST_F(MeshPictureTest, LayersCanBeLeftOut) {
    picture_.route =
        MeshRoute{.answer = &answer_, .corridor = false, .abstract_path = false, .string = false};
    picture_.layers.portals = false;
    picture_.layers.inter_edges = false;
    picture_.layers.intra_edges = IntraEdges::none;
    const std::string few = svg();
    for (const char* layer :
         {"corridor", "portals", "inter-edges", "intra-edges", "abstract-path", "string"})
        EXPECT_THAT(few, Not(HasSubstr(of_class(layer))));
    EXPECT_THAT(few, HasSubstr(of_class("ends")));
    const std::string mesh = to_svg(draw_mesh(mesh_).value()).value();
    EXPECT_THAT(mesh, HasSubstr("polygons: 8"));
    EXPECT_THAT(mesh, Not(HasSubstr(of_class("inter-edges"))));
}

TEST_F(MeshPictureTest, UpperPolygonsLieAboveLowerOnes) {
    test::MeshParts parts;
    for (const float height : {5.0F, 0.0F}) {  // the upper one first
        const std::uint32_t first = parts.vertex(0, height, 0);
        parts.vertex(4, height, 0);
        parts.vertex(4, height, 4);
        parts.vertex(0, height, 4);
        parts.polygon({first, first + 1, first + 2, first + 3});
    }
    parts.areas = {0, 1};
    const Drawing drawing = draw_mesh(parts.build()).value();
    std::vector<Colour> fills;
    for (const Layer& layer : drawing.layers) {
        if (layer.name != "polygons") continue;
        for (const Shape& shape : layer.shapes) fills.push_back(std::get<Polygons>(shape).fill);
    }
    // Drawn last: the upper one, of area 0 as the plain square.
    ASSERT_EQ(fills.size(), 2U);
    const Drawing plain = draw_mesh(test::drawn_mesh({"a"})).value();
    EXPECT_EQ(fills[1], std::get<Polygons>(plain.layers.front().shapes.front()).fill);
}

TEST_F(MeshPictureTest, WallsAreTheEdgesWithoutPortals) {
    const Drawing drawing = draw_mesh(test::drawn_mesh({"aab", "aab", "aa."})).value();
    const auto walls = std::find_if(drawing.layers.begin(), drawing.layers.end(),
                                    [](const Layer& layer) { return layer.name == "walls"; });
    ASSERT_NE(walls, drawing.layers.end());
    // Three sides of a and of b, and the third of a's right side that b does not cover.
    EXPECT_EQ(std::get<Segments>(walls->shapes.front()).ends.size(), 2U * 7);  // two ends each
}

TEST_F(MeshPictureTest, BadOptionsAreRefused) {
    picture_.longest_side = 63;
    EXPECT_EQ(error(), StatusCode::bad_option);
    picture_.longest_side = 64;
    EXPECT_EQ(error(), StatusCode::ok);
    picture_.layers.level = 3;
    EXPECT_EQ(error(), StatusCode::bad_option);
    picture_.layers.level = 2;
    picture_.window = MeshWindow{0, 0, 0, 1};
    EXPECT_EQ(error(), StatusCode::bad_option);
    picture_.window = MeshWindow{1, 1, 1e-30, 1e30};
    EXPECT_EQ(error(), StatusCode::ok);
    picture_.window.reset();
    picture_.route = MeshRoute{};
    EXPECT_EQ(error(), StatusCode::bad_option);
    answer_.snapshot_id = 0;
    picture_.route = MeshRoute{&answer_};
    EXPECT_EQ(error(), StatusCode::stale_index);
    EXPECT_FALSE(draw_mesh(mesh::Mesh()).has_value());
}

TEST_F(MeshPictureTest, RandomMeshesCanBeDrawn) {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        const mesh::Mesh mesh = test::random_mesh(seed);
        const auto drawing = draw_hna(build(mesh), picture_);
        ASSERT_TRUE(drawing.has_value()) << seed << ": " << drawing.error().message;
        EXPECT_TRUE(to_svg(*drawing).has_value()) << seed;
    }
}

}  // namespace
}  // namespace cairn::render
