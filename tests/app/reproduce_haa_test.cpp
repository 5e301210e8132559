// cairn reproduce haa: every answer right, every table complete, and what is wrong counted.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "cairn/formats/movingai.hpp"
#include "cairn/grid/generate.hpp"
#include "cairn/reproduce_haa_tables.hpp"
#include "run_cairn.hpp"
#include "support/scratch_folder.hpp"

namespace cairn::app {
namespace {

using ::testing::HasSubstr;

HaaCase small_case(int share, int max_size) {
    grid::GenerateOptions options;
    options.kind = grid::MapKind::caves;
    options.width = 48;
    options.height = 40;
    HaaCase out{"small", "caves", share, max_size, grid::generate(options).value()};
    EXPECT_TRUE(grid::plant_trees(out.image, share, 1).ok());
    return out;
}

std::vector<HaaRun> small_runs() {
    HaaControl control;
    control.pairs = 40;
    std::vector<HaaRun> runs;
    for (const int share : {0, 20, 50}) {
        for (const int max_size : {2, 3})
            runs.push_back(measure_haa(small_case(share, max_size), control).value());
    }
    return runs;
}

TEST(ReproduceHaa, EveryAnswerIsRightAndEveryExhibitComplete) {
    const std::vector<HaaRun> runs = small_runs();
    EXPECT_EQ(wrong_answers(runs), 0U);
    for (const HaaRun& run : runs) {
        EXPECT_GT(run.problems.size(), 20U);
        EXPECT_GT(run.graphs[kInitial].size.intra_edges, run.graphs[kHighQuality].size.intra_edges);
        EXPECT_GT(run.graphs[kHighQuality].size.nodes, run.graphs[kLowQuality].size.nodes);
        EXPECT_GE(run.graphs[kLowQuality].size.nodes, run.graphs.back().size.nodes);
        EXPECT_GT(run.astar_seconds, 0);
    }
    for (auto* make : {haa_sizes, haa_lengths, haa_agents, haa_times}) {
        const Exhibit e = make(runs);
        EXPECT_FALSE(e.rows.empty()) << e.name;
        for (const auto& row : e.rows) EXPECT_EQ(row.size(), e.columns.size()) << e.name;
        const std::set<std::string> names(e.columns.begin(), e.columns.end());
        EXPECT_EQ(names.size(), e.columns.size()) << e.name;  // they are keys of the JSON
    }
    EXPECT_TRUE(haa_published(runs).rows.empty());
}

/// The value in a row that has `graph` in the column of that name.
Json figure(const Exhibit& e, const std::string& graph, const std::string& column) {
    const auto at = [&](const std::string& name) {
        return static_cast<std::size_t>(std::ranges::find(e.columns, name) - e.columns.begin());
    };
    for (const auto& row : e.rows) {
        if (row[at("graph")] == graph) return row[at(column)];
    }
    return nullptr;
}

TEST(ReproduceHaa, FiguresAreMeansOfWhatWasMeasured) {
    HaaRun run;
    run.set = "set";
    run.share = 20;
    run.max_size = 2;
    run.cells = 1000;
    run.low_nodes = 300;
    run.low_edges = 700;
    run.problems = {{{0, 1}, {0, 0}, {1, 0}, {}, 1000, 2},
                    {{0, 1}, {0, 0}, {2, 0}, {}, 2000, 3},
                    {{0, 1}, {0, 0}, {9, 9}}};  // without a path
    for (HaaGraphRun& graph : run.graphs) {
        graph.size.nodes = 40;
        graph.size.inter_edges = 25;
        graph.size.intra_edges = 135;
        graph.size.graph_bytes = 800;
        graph.plain = {1100, 2100, kInfinity};
        graph.smoothed = {1020, 2000, kInfinity};
        graph.corridor = {1000, 2000, kInfinity};
        graph.searched = graph.prepared = {1, 2, 4, 5};
    }
    run.graphs[kLowQuality].size.nodes = 20;
    run.graphs[kLowQuality].size.inter_edges = 10;
    run.graphs[kLowQuality].size.intra_edges = 70;
    run.graphs[kLowQuality].size.graph_bytes = 400;
    run.graphs[kLowQuality].wrong = 2;
    run.astar_seconds = 8;
    const std::vector<HaaRun> runs{run, run};

    const Exhibit sizes = haa_sizes(runs);
    EXPECT_EQ(figure(sizes, "HQ", "nodes"), 40.0);
    EXPECT_EQ(figure(sizes, "HQ", "% of low level"), 20.0);
    EXPECT_EQ(figure(sizes, "HQ", "bytes a cell"), 0.8);
    EXPECT_EQ(figure(sizes, "HQ", "collapse %"), 12.5);
    EXPECT_EQ(figure(sizes, "LQ", "% of HQ"), 50.0);
    EXPECT_EQ(figure(sizes, "LQ", "bytes, % of HQ"), 50.0);

    const Exhibit lengths = haa_lengths(runs);
    EXPECT_EQ(figure(lengths, "HQ", "paths"), 4);
    EXPECT_EQ(figure(lengths, "HQ", "without"), 2);
    EXPECT_NEAR(figure(lengths, "HQ", "not smoothed"), 7.5, 1e-9);
    EXPECT_NEAR(figure(lengths, "HQ", "smoothed"), 1.0, 1e-9);
    EXPECT_NEAR(figure(lengths, "HQ", "worst smoothed"), 2.0, 1e-9);
    EXPECT_EQ(figure(lengths, "HQ", "corridor"), 0.0);
    EXPECT_EQ(figure(lengths, "LQ", "wrong"), 4);
    EXPECT_EQ(wrong_answers(runs), 4U);

    const Exhibit times = haa_times(runs);
    EXPECT_EQ(figure(times, "HQ", "AA* us"), 4e6);
    EXPECT_EQ(figure(times, "HQ", "path"), 2.0);
    EXPECT_EQ(figure(times, "HQ", "prepared: smoothed"), 1.6);

    const Exhibit agents = haa_agents(runs);
    EXPECT_EQ(agents.rows.size(), 3U);  // HQ and both kinds of LQ, of one agent
    EXPECT_EQ(figure(agents, "LQ", "paths"), 4);
}

TEST(ReproduceHaa, TheAuthorsDistancesAreCounted) {
    HaaCase one{"small", "open", 0, 2, {6, 4, std::vector<std::uint8_t>(24, '.')}};
    const haa::TerrainSet ground = kHaaCapabilities[0];
    one.problems = {{"m", {0, 0}, {3, 1}, ground, 2, 4},
                    {"m", {0, 0}, {4, 0}, ground, 2, 6},
                    {"m", {0, 0}, {4, 3}, ground, 2, 5}};  // the last: the agent stands outside
    const std::vector<HaaRun> runs{measure_haa(one, {}).value()};
    EXPECT_EQ(wrong_answers(runs), 0U);
    const Exhibit e = haa_published(runs);
    ASSERT_EQ(e.rows.size(), 1U);
    const std::vector<Json> expected{"small", 0, "ground", 2, 3, 1, 0, 1};
    EXPECT_EQ(e.rows[0], expected);

    one.problems[0].size = 3;
    const auto refused = measure_haa(one, {});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, StatusCode::bad_option);
    EXPECT_THAT(refused.error().message, HasSubstr("open: an agent of size 3"));
}

TEST(ReproduceHaa, StopsWhenCancelled) {
    CancelFlag cancel;
    cancel.cancel();
    HaaControl control;
    control.cancel = &cancel;
    const auto run = measure_haa(small_case(0, 2), control);
    ASSERT_FALSE(run);
    EXPECT_EQ(run.error().code, StatusCode::cancelled);
}

TEST(ReproduceHaa, ReadsTheFoldersOfTheSets) {
    const test::ScratchFolder folder;
    const auto write = [&](const std::string& file, const grid::TerrainImage& image) {
        std::filesystem::create_directories((folder.path() / file).parent_path());
        ASSERT_TRUE(formats::write_map(folder.path() / file, image).ok());
    };
    const grid::TerrainImage plain = small_case(0, 2).image;
    write("grid/bg_orig/one.map", plain);
    write("grid/bg512/two.map", small_case(0, 2).image);
    write("haa/softobs_20pct/newone.map", small_case(20, 2).image);
    std::filesystem::create_directories(folder.path() / "haa" / "softobs_0pct");
    const formats::HaaScenario none;
    for (const char* file : {"haa/softobs_20pct/newone.map.scenario",
                             "haa/softobs_0pct/one.map.scenario"})  // its map is in bg_orig
        ASSERT_TRUE(formats::write_haa_scenario(folder.path() / file, none).ok());

    const test::Ran ran =
        test::run_cairn(folder.path(), "reproduce haa --data . --pairs 12 --out csv --json");
    ASSERT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(ran.json()["wrong"], 0);
    EXPECT_EQ(ran.json()["cases"], 2 * 9 + 2);
    EXPECT_EQ(ran.json()["sizes"]["rows"].size(), 4U * (2 * 9 + 2));
    EXPECT_TRUE(std::filesystem::exists(folder.path() / "csv" / "lengths.csv"));

    EXPECT_EQ(test::run_cairn(folder.path(), "reproduce haa --data . --maps .").code, 2);
    const test::Ran missing = test::run_cairn(folder.path(), "reproduce haa --maps nowhere");
    EXPECT_NE(missing.code, 0);
    EXPECT_THAT(missing.err, HasSubstr("nowhere"));
}

}  // namespace
}  // namespace cairn::app
