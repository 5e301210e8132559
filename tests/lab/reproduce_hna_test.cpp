// `cairn-lab reproduce hna` on its built-in example: its answers are right, its sheets complete.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "lab/lab_test.hpp"

namespace cairn::test {
namespace {

using ::testing::HasSubstr;

/// Runs the experiment and reads its sheets, in which no answer may be wrong.
class ReproduceHna : public ::testing::Test {
protected:
    void reproduce(const std::string& arguments) const {
        const Ran ran =
            run_lab(folder_.path(), "reproduce hna --example-only --out csv " + arguments);
        EXPECT_EQ(ran.code, 0) << ran.err;
    }
    [[nodiscard]] CsvRows sheet(const std::string& name) const {
        CsvRows rows = csv_file(folder_.path() / "csv" / (name + ".csv"));
        for (const CsvRow& row : rows)
            EXPECT_TRUE(!row.has("wrong") || row.text("wrong") == "0") << name;
        return rows;
    }

    ScratchFolder folder_;
};

TEST_F(ReproduceHna, EveryAnswerIsRightAndEverySheetComplete) {
    reproduce("--pairs 5");
    EXPECT_EQ(sheet("meshes").size(), 1U);
    EXPECT_EQ(sheet("hierarchies").size(), 21U);
    EXPECT_EQ(sheet("offsets").size(), 5U);
    for (const CsvRow& row : sheet("hierarchies")) {
        for (const char* time : {"astar_us", "hna_us", "choice_us", "pccp_us", "rows_us",
                                 "labels_us", "lane_parallel_us", "portal_bytes"})
            EXPECT_GT(row.number(time), 0);
        // The level of the row is searched, whatever the choice would be.
        EXPECT_EQ(row.number("searched"), row.number("levels"));
        EXPECT_GT(row.number("paper_expanded"), 0);
    }
}

TEST_F(ReproduceHna, CrowdsArePlannedRight) {
    reproduce("--agents 1100");
    const CsvRows crowds = sheet("crowds");
    ASSERT_EQ(crowds.size(), 8U);  // two sizes of crowds, planned in four ways
    for (const CsvRow& row : crowds)
        EXPECT_EQ(row.empty("one_thread_ms"), row.text("agents") == "1000");
}

TEST_F(ReproduceHna, ADevicePlansForMostOfACrowd) {
    reproduce("--agents 1100 --device host");
    const CsvRows rows = sheet("device");
    ASSERT_EQ(rows.size(), 10U);  // four engines on level 1, two on each of three upper levels
    for (const CsvRow& row : rows) {
        EXPECT_EQ(row.text("agents"), "1100");
        if (row.number("connects") == 0) {  // a small mesh has no inter-edges on high levels
            EXPECT_GT(row.number("levels"), 1);
            continue;
        }
        EXPECT_LT(row.number("on_host"), 1100) << "the device plans for most agents";
    }
}

TEST_F(ReproduceHna, OptionsOfCrowdsNeedHnaAndAgents) {
    const Ran ran = run_lab(folder_.path(), "reproduce hpa --example-only --agents 10");
    EXPECT_EQ(ran.code, 2);
    EXPECT_THAT(ran.err, HasSubstr("--agents"));
    const Ran without_agents =
        run_lab(folder_.path(), "reproduce hna --example-only --device host");
    EXPECT_EQ(without_agents.code, 2);
    EXPECT_THAT(without_agents.err, HasSubstr("--device"));
}

}  // namespace
}  // namespace cairn::test
