// Index files that hold their map, in place of a map, and their edits (cairn edit).

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "command_test.hpp"

namespace cairn::test {
namespace {

class StoreCommand : public CommandTest {
protected:
    void SetUp() override {
        ASSERT_EQ(run("generate open a.map --width 60 --height 40").code, 0);
        for (const char* planner : {"hpa", "subgoal"}) {
            ASSERT_EQ(run(std::string("build a.map ") + planner + ".cairn --with-map --planner " +
                          planner)
                          .code,
                      0);
        }
    }
    [[nodiscard]] nlohmann::json cost(const std::string& file, const std::string& options = "") {
        return json("path " + file + " 1,1 57,37 " + options)["cost"];
    }
};

TEST_F(StoreCommand, TakesTheFileInPlaceOfTheMap) {
    for (const std::string planner : {"hpa", "subgoal"}) {
        const std::string file = planner + ".cairn";
        const auto expected = cost("a.map", "--planner " + planner);
        for (const char* checks : {"contents", "checksums", "none"})
            EXPECT_EQ(cost(file, std::string("--checks ") + checks), expected);
        EXPECT_EQ(json("path " + file + " 1,1 57,37")["path"],
                  json("path a.map 1,1 57,37 --index " + file)["path"]);
        EXPECT_EQ(json("verify " + file)["ok"], true);
        const auto inspected = json("inspect " + file);
        EXPECT_EQ(inspected["planner"], planner);
        EXPECT_EQ(inspected["map"]["width"], 60);
        EXPECT_EQ(run("inspect " + file + " --graph 1").out,
                  run("inspect " + file + " --map a.map --graph 1").out);
    }
    expect_error("path hpa.cairn 1,1 57,37 --index subgoal.cairn", 2, "--index");
    expect_error("path hpa.cairn 1,1 57,37 --costs 1,1", 2, "--costs");
    ASSERT_EQ(run("build a.map bare.cairn --planner hpa").code, 0);
    expect_error("path bare.cairn 1,1 57,37", 2, "bare.cairn: the file holds no map");
}

TEST_F(StoreCommand, EditsAreFollowedByAllCommands) {
    for (const std::string planner : {"hpa", "subgoal"}) {
        const std::string file = planner + ".cairn";
        const auto before = cost(file);
        const std::string wall = "--edit 30,0,1,35,@ --edit 40,6,2,34,@";
        const auto expected = cost("a.map", "--planner " + planner + " " + wall);
        const auto edited = json("edit " + file + " " + wall);
        EXPECT_EQ(edited["generation"], 1);
        EXPECT_EQ(edited["logged"], 1);
        EXPECT_EQ(cost(file), expected);
        EXPECT_EQ(json("verify " + file)["ok"], true);
        EXPECT_EQ(json("inspect " + file)["map"]["free_cells"], 60 * 40 - 35 - 2 * 34);
        const auto restored =
            cost("a.map", "--planner " + planner + " " + wall + " --edit 20,0,1,33,@");
        EXPECT_EQ(json("edit " + file + " --edit 20,0,1,33,@ --checks none")["generation"], 2);
        EXPECT_EQ(cost(file), restored);
        const auto compacted = json("edit " + file + " --compact");
        EXPECT_EQ(compacted["generation"], 2);
        EXPECT_EQ(compacted["logged"], 0);
        EXPECT_FALSE(std::filesystem::exists(folder_.path() / (file + ".edits")));
        EXPECT_EQ(cost(file), restored);
        EXPECT_NE(restored, before);
    }
}

TEST_F(StoreCommand, ReadsAMapInTiles) {
    const std::string city = "--width 200 --height 150 --seed 5";
    ASSERT_EQ(run("generate city whole.map " + city).code, 0);
    for (const int side : {100, 75}) {
        for (int y = 0; y * side < 150; ++y) {
            for (int x = 0; x * side < 200; ++x) {
                const int width = std::min(side, 200 - x * side);
                const int height = std::min(side, 150 - y * side);
                ASSERT_EQ(run(fmt::format("generate city {}-{}-{}.png {} --area {},{},{},{}", side,
                                          x, y, city, x * side, y * side, width, height))
                              .code,
                          0);
            }
        }
        const auto tiles = std::to_string(side) + "-{x}-{y}.png";
        ASSERT_EQ(run("build '" + tiles + "' tiles.cairn --with-map --planner hpa").code, 0);
        ASSERT_EQ(run("build whole.map whole.cairn --with-map --planner hpa").code, 0);
        EXPECT_EQ(json("inspect tiles.cairn")["map"]["free_cells"],
                  json("inspect whole.cairn")["map"]["free_cells"]);
        EXPECT_EQ(json("path tiles.cairn 0,0 190,140 --nearest")["cost"],
                  json("path whole.cairn 0,0 190,140 --nearest")["cost"]);
    }
    for (const char* area : {"0,0,201,10", "-1,0,5,5", "0,0,0,5", "1,2,3"})
        expect_error("generate city a.map " + city + " --area " + area, 2, "--area");
}

TEST_F(StoreCommand, RefusesWhatItCannotEdit) {
    expect_error("edit hpa.cairn --edit 59,0,2,1,@", 2, "--edit: edit of 2 x 1 cells");
    expect_error("edit hpa.cairn --edit nowhere", 2, "--edit");
    expect_error("edit none.cairn", 4, "none.cairn");
    ASSERT_EQ(run("build a.map bare.cairn --planner hpa").code, 0);
    expect_error("edit bare.cairn", 2, "bare.cairn: the file holds no map");
    folder_.file("hpa.cairn.edits", "damaged");
    expect_error("path hpa.cairn 1,1 57,37", 3, "hpa.cairn.edits: this is no log of edits");
    expect_error("edit hpa.cairn", 3, "hpa.cairn.edits");
}

}  // namespace
}  // namespace cairn::test
