// Occupancy maps of ROS 2 Nav2: the YAML file, pictures to terrain, and world coordinates to cells.

#include "cairn/formats/nav2.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

#include "support/mutation.hpp"
#include "support/scratch_folder.hpp"

namespace cairn::formats {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

const std::string kSmallYaml =
    "image: small.pgm\nmode: trinary\nresolution: 0.05\norigin: [-1.5, 2, 0.25]\nnegate: 0\n"
    "occupied_thresh: 0.65\nfree_thresh: 0.196\n";

/// What kSmallYaml says.
OccupancyYaml small_yaml() {
    OccupancyYaml yaml;
    yaml.image = "small.pgm";
    yaml.origin = {-1.5, 2.0};
    yaml.yaw = 0.25;
    yaml.free_thresh = 0.196;
    return yaml;
}

/// `text` with the first `from` replaced by `to`.
std::string replaced(std::string text, std::string_view from, std::string_view to) {
    return text.replace(text.find(from), from.size(), to);
}

/// The terrain of all cells as text.
std::string letters(const TerrainImage& image) {
    return {image.terrain.begin(), image.terrain.end()};
}

TEST(Nav2, ReadsItsOwnFormAndWritesItAgain) {
    const auto yaml = parse_occupancy_yaml(kSmallYaml, "small.yaml");
    ASSERT_TRUE(yaml) << yaml.error().message;
    EXPECT_EQ(*yaml, small_yaml());
    const auto text = format_occupancy_yaml(*yaml);
    ASSERT_TRUE(text) << text.error().message;
    EXPECT_EQ(parse_occupancy_yaml(*text, "again").value(), *yaml);
}

TEST(Nav2, ReadsOtherSpellings) {
    const auto yaml = parse_occupancy_yaml(
        "{free_thresh: 1.96e-1, occupied_thresh: +.65, negate: true, image: \"a b.png\", mode: "
        "scale,\n"
        " origin: [0, -0, 1e1], resolution: 5e-2, extra: [1, {2: 3}]}",
        "a.yaml");
    ASSERT_TRUE(yaml) << yaml.error().message;
    EXPECT_EQ(yaml->image, "a b.png");
    EXPECT_TRUE(yaml->negate);
    EXPECT_EQ(yaml->mode, OccupancyMode::scale);
    EXPECT_EQ(yaml->yaw, 10.0);
    EXPECT_EQ(yaml->free_thresh, 0.196);
}

TEST(Nav2, ReadsEverySpellingOfNegate) {
    for (const auto& [word, negate] :
         {std::pair{"0", false}, {"1", true}, {"false", false}, {"true", true}}) {
        const auto yaml = parse_occupancy_yaml(
            replaced(kSmallYaml, "negate: 0", std::string("negate: ") + word), "a.yaml");
        ASSERT_TRUE(yaml) << yaml.error().message;
        EXPECT_EQ(yaml->negate, negate) << word;
    }
}

TEST(Nav2, EveryModeIsWrittenAndReadAgain) {
    OccupancyYaml yaml = small_yaml();
    yaml.negate = true;
    for (const auto mode : {OccupancyMode::trinary, OccupancyMode::scale, OccupancyMode::raw}) {
        yaml.mode = mode;
        EXPECT_EQ(parse_occupancy_yaml(format_occupancy_yaml(yaml).value(), "a.yaml").value(),
                  yaml);
    }
}

TEST(Nav2, OnlyWhatCanBeReadAgainIsWritten) {
    const auto refusal = [](auto change) {
        OccupancyYaml yaml = small_yaml();
        change(yaml);
        const auto text = format_occupancy_yaml(yaml);
        if (text) return "written: " + *text;
        EXPECT_EQ(text.error().code, StatusCode::bad_option);
        return text.error().message;
    };
    constexpr const char* kStart = "YAML of a map: ";
    EXPECT_THAT(refusal([](auto& yaml) { yaml.image = "\xff"; }), StartsWith(kStart));
    EXPECT_THAT(refusal([](auto& yaml) { yaml.image = ""; }), HasSubstr("needs a file name"));
    EXPECT_THAT(refusal([](auto& yaml) { yaml.mode = OccupancyMode{7}; }), StartsWith(kStart));
    EXPECT_THAT(refusal([](auto& yaml) { yaml.yaw = std::nan(""); }), HasSubstr("origin"));
}

TEST(Nav2, ErrorsNameFileLineAndColumn) {
    struct Bad {
        std::string text;
        const char* message;
        StatusCode code = StatusCode::corrupt_file;
    };
    std::vector<Bad> bad{
        {"", "a.yaml:1:1: a map's YAML needs 'key: value' lines"},
        {"- 1\n", "a.yaml:1:1: a map's YAML needs"},
        {"image: [\n", "a.yaml:2:1: "},
        {"image: a\nimage: *b\n", "a.yaml:2:8: "},
        {replaced(kSmallYaml, "image: small.pgm", "image: []"),
         "a.yaml:1:8: image: needs a file name"},
        {replaced(kSmallYaml, "small.pgm", "\"\""), "a.yaml:1:8: image: needs a file name"},
        {replaced(kSmallYaml, "small.pgm", "\"a\\0b\""), "a.yaml:1:8: image: needs a file name"},
        {replaced(kSmallYaml, "0.05", "1e-10"), "a.yaml:3:13: resolution: needs a length"},
        {replaced(kSmallYaml, "0.05", "0"), "a.yaml:3:13: resolution: needs a length"},
        {replaced(kSmallYaml, "0.05", "wide"), "a.yaml:3:13: resolution: needs a number"},
        {replaced(kSmallYaml, "0.05", ".inf"), "a.yaml:3:13: resolution: needs a number"},
        {replaced(kSmallYaml, "-1.5, ", ""), "a.yaml:4:9: origin: needs a list [x, y, yaw]"},
        {replaced(kSmallYaml, "-1.5", "[1]"), "a.yaml:4:10: origin: needs a number"},
        {replaced(kSmallYaml, "negate: 0", "negate: 2"),
         "a.yaml:5:9: negate: needs 0, 1, true or false"},
        {replaced(kSmallYaml, "negate: 0", "negate: [1]"),
         "a.yaml:5:9: negate: needs 0, 1, true or false"},
        {replaced(kSmallYaml, "0.65", "-0.1"),
         "a.yaml:6:18: occupied_thresh: needs a number, at least 0"},
        {replaced(kSmallYaml, "0.65", "0.1"),
         "a.yaml:7:14: free_thresh 0.196 and occupied_thresh 0.1"},
        {replaced(kSmallYaml, "trinary", "octal"), "a.yaml:2:7: mode: needs trinary, scale or raw"},
        {replaced(kSmallYaml, "trinary", "[raw]"), "a.yaml:2:7: mode: needs trinary, scale or raw"},
        {std::string(65537, ' '), "a.yaml: a map's YAML of 65537 bytes", StatusCode::too_large},
    };
    for (const char* key :
         {"image", "resolution", "origin", "negate", "occupied_thresh", "free_thresh"}) {
        const std::string text = replaced(kSmallYaml, std::string(key) + ":", "other:");
        const auto yaml = parse_occupancy_yaml(text, "a.yaml");
        ASSERT_FALSE(yaml) << key;
        EXPECT_EQ(yaml.error().message,
                  "a.yaml:1:1: the key '" + std::string(key) + "' is missing");
    }
    for (const Bad& file : bad) {
        const auto yaml = parse_occupancy_yaml(file.text, "a.yaml");
        ASSERT_FALSE(yaml) << file.text;
        EXPECT_EQ(yaml.error().code, file.code) << file.text;
        EXPECT_THAT(yaml.error().message, StartsWith(file.message)) << file.text;
    }
}

TEST(Nav2, DeepYamlIsRefusedAndManyAliasesAreRead) {
    for (const char* opening : {"[", "{a: ", "- ", "? "}) {
        std::string deep;
        while (deep.size() < 65'000) deep += opening;
        EXPECT_FALSE(parse_occupancy_yaml(deep, "a.yaml"));
    }
    // Each list names the one before three times. Expanded, the last would have 2 * 3^199 numbers.
    std::string bomb = "a0: &a0 [1, 1]\n";
    for (int i = 1; i < 200; ++i) {
        const std::string name = "a" + std::to_string(i);
        const std::string alias = "*a" + std::to_string(i - 1);
        bomb += name + ": &" + name + " [" + alias + ", " + alias + ", " + alias + "]\n";
    }
    EXPECT_TRUE(parse_occupancy_yaml(bomb + kSmallYaml, "a.yaml"));
}

TEST(Nav2, DamagedFilesGiveAResultOrAnErrorWithTheFile) {
    test::for_each_damage(kSmallYaml, 5'000, [](const std::string& text) {
        const auto yaml = parse_occupancy_yaml(text, "a.yaml");
        if (!yaml) {
            ASSERT_THAT(yaml.error().message, StartsWith("a.yaml:"));
        }
    });
}

// The occupancy p = (255 - grey) / 255 must be above occupied_thresh for an obstacle and below
// free_thresh for a free cell; else the cell is unknown.
TEST(Nav2, ThresholdsOfTrinaryAreExclusive) {
    OccupancyYaml yaml;
    yaml.occupied_thresh = 0.6;  // p = 153 / 255 exactly
    yaml.free_thresh = 0.2;      // p = 51 / 255 exactly
    const GreyImage image{6, 1, {0, 101, 102, 204, 205, 255}, {}};
    EXPECT_EQ(letters(occupancy_terrain(image, yaml).value()), "@@@@..");
    EXPECT_EQ(letters(occupancy_terrain(image, yaml, {.unknown_is_free = true}).value()), "@@....");
    yaml.negate = true;
    EXPECT_EQ(letters(occupancy_terrain(image, yaml, {.unknown_is_free = true}).value()), "...@@@");
}

TEST(Nav2, AlphaCountsAsAColourInTrinary) {
    OccupancyYaml yaml;
    const GreyImage image{3, 1, {255, 255, 0}, {255, 0, 255}};
    EXPECT_EQ(letters(occupancy_terrain(image, yaml).value()), ".@@");
    EXPECT_EQ(letters(occupancy_terrain(image, yaml, {.unknown_is_free = true}).value()), "..@");
}

TEST(Nav2, ScaleAndRawGiveWeights) {
    OccupancyYaml yaml;
    yaml.mode = OccupancyMode::scale;
    const GreyImage scale{5, 1, {255, 190, 140, 90, 0}, {255, 255, 255, 255, 255}};
    EXPECT_EQ(letters(occupancy_terrain(scale, yaml).value()), ".159@");
    EXPECT_EQ(letters(occupancy_terrain({1, 1, {255}, {254}}, yaml).value()), "@");
    EXPECT_EQ(letters(occupancy_terrain({2, 1, {255, 140}, {}}, yaml).value()), ".5");
    OccupancyYaml no_range = yaml;
    no_range.occupied_thresh = no_range.free_thresh = 0.2;  // p = 51 / 255 exactly: between them
    EXPECT_EQ(letters(occupancy_terrain({3, 1, {203, 204, 205}, {}}, no_range).value()), "@1.");
    yaml.mode = OccupancyMode::raw;
    const GreyImage raw{6, 1, {0, 1, 50, 99, 100, 101}, {}};
    EXPECT_EQ(letters(occupancy_terrain(raw, yaml).value()), ".159@@");
    EXPECT_EQ(letters(occupancy_terrain(raw, yaml, {.unknown_is_free = true}).value()), ".159@.");
}

// A map of 4 rows with cells of 0.5. Row 0 is its top; the origin is the lower left corner of the
// bottom row.
TEST(Nav2, WorldPointsLieInCells) {
    const GeoReference geo{0.5, {10.0, 20.0}, 0.0, 4};
    EXPECT_EQ(geo.to_cell({10.1, 20.1}), (grid::Point{0, 3}));
    EXPECT_EQ(geo.to_cell({11.1, 21.9}), (grid::Point{2, 0}));
    EXPECT_EQ(geo.to_cell({9.9, 22.1}), (grid::Point{-1, -1}));
    EXPECT_EQ(geo.to_world({0, 3}), (WorldPoint{10.25, 20.25}));
    // A quarter turn to the left.
    const GeoReference turned{0.5, {10.0, 20.0}, std::numbers::pi / 2, 4};
    EXPECT_EQ(turned.to_cell({9.9, 20.1}), (grid::Point{0, 3}));
    EXPECT_EQ(turned.to_cell({8.1, 21.1}), (grid::Point{2, 0}));
    for (const double yaw : {0.0, 0.3, -2.0, 3.1}) {
        const GeoReference any{0.05, {-3.0, 7.0}, yaw, 40};
        for (int y = 0; y < 40; ++y) {
            for (int x = 0; x < 30; ++x)
                EXPECT_EQ(any.to_cell(any.to_world({x, y})), (grid::Point{x, y}));
        }
    }
}

TEST(Nav2, FarPointsAreClamped) {
    constexpr std::int32_t low = std::numeric_limits<std::int32_t>::min();
    constexpr std::int32_t high = std::numeric_limits<std::int32_t>::max();
    const GeoReference geo{0.5, {0.0, 0.0}, 0.0, 4};
    EXPECT_EQ(geo.to_cell({1e300, 1e300}), (grid::Point{high, low}));
    EXPECT_EQ(geo.to_cell({-1e300, -1e300}), (grid::Point{low, high}));
    EXPECT_EQ(geo.to_cell({std::nan(""), 0.0}).x, low);
}

TEST(Nav2, WrittenFilesLoadAgain) {
    const test::ScratchFolder folder;
    const OccupancyMap map{{2, 2, {'.', '@', '@', '.'}}, {0.1, {1.0, 2.0}, 0.5, 2}};
    ASSERT_TRUE(write_occupancy_map(folder.path() / "m.yaml", map).ok());
    const auto again = load_occupancy_map(folder.path() / "m.yaml");
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(again->terrain, map.terrain);
    EXPECT_EQ(again->geo, map.geo);
}

TEST(Nav2, PicturesMayLieElsewhereButMustBeRegularFiles) {
    const test::ScratchFolder folder;
    const GreyImage picture{1, 1, {255}, {}};
    ASSERT_TRUE(write_pgm(folder.path() / "small.pgm", picture).ok());
    std::filesystem::create_directory(folder.path() / "sub");
    ASSERT_EQ(::mkfifo((folder.path() / "pipe").c_str(), 0600), 0);
    const auto load = [&](const std::string& image, const OccupancyOptions& options = {}) {
        return load_occupancy_map(
            folder.file("sub/a.yaml", replaced(kSmallYaml, "small.pgm", image)), options);
    };
    EXPECT_TRUE(load("../small.pgm"));
    EXPECT_TRUE(load((folder.path() / "small.pgm").string()));
    for (const char* image : {"/dev/zero", "/dev/stdin", "../pipe", ".."}) {
        const auto map = load(image);
        ASSERT_FALSE(map) << image;
        EXPECT_EQ(map.error().code, StatusCode::io_error) << image;
        EXPECT_THAT(map.error().message, HasSubstr(image));
    }
    EXPECT_EQ(load("../small.pgm", {.limits = {.max_pixels = 0}}).error().code,
              StatusCode::too_large);
}

TEST(Nav2, FileErrorsNameTheFile) {
    const test::ScratchFolder folder;
    const auto missing = load_occupancy_map(folder.path() / "missing.yaml");
    ASSERT_FALSE(missing);
    EXPECT_THAT(missing.error().message, HasSubstr("missing.yaml"));
    const auto picture = load_occupancy_map(folder.file("a.yaml", kSmallYaml));
    ASSERT_FALSE(picture);
    EXPECT_EQ(picture.error().code, StatusCode::io_error);
    EXPECT_THAT(picture.error().message, HasSubstr("small.pgm"));
    EXPECT_EQ(load_occupancy_map(folder.file("list.yaml", "- 1\n")).error().code,
              StatusCode::corrupt_file);
    std::filesystem::create_directory(folder.path() / "c.pgm");
    EXPECT_EQ(
        write_occupancy_map(folder.path() / "c.yaml", {{1, 1, {'.'}}, {1.0, {}, 0.0, 1}}).code,
        StatusCode::io_error);
    EXPECT_FALSE(std::filesystem::exists(folder.path() / "c.yaml"));
    OccupancyMap map{{1, 1, {'.'}}, {}};
    map.geo.resolution = -1.0;
    EXPECT_EQ(write_occupancy_map(folder.path() / "b.yaml", map).code, StatusCode::bad_option);
    EXPECT_FALSE(std::filesystem::exists(folder.path() / "b.pgm"));
}

}  // namespace
}  // namespace cairn::formats
