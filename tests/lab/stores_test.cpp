// `cairn-lab stores`: index files that hold their map.

#include <gtest/gtest.h>

#include "lab/lab_test.hpp"

namespace cairn::test {
namespace {

class Stores : public LabTest {};

TEST_F(Stores, ComparesFilesOfOneMap) {
    for (const char* planner : {"hpa", "subgoal"}) {
        ASSERT_EQ(
            cairn(std::string("build a.map ") + planner + ".cairn --with-map --planner " + planner)
                .code,
            0);
    }
    for (const char* checks : {"contents", "none"}) {
        const CsvRows found =
            rows(std::string("stores subgoal.cairn hpa.cairn --queries 200 --edits 6 --rounds 1 "
                             "--checks ") +
                 checks);
        ASSERT_EQ(found.size(), 2U);
        EXPECT_EQ(found[0].text("planner"), "subgoal");
        EXPECT_EQ(found[1].text("planner"), "hpa");
        for (const CsvRow& row : found) {
            EXPECT_EQ(row.number("cells"), 50 * 40);
            EXPECT_GT(row.number("file_bytes"), row.number("cells"));
            EXPECT_EQ(row.number("queries"), 200);
            EXPECT_GT(row.number("cost_mean_us"), 0);
            EXPECT_GE(row.number("path_p99_us"), row.number("path_median_us"));
            EXPECT_EQ(row.number("edits"), 6);
            EXPECT_GT(row.number("edit_median_ms"), 0);
            EXPECT_EQ(row.number("wrong"), 0);
        }
        EXPECT_EQ(found[0].number("cost_error"), 0);
        EXPECT_GT(found[1].number("cost_error"), 0);
        EXPECT_LE(found[1].number("path_error"), found[1].number("cost_error"));
    }
    // Without an exact file first there is nothing to compare with.
    EXPECT_TRUE(rows("stores hpa.cairn --queries 20 --rounds 1").front().empty("cost_error"));
    EXPECT_NE(lab("stores a.map").code, 0);
}

}  // namespace
}  // namespace cairn::test
