// MovingAI maps: reading, writing, and errors with their place in the file.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cairn/file.hpp"
#include "cairn/formats/movingai.hpp"
#include "support/mutation.hpp"
#include "support/scratch_folder.hpp"

namespace cairn::formats {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

const std::string kSmallMap = "type octile\nheight 2\nwidth 3\nmap\n.@T\nSGW\n";
const TerrainImage kSmallImage{3, 2, {'.', '@', 'T', 'S', 'G', 'W'}};

TEST(MovingAiMap, ReadsTheCanonicalFormAndWritesItAgain) {
    const auto image = parse_map(kSmallMap, "small.map");
    ASSERT_TRUE(image) << image.error().message;
    EXPECT_EQ(*image, kSmallImage);
    EXPECT_EQ(format_map(*image).value(), kSmallMap);
}

TEST(MovingAiMap, ReadsOtherLineEndsBlanksAndOrders) {
    for (const std::string text : {
             "type octile\r\nheight 2\r\nwidth 3\r\nmap\r\n.@T\r\nSGW\r\n",
             "type octile\nheight 2\nwidth 3\nmap\n.@T\nSGW",
             "width 3\nheight 2\ntype octile\nmap\n.@T\nSGW\n\n  \n",
             "height  2 \n\ntype octile\t\nwidth\t3\nmap \n.@T  \nSGW\t\n",
         }) {
        const auto image = parse_map(text, "other.map");
        ASSERT_TRUE(image) << image.error().message;
        EXPECT_EQ(*image, kSmallImage) << text;
    }
}

struct BadMap {
    const char* text;
    const char* message;
    StatusCode code = StatusCode::corrupt_file;
};

TEST(MovingAiMap, ErrorsNameFileLineAndColumn) {
    const std::vector<BadMap> bad{
        {"", "m.map:1:1: the file ends before the line 'map'"},
        {"type octile\nheight 2\nwidth 3\n", "m.map:4:1: the file ends before"},
        {"typ octile\n", "m.map:1:1: 'typ': expected type, height, width or map"},
        {"type tile\n", "m.map:1:6: map type 'tile': only 'octile'"},
        {"type octile\ntype octile\n", "m.map:2:1: a second 'type' line"},
        {"type octile\nheight 1\nheight 1\n", "m.map:3:1: a second 'height' line"},
        {"type octile\nmap\n", "m.map:2:1: no 'height' line before 'map'"},
        {"type octile\nheight 2\nmap\n", "m.map:3:1: no 'width' line before 'map'"},
        {"width 2\nheight 2\nmap\n", "m.map:3:1: no 'type' line before 'map'"},
        {"height two\n", "m.map:1:8: height 'two': needs a number from 1 to 32768"},
        {"height 0\n", "m.map:1:8: height '0': needs a number"},
        {"height -3\n", "m.map:1:8: height '-3': needs a number"},
        {"height 12345678901234567890123456789012345678901\n",
         "m.map:1:8: height '1234567890123456789012345678901234567890...': needs a number"},
        {"height\n", "m.map:1:7: height '': needs a number"},
        {"height 3 4\n", "m.map:1:10: '4' after the height"},
        {"height 99999999999999999999\n",
         "m.map:1:8: height '99999999999999999999': needs a number"},
        {"height 32769\n", "m.map:1:8: height 32769: at most 32768", StatusCode::too_large},
        {"type octile\nheight 2\nwidth 2\nmap\n..\n", "m.map:6:1: the map ends after 1 of 2 rows"},
        {"type octile\nheight 2\nwidth 2\nmap\n...\n..\n",
         "m.map:5:3: row 0 has 3 cells, not the header's width of 2"},
        {"type octile\nheight 2\nwidth 2\nmap\n..\n.\n", "m.map:6:2: row 1 has 1 cells"},
        {"type octile\nheight 1\nwidth 3\nmap\n. .\n", "m.map:5:2: ' ' is not a terrain letter"},
        {"type octile\nheight 1\nwidth 3\nmap\n.\x01.\n",
         "m.map:5:2: '\\x01' is not a terrain letter"},
        {"type octile\nheight 1\nwidth 1\nmap\n.\n\nmore\n",
         "m.map:7:1: text after the last of 1 rows"},
    };
    for (const BadMap& file : bad) {
        const auto image = parse_map(file.text, "m.map");
        ASSERT_FALSE(image) << file.text;
        EXPECT_EQ(image.error().code, file.code) << file.text;
        EXPECT_THAT(image.error().message, StartsWith(file.message));
    }
}

TEST(MovingAiMap, AHugeHeaderIsRefusedAtTheFirstShortRow) {
    const auto image =
        parse_map("type octile\nheight 32768\nwidth 32768\nmap\n..........\n", "m.map");
    ASSERT_FALSE(image);
    EXPECT_THAT(image.error().message, StartsWith("m.map:5:11: row 0 has 10 cells"));
}

TEST(MovingAiMap, DamagedFilesGiveAResultOrAnErrorWithALine) {
    test::for_each_damage(kSmallMap, 20'000, [](const std::string& text) {
        const auto image = parse_map(text, "m.map");
        if (!image) {
            ASSERT_THAT(image.error().message, StartsWith("m.map:"));
            return;
        }
        const auto again = format_map(*image);
        ASSERT_TRUE(again);
        ASSERT_EQ(parse_map(*again, "again").value(), *image);
    });
}

