// `cairn-lab recast-sweep`: what Recast makes of geometry with many settings.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "lab/lab_test.hpp"

namespace cairn::test {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class RecastSweep : public LabTest {
protected:
    /// Writes floor.obj: two squares of 12 x 12, a gap of 2 between them.
    void SetUp() override {
#ifndef CAIRN_APP_DETOUR
        GTEST_SKIP() << "built without Detour";
#endif
        std::ofstream obj(folder_.path() / "floor.obj");
        for (const int x : {0, 12, 14, 26}) obj << "v " << x << " 0 0\nv " << x << " 0 12\n";
        obj << "f 1 2 4 3\nf 5 6 8 7\n";
    }
};

TEST_F(RecastSweep, HasARowForEachSetting) {
    const Ran ran =
        lab("recast-sweep . --cell-sizes 0.2,0.5 --edge-errors 1.3 --radii 0,0.6 --tile-sizes 0,32 "
            "--pairs 40 --out csv");
    ASSERT_EQ(ran.code, 0) << ran.err;
    const CsvRows rows = csv_file(folder_.path() / "csv" / "recast_sweep.csv");
    ASSERT_EQ(rows.size(), 8U);
    for (const CsvRow& row : rows) {
        EXPECT_EQ(row.text("mesh"), "floor");
        EXPECT_EQ(row.number("pairs"), 40);
        // The squares are not joined: some pairs have a path and some have none.
        EXPECT_GT(row.number("found"), 0);
        EXPECT_LT(row.number("found"), 40);
        EXPECT_EQ(row.number("wrong"), 0);
        EXPECT_EQ(row.number("tiles") > 1, row.number("tile_size") > 0);
        EXPECT_GE(row.number("polygons"), 2);
    }
    const CsvRows meshes = csv_file(folder_.path() / "csv" / "recast_sweep_meshes.csv");
    ASSERT_EQ(meshes.size(), 1U);
    EXPECT_EQ(meshes[0].number("settings"), 8);
    EXPECT_EQ(meshes[0].number("meshes"), 8);
    EXPECT_EQ(meshes[0].number("pairs"), 320);
}

TEST_F(RecastSweep, GridsThatAreTooLargeAreNoMeshes) {
    const CsvRows rows = LabTest::rows(
        "recast-sweep floor.obj --cell-sizes 0.001 --edge-errors 1 --radii 0 --tile-sizes 0");
    ASSERT_EQ(rows.size(), 1U);
    EXPECT_THAT(rows[0].text("note"), StartsWith("Recast: a grid of"));
    EXPECT_EQ(rows[0].number("polygons"), 0);
}

TEST_F(RecastSweep, ExplainsMistakes) {
    EXPECT_EQ(lab("recast-sweep nowhere.obj").code, 4);
    EXPECT_EQ(lab("recast-sweep csv").code, 4);
    const Ran ran = lab("recast-sweep floor.obj --cell-sizes 0.3 --radii 90");
    EXPECT_NE(ran.code, 0);
    EXPECT_THAT(ran.err, HasSubstr("agent_radius 90"));
}

// Published levels, with settings that made odd polygons on one of them.
TEST_F(RecastSweep, FindsOnPublishedLevelsWhatDetourFinds) {
    const char* const data = std::getenv("CAIRN_DATA");
    if (data == nullptr) GTEST_SKIP() << "CAIRN_DATA is not set";
    const std::string folder = std::string(data) + "/navmesh/";
    const Ran ran =
        lab("recast-sweep " + folder + "obj/nav_test.obj " + folder +
            "refused/czest2ctf.obj --cell-sizes 0.4 --edge-errors 0.8,2.5 --radii 0,0.6 "
            "--pairs 50 --out csv");
    ASSERT_EQ(ran.code, 0) << ran.err;
    const CsvRows rows = csv_file(folder_.path() / "csv" / "recast_sweep.csv");
    ASSERT_EQ(rows.size(), 16U);
    double odd = 0;
    double found = 0;
    for (const CsvRow& row : rows) {
        EXPECT_EQ(row.number("wrong"), 0) << row.text("mesh");
        EXPECT_TRUE(row.empty("note")) << row.text("note");
        odd += row.number("odd_polygons");
        found += row.number("found");
    }
    EXPECT_GT(odd, 0);
    EXPECT_GT(found, 100);
}

}  // namespace
}  // namespace cairn::test
