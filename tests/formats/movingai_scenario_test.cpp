// MovingAI scenarios: reading, writing, and errors with their place in the file.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "cairn/formats/movingai.hpp"
#include "support/mutation.hpp"
#include "support/scratch_folder.hpp"

namespace cairn::formats {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

const std::string kSmallScenarioText =
    "version 1\n0\tmaps/a "
    "b.map\t8\t9\t1\t2\t3\t4\t2.82842712\n7\tc.map\t8\t9\t5\t6\t5\t6\t0.00000000\n";
const Scenario kSmallScenario{{{0, "maps/a b.map", 8, 9, {1, 2}, {3, 4}, 2.82842712},
                               {7, "c.map", 8, 9, {5, 6}, {5, 6}, 0.0}}};

TEST(MovingAiScenario, ReadsTheCanonicalFormAndWritesItAgain) {
    const auto scenario = parse_scenario(kSmallScenarioText, "small.scen");
    ASSERT_TRUE(scenario) << scenario.error().message;
    EXPECT_EQ(*scenario, kSmallScenario);
    EXPECT_EQ(format_scenario(*scenario).value(), kSmallScenarioText);
}

TEST(MovingAiScenario, ReadsOtherVersionsLineEndsAndBlanks) {
    for (const char* text : {
             "version 1.0\n3 maps/a.map 8 9 1 2 3 4 2.5\n",
             "version 1\r\n3\tmaps/a.map\t8\t9\t1\t2\t3\t4\t2.5\r\n\r\n",
             "version 1 \n\n3   maps/a.map 8 9 1 2 3 4 2.5  ",
             "version 1.0\n3\tmaps/a.map\t8\t9\t1\t2\t3\t4\t25e-1\n",
         }) {
        const auto scenario = parse_scenario(text, "other.scen");
        ASSERT_TRUE(scenario) << scenario.error().message;
        ASSERT_EQ(scenario->problems.size(), 1U);
        EXPECT_EQ(scenario->problems[0],
                  (ScenarioProblem{3, "maps/a.map", 8, 9, {1, 2}, {3, 4}, 2.5}));
    }
    EXPECT_TRUE(parse_scenario("version 1", "none.scen").value().problems.empty());
}

struct BadScenario {
    const char* text;
    const char* message;
    StatusCode code = StatusCode::corrupt_file;
};

TEST(MovingAiScenario, ErrorsNameFileLineAndColumn) {
    const std::vector<BadScenario> bad{
        {"", "s.scen:1:1: the file is empty"},
        {"0 a.map 8 9 1 2 3 4 2.5\n", "s.scen:1:1: a scenario begins with 'version 1'"},
        {"version 1 2\n", "s.scen:1:1: a scenario begins with 'version 1'"},
        {"version 2\n", "s.scen:1:9: scenario version '2'", StatusCode::wrong_version},
        {"version\n", "s.scen:1:8: scenario version ''", StatusCode::wrong_version},
        {"version 1\n0 a.map 8 9 1 2 3 4\n", "s.scen:2:20: 8 fields where 9 are needed"},
        {"version 1\n0 a b.map 8 9 1 2 3 4 2.5\n", "s.scen:2:26: 10 fields where 9 are needed"},
        {"version 1\n\n-1 a.map 8 9 1 2 3 4 2.5\n",
         "s.scen:3:1: bucket '-1': needs a number from 0"},
        {"version 1\n0 a.map 8x 9 1 2 3 4 2.5\n", "s.scen:2:9: map width '8x'"},
        {"version 1\n0 a.map 8 32769 1 2 3 4 2.5\n", "s.scen:2:11: map height '32769'"},
        {"version 1\n0 a.map 8 9 -1 2 3 4 2.5\n", "s.scen:2:13: start x '-1'"},
        {"version 1\n0 a.map 8 9 1 99999999999 3 4 2.5\n", "s.scen:2:15: start y '99999999999'"},
        {"version 1\n0\ta\t8\t9\t1\t2\t\t4\t2.5\n", "s.scen:2:13: goal x ''"},
        {"version 1\n0 a.map 8 9 1 2 3 32768 2.5\n", "s.scen:2:19: goal y '32768'"},
        {"version 1\n0 a.map 8 9 1 2 3 4 nan\n", "s.scen:2:21: optimal length 'nan'"},
        {"version 1\n0 a.map 8 9 1 2 3 4 inf\n", "s.scen:2:21: optimal length 'inf'"},
        {"version 1\n0 a.map 8 9 1 2 3 4 -2\n", "s.scen:2:21: optimal length '-2'"},
        {"version 1\n0\t\t8\t9\t1\t2\t3\t4\t2.5\n", "s.scen:2:3: map name '' is not a file name"},
        {"version 1\n0\ta\x01\t8\t9\t1\t2\t3\t4\t2.5\n", "s.scen:2:3: map name 'a\\x01'"},
    };
    for (const BadScenario& file : bad) {
        const auto scenario = parse_scenario(file.text, "s.scen");
        ASSERT_FALSE(scenario) << file.text;
        EXPECT_EQ(scenario.error().code, file.code) << file.text;
        EXPECT_THAT(scenario.error().message, StartsWith(file.message));
    }
}

TEST(MovingAiScenario, DamagedFilesGiveAResultOrAnErrorWithALine) {
    test::for_each_damage(kSmallScenarioText, 20'000, [](const std::string& text) {
        const auto scenario = parse_scenario(text, "s.scen");
        if (!scenario) {
            ASSERT_THAT(scenario.error().message, StartsWith("s.scen:"));
            return;
        }
        const auto canonical = format_scenario(*scenario);
        ASSERT_TRUE(canonical) << canonical.error().message << text;
        const auto again = parse_scenario(*canonical, "again");
        ASSERT_TRUE(again) << again.error().message;
        ASSERT_EQ(format_scenario(*again).value(), *canonical);
    });
}

