// `cairn-lab mosaic`, `cairn-lab detour-bench` and `cairn-lab detour-changes`: a large tile set,
// PathQuery beside Detour, and an index that follows changes.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "lab/lab_test.hpp"

namespace cairn::test {
namespace {

using ::testing::HasSubstr;

class DetourBench : public LabTest {
protected:
    /// Writes floor.obj: a square of 24 x 24 at height 5, and a smaller one above the ramps beside
    /// it, which nothing joins to it.
    void SetUp() override {
#ifndef CAIRN_APP_DETOUR
        GTEST_SKIP() << "built without Detour";
#endif
        std::ofstream obj(folder_.path() / "floor.obj");
        for (const int x : {0, 24, 30, 42}) {
            for (const int z : {0, 24}) obj << "v " << x << (x < 30 ? " 5 " : " 12 ") << z << "\n";
        }
        obj << "f 1 2 4 3\nf 5 6 8 7\n";
    }
    [[nodiscard]] std::string bytes(const std::string& file) const {
        std::ostringstream text;
        text << std::ifstream(folder_.path() / file, std::ios::binary).rdbuf();
        return text.str();
    }
};

TEST_F(DetourBench, AMosaicJoinsItsLevels) {
    const Ran one = lab("mosaic floor.obj --output one.bin");
    ASSERT_EQ(one.code, 0) << one.err;
    const Ran four = lab("mosaic . --repeat 4 --output four.bin");
    ASSERT_EQ(four.code, 0) << four.err;
    EXPECT_THAT(four.out, HasSubstr("4 levels"));
    ASSERT_EQ(lab("mosaic floor.obj --repeat 4 --output again.bin").code, 0);
    EXPECT_EQ(bytes("four.bin"), bytes("again.bin"));
    ASSERT_EQ(lab("detour-bench one.bin four.bin --pairs 5 --rounds 1 --out csv").code, 0);
    const CsvRows meshes = csv_file(folder_.path() / "csv" / "detour_index.csv");
    ASSERT_EQ(meshes.size(), 2U);
    // Two components a level; in the mosaic the large ones are one.
    EXPECT_EQ(meshes[0].number("components"), 2);
    EXPECT_EQ(meshes[1].number("components"), 5);
    EXPECT_GT(meshes[1].number("connected"), 4 * meshes[0].number("connected"));
}

TEST_F(DetourBench, MeasuresEveryCallOnTheSamePairs) {
    ASSERT_EQ(lab("mosaic floor.obj --output floor.bin --cell-size 0.2").code, 0);
    for (const std::string order : {"", " --alternate --mu 10 --threads 1"}) {
        const Ran ran = lab("detour-bench floor.bin --pairs 40 --rounds 2 --out csv" + order);
        ASSERT_EQ(ran.code, 0) << ran.err;
        const CsvRows rows = csv_file(folder_.path() / "csv" / "detour_bench.csv");
        ASSERT_EQ(rows.size(), 3U);
        for (const CsvRow& row : rows) {
            EXPECT_EQ(row.number("compared"), 40);
            EXPECT_EQ(row.number("out_of_nodes"), 0);
            EXPECT_EQ(row.number("wrong"), 0);
            for (const char* who : {"detour", "cairn"}) {
                const std::string name = who;
                EXPECT_GT(row.number(name + "_median_us"), 0);
                EXPECT_LE(row.number(name + "_median_us"), row.number(name + "_p99_us"));
            }
            EXPECT_LE(row.number("pair_p1"), row.number("pair_median"));
            EXPECT_LE(row.number("pair_median"), row.number("pair_p99"));
        }
        EXPECT_EQ(rows[0].text("calls"), "findPath");
        EXPECT_EQ(rows[1].text("calls"), "findPath + string");
        EXPECT_EQ(rows[2].text("pairs"), "unreachable");
    }
}

TEST_F(DetourBench, AnIndexFollowsChanges) {
    ASSERT_EQ(lab("mosaic . --repeat 4 --output four.bin").code, 0);
    const Ran ran = lab("detour-changes four.bin --changes 6 --polygons 3 --mu 4 --out csv");
    ASSERT_EQ(ran.code, 0) << ran.err;
    const CsvRows rows = csv_file(folder_.path() / "csv" / "detour_changes.csv");
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(rows[0].text("change"), "flags");
    EXPECT_EQ(rows[0].number("polygons_a_change"), 1);
    EXPECT_EQ(rows[1].text("change"), "tiles");
    EXPECT_GE(rows[1].number("polygons_a_change"), 3);
    for (const CsvRow& row : rows) {
        EXPECT_EQ(row.number("changes"), 6);
        EXPECT_EQ(row.number("wrong"), 0);
        for (const std::string part : {"compared", "named", "labels"}) {
            EXPECT_GT(row.number(part + "_median_ms"), 0);
            EXPECT_LE(row.number(part + "_median_ms"), row.number(part + "_p90_ms"));
        }
    }
}

TEST_F(DetourBench, ExplainsMistakes) {
    EXPECT_EQ(lab("mosaic nowhere.obj --output x.bin").code, 4);
    EXPECT_EQ(lab("mosaic csv --output x.bin").code, 4);
    EXPECT_EQ(lab("detour-bench nowhere.bin").code, 4);
    EXPECT_EQ(lab("detour-changes nowhere.bin").code, 4);
    std::ofstream(folder_.path() / "wall.obj") << "v 0 0 0\nv 5 0 0\nv 0 9 0\nf 1 2 3\n";
    const Ran ran = lab("mosaic floor.obj wall.obj --output x.bin");
    EXPECT_NE(ran.code, 0);
    EXPECT_THAT(ran.err, HasSubstr("wall.obj"));
    EXPECT_THAT(ran.err, HasSubstr("no ground"));
}

}  // namespace
}  // namespace cairn::test
