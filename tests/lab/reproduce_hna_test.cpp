// cairn-lab reproduce hna, on a mesh made on the spot: every answer right, every sheet complete.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "lab/lab_test.hpp"

namespace cairn::test {
namespace {

using ::testing::HasSubstr;

/// The folder of CSV of a run whose answers are all right.
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
        for (const char* time : {"astar_us", "hna_us", "pccp_us", "labels_us", "portal_bytes"})
            EXPECT_GT(row.number(time), 0);
    }
}

TEST_F(ReproduceHna, CrowdsAreAnsweredRight) {
    reproduce("--agents 1100");
    const CsvRows crowds = sheet("crowds");
    ASSERT_EQ(crowds.size(), 8U);  // two crowds in four ways
    for (const CsvRow& row : crowds)
        EXPECT_EQ(row.empty("one_thread_ms"), row.text("agents") == "1000");
}

TEST_F(ReproduceHna, CrowdsPlanOnADevice) {
    reproduce("--agents 1100 --device host");
    const CsvRows rows = sheet("device");
    ASSERT_EQ(rows.size(), 4U);
    for (const CsvRow& row : rows) {
        EXPECT_EQ(row.text("agents"), "1100");
        EXPECT_LT(row.number("on_host"), 1100) << "the device has to do most";
    }
}

TEST_F(ReproduceHna, OnlyItHasCrowds) {
    const Ran ran = run_lab(folder_.path(), "reproduce hpa --example-only --agents 10");
    EXPECT_EQ(ran.code, 2);
    EXPECT_THAT(ran.err, HasSubstr("--agents"));
    const Ran alone = run_lab(folder_.path(), "reproduce hna --example-only --device host");
    EXPECT_EQ(alone.code, 2);
    EXPECT_THAT(alone.err, HasSubstr("--device"));
}

}  // namespace
}  // namespace cairn::test
