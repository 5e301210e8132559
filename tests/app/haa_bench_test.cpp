// `cairn bench` with the planners for agents.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bench_test.hpp"

namespace cairn::test {
namespace {

using ::testing::HasSubstr;

class HaaBench : public BenchTest {};

const std::string kAll = "--planners haa-cost,haa-abstract,haa-path,haa,haa-plain ";
const std::string kAgents =
    "--capabilities ground,trees,ground+trees --max-size 3 --trees 20 --random 60 ";

TEST_F(HaaBench, EveryPlannerOnEveryAgent) {
    const Ran ran = bench("a.map b.map --json " + kAll + kAgents);
    ASSERT_EQ(ran.code, 0) << ran.err << ran.out;
    const auto rows = ran.json()["rows"];
    ASSERT_EQ(rows.size(), 6U);
    EXPECT_EQ(rows[0]["planner"], "aa");
    EXPECT_EQ(rows[0]["ratio"], 1);
    for (const auto& row : rows) {
        EXPECT_EQ(row["queries"], 120);
        EXPECT_EQ(row["wrong"], 0) << row;
        EXPECT_GE(row["mean_error"], 0);
    }
    EXPECT_EQ(rows[0]["mean_error"], 0);
    EXPECT_GE(rows[3]["mean_error"], rows[4]["mean_error"]);  // the latter smoothed
    EXPECT_GT(rows[1]["bytes_per_cell"], rows[0]["bytes_per_cell"]);
    bool two = false;
    const auto agents = ran.json()["agents"];
    for (const auto& row : agents) {
        two = two || row["agent"] == "2:ground+trees";
        EXPECT_EQ(row["planner"] == "aa", row["view_bytes_per_cell"] == 0) << row;
    }
    EXPECT_TRUE(two);
}

TEST_F(HaaBench, AbstractionsDifferInBytes) {
    const std::string arguments = "a.map --json --planners haa-plain " + kAgents;
    double last = 1e9;
    for (const char* abstraction : {"initial", "high", "low"}) {
        const Ran ran = bench(arguments + "--abstraction " + abstraction);
        ASSERT_EQ(ran.code, 0) << ran.err;
        const double bytes = ran.json()["rows"][1]["bytes_per_cell"];
        EXPECT_LT(bytes, last);
        last = bytes;
    }
}

TEST_F(HaaBench, TreesComeFromTheirSeed) {
    const std::string arguments = "a.map --json --planners haa-cost " + kAgents;
    const auto nodes = [&](const std::string& more) {
        return bench(arguments + more).json()["rows"][1]["index_bytes"];
    };
    EXPECT_EQ(nodes(""), nodes("--terrain-seed 1"));
    EXPECT_NE(nodes(""), nodes("--terrain-seed 2"));
}

TEST_F(HaaBench, TablesNameTheAgents) {
    const Ran ran = bench("a.map --planners haa --random 20");
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_THAT(ran.out, HasSubstr("prepare ms"));
    EXPECT_THAT(ran.out, HasSubstr("2:ground "));
    EXPECT_EQ(bench("a.map --planners aa --random 1").code, 0);
}

TEST_F(HaaBench, MistakesAreExplained) {
    expect_mistake("--planners haa,hpa", "run them apart");
    expect_mistake("--planners haa --edits 3", "--edits");
    expect_mistake("--planners hpa --trees 20", "--planners haa");
    expect_mistake("--planners haa --trees 120", "--trees");
    expect_mistake("--planners haa --diagonals none", "--diagonals");
    expect_mistake("--planners haa --capabilities lava", "lava");
}

}  // namespace
}  // namespace cairn::test
