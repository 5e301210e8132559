// `cairn-lab bench --edits`: what it counts, and what it finds wrong.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "bench/bench.hpp"
#include "lab/lab_test.hpp"

namespace cairn::test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

class Edits : public LabTest {
protected:
    /// The rows of both sheets of a run with one round.
    struct EditSheets {
        CsvRows edits;
        CsvRows summary;

        /// The number of times of a kind; 0 if there is no such row.
        [[nodiscard]] double count(const std::string& map, const std::string& planner,
                                   const std::string& index, const std::string& timed) const {
            for (const CsvRow& row : edits) {
                if (row.text("map") == map && row.text("planner") == planner &&
                    row.text("index") == index && row.text("timed") == timed)
                    return row.number("count");
            }
            return 0;
        }
    };
    [[nodiscard]] EditSheets sheets(const std::string& arguments) const {
        const Ran ran = bench(arguments + " --out csv");
        EXPECT_EQ(ran.code, 0) << arguments << ran.out << ran.err;
        const auto csv = folder_.path() / "csv";
        return {csv_file(csv / "edits.csv"), csv_file(csv / "edit_summary.csv")};
    }
};

TEST_F(Edits, AreMeasuredBesideFreshBuilds) {
    const EditSheets run = sheets("a.map b.map --edits 23 --edit-size 3");
    EXPECT_EQ(run.edits.size(), 2U * 2 * 9);
    for (const char* map : {"a", "b"}) {
        for (const char* planner : {"labels", "hpa"}) {
            for (const char* index : {"edited", "with_labels", "fresh"}) {
                // Fresh ones after edits 20 and 23.
                const double made = std::string(index) == "fresh" ? 2 : 23;
                EXPECT_EQ(run.count(map, planner, index, "made"), made) << planner << index;
                EXPECT_EQ(run.count(map, planner, index, "cost"), 8 * made) << planner << index;
                EXPECT_EQ(run.count(map, planner, index, "path"), 8 * made) << planner << index;
            }
        }
    }
    for (const CsvRow& row : run.edits) {
        EXPECT_GT(row.number("median_us"), 0);
        EXPECT_LE(row.number("median_us"), row.number("p95_us"));
        EXPECT_LE(row.number("p95_us"), row.number("max_us"));
    }
    ASSERT_EQ(run.summary.size(), 4U);
    for (const CsvRow& row : run.summary) {
        EXPECT_EQ(row.text("wrong"), "0");
        EXPECT_EQ(row.number("compared"), 8 * (23 + 23 + 2));
        EXPECT_GT(row.number("fresh_label_bytes"), 0);
        EXPECT_GT(row.number("label_wear"), 0);
        EXPECT_GT(row.number("index_bytes"), row.number("label_bytes"));
    }
}

TEST_F(Edits, MakeLabelsAsOftenAsAsked) {
    const EditSheets third = sheets("a.map --planners labels --edits 7 --labels-every 3");
    EXPECT_EQ(third.count("a", "labels", "edited", "made"), 7);
    EXPECT_EQ(third.count("a", "labels", "with_labels", "made"), 3);  // after 3, 6 and 7
    EXPECT_FALSE(third.summary.at(0).empty("label_wear"));
    const EditSheets never = sheets("a.map --planners hpa,hpa-levels-3 --edits 7 --labels-every 0");
    EXPECT_EQ(never.count("a", "hpa", "edited", "path"), 56);
    EXPECT_EQ(never.count("a", "hpa", "with_labels", "made"), 0);
    EXPECT_EQ(never.count("a", "hpa-levels-3", "fresh", "made"), 1);
    EXPECT_EQ(never.summary.at(0).text("label_bytes"), "0");
    EXPECT_TRUE(never.summary.at(0).empty("label_wear"));
    EXPECT_TRUE(never.summary.at(0).empty("note"));
    // Only planners with labels or levels get any.
    const EditSheets some = sheets("a.map --planners hpa-astar,taut --edits 7");
    EXPECT_EQ(some.count("a", "hpa-astar", "edited", "made"), 7);
    EXPECT_EQ(some.count("a", "hpa-astar", "with_labels", "made"), 0);
    EXPECT_EQ(some.count("a", "taut", "with_labels", "made"), 7);
    for (const CsvRow& row : some.summary) EXPECT_EQ(row.text("label_bytes"), "0");
}