TEST(MovingAiScenario, WritesOnlyWhatCanBeReadBack) {
    for (const char* name : {"", " a.map", "a\tb.map", "a\nb.map", "a.map\r"}) {
        Scenario scenario = kSmallScenario;
        scenario.problems[1].map = name;
        const auto text = format_scenario(scenario);
        ASSERT_FALSE(text) << name;
        EXPECT_EQ(text.error().code, StatusCode::bad_option);
        EXPECT_THAT(text.error().message, StartsWith("problem 2 (map "));
    }
    for (const double length : {-1.0, std::numeric_limits<double>::infinity(),
                                std::numeric_limits<double>::quiet_NaN()}) {
        Scenario scenario = kSmallScenario;
        scenario.problems[0].optimal_length = length;
        EXPECT_FALSE(format_scenario(scenario)) << length;
    }
    Scenario scenario = kSmallScenario;
    scenario.problems[0].goal.x = -1;
    EXPECT_FALSE(format_scenario(scenario));
}

// The name would end the problem's line, and the next line would be another problem.
TEST(MovingAiScenario, AMapNameThatHoldsAWholeProblemIsNotWritten) {
    Scenario scenario = kSmallScenario;
    scenario.problems[1].map = "a.map\t8\t9\t5\t6\t5\t6\t0\n7\tc.map";
    EXPECT_EQ(format_scenario(scenario).error().code, StatusCode::bad_option);
}

TEST(MovingAiScenario, WrittenFilesLoadAgain) {
    const test::ScratchFolder folder;
    const auto path = folder.path() / "small.scen";
    ASSERT_TRUE(write_scenario(path, kSmallScenario).ok());
    EXPECT_EQ(test::bytes_of(path), kSmallScenarioText);
    EXPECT_EQ(load_scenario(path).value(), kSmallScenario);
    const auto missing = load_scenario(folder.path() / "missing.scen");
    ASSERT_FALSE(missing);
    EXPECT_THAT(missing.error().message, HasSubstr("missing.scen"));
}

}  // namespace
}  // namespace cairn::formats
