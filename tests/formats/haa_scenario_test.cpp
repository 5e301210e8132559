// HAA* scenarios: reading, writing, and errors with their place in the file.

#include "cairn/formats/haa_scenario.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "support/mutation.hpp"
#include "support/scratch_folder.hpp"

namespace cairn::formats {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr haa::TerrainSet kGroundOnly = haa::terrain_set({haa::kGround});
constexpr haa::TerrainSet kTreesOnly = haa::terrain_set({haa::kTrees});
constexpr haa::TerrainSet kBoth = haa::terrain_set({haa::kGround, haa::kTrees});

const std::string kSmallHaaText =
    "2\nmaps/a b.map\t71\t32\t84\t43\t4\t2\t52\nc.map\t1\t2\t3\t4\t64\t1\t2.5\n"
    "c.map\t0\t0\t0\t0\t68\t8\t1\n";
const HaaScenario kSmallHaaScenario{{{"maps/a b.map", {71, 32}, {84, 43}, kGroundOnly, 2, 52},
                                     {"c.map", {1, 2}, {3, 4}, kTreesOnly, 1, 2.5},
                                     {"c.map", {0, 0}, {0, 0}, kBoth, 8, 1}}};

TEST(HaaScenarioFile, ReadsTheCanonicalFormAndWritesItAgain) {
    const auto scenario = parse_haa_scenario(kSmallHaaText, "small.scenario");
    ASSERT_TRUE(scenario) << scenario.error().message;
    EXPECT_EQ(*scenario, kSmallHaaScenario);
    EXPECT_EQ(format_haa_scenario(*scenario).value(), kSmallHaaText);
}

TEST(HaaScenarioFile, ReadsOtherLineEndsAndBlanks) {
    for (const char* text :
         {"2\r\nc.map\t1\t2\t3\t4\t64\t1\t2.5\r\n\r\n", " 2 \n\nc.map   1 2 3 4 64 1 2.5  ",
          "2\nc.map\t1\t2\t3\t4\t64\t1\t25e-1\n"}) {
        const auto scenario = parse_haa_scenario(text, "other.scenario");
        ASSERT_TRUE(scenario) << scenario.error().message;
        ASSERT_EQ(scenario->problems.size(), 1U);
        EXPECT_EQ(scenario->problems[0], kSmallHaaScenario.problems[1]);
    }
    EXPECT_TRUE(parse_haa_scenario("2", "none.scenario").value().problems.empty());
}

struct BadHaaScenario {
    const char* text;
    const char* message;
    StatusCode code = StatusCode::corrupt_file;
};

TEST(HaaScenarioFile, ErrorsNameFileLineAndColumn) {
    const std::vector<BadHaaScenario> bad{
        {"", "s:1:1: the file is empty"},
        {"a.map 1 2 3 4 4 1 5\n", "s:1:1: a HAA* scenario begins with a line that says 2"},
        {"version 1\n", "s:1:1: a HAA* scenario begins with a line that says 2"},
        {"2 2\n", "s:1:1: a HAA* scenario begins with a line that says 2"},
        {"3\n", "s:1:1: HAA* scenario version '3'", StatusCode::wrong_version},
        {"2\na.map 1 2 3 4 4 1\n", "s:2:18: 7 fields where 8 are needed"},
        {"2\na b.map 1 2 3 4 4 1 5\n", "s:2:22: 9 fields where 8 are needed"},
        {"2\n\na.map -1 2 3 4 4 1 5\n", "s:3:7: start x '-1': needs a number from 0"},
        {"2\na.map 1 2x 3 4 4 1 5\n", "s:2:9: start y '2x'"},
        {"2\na.map 1 2 99999999999 4 4 1 5\n", "s:2:11: goal x '99999999999'"},
        {"2\na.map 1 2 3 32768 4 1 5\n", "s:2:13: goal y '32768'"},
        {"2\na.map 1 2 3 4 5 1 5\n", "s:2:15: capability '5': 4 (ground), 64 (trees)"},
        {"2\na.map 1 2 3 4 4 0 5\n", "s:2:17: agent size '0': needs a number from 1 to 255"},
        {"2\na.map 1 2 3 4 4 1 nan\n", "s:2:19: distance 'nan'"},
        {"2\na.map 1 2 3 4 4 1 -5\n", "s:2:19: distance '-5'"},
        {"2\n\t1\t2\t3\t4\t4\t1\t5\n", "s:2:1: map name '' is not a file name"},
        {"2\na\x01\t1\t2\t3\t4\t4\t1\t5\n", "s:2:1: map name 'a\\x01'"},
    };
    for (const BadHaaScenario& file : bad) {
        const auto scenario = parse_haa_scenario(file.text, "s");
        ASSERT_FALSE(scenario) << file.text;
        EXPECT_EQ(scenario.error().code, file.code) << file.text;
        EXPECT_THAT(scenario.error().message, StartsWith(file.message));
    }
}

TEST(HaaScenarioFile, DamagedFilesGiveAResultOrAnErrorWithALine) {
    test::for_each_damage(kSmallHaaText, 20'000, [](const std::string& text) {
        const auto scenario = parse_haa_scenario(text, "s");
        if (!scenario) {
            ASSERT_THAT(scenario.error().message, StartsWith("s:"));
            return;
        }
        const auto canonical = format_haa_scenario(*scenario);
        ASSERT_TRUE(canonical) << canonical.error().message << text;
        ASSERT_EQ(parse_haa_scenario(*canonical, "again").value(), *scenario);
    });
}

TEST(HaaScenarioFile, WritesOnlyWhatCanBeReadBack) {
    const auto expect_refused = [](auto change) {
        HaaScenario scenario = kSmallHaaScenario;
        change(scenario.problems[1]);
        const auto text = format_haa_scenario(scenario);
        ASSERT_FALSE(text);
        EXPECT_EQ(text.error().code, StatusCode::bad_option);
        EXPECT_THAT(text.error().message, StartsWith("problem 2 (map "));
    };
    for (const char* name : {"", " a.map", "a\tb.map", "a\nb.map", "a.map\r"})
        expect_refused([&](HaaProblem& p) { p.map = name; });
    for (const double distance :
         {-1.0, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()})
        expect_refused([&](HaaProblem& p) { p.distance = distance; });
    expect_refused([](HaaProblem& p) { p.goal.x = -1; });
    expect_refused([](HaaProblem& p) { p.size = 0; });
    expect_refused([](HaaProblem& p) { p.terrains = haa::terrain_set({haa::kWater}); });
}

// The name would end the problem's line, and the next line would be another problem.
TEST(HaaScenarioFile, AMapNameThatHoldsAWholeProblemIsNotWritten) {
    HaaScenario scenario = kSmallHaaScenario;
    scenario.problems[1].map = "c.map\t1\t2\t3\t4\t64\t1\t2.5\nc.map";
    EXPECT_EQ(format_haa_scenario(scenario).error().code, StatusCode::bad_option);
}

TEST(HaaScenarioFile, WrittenFilesLoadAgain) {
    const test::ScratchFolder folder;
    const auto path = folder.path() / "small.scenario";
    ASSERT_TRUE(write_haa_scenario(path, kSmallHaaScenario).ok());
    EXPECT_EQ(test::bytes_of(path), kSmallHaaText);
    EXPECT_EQ(load_haa_scenario(path).value(), kSmallHaaScenario);
    const auto missing = load_haa_scenario(folder.path() / "missing.scenario");
    ASSERT_FALSE(missing);
    EXPECT_THAT(missing.error().message, HasSubstr("missing.scenario"));
}

}  // namespace
}  // namespace cairn::formats
