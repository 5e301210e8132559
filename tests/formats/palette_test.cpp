// Palettes for HAA*, and PNG pictures whose colours are terrains.

#include "cairn/formats/palette.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <lodepng.h>

#include "cairn/haa/annotated_map.hpp"
#include "support/mutation.hpp"
#include "support/scratch_folder.hpp"

namespace cairn::formats {
namespace {

using test::ScratchFolder;
using ::testing::HasSubstr;

constexpr const char* kPalette =
    R"({"#ffffff": "ground", "#228b22": "trees", "#3060C0": 3, "#0a0b0c": "t12",
        "#000000": "obstacle"})";

/// A PNG picture of pixels 0xRRGGBBAA, row by row.
std::string png(unsigned width, unsigned height, const std::vector<std::uint32_t>& rgba) {
    std::vector<unsigned char> bytes;
    for (const std::uint32_t pixel : rgba) {
        for (const unsigned shift : {24U, 16U, 8U, 0U})
            bytes.push_back(static_cast<unsigned char>(pixel >> shift));
    }
    std::vector<unsigned char> out;
    EXPECT_EQ(lodepng::encode(out, bytes, width, height, LCT_RGBA, 8), 0U);
    return {out.begin(), out.end()};
}

TEST(Palette, ReadsNamesAndNumbers) {
    const auto palette = parse_palette(kPalette, "p.json");
    ASSERT_TRUE(palette) << palette.error().message;
    const TerrainPalette expected{{0xffffffU, haa::kGround},
                                  {0x228b22U, haa::kTrees},
                                  {0x3060c0U, haa::kWater},
                                  {0x0a0b0cU, 12},
                                  {0U, haa::TerrainKey::kObstacle}};
    EXPECT_EQ(*palette, expected);
}

TEST(Palette, TerrainsHaveNamesAndNumbers) {
    for (haa::Terrain t = 0; t < haa::kMaxTerrains; ++t) {
        EXPECT_EQ(terrain_named(terrain_name(t)), t);
        EXPECT_EQ(terrain_named(fmt::format("t{}", t)), t);
    }
    for (const char* name : {"", "t", "t16", "t-1", "lava", "t1x", "3", "T3"})
        EXPECT_FALSE(terrain_named(name)) << name;
}

