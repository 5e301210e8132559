// `cairn-lab bench` with the planners of HAA*.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lab/lab_test.hpp"

namespace cairn::test {
namespace {

using ::testing::HasSubstr;

class HaaBench : public LabTest {};

const std::string kAllPlanners = "--planners haa-cost,haa-abstract,haa-path,haa,haa-plain ";
const std::string kAgents =
    "--capabilities ground,trees,ground+trees --max-size 3 --trees 20 --random 60 ";

TEST_F(HaaBench, MeasuresEveryPlannerForEveryAgent) {
    const Ran ran = bench("a.map b.map --out csv " + kAllPlanners + kAgents);
    ASSERT_EQ(ran.code, 0) << ran.err << ran.out;
    EXPECT_EQ(ran.out, "");
    const CsvRows rows = csv_file(folder_.path() / "csv" / "bench.csv");
    ASSERT_EQ(rows.size(), 18U);  // six planners: on each map, then on both
    for (const CsvRow& row : rows) {
        EXPECT_EQ(row.number("queries"), row.text("map") == "all" ? 120 : 60);
        EXPECT_EQ(row.text("wrong"), "0");
        EXPECT_GE(row.number("mean_error"), 0);
    }
    EXPECT_EQ(rows[0].text("planner"), "aa");
    EXPECT_EQ(rows[0].number("ratio"), 1);
    EXPECT_EQ(rows[0].number("mean_error"), 0);
    EXPECT_EQ(rows[12].text("map"), "all");
    EXPECT_GE(rows[15].number("mean_error"), rows[16].number("mean_error"));  // the second smooths
    EXPECT_GT(rows[13].number("bytes_per_cell"), rows[12].number("bytes_per_cell"));
    bool agents_of_size_2 = false;
    for (const CsvRow& row : csv_file(folder_.path() / "csv" / "agents.csv")) {
        agents_of_size_2 = agents_of_size_2 || row.text("agent") == "2:ground+trees";
        EXPECT_EQ(row.text("planner") == "aa", row.number("view_bytes_per_cell") == 0);
    }
    EXPECT_TRUE(agents_of_size_2);
}

TEST_F(HaaBench, AbstractionsShrinkFromInitialToLow) {
    const std::string arguments = "bench --rounds 1 a.map --planners haa-plain " + kAgents;
    double last = 1e9;
    for (const char* abstraction : {"initial", "high", "low"}) {
        const CsvRows all = rows(arguments + "--abstraction " + abstraction);
        const double bytes = all.at(1).number("bytes_per_cell");
        EXPECT_LT(bytes, last);
        last = bytes;
    }
}

TEST_F(HaaBench, TheTerrainSeedPlacesTheTrees) {
    const std::string arguments = "bench --rounds 1 a.map --planners haa-cost " + kAgents;
    const auto index_bytes = [&](const std::string& options) {
        return rows(arguments + options).at(1).text("index_bytes");
    };
    EXPECT_EQ(index_bytes(""), index_bytes("--terrain-seed 1"));
    EXPECT_NE(index_bytes(""), index_bytes("--terrain-seed 2"));
}

TEST_F(HaaBench, PrintsOneBlockForEachSheet) {
    const Ran ran = bench("a.map --planners haa --random 20");
    EXPECT_EQ(ran.code, 0) << ran.err;
    const auto blocks = csv_blocks(ran.out);
    ASSERT_EQ(blocks.size(), 2U) << ran.out;
    EXPECT_TRUE(blocks[1].front().has("prepare_ms"));
    EXPECT_THAT(ran.out, HasSubstr("2:ground,"));
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