TEST_F(Edits, SayWhyThereAreNoLabels) {
    const EditSheets run = sheets("a.map --edits 2 --label-bytes 1 --planners hpa");
    EXPECT_THAT(run.summary.at(0).text("note"), HasSubstr("without labels: "));
    EXPECT_EQ(run.summary.at(0).text("wrong"), "0");
}

TEST_F(Edits, DependOnTheSeedAlone) {
    const auto bytes = [&](const std::string& seed) {
        return sheets("a.map --planners hpa --edits 10 --seed " + seed)
            .summary.at(0)
            .text("index_bytes");
    };
    const std::string first = bytes("1");
    EXPECT_EQ(bytes("1"), first);
    EXPECT_NE(bytes("2"), first);
}

TEST_F(Edits, AreTwoHundredUnlessTheNumberIsGiven) {
    const EditSheets run = sheets("b.map --planners labels --edits");
    EXPECT_EQ(run.count("b", "labels", "edited", "made"), 200);
    EXPECT_EQ(run.count("b", "labels", "fresh", "made"), 10);
}

TEST_F(Edits, WorkWhereNothingCanBeEdited) {
    // Two free cells that are not connected, and one cell.
    folder_.file("apart.map", "type octile\nheight 1\nwidth 3\nmap\n.@.\n");
    folder_.file("one.map", "type octile\nheight 1\nwidth 1\nmap\n.\n");
    const EditSheets run = sheets("apart.map one.map --edits 4");
    EXPECT_EQ(run.count("apart", "labels", "edited", "made"), 4);
    EXPECT_EQ(run.count("one", "hpa", "edited", "made"), 4);
    EXPECT_EQ(run.count("one", "hpa", "edited", "cost"), 0);
}

TEST_F(Edits, MistakesAreExplained) {
    expect_mistake("--edits 0", "--edits");
    expect_mistake("--edits 3 --edit-size 0", "--edit-size");
    expect_mistake("--edits 3 --labels-every -1", "--labels-every");
    expect_mistake("--edit-size 4", "--edits");
    expect_mistake("--labels-every 4", "--edits");
    expect_mistake("--edits 3 --planners jps", "jps has no index");
    expect_mistake("--edits 3 --planners labels,buckets", "buckets has no index");
    expect_mistake("--edits 3 --planners astar", "astar has no index");
    expect_mistake("--edits 3 --random 10", "--random");
    expect_mistake("--edits 3 --phases", "--edits");
}

TEST(EditMistake, IsFoundInEachPartOfAnAnswer) {
    const std::vector<std::uint8_t> terrain{'.', '.', '.', '.', '@', '.'};
    const auto map = grid::Map::create(3, 2, terrain);
    ASSERT_TRUE(map.has_value());
    const Cost move = map->options().costs.straight;
    const std::vector<grid::Cell> cells{0, 1, 2};
    const auto mistake = [&](Cost cost, Cost path_cost, const std::vector<grid::Cell>& path,
                             Cost expected, bool exact) {
        return app::edit_mistake(*map, {cost, path_cost, path}, expected, exact);
    };
    for (const bool exact : {false, true}) {
        EXPECT_THAT(mistake(2 * move, 2 * move, cells, 2 * move, exact), IsEmpty());
        EXPECT_THAT(mistake(kInfinity, kInfinity, {}, kInfinity, exact), IsEmpty());
        EXPECT_THAT(mistake(3 * move, 2 * move, cells, 2 * move, exact), HasSubstr("the cost is"));
        EXPECT_THAT(mistake(move, 2 * move, cells, 2 * move, exact), HasSubstr("the cost is"));
        EXPECT_THAT(mistake(kInfinity, 2 * move, cells, 2 * move, exact), HasSubstr("instead of"));
        EXPECT_THAT(mistake(2 * move, kInfinity, {}, 2 * move, exact), HasSubstr("path costs"));
        EXPECT_THAT(mistake(2 * move, 2 * move, {0, 1}, 2 * move, exact), HasSubstr("legal"));
        EXPECT_THAT(mistake(2 * move, 2 * move, {3, 4, 5}, 2 * move, exact), HasSubstr("legal"));
    }
    // Smoothed paths may cost less than their abstract path, which is the cost of HPA*.
    EXPECT_THAT(mistake(3 * move, 2 * move, cells, 3 * move, false), IsEmpty());
    EXPECT_THAT(mistake(3 * move, 2 * move, cells, 3 * move, true), HasSubstr("path costs"));
}

}  // namespace
}  // namespace cairn::test