TEST(Palette, ErrorsNameThePlaceOrTheKey) {
    const auto message = [](const char* text) {
        const auto palette = parse_palette(text, "p.json");
        EXPECT_FALSE(palette) << text;
        return palette ? std::string() : palette.error().message;
    };
    EXPECT_THAT(message("{\n  \"#ffffff\" 3}"), HasSubstr("p.json:2:13"));
    EXPECT_THAT(message("{\"#ffffff\n\": 3}"), HasSubstr("p.json:1:10"));  // a line end in a key
    EXPECT_THAT(message(R"({"white": "ground"})"), HasSubstr("p.json: 'white': a colour"));
    EXPECT_THAT(message(R"({"#fffffg": 1})"), HasSubstr("'#fffffg'"));
    EXPECT_THAT(message(R"({"#ffffff": 16})"), HasSubstr("'#ffffff': a terrain"));
    EXPECT_THAT(message(R"({"#ffffff": -1})"), HasSubstr("'#ffffff': a terrain"));
    EXPECT_THAT(message(R"({"#ffffff": "lava"})"), HasSubstr("'#ffffff': a terrain"));
    EXPECT_THAT(message(R"({"#abcdef": 1, "#ABCDEF": 2})"), HasSubstr("twice"));
    EXPECT_THAT(message("[]"), HasSubstr("a palette is an object"));
    EXPECT_THAT(message("3"), HasSubstr("a palette is an object"));
    EXPECT_THAT(message(R"({"#ffffff": {"a": 1}})"), HasSubstr("a palette is an object"));
    EXPECT_THAT(message(R"({"#ffffff": [1]})"), HasSubstr("a palette is an object"));
    for (const char* value : {"1.5", "true", "null", "99999999999999999999"})
        EXPECT_THAT(message(fmt::format("{{\"#ffffff\": {}}}", value).c_str()),
                    HasSubstr("p.json: '#ffffff': a terrain is"));
    EXPECT_THAT(message(R"({"#ffffff": 1e999})"), HasSubstr("p.json: not JSON that can be read"));
    EXPECT_THAT(message(""), HasSubstr("p.json:1:1"));
}

TEST(Palette, HasAtMost65536Colours) {
    constexpr std::uint32_t kMost = 65'536;
    std::string text = "{";
    for (std::uint32_t colour = 0; colour < kMost; ++colour)
        text += fmt::format("{}\"#{:06x}\":1", colour == 0 ? "" : ",", colour);
    EXPECT_EQ(parse_palette(text + "}", "p.json").value().size(), kMost);
    const auto larger = parse_palette(text + ",\"#ffffff\":1}", "p.json");
    ASSERT_FALSE(larger);
    EXPECT_EQ(larger.error().code, StatusCode::too_large);
    EXPECT_EQ(larger.error().message, "p.json: more than 65536 colours");
}

TEST(Palette, PicturesBecomeTerrain) {
    const auto palette = parse_palette(kPalette, "p.json");
    ASSERT_TRUE(palette);
    const std::string bytes =
        png(3, 2, {0xffffffff, 0x228b22ff, 0x3060c0ff, 0x000000ff, 0x12345610, 0x0a0b0cff});
    const auto image = parse_terrain_png(bytes, "p.png", *palette);
    ASSERT_TRUE(image) << image.error().message;
    EXPECT_EQ(image->width, 3);
    EXPECT_EQ(image->height, 2);
    EXPECT_EQ(image->terrain, (std::vector<std::uint8_t>{0, 1, 3, 255, 255, 12}));
    haa::AnnotationOptions options;
    options.key = haa::TerrainKey::literal();
    options.capabilities = {haa::Capability(haa::terrain_set({haa::kGround, haa::kTrees}))};
    const auto map = haa::AnnotatedMap::create(*image, options);
    ASSERT_TRUE(map);
    EXPECT_EQ(map->clearance(0, 0), 1);
    EXPECT_EQ(map->clearance(0, 2), 0);
}

TEST(Palette, UnknownColoursAreNamedWithTheirPixel) {
    const std::string bytes = png(2, 2, {0xffffffff, 0xffffffff, 0xffffffff, 0x010203ff});
    const auto image = parse_terrain_png(bytes, "p.png", {{0xffffffU, 0}});
    ASSERT_FALSE(image);
    EXPECT_EQ(image.error().code, StatusCode::corrupt_file);
    EXPECT_EQ(image.error().message, "p.png: pixel 1,1: the palette has no colour #010203");
}

TEST(Palette, DamagedFilesGiveAResultOrAnError) {
    const std::string bytes = png(2, 2, {0xffffffff, 0xffffffff, 0x000000ff, 0x000000ff});
    const TerrainPalette black_and_white{{0xffffffU, 0}, {0U, 255}};
    std::mt19937_64 random(5);
    for (int i = 0; i < test::scaled_count(2000); ++i) {
        static_cast<void>(
            parse_terrain_png(test::mutated(bytes, random), "p.png", black_and_white));
        const auto palette = parse_palette(test::mutated(kPalette, random), "p.json");
        if (!palette) {
            EXPECT_THAT(palette.error().message, HasSubstr("p.json:"));
        }
    }
}

TEST(Palette, FilesLoad) {
    const ScratchFolder folder;
    const auto palette = load_palette(folder.file("p.json", kPalette));
    ASSERT_TRUE(palette) << palette.error().message;
    const auto image =
        load_terrain_png(folder.file("p.png", png(2, 1, {0xffffffff, 0x3060c0ff})), *palette);
    ASSERT_TRUE(image) << image.error().message;
    EXPECT_EQ(image->terrain, (std::vector<std::uint8_t>{haa::kGround, haa::kWater}));
}

TEST(Palette, MissingFilesAreErrors) {
    const ScratchFolder folder;
    EXPECT_EQ(load_palette(folder.path() / "none.json").error().code, StatusCode::io_error);
    EXPECT_EQ(load_terrain_png(folder.path() / "none.png", {}).error().code, StatusCode::io_error);
}

}  // namespace
}  // namespace cairn::formats
