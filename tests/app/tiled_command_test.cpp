// Maps of Tiled on the command line.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "cairn/formats/movingai.hpp"
#include "command_test.hpp"
#include "formats/tiled_files.hpp"

namespace cairn::test {
namespace {

class TiledCommand : public CommandTest {
protected:
    /// A room with a wall in two layers, 6 x 4: in `level.tmx` and `level.tmj` tiles are marked, in
    /// `layers.tmx` none is.
    void SetUp() override {
        TiledFile map;
        map.width = 6;
        map.height = 4;
        const TiledProperties wall{{"blocked", "bool", "true"}};
        const TiledProperties mud{{"cost", "int", "3"}};
        map.tilesets.push_back({1, {{1, wall}, {2, mud}}, ""});
        std::vector<std::uint32_t> floor(24, 1);
        floor[5] = 3;  // mud at (5, 0)
        std::vector<std::uint32_t> walls(24, 0);
        for (const std::size_t cell : {2, 8, 14}) walls[cell] = 2;  // x = 2, y = 0 to 2
        map.layers.push_back({"floor", {}, {{0, 0, 6, 4, floor}}, ""});
        map.layers.push_back({"walls", {}, {{0, 0, 6, 4, walls}}, ""});
        folder_.file("level.tmx", xml_of(map, {"base64", "zstd"}));
        folder_.file("level.tmj", json_of(map, {}));
        map.tilesets[0].tiles.clear();
        folder_.file("layers.tmx", xml_of(map, {}));
    }
};

TEST_F(TiledCommand, MapsAreReadWhereverMapsAre) {
    for (const char* file : {"level.tmx", "level.tmj"}) {
        ASSERT_EQ(run(std::string("convert ") + file + " a.map").code, 0);
        EXPECT_EQ(bytes_of(folder_.path() / "a.map"),
                  "type octile\nheight 4\nwidth 6\nmap\n..@..3\n..@...\n..@...\n......\n");
        const std::string path = std::string("path ") + file + " 0,0 5,0";
        EXPECT_EQ(json(path)["cost"], json("path a.map 0,0 5,0")["cost"]);
        EXPECT_EQ(json(path + " --planner hna")["length"],
                  json("path a.map 0,0 5,0 --planner hna")["length"]);
        EXPECT_EQ(json(std::string("path - 0,0 5,0 <") + file)["cost"],
                  json("path a.map 0,0 5,0")["cost"]);
        EXPECT_EQ(run(std::string("render ") + file + " a.svg").code, 0);
        EXPECT_EQ(run(std::string("inspect ") + file).code, 0);
    }
    ASSERT_EQ(run("build level.tmx level.cairn").code, 0);
    EXPECT_EQ(run("path level.tmj 0,0 5,0 --index level.cairn").code, 0);
}

TEST_F(TiledCommand, OptionsSayWhatIsAWall) {
    ASSERT_EQ(run("convert layers.tmx a.map --layer walls").code, 0);
    ASSERT_EQ(run("convert level.tmx b.map --layer walls").code, 0);
    EXPECT_EQ(bytes_of(folder_.path() / "a.map"),
              "type octile\nheight 4\nwidth 6\nmap\n..@...\n..@...\n..@...\n......\n");
    EXPECT_EQ(run("path layers.tmx 0,0 5,0 --layer walls").code, 0);
    EXPECT_EQ(run("path level.tmx 0,0 5,0 --planner hna --layer walls").code, 0);
    expect_error("path layers.tmx 0,0 5,0", 2, "nothing says where walls are");
    expect_error("path layers.tmx 0,0 5,0 --layer wall", 2, "there are 'floor', 'walls'");
    expect_error("path level.tmx 0,0 5,0 --max-pixels 40", 3, "at most");
    EXPECT_EQ(run("convert level.tmx a.map --wall-property solid --empty-is-free").code, 0);
    expect_error("convert a.map a.tmx", 2, "a map file ends in");
    folder_.file("bad.tmx", "<map");
    expect_error("path bad.tmx 0,0 5,0", 3, "bad.tmx:1:");
}

TEST_F(TiledCommand, ConvertSaysWhichTileTheFirstCellIs) {
    TiledFile map;
    map.infinite = true;
    map.layers.push_back({"walls", {}, {{-32, 16, 2, 1, {1, 0}}}, ""});
    map.tilesets.emplace_back();
    folder_.file("far.tmx", xml_of(map, {}));
    const Ran ran = run("convert far.tmx far.map --layer walls");
    EXPECT_EQ(ran.code, 0);
    EXPECT_THAT(ran.out, ::testing::HasSubstr("the cell 0,0 is the tile -32,16"));
    EXPECT_EQ(json("convert far.tmx far.map --layer walls")["tile"], nlohmann::json({-32, 16}));
    EXPECT_EQ(json("convert level.tmj a.map")["tile"], nlohmann::json({0, 0}));
}

/// Tiled itself writes the maps again, as JSON and as XML.
TEST_F(TiledCommand, WhatTheEditorWritesIsTheSameMap) {
    ASSERT_EQ(run("convert level.tmx a.map").code, 0);
    const auto by_tiled = [&](const std::string& format, const std::string& file) {
        return run_program(
                   "env", folder_.path(),
                   "QT_QPA_PLATFORM=offscreen tiled --export-map " + format + " level.tmx " + file)
            .code;
    };
    if (by_tiled("tmx", "b.tmx") != 0) GTEST_SKIP() << "Tiled is not installed";
    ASSERT_EQ(by_tiled("json", "b.tmj"), 0);
    for (const char* file : {"b.tmx", "b.tmj"}) {
        ASSERT_EQ(run(std::string("convert ") + file + " b.map").code, 0);
        EXPECT_EQ(bytes_of(folder_.path() / "b.map"), bytes_of(folder_.path() / "a.map")) << file;
    }
}

TEST_F(TiledCommand, TerrainIsForAgents) {
    TiledFile map;
    map.width = 3;
    map.height = 1;
    map.tilesets.push_back(
        {1, {{0, {{"terrain", "string", "ground"}}}, {1, {{"terrain", "string", "water"}}}}, ""});
    map.layers.push_back({"floor", {}, {{0, 0, 3, 1, {1, 2, 1}}}, ""});
    folder_.file("sea.tmx", xml_of(map, {}));
    EXPECT_EQ(run("path sea.tmx 0,0 2,0").code, 1);
    EXPECT_EQ(run("path sea.tmx 0,0 2,0 --planner haa --agent 1:ground").code, 1);
    EXPECT_EQ(run("path sea.tmx 0,0 2,0 --planner haa --agent 1:ground+water").code, 0);
}

}  // namespace
}  // namespace cairn::test
