// Pictures of how many agents have passed each cell or polygon of a map or mesh.

#include "cairn/render/flow_picture.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "rasters.hpp"
#include "render/palette.hpp"
#include "support/ascii_map.hpp"
#include "support/random_meshes.hpp"

namespace cairn::render {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(FlowPicture, ColoursAreWarmerWhereMoreAgentsHavePassed) {
    const grid::Map map = test::ascii_map({"...", ".@1"});
    const std::vector<std::uint32_t> passes{0, 1, 100, 10, 7, 0};
    const Drawing d = draw_flow(map, {passes, {}}).value();
    const Raster& r = terrain_of(d);
    EXPECT_EQ(colour_at(r, 0, 0), palette::free_cell);
    EXPECT_EQ(colour_at(r, 1, 0), palette::ramp(0));
    EXPECT_EQ(colour_at(r, 2, 0), palette::ramp(1));
    EXPECT_NE(colour_at(r, 0, 1), palette::ramp(0));
    EXPECT_NE(colour_at(r, 0, 1), palette::ramp(1));
    EXPECT_EQ(colour_at(r, 1, 1), palette::obstacle) << "blocked after agents had passed";
    const std::string svg = to_svg(d).value();
    for (const char* text : {"1 agent has passed", ">10<", "100 at most"})
        EXPECT_THAT(svg, HasSubstr(text));
    EXPECT_THAT(svg, Not(HasSubstr("agents:")));
}

TEST(FlowPicture, MapsThatUseAllTerrainValuesCanBeDrawn) {
    std::vector<std::uint8_t> terrain(256);
    for (std::size_t i = 0; i < 256; ++i) terrain[i] = static_cast<std::uint8_t>(i);
    grid::MapOptions options;
    options.weights = grid::TerrainWeights::literal();
    const grid::Map map = grid::Map::create(16, 16, terrain, options).value();
    std::vector<std::uint32_t> passes(256);
    passes[17] = 3;
    const Drawing d = draw_flow(map, {passes, {}}).value();
    EXPECT_EQ(colour_at(terrain_of(d), 0, 0), palette::obstacle);
    EXPECT_EQ(colour_at(terrain_of(d), 1, 1), palette::ramp(1));
    EXPECT_EQ(colour_at(terrain_of(d), 2, 1), palette::free_cell);
}

TEST(FlowPicture, AgentsAreDots) {
    const grid::Map map = test::ascii_map({"....", "...."});
    MapPicture picture;
    picture.cell = 10;
    picture.area = grid::Rect{1, 0, 3, 2};
    const Drawing d = draw_flow(map, {{}, {{1.5, 0.5}, {3, 1}}}, picture).value();
    const auto layer = std::ranges::find(d.layers, "agents", &Layer::name);
    ASSERT_NE(layer, d.layers.end());
    const auto& dots = std::get<Discs>(layer->shapes.at(0));
    ASSERT_EQ(dots.centres.size(), 2U);
    EXPECT_EQ(dots.centres[0].x - layer->clip->x, 5);
    EXPECT_EQ(dots.centres[1].y - layer->clip->y, 10);
    EXPECT_THAT(to_svg(d).value(), HasSubstr("agents: 2"));
}

TEST(FlowPicture, MeshesCanBeDrawn) {
    const mesh::Mesh mesh = test::drawn_mesh({"aabb", "aabb", "ccdd"});
    const std::vector<std::uint32_t> passes{0, 4, 1, 0};
    const Drawing d = draw_flow(mesh, {passes, {{0.5, 0.5}}}).value();
    const std::string svg = to_svg(d).value();
    for (const char* text : {"nobody has passed", "1 agent has passed", "4 at most", "agents: 1"})
        EXPECT_THAT(svg, HasSubstr(text));
    EXPECT_THAT(to_svg(draw_flow(mesh, {}).value()).value(), HasSubstr("polygons: 4"));
}

TEST(FlowPicture, OneNumberOfPassesIsNeededForEachPlace) {
    const std::vector<std::uint32_t> passes(3);
    const auto on_map = draw_flow(test::ascii_map({".."}), {passes, {}});
    ASSERT_FALSE(on_map.has_value());
    EXPECT_EQ(on_map.error().code, StatusCode::bad_option);
    EXPECT_THAT(on_map.error().message, HasSubstr("3 numbers for 2 cells"));
    EXPECT_EQ(draw_flow(test::drawn_mesh({"aa"}), {passes, {}}).error().code,
              StatusCode::bad_option);
    EXPECT_EQ(draw_flow(mesh::Mesh(), {}).error().code, StatusCode::bad_option);
}

}  // namespace
}  // namespace cairn::render