TEST(MovingAiMap, WritesOnlyWhatCanBeReadBack) {
    for (const auto& [width, height] :
         {std::pair{0, 1}, {1, 0}, {1, 32'769}, {32'769, 1}, {-1, -1}})
        EXPECT_EQ(format_map({width, height, {}}).error().code, StatusCode::bad_option);
    EXPECT_EQ(format_map({2, 2, {'.'}}).error().code, StatusCode::bad_option);
    const auto blank = format_map({2, 1, {'.', ' '}});
    ASSERT_FALSE(blank);
    EXPECT_THAT(blank.error().message, StartsWith("cell (1, 0): terrain byte 32"));
    for (int byte = 0; byte < 256; ++byte) {
        const TerrainImage image{1, 1, {static_cast<std::uint8_t>(byte)}};
        const auto text = format_map(image);
        if (text) {
            EXPECT_EQ(parse_map(*text, "m.map").value(), image) << byte;
        }
    }
}

TEST(MovingAiMap, WrittenFilesLoadAgain) {
    const test::ScratchFolder folder;
    const auto path = folder.path() / "small.map";
    ASSERT_TRUE(write_map(path, kSmallImage).ok());
    EXPECT_EQ(test::bytes_of(path), kSmallMap);
    EXPECT_EQ(read_map(path).value(), kSmallImage);
    const auto map = load_map(path);
    ASSERT_TRUE(map);
    EXPECT_EQ(map->free_cells(), 3U);
}

TEST(MovingAiMap, FileErrorsNameTheFile) {
    const test::ScratchFolder folder;
    const auto missing = load_map(folder.path() / "missing.map");
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().code, StatusCode::io_error);
    EXPECT_THAT(missing.error().message, HasSubstr("missing.map"));
    grid::MapOptions options;
    options.costs.straight = 0;
    const auto refused = load_map(folder.file("small.map", kSmallMap), options);
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().message, HasSubstr("small.map: cost model"));
    EXPECT_THAT(write_map(folder.path() / "x.map", {1, 1, {0}}).message,
                HasSubstr("x.map: cell (0, 0)"));
}

TEST(MovingAiMap, DigitsAreWeights) {
    const auto image = parse_map("type octile\nheight 1\nwidth 4\nmap\n.19@\n", "m.map");
    ASSERT_TRUE(image);
    grid::MapOptions options;
    options.weights = grid::TerrainWeights::weighted();
    const auto map = grid::make_map(*image, options);
    ASSERT_TRUE(map);
    EXPECT_EQ(map->weight(0), 1U);
    EXPECT_EQ(map->weight(1), 1U);
    EXPECT_EQ(map->weight(2), 9U);
    EXPECT_EQ(map->weight(3), 0U);
}

}  // namespace
}  // namespace cairn::formats
