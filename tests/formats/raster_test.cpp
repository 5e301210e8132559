// Grey pictures in PGM and PNG files, and terrain from pictures.

#include "cairn/formats/raster.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <lodepng.h>

#include <string>
#include <vector>

#include "cairn/formats/movingai.hpp"
#include "support/mutation.hpp"
#include "support/scratch_folder.hpp"

namespace cairn::formats {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

const GreyImage kSmallGrey{3, 2, {0, 128, 255, 1, 127, 254}, {}};

std::string png(const std::vector<unsigned char>& pixels, unsigned width, unsigned height,
                LodePNGColorType type, unsigned depth) {
    std::vector<unsigned char> out;
    EXPECT_EQ(lodepng::encode(out, pixels, width, height, type, depth), 0U);
    return {out.begin(), out.end()};
}

TEST(Pgm, ReadsPlainAndRaw) {
    for (const std::string& text :
         {std::string("P2\n3 2\n255\n0 128 255\n1 127 254\n"),
          std::string("P2 3 2 255 0 128 255 1 127 254"),
          std::string("P2\n# a comment\n3 # wide\n2\n255\n0 128 #x\n255 1 127 254"),
          std::string("P5\n3 2\n255\n\0\x80\xff\x01\x7f\xfe", 17),
          std::string("P5 # c\n3 2\r255 \0\x80\xff\x01\x7f\xfe", 21)}) {
        const auto image = parse_pgm(text, "a.pgm");
        ASSERT_TRUE(image) << image.error().message;
        EXPECT_EQ(*image, kSmallGrey);
    }
}

TEST(Pgm, ScalesToEightBits) {
    EXPECT_EQ(parse_pgm("P2 3 1 15 0 7 15", "a").value().grey,
              (std::vector<std::uint8_t>{0, 119, 255}));
    EXPECT_EQ(parse_pgm("P2 2 1 65535 32768 65535", "a").value().grey,
              (std::vector<std::uint8_t>{128, 255}));
    EXPECT_EQ(parse_pgm(std::string("P5 2 1 65535 \x80\x00\xff\xff", 17), "a").value().grey,
              (std::vector<std::uint8_t>{128, 255}));
}

TEST(Pgm, WrittenPicturesAreReadAgain) {
    const auto bytes = format_pgm(kSmallGrey);
    ASSERT_TRUE(bytes);
    EXPECT_EQ(parse_pgm(*bytes, "a").value(), kSmallGrey);
    EXPECT_EQ(format_pgm({2, 2, {0}, {}}).error().code, StatusCode::bad_option);
    EXPECT_EQ(format_pgm({-1, 2, {0}, {}}).error().code, StatusCode::bad_option);
    const std::vector<std::uint8_t> long_row(32'769, 0);
    EXPECT_EQ(format_pgm({32'769, 1, long_row, {}}).error().code, StatusCode::bad_option);
    EXPECT_EQ(format_pgm({1, 32'769, long_row, {}}).error().code, StatusCode::bad_option);
}

TEST(Pgm, ErrorsNameFileLineAndColumn) {
    struct Bad {
        std::string text;
        const char* message;
        StatusCode code = StatusCode::corrupt_file;
    };
    const std::vector<Bad> bad{
        {"", "a.pgm:1:1: a PGM picture begins with 'P2' or 'P5'"},
        {"P6 1 1 255 rgb", "a.pgm:1:1: a PGM picture begins"},
        {"P55", "a.pgm:1:3: a blank must follow"},
        {"P2\nx", "a.pgm:2:1: width 'x': needs a number"},
        {"P2\n3", "a.pgm:2:2: the file ends where the height should be"},
        {"P2\n3 0", "a.pgm:2:3: height '0': needs a number"},
        {"P2\n-3 1", "a.pgm:2:1: width '-'"},
        {"P2\n4294967296 1 255", "a.pgm:2:1: width '4294967296'"},
        {"P2\n40000 1 255", "a.pgm:2:8: a picture of 40000 x 1 pixels", StatusCode::too_large},
        {"P2\n32768 32768 255", "a.pgm:2:12: a picture of 32768 x 32768", StatusCode::too_large},
        {"P2\n1 1\n0\n0", "a.pgm:3:1: greatest value '0'"},
        {"P2\n1 1\n65536\n0", "a.pgm:3:1: greatest value '65536'"},
        {"P2\n2 1\n255\n0", "a.pgm:4:2: the file ends where the grey value should be"},
        {"P2\n2 1\n9\n0 10", "a.pgm:4:3: grey value '10': needs a number from 0 to 9"},
        {"P5\n2 1\n255", "a.pgm:3:4: one blank must stand"},
        {"P5\n2 1\n255\nx", "a.pgm:4:1: 1 bytes of pixels where 2 x 1 of 1 bytes"},
        {"P5\n8000 8000\n65535\nx", "a.pgm:4:1: 1 bytes of pixels"},
        {"P5\n2 1\n9\n\x01\x20", "a.pgm:4:1: pixel (1, 0) is 32, above the greatest value 9"},
    };
    for (const Bad& file : bad) {
        const auto image = parse_pgm(file.text, "a.pgm");
        ASSERT_FALSE(image) << file.text;
        EXPECT_EQ(image.error().code, file.code) << file.text;
        EXPECT_THAT(image.error().message, StartsWith(file.message));
    }
}

TEST(Pgm, DamagedFilesGiveAResultOrAnErrorWithALine) {
    const auto check = [](const std::string& bytes) {
        const auto image = parse_pgm(bytes, "a.pgm");
        if (!image) {
            ASSERT_THAT(image.error().message, StartsWith("a.pgm:"));
        } else {
            ASSERT_EQ(parse_pgm(format_pgm(*image).value(), "again").value(), *image);
        }
    };
    test::for_each_damage("P2\n# c\n3 2\n255\n0 128 255\n1 127 254\n", 10'000, check);
    test::for_each_damage(format_pgm(kSmallGrey).value(), 10'000, check);
}

TEST(Png, ReadsEveryColourType) {
    EXPECT_EQ(parse_png(png({0, 128, 255, 1, 127, 254}, 3, 2, LCT_GREY, 8), "a").value(),
              kSmallGrey);
    EXPECT_EQ(parse_png(png({10, 20, 33, 255, 255, 255}, 2, 1, LCT_RGB, 8), "a").value(),
              (GreyImage{2, 1, {21, 255}, {}}));
    EXPECT_EQ(parse_png(png({9, 0, 200, 255}, 2, 1, LCT_GREY_ALPHA, 8), "a").value(),
              (GreyImage{2, 1, {9, 200}, {0, 255}}));
    EXPECT_EQ(parse_png(png({0, 0, 0, 128, 3, 3, 3, 255}, 2, 1, LCT_RGBA, 8), "a").value(),
              (GreyImage{2, 1, {0, 3}, {128, 255}}));
    EXPECT_EQ(parse_png(png({0x40}, 2, 1, LCT_GREY, 1), "a").value(),
              (GreyImage{2, 1, {0, 255}, {}}));
}

TEST(Png, WrittenPicturesAreReadAgain) {
    EXPECT_EQ(parse_png(format_png(kSmallGrey).value(), "a").value(), kSmallGrey);
    const GreyImage with_alpha{2, 1, {7, 9}, {0, 128}};
    EXPECT_EQ(parse_png(format_png(with_alpha).value(), "a").value(), with_alpha);
    EXPECT_EQ(format_png({1, 1, {1}, {1, 2}}).error().code, StatusCode::bad_option);
}

// Offsets in a PNG file, whose first chunk is the header.
constexpr std::size_t kHeaderType = 12;
constexpr std::size_t kWidth = 16;
constexpr std::size_t kHeight = 20;
constexpr std::size_t kHeaderCrc = 29;

void set_big_endian(std::string& bytes, std::size_t offset, std::uint32_t value) {
    for (std::size_t i = 0; i < 4; ++i)
        bytes[offset + i] = static_cast<char>(value >> (24 - 8 * i) & 0xffU);
}

/// Sets the width or height that a PNG file says it has, and the checksum.
void set_side(std::string& bytes, std::size_t offset, std::uint32_t pixels) {
    set_big_endian(bytes, offset, pixels);
    const auto* const header = reinterpret_cast<const unsigned char*>(bytes.data()) + kHeaderType;
    set_big_endian(bytes, kHeaderCrc, lodepng_crc32(header, kHeaderCrc - kHeaderType));
}

TEST(Png, ChecksTheSizeBeforeItDecodes) {
    std::string bytes = format_png(kSmallGrey).value();
    set_side(bytes, kWidth, 8'000);
    set_side(bytes, kHeight, 8'000);
    const auto too_few_bytes = parse_png(bytes, "a.png");
    ASSERT_FALSE(too_few_bytes);
    EXPECT_EQ(too_few_bytes.error().code, StatusCode::corrupt_file);
    EXPECT_THAT(too_few_bytes.error().message, StartsWith("a.png: "));
    EXPECT_THAT(too_few_bytes.error().message, HasSubstr("cannot hold the 8000 x 8000 pixels"));
    set_side(bytes, kWidth, 40'000);
    EXPECT_EQ(parse_png(bytes, "a.png").error().code, StatusCode::too_large);
    set_side(bytes, kWidth, 1);
    set_side(bytes, kHeight, 32'769);
    EXPECT_EQ(parse_png(bytes, "a.png").error().code, StatusCode::too_large);
    for (const std::size_t side : {kWidth, kHeight}) {
        std::string empty = format_png(kSmallGrey).value();
        set_side(empty, side, 0);
        EXPECT_EQ(parse_png(empty, "a.png").error().code, StatusCode::corrupt_file);
    }
}

TEST(Raster, AFileWithoutAnExtensionIsKnownByItsBytes) {
    const test::ScratchFolder folder;
    const TerrainImage terrain{3, 1, {'.', '@', '.'}};
    for (const std::string& bytes :
         {format_map(terrain).value(), format_pgm(picture_of(terrain).value()).value(),
          format_png(picture_of(terrain).value()).value()}) {
        EXPECT_EQ(parse_terrain(bytes, "a").value(), terrain);
        EXPECT_EQ(load_terrain(folder.file("a", bytes)).value(), terrain);
    }
    EXPECT_EQ(load_terrain(folder.file("b", "other")).error().code, StatusCode::corrupt_file);
    EXPECT_EQ(load_terrain(folder.file("b.txt", "other")).error().code, StatusCode::unsupported);
}

TEST(Raster, PicturesAboveTheLimitAreRefusedByTheirHeader) {
    std::string large_png = format_png(kSmallGrey).value();
    set_side(large_png, kWidth, 8193);
    set_side(large_png, kHeight, 8192);
    const std::string small_png = format_png(kSmallGrey).value();
    const std::string small_pgm = format_pgm(kSmallGrey).value();
    for (const auto& image : {parse_png(large_png, "a"), parse_pgm("P5\n8193 8192\n255\n", "a"),
                              parse_png(small_png, "a", {.max_pixels = 5}),
                              parse_pgm(small_pgm, "a", {.max_pixels = 5})}) {
        ASSERT_FALSE(image);
        EXPECT_EQ(image.error().code, StatusCode::too_large) << image.error().message;
    }
    EXPECT_THAT(parse_png(large_png, "a").error().message,
                HasSubstr("8193 x 8192 pixels: at most 32768 a side and 67108864 in all"));
    EXPECT_EQ(parse_png(large_png, "a", {.max_pixels = GreyImage::kMaxPixels}).error().code,
              StatusCode::corrupt_file);  // the header passes
    EXPECT_EQ(parse_pgm(small_pgm, "a", {.max_pixels = 6}).value(), kSmallGrey);
    const test::ScratchFolder folder;
    const std::string path = folder.file("a.png", small_png);
    EXPECT_EQ(load_terrain(path, {.max_pixels = 5}).error().code, StatusCode::too_large);
    EXPECT_EQ(load_terrain_map(path, {}, {.max_pixels = 5}).error().code, StatusCode::too_large);
}

TEST(Png, DamagedFilesGiveAResultOrAnError) {
    test::for_each_damage(format_png(kSmallGrey).value(), 5'000, [](const std::string& bytes) {
        const auto image = parse_png(bytes, "a.png");
        if (!image) {
            ASSERT_THAT(image.error().message, StartsWith("a.png: "));
        } else {
            ASSERT_EQ(parse_png(format_png(*image).value(), "again").value(), *image);
        }
    });
}

TEST(Raster, TerrainBecomesAPictureAndBack) {
    const TerrainImage terrain{5, 1, {'.', '@', 'T', 'G', '7'}};
    const GreyImage picture = picture_of(terrain).value();
    EXPECT_EQ(picture.grey, (std::vector<std::uint8_t>{254, 0, 0, 254, 254}));
    EXPECT_EQ(terrain_of(picture).value(), (TerrainImage{5, 1, {'.', '@', '@', '.', '.'}}));
    EXPECT_EQ(terrain_of({3, 1, {255, 127, 255}, {128, 255, 127}}).value(),
              (TerrainImage{3, 1, {'.', '@', '@'}}));
}

TEST(Raster, LoadsTerrainByExtension) {
    const test::ScratchFolder folder;
    const TerrainImage terrain{2, 1, {'.', '@'}};
    ASSERT_TRUE(write_pgm(folder.path() / "a.PGM", picture_of(terrain).value()).ok());
    ASSERT_TRUE(write_png(folder.path() / "a.png", picture_of(terrain).value()).ok());
    folder.file("a.map", "type octile\nheight 1\nwidth 2\nmap\n.@\n");
    folder.file("a.yml",
                "image: a.PGM\nresolution: 1\norigin: [0, 0, 0]\nnegate: 0\noccupied_thresh: 0.65\n"
                "free_thresh: 0.25\n");
    std::filesystem::copy(folder.path() / "a.yml", folder.path() / "b.Yaml");
    for (const char* name : {"a.PGM", "a.png", "a.map", "a.yml", "b.Yaml"}) {
        const auto loaded = load_terrain(folder.path() / name);
        ASSERT_TRUE(loaded) << loaded.error().message;
        EXPECT_EQ(*loaded, terrain) << name;
    }
    EXPECT_EQ(load_terrain_map(folder.path() / "a.png").value().free_cells(), 1U);
    const auto unknown = load_terrain(folder.path() / "a.txt");
    ASSERT_FALSE(unknown);
    EXPECT_EQ(unknown.error().code, StatusCode::unsupported);
    EXPECT_THAT(unknown.error().message, HasSubstr("a.txt: a map's name must end in .map"));
    const auto neither = load_terrain(folder.file("b.png", "hello"));
    ASSERT_FALSE(neither);
    EXPECT_THAT(neither.error().message, HasSubstr("b.png:1:1: neither a PGM nor a PNG picture"));
    EXPECT_EQ(load_terrain(folder.path() / "missing.png").error().code, StatusCode::io_error);
}

}  // namespace
}  // namespace cairn::formats
