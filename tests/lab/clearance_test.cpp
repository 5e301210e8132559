// `cairn-lab clearance`: gates, pieces, the time of reachable(), and classes of a DiscIndex.

#include <gtest/gtest.h>

#include "lab/lab_test.hpp"

namespace cairn::test {
namespace {

class ClearanceBench : public LabTest {};

TEST_F(ClearanceBench, CountsGatesAndAnswersForEachRadius) {
    const Ran ran = lab("clearance a.map --radius 0,0.25,0.5,2 --pairs 200 --rounds 1");
    ASSERT_EQ(ran.code, 0) << ran.err;
    const std::vector<CsvRows> blocks = csv_blocks(ran.out);
    ASSERT_EQ(blocks.size(), 3U);
    ASSERT_EQ(blocks[0].size(), 1U);
    const CsvRow& mesh = blocks[0][0];
    EXPECT_GT(mesh.number("gates"), 0);
    EXPECT_GT(mesh.number("pieces"), mesh.number("polygons"));
    EXPECT_GT(mesh.number("polygon_bytes"), 0);
    ASSERT_EQ(blocks[1].size(), 4U);
    double reached = 200;
    for (const CsvRow& radius : blocks[1]) {
        EXPECT_EQ(radius.number("queries"), 200);
        EXPECT_EQ(radius.number("wrong"), 0);
        EXPECT_LE(radius.number("reached"), reached);
        reached = radius.number("reached");
    }
    EXPECT_EQ(blocks[1][0].number("reached"), 200) << "points pass everywhere";
    // A class for each radius above 0 that joins places, the greatest first.
    EXPECT_EQ(reached, 0);
    ASSERT_EQ(blocks[2].size(), 2U);
    EXPECT_EQ(blocks[2][0].number("radius"), 0.5);
    EXPECT_EQ(blocks[2][1].number("radius"), 0.25);
    EXPECT_EQ(blocks[2][0].number("queries"), blocks[1][2].number("reached"));
    EXPECT_LT(blocks[2][1].number("more_polygon_bytes"), blocks[2][1].number("polygon_bytes"));
    for (const CsvRow& radius : blocks[2]) {
        EXPECT_EQ(radius.number("no_line"), 0);
        EXPECT_GT(radius.number("path_mean_us"), 0);
    }
}

TEST_F(ClearanceBench, MostRadiusCutsLess) {
    const CsvRows all = rows("clearance a.map --radius 0.5 --pairs 10 --rounds 1");
    const CsvRows some =
        rows("clearance a.map --radius 0.5 --most-radius 0.5 --pairs 10 --rounds 1");
    EXPECT_LT(some.front().number("gates"), all.front().number("gates"));
    const Ran refused = lab("clearance a.map --radius 1 --most-radius 0.5");
    EXPECT_NE(refused.code, 0);
    EXPECT_NE(refused.err.find("--most-radius"), std::string::npos);
    EXPECT_NE(lab("clearance missing.mesh").code, 0);
}

}  // namespace
}  // namespace cairn::test
