// `cairn-lab bench` and `mesh-bench` measure every planner and check each answer;
// tools/lab_tables.py and tools/lab_plots.py turn their CSV into tables and plots.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "lab.hpp"
#include "lab/lab_test.hpp"
#include "support/source_folder.hpp"

namespace cairn::test {
namespace {

using ::testing::HasSubstr;

class Bench : public LabTest {};

TEST_F(Bench, MeasuresQueriesWithCellsInTheirWay) {
    const Ran ran = bench("a.map b.map --planners labels,hpa --blocked 9 --out csv");
    EXPECT_EQ(ran.code, 0) << ran.err;
    const CsvRows rows = csv_file(folder_.path() / "csv" / "blocked.csv");
    ASSERT_EQ(rows.size(), 4U);
    for (const CsvRow& row : rows) {
        EXPECT_EQ(row.number("wrong"), 0);
        EXPECT_GT(row.number("detours"), 0);
        EXPECT_LE(row.number("detours"), row.number("queries"));
        EXPECT_LE(row.number("detour_ratio_median"), row.number("detour_ratio_p99"));
    }
}

TEST_F(Bench, TerrainCostsAreLaidOverMaps) {
    for (const std::string pattern : {"patches", "noise"}) {
        const Ran ran = bench(
            "a.map --random 30 --planners hpa,hpa-band,hpa-corridor "
            "--cluster-size 8 --terrain-costs " +
            pattern + " --out " + pattern);
        EXPECT_EQ(ran.code, 0) << ran.err;
        const CsvRows rows = csv_file(folder_.path() / pattern / "bench.csv");
        ASSERT_EQ(rows.size(), 4U);
        for (const CsvRow& row : rows) EXPECT_EQ(row.number("wrong"), 0);
        EXPECT_GT(rows[1].number("mean_error"), 0);
        EXPECT_LE(rows[2].number("mean_error"), rows[1].number("mean_error"));
    }
    expect_mistake("--terrain-costs noise --planners haa", "--terrain-costs");
}

TEST_F(Bench, PathsOfSubgoalGraphsAreShortest) {
    ASSERT_EQ(cairn("generate scenario a.map.scen --map a.map --count 20").code, 0);
    const Ran all = bench("a.map --planners jps,jps+,jps+bb,subgoal --phases --out csv");
    ASSERT_EQ(all.code, 0) << all.out << all.err;
    const CsvRows rows = csv_file(folder_.path() / "csv" / "bench.csv");
    EXPECT_EQ(rows.size(), 14U);
    for (const CsvRow& row : rows) {
        EXPECT_EQ(row.text("wrong"), "0");
        EXPECT_EQ(row.number("max_error"), 0.0);
        EXPECT_EQ(row.text("published_different"), "0");
        EXPECT_EQ(row.text("queries"), "20");
    }
    const CsvRows phases = csv_file(folder_.path() / "csv" / "phases.csv");
    ASSERT_EQ(phases.size(), 8U);
    for (const char* part : {"connect_us", "search_us", "output_us", "write_us"})
        EXPECT_TRUE(phases[0].has(part)) << part;
}

TEST_F(Bench, LengthsThatDifferFromThePublishedAreCounted) {
    ASSERT_EQ(cairn("generate scenario a.map.scen --map a.map --count 20").code, 0);
    // Replace the length of the last problem.
    std::string scenario = bytes_of(folder_.path() / "a.map.scen");
    scenario.replace(scenario.rfind('\t') + 1, std::string::npos, "3.5\n");
    folder_.file("a.map.scen", scenario);
    const CsvRow astar = LabTest::rows("bench --rounds 1 a.map --planners jps").at(0);
    EXPECT_EQ(astar.text("published_different"), "1");
    EXPECT_THAT(astar.text("note"), HasSubstr("published 3.5"));
}

TEST_F(Bench, MeasuresSetsOfMaps) {
    const CsvRows all = LabTest::rows("bench --rounds 1 a.map b.map --planners hpa --random 30");
    ASSERT_EQ(all.size(), 6U);
    EXPECT_EQ(all[4].text("map"), "all");
    EXPECT_EQ(all[4].text("queries"), "60");
    EXPECT_EQ(all[5].text("planner"), "hpa");
}

TEST_F(Bench, ListsItsPlannersAndExplainsErrors) {
    const Ran ran = lab("bench --list");
    EXPECT_EQ(ran.code, 0);
    for (const char* planner : {"astar", "hpa-corridor", "labels", "haa-plain"})
        EXPECT_THAT(ran.out, HasSubstr(planner));
    expect_mistake("--planners fastest", "--list");
    EXPECT_EQ(lab("bench nowhere.map").code, 4);
    EXPECT_EQ(lab("bench a.map --random 5 --rounds 1 --out /proc/csv").code, 4);
    EXPECT_EQ(lab("bench a.map --random 5 --rounds 1 >/dev/full").code, 4);
    for (const char* command : {"", "bench ", "mesh-bench ", "reproduce "})
        EXPECT_EQ(lab(std::string(command) + "--help").code, 0);
    EXPECT_THAT(lab("--version").out, HasSubstr("cairn-lab "));
}

TEST_F(Bench, PathsOnMeshesAreRight) {
    const Ran ran = lab("mesh-bench a.map --mu 10 --pairs 20 --rounds 1 --out csv");
    ASSERT_EQ(ran.code, 0) << ran.err;
    const CsvRows rows = csv_file(folder_.path() / "csv" / "mesh_bench.csv");
    ASSERT_EQ(rows.size(), 9U);
    EXPECT_EQ(rows[0].text("planner"), "astar");
    for (const CsvRow& row : rows) {
        EXPECT_EQ(row.text("wrong"), "0");
        EXPECT_EQ(row.text("queries"), "20");
        EXPECT_GT(row.number("mean_us"), 0);
    }
    const CsvRows indexes = csv_file(folder_.path() / "csv" / "mesh_index.csv");
    EXPECT_GT(indexes.at(0).number("label_bytes"), 0);
    EXPECT_GT(indexes.at(0).number("closure_bytes"), 0);
    EXPECT_EQ(lab("mesh-bench a.map --planners fastest").code, 2);
    EXPECT_EQ(lab("mesh-bench a.map --one-way 5").code, 2);
}

TEST_F(Bench, ComparesStringsWithShortestLines) {
    const Ran ran =
        lab("mesh-bench a.map b.map --pairs 40 --rounds 1 --planners labels-path,labels-short "
            "--lengths --out csv");
    ASSERT_EQ(ran.code, 0) << ran.err;
    const CsvRows rows = csv_file(folder_.path() / "csv" / "mesh_lengths.csv");
    ASSERT_EQ(rows.size(), 6U);
    for (const CsvRow& row : rows) {
        EXPECT_GE(row.number("sum"), 1);
        EXPECT_GE(row.number("mean"), 1);
        EXPECT_LE(row.number("mean"), row.number("p99"));
        EXPECT_LE(row.number("p99"), row.number("worst"));
    }
    for (const std::size_t map : {0, 3})
        EXPECT_LE(rows[map + 2].number("sum"), rows[map + 1].number("sum"));
}

TEST_F(Bench, StopsWhenInterrupted) {
    ASSERT_EQ(cairn("generate rooms large.map --width 700 --height 700 --seed 3").code, 0);
    const Ran ran =
        lab("bench a.map large.map --random 20000 --rounds 100 --planners hpa & P=$!; "
            "sleep 1; kill -TERM $P; wait $P");
    EXPECT_EQ(ran.code, 130) << ran.err;
}

TEST(Sheets, QuoteTextsAndCountWrongAnswers) {
    app::Sheets sheets;
    ::testing::internal::CaptureStdout();
    EXPECT_TRUE(sheets.add("one", {{"name", "a \"b\", c"}, {"x", 0.25}, {"none", {}}}).ok());
    EXPECT_TRUE(sheets.add("one", {{"name", "d"}, {"x", 1234567}, {"none", {}}}).ok());
    EXPECT_TRUE(sheets.add("two", {{"a, b", "e"}, {"wrong", 3}}).ok());
    EXPECT_EQ(::testing::internal::GetCapturedStdout(),
              "name,x,none\n\"a \"\"b\"\", c\",0.25,\nd,1234567,\n\n\"a, b\",wrong\ne,3\n");
    EXPECT_EQ(sheets.wrong(), 3U);
    app::Context context;
    EXPECT_EQ((sheets.outcome(context, {})).value(), app::kFailed);
    EXPECT_EQ((app::Sheets().outcome(context, {})).value(), app::kDone);
    context.cancel.cancel();
    EXPECT_EQ((app::Sheets().outcome(context, {})).value(), app::kCancelled);
}

/// The tables that tools/lab_tables.py makes of the CSV files in csv/ of a folder.
std::string tables_of(const std::filesystem::path& folder) {
    const Ran ran = run_program("python3", folder,
                                (source_folder() / "tools" / "lab_tables.py").string() + " csv");
    EXPECT_EQ(ran.code, 0) << ran.err;
    return ran.out;
}

TEST_F(Bench, HasTablesOfPlannersEditsCrowdsAndDevices) {
    ASSERT_EQ(bench("a.map b.map --planners hpa --random 10 --out csv").code, 0);
    EXPECT_THAT(tables_of(folder_.path()), HasSubstr("### Planners side by side"));
    ASSERT_EQ(bench("a.map b.map --agents 50 --most-seconds 0.1 --planners hpa --device host --out "
                    "csv")
                  .code,
              0);
    ASSERT_EQ(bench("a.map --edits 2 --out csv").code, 0);
    const std::string tables = tables_of(folder_.path());
    EXPECT_THAT(tables, HasSubstr("### Edits"));
    EXPECT_THAT(tables, HasSubstr("| hpa | with_labels |"));
    EXPECT_THAT(tables, HasSubstr("### Bytes after the last edit"));
    EXPECT_THAT(tables, HasSubstr("### Many agents at once"));
    EXPECT_THAT(tables, HasSubstr("### The same on a device: host"));
}

// CSV written here, of two equal maps with three problems each; the means are computed by hand.
TEST(Tables, HoldTheMeansOfAllMaps) {
    const ScratchFolder folder;
    std::filesystem::create_directory(folder.path() / "csv");
    std::string graphs =
        "set,map,share,max_size,graph,nodes,inter_edges,intra_edges,graph_bytes,build_ms,cells,"
        "low_nodes,low_edges,problems,paths,astar_ms,searched_cost_ms,searched_abstract_ms,"
        "searched_path_ms,searched_smoothed_ms,prepared_cost_ms,prepared_abstract_ms,"
        "prepared_path_ms,prepared_smoothed_ms,prepare_ms,views,view_bytes,wrong,note\n";
    std::string problems = "set,map,share,max_size,capability,size,published,cells,optimum";
    for (const char* graph : {"HQ", "LQ", "LQ, any reach"}) {
        for (const char* kind : {"plain", "smoothed", "corridor"})
            problems += std::string(",\"") + graph + ' ' + kind + '"';
    }
    problems += '\n';
    for (const char* map : {"one", "two"}) {
        const std::string key = std::string("set,") + map + ",20,2,";
        for (const char* graph : {"initial", "HQ", "LQ", "\"LQ, any reach\""}) {
            const bool low = std::string(graph) == "LQ";
            graphs += key + graph + (low ? ",20,10,70,400" : ",40,25,135,800") +
                      ",1,1000,300,700,3,2,8000,1000,2000,4000,5000,1000,2000,4000,5000,1,1,100," +
                      (low ? "2" : "0") + ",\n";
        }
        for (const char* costs : {"1000,1100,1020,1000", "2000,2100,2000,2000", ",,,"}) {
            // The optimum, then three costs for each of the three graphs.
            const std::string all = costs;
            const std::string of_a_graph = all.substr(all.find(','));
            problems += key + "ground,1,,2," + all.substr(0, all.find(',')) + of_a_graph +
                        of_a_graph + of_a_graph + '\n';
        }
    }
    std::ofstream(folder.path() / "csv" / "abstractions.csv") << graphs;
    std::ofstream(folder.path() / "csv" / "problems.csv") << problems;
    const std::string tables = tables_of(folder.path());
    // Columns: nodes, edges, % of the low level, % of HQ, bytes a cell, % of HQ's bytes, collapse,
    // build.
    EXPECT_THAT(tables, HasSubstr("| set | 20 | 1-2 | HQ | 40.0 | 25.0 | 135 | 20.0 | 100 | - | "
                                  "0.800 | 100 | 15.6 | 1.00 |"));
    EXPECT_THAT(tables, HasSubstr("| set | 20 | 1-2 | LQ | 20.0 | 10.0 | 70.0 | 10.0 | 50.0 | < 50 "
                                  "| 0.400 | 50.0 |"));
    // Columns: paths, without, paper, not smoothed, smoothed, corridor, worst, wrong.
    EXPECT_THAT(tables, HasSubstr("| HQ | 4 | 2 | 3-5 | 7.50 | 1.00 | 0 | 2.00 | 0 |"));
    EXPECT_THAT(tables, HasSubstr("| LQ | 4 | 2 | 6-10 | 7.50 | 1.00 | 0 | 2.00 | 4 |"));
    // Columns: us of AA*, the paper's, times faster for cost, abstract, path, smoothed.
    EXPECT_THAT(tables, HasSubstr("| HQ | 4,000,000 | 10 | 8.00 | 4.00 | 2.00 | 1.60 |"));
    EXPECT_THAT(tables, HasSubstr("| 20 | LQ | ground | 1 | 4 | 2 |"));
}

// Two maps of 100 and 300 nodes, and two problems; sums computed by hand.
TEST(Tables, OfHaaStarSumAllMapsAndLengths) {
    const ScratchFolder folder;
    std::filesystem::create_directory(folder.path() / "csv");
    std::string sizes =
        "set,map,share,cluster_size,graph,nodes,inter_edges,intra_edges,low_nodes,low_edges,"
        "problems,wrong,note\n";
    std::string problems = "set,map,share,cluster_size,capability,size,optimum,expanded";
    for (const std::string graph : {"paper HQ", "paper LQ", "HQ", "LQ"}) {
        sizes += "s,a,20,10," + graph + ",20,10,30,100,400,2,0,\n";
        sizes += "s,b,20,10," + graph + ",20,10,110,300,1200,2,1,\n";
        for (const char* part : {" cost", " insertion", " search", " refinement"})
            problems += "," + graph + part;
    }
    problems += "\ns,a,20,10,both,1,40800,100";
    for (int graph = 0; graph < 4; ++graph) problems += ",44880,10,20,30";
    problems += "\ns,a,20,10,both,2,42024,300";
    for (int graph = 0; graph < 4; ++graph) problems += ",42024,20,40,60";
    std::ofstream(folder.path() / "csv" / "paper_sizes.csv") << sizes;
    std::ofstream(folder.path() / "csv" / "paper_problems.csv") << problems + '\n';
    const std::string tables = tables_of(folder.path());
    // Columns: the paper's nodes and edges, those of its graph, Cairn's, wrong.
    EXPECT_THAT(tables,
                HasSubstr("| s | HQ | 10 | 20 | 16.6 | 38.4 | 10.0 | 10.0 | 10.0 | 10.0 | 2 |"));
    // Columns: the paper's text, from its table, 360 of 2,000 bytes, of which 60 are collapsible.
    EXPECT_THAT(tables, HasSubstr("| s | HQ | 10 | 20 | 63.8 | 63.9 | 18.0 | 16.7 |"));
    // Columns: paths, the paper, all lengths together, the mean of 10 % and 0 %.
    EXPECT_THAT(tables, HasSubstr("| s | 10 | 20 | 2 | 4.90 | 4.93 | 5.00 |"));
    EXPECT_THAT(tables, HasSubstr("| s | 10 | 20 | 1 | 1 | 10.0 | 10.0 |"));
    // Columns: length, queries, AA*'s nodes, then those of each graph.
    EXPECT_THAT(tables, HasSubstr("| s | 20 | 10 | 100 | 150 | 2 | 200 | 90.0 | 90.0 |"));
}

TEST(Tables, AreMadeForEveryPaper) {
    for (const char* paper :
         {"hpa --maps .", "subgoal --maps .", "haa --maps .", "hna --example-only",
          "hna --example-only --agents 200 --device host"}) {
        const ScratchFolder folder;
        ASSERT_EQ(run_cairn(folder.path(), "generate rooms a.map --width 40 --height 40").code, 0);
        const Ran ran =
            run_lab(folder.path(), std::string("reproduce --pairs 3 --out csv ") + paper);
        ASSERT_EQ(ran.code, 0) << paper << ran.err;
        const std::string tables = tables_of(folder.path());
        EXPECT_THAT(tables, HasSubstr("| --- |")) << paper;
        EXPECT_THAT(tables, HasSubstr("aper")) << paper;  // "Paper" or "paper"
    }
}

TEST(Plots, AreDrawnFromCsv) {
    const ScratchFolder folder;
    ASSERT_EQ(run_cairn(folder.path(), "generate rooms a.map --width 60 --height 60").code, 0);
    ASSERT_EQ(run_lab(folder.path(), "reproduce hpa --maps . --pairs 60 --out csv").code, 0);
    const std::string script = (source_folder() / "tools" / "lab_plots.py").string();
    const Ran ran = run_program("python3", folder.path(), script + " csv figure-8");
    if (ran.err.find("python3-matplotlib") != std::string::npos) GTEST_SKIP() << ran.err;
    ASSERT_EQ(ran.code, 0) << ran.err;
    EXPECT_GT(std::filesystem::file_size(folder.path() / "csv" / "figure-8.png"), 1000U);
    ASSERT_EQ(
        run_lab(folder.path(), "reproduce haa --maps . --part tables --pairs 60 --out haa").code,
        0);
    ASSERT_EQ(run_program("python3", folder.path(), script + " haa").code, 0);
    for (const char* picture : {"figure-5a.png", "figure-5b.png", "figure-6.png"})
        EXPECT_GT(std::filesystem::file_size(folder.path() / "haa" / picture), 1000U) << picture;
    EXPECT_NE(run_program("python3", folder.path(), script + " nowhere").code, 0);
}

}  // namespace
}  // namespace cairn::test
