// Pictures of grid maps with paths and markers, and figures of several panels.

#include "cairn/render/map_picture.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "cairn/formats/raster.hpp"
#include "rasters.hpp"
#include "support/ascii_map.hpp"

namespace cairn::render {
namespace {

using testing::HasSubstr;

/// A map without obstacles.
grid::Map blank(int width, int height) {
    const std::vector<std::uint8_t> terrain(
        static_cast<std::size_t>(width) * static_cast<std::size_t>(height), '.');
    grid::MapOptions options;
    options.costs = {5, 7};
    return grid::Map::create(width, height, terrain, options).value();
}

/// The code of the error of draw_map; ok without one.
StatusCode error_of(const grid::Map& map, const MapPicture& picture) {
    const auto drawing = draw_map(map, picture);
    return drawing ? StatusCode::ok : drawing.error().code;
}

TEST(MapPictureTest, EachKindOfTerrainHasItsColour) {
    const grid::Map map = test::ascii_map({"1@T", "W95", "O3."});
    const Drawing d = draw_map(map).value();
    const Raster& r = terrain_of(d);
    EXPECT_EQ(r.width, 3);
    EXPECT_EQ(r.height, 3);
    std::vector<int> brightness;  // of cells of weight 1, 3, 5 and 9
    for (const auto& [x, y] : {std::pair{0, 0}, {1, 2}, {2, 1}, {1, 1}}) {
        const Colour c = colour_at(r, x, y);
        brightness.push_back(c.r + c.g + c.b);
    }
    EXPECT_TRUE(std::is_sorted(brightness.rbegin(), brightness.rend()))
        << "heavier cells are darker";
    EXPECT_EQ(colour_at(r, 0, 0), colour_at(r, 2, 2));
    EXPECT_EQ(colour_at(r, 1, 0), colour_at(r, 0, 2));
    EXPECT_EQ(r.palette.size(), 7U);
    const std::string svg = to_svg(d).value();
    for (const char* text : {"trees", "water", "weight 1 to 9"}) EXPECT_THAT(svg, HasSubstr(text));
}

TEST(MapPictureTest, CellsAreAsLargeAsTheSideAllows) {
    EXPECT_EQ(terrain_of(draw_map(blank(40, 40)).value()).pixel, 24);
    EXPECT_EQ(terrain_of(draw_map(blank(512, 100)).value()).pixel, 3);
    EXPECT_EQ(terrain_of(draw_map(blank(3000, 2)).value()).pixel, 1);
    MapPicture picture;
    picture.longest_side = 400;
    EXPECT_EQ(terrain_of(draw_map(blank(40, 20), picture).value()).pixel, 10);
    picture.cell = 7;
    EXPECT_EQ(terrain_of(draw_map(blank(40, 20), picture).value()).pixel, 7);
}

TEST(MapPictureTest, CellsOfHugeMapsSharePixels) {
    const Drawing d = draw_map(blank(20001, 30)).value();
    const Raster& r = terrain_of(d);
    EXPECT_EQ(r.width, 3334);
    EXPECT_EQ(r.height, 5);
    EXPECT_EQ(r.pixel, 1);
    EXPECT_LE(d.width, 4100);
    MapPicture picture;
    picture.longest_side = 64;
    EXPECT_EQ(terrain_of(draw_map(blank(1000, 1000), picture).value()).pixels.size(), 63U * 63U);
}

TEST(MapPictureTest, SharedPixelsBlendTheirCells) {
    std::vector<std::uint8_t> terrain;
    for (int i = 0; i < 128 * 128; ++i) terrain.push_back(i % 2 == 0 ? '.' : '@');
    MapPicture picture;
    picture.longest_side = 64;
    const auto map = grid::Map::create(128, 128, terrain).value();
    const Raster r = terrain_of(draw_map(map, picture).value());
    EXPECT_EQ(r.palette.size(), 1U);
    // Between the reds of a free cell and of an obstacle.
    EXPECT_NEAR(r.palette[0].r, (0xfb + 0x4a) / 2, 1);
}

TEST(MapPictureTest, AnAreaShowsThatAreaOnly) {
    const grid::Map map = test::ascii_map({"....", ".@..", "...."});
    MapPicture picture;
    picture.area = grid::Rect{1, 1, 2, 1};
    const Drawing d = draw_map(map, picture).value();
    EXPECT_EQ(terrain_of(d).pixels.size(), 2U);
    EXPECT_NE(colour_at(terrain_of(d), 0, 0), colour_at(terrain_of(d), 1, 0));
}

TEST(MapPictureTest, PathsAndMarkersAreDrawn) {
    const grid::Map map = blank(5, 5);
    MapPicture picture;
    picture.title = "A & B";
    picture.paths.push_back({{0, 1, 2, 7}, {1, 2, 3}, "way"});
    picture.paths.push_back({{3}, {1, 2, 3}, ""});
    picture.paths.push_back({{}, {1, 2, 3}, ""});
    picture.markers.push_back({{4, 4}, {9, 9, 9}, "Q"});
    const std::string svg = to_svg(draw_map(map, picture).value()).value();
    for (const char* text : {"A &amp; B", ">way<", ">Q<", "#010203", "#090909"})
        EXPECT_THAT(svg, HasSubstr(text));
}

TEST(MapPictureTest, LabelledPicturesBecomePng) {
    MapPicture picture;
    picture.title = "Title";
    picture.markers.push_back({{4, 4}, {9, 9, 9}, "S"});
    const Drawing d = draw_map(blank(50, 20), picture).value();
    const formats::GreyImage image = formats::parse_png(to_png(d).value(), "test").value();
    EXPECT_EQ(image.width, d.width);
    EXPECT_EQ(image.height, d.height);
}

TEST(MapPictureTest, BadOptionsAreRefused) {
    const grid::Map map = blank(300, 4);
    EXPECT_EQ(error_of(map, {.cell = -1}), StatusCode::bad_option);
    EXPECT_EQ(error_of(map, {.cell = 65}), StatusCode::bad_option);
    EXPECT_EQ(error_of(map, {.cell = 64}), StatusCode::too_large);
    EXPECT_EQ(error_of(map, {.longest_side = 63}), StatusCode::bad_option);
    EXPECT_EQ(error_of(map, {.longest_side = 8193}), StatusCode::bad_option);
    for (const grid::Rect area :
         {grid::Rect{0, 0, 0, 1}, grid::Rect{0, 0, 301, 1}, grid::Rect{-1, 0, 2, 2},
          grid::Rect{299, 3, 2, 1}, grid::Rect{2147483647, 2147483647, 2147483647, 2147483647}}) {
        MapPicture picture;
        picture.area = area;
        EXPECT_EQ(error_of(map, picture), StatusCode::bad_option);
    }
    MapPicture path;
    path.paths.push_back({{0, 1, 1200}, {}, "p"});
    EXPECT_EQ(error_of(map, path), StatusCode::bad_option);
    MapPicture marker;
    marker.markers.push_back({{300, 0}, {}, "m"});
    EXPECT_EQ(error_of(map, marker), StatusCode::bad_option);
}

TEST(MapPictureTest, FiguresPutPanelsSideBySide) {
    const std::vector<Drawing> panels{{10, 20, {}, {}}, {30, 5, {}, {}}, {15, 7, {}, {}}};
    const Drawing whole = figure(panels, 2).value();
    EXPECT_EQ(whole.width, 45);
    EXPECT_EQ(whole.height, 27);
    EXPECT_EQ(figure(panels, 9).value().width, 55);
    EXPECT_EQ(figure({}, 2).error().code, StatusCode::bad_option);
    EXPECT_EQ(figure(panels, 0).error().code, StatusCode::bad_option);
    EXPECT_EQ(figure({{16000, 1, {}, {}}, {16000, 1, {}, {}}}, 2).error().code,
              StatusCode::too_large);
}

}  // namespace
}  // namespace cairn::render
