// `cairn-lab reproduce haa`: its answers are right, its sheets complete, wrong answers are counted.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tuple>

#include "cairn/formats/movingai.hpp"
#include "cairn/grid/generate.hpp"
#include "lab/lab_test.hpp"
#include "reproduce/haa.hpp"
#include "reproduce/haa_tables.hpp"
#include "support/scratch_folder.hpp"

namespace cairn::app {
namespace {

using ::testing::HasSubstr;

/// Caves with trees on `share` per cent of the cells, for agents of sizes 1 to `max_size`.
HaaCase small_case(int share, int max_size, int width = 48, int height = 40) {
    grid::GenerateOptions options;
    options.kind = grid::MapKind::caves;
    options.width = width;
    options.height = height;
    HaaCase out{"small", "caves", share, max_size, grid::generate(options).value()};
    EXPECT_TRUE(grid::plant_trees(out.image, share, 1).ok());
    return out;
}

std::vector<HaaRun> small_runs() {
    std::vector<HaaRun> runs;
    for (const int share : {0, 20, 50}) {
        for (const int max_size : {2, 3})
            runs.push_back(measure_haa(small_case(share, max_size), 40, 1, {}).value());
    }
    return runs;
}

std::uint64_t wrong_answers(const HaaRun& run) {
    std::uint64_t wrong = 0;
    for (const HaaGraphRun& graph : run.graphs) wrong += graph.wrong;
    return wrong;
}

TEST(ReproduceHaa, EveryAnswerIsRight) {
    for (const HaaRun& run : small_runs()) {
        EXPECT_EQ(wrong_answers(run), 0U);
        EXPECT_GT(run.problems.size(), 20U);
        EXPECT_GT(run.graphs[kInitial].size.intra_edges, run.graphs[kHighQuality].size.intra_edges);
        EXPECT_GT(run.graphs[kHighQuality].size.nodes, run.graphs[kLowQuality].size.nodes);
        EXPECT_GE(run.graphs[kLowQuality].size.nodes, run.graphs.back().size.nodes);
        EXPECT_GT(run.astar_seconds, 0);
    }
}

TEST(ReproduceHaa, WrongAnswersAreCounted) {
    HaaRun run = small_runs().front();
    run.graphs[kLowQuality].wrong = 2;
    run.graphs[kLowQuality].first_wrong = "a cost, below";
    Sheets sheets;
    ::testing::internal::CaptureStdout();
    add_rows(small_case(0, 2), run, sheets);
    const auto blocks = test::csv_blocks(::testing::internal::GetCapturedStdout());
    EXPECT_EQ(sheets.wrong(), 2U);
    EXPECT_EQ((sheets.outcome(Context{}, {})).value(), kFailed);
    ASSERT_EQ(blocks.size(), 2U);
    ASSERT_EQ(blocks[0].size(), kHaaGraphs.size());
    EXPECT_EQ(blocks[0][kLowQuality].text("wrong"), "2");
    EXPECT_EQ(blocks[0][kLowQuality].text("note"), "a cost, below");
    EXPECT_EQ(blocks[1].size(), run.problems.size());
}

TEST(ReproduceHaa, PublishedDistancesAreReportedBesideOurs) {
    HaaCase open_field{"small", "open", 0, 2, {6, 4, std::vector<std::uint8_t>(24, '.')}};
    const haa::TerrainSet ground = kHaaCapabilities[0];
    // Map, start, goal, terrains, size and published distance of each problem.
    open_field.problems = {{"m", {0, 0}, {3, 1}, ground, 2, 4},
                           {"m", {0, 0}, {4, 0}, ground, 2, 6},
                           {"m", {0, 0}, {4, 3}, ground, 2, 5}};  // there the agent does not fit
    const HaaRun run = measure_haa(open_field, 1, 1, {}).value();
    for (const HaaGraphRun& graph : run.graphs) EXPECT_EQ(graph.wrong, 0U);
    ASSERT_EQ(run.problems.size(), 3U);
    // The first published distance is the number of cells of the path; the last has no path.
    EXPECT_EQ(run.problems[0].cells, 4U);
    EXPECT_EQ(run.problems[0].published, 4);
    EXPECT_EQ(run.problems[1].cells, 5U);
    EXPECT_EQ(run.problems[1].published, 6);
    EXPECT_EQ(run.problems[2].optimum, kInfinity);

    open_field.problems[0].size = 3;
    const auto refused = measure_haa(open_field, 1, 1, {});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, StatusCode::bad_option);
    EXPECT_THAT(refused.error().message, HasSubstr("open: an agent of size 3"));
}

TEST(ReproduceHaa, StopsWhenCancelled) {
    CancelFlag cancel;
    cancel.cancel();
    const auto run = measure_haa(small_case(0, 2), 100, 1, {.cancel = &cancel});
    ASSERT_FALSE(run);
    EXPECT_EQ(run.error().code, StatusCode::cancelled);
}

TEST(ReproduceHaa, FindsTheMapSetsByTheirFiles) {
    const test::ScratchFolder folder;
    const auto write = [&](const std::string& file, int share) {
        std::filesystem::create_directories((folder.path() / file).parent_path());
        grid::TerrainImage image = small_case(0, 2, 60, 50).image;
        int free = 0;  // every 100 / share-th free tile becomes a tree
        for (std::uint8_t& tile : image.terrain) {
            if (tile == '.' && ++free * share % 100 < share) tile = 'T';
        }
        ASSERT_TRUE(formats::write_map(folder.path() / file, image).ok());
    };
    write("plain/one.map", 0);
    write("any/some trees/newone.map", 20);
    std::filesystem::create_directories(folder.path() / "other");
    const formats::HaaScenario none;
    for (const char* file : {"any/some trees/newone.map.scenario",
                             "other/one.map.scenario"})  // its map is in the folder of plain maps
        ASSERT_TRUE(formats::write_haa_scenario(folder.path() / file, none).ok());

    const test::Ran ran = test::run_lab(
        folder.path(),
        "reproduce haa --data . --pairs 12 --soft 0,10,20 --cluster-size 10,15 --out csv");
    ASSERT_EQ(ran.code, 0) << ran.err;
    const test::CsvRows sizes = test::csv_file(folder.path() / "csv" / "abstractions.csv");
    // Four graphs each of a map with three shares of trees and three sizes, and of two scenarios.
    EXPECT_EQ(sizes.size(), 4U * (9 + 2));
    for (const test::CsvRow& row : sizes) EXPECT_EQ(row.text("wrong"), "0");
    const test::CsvRows tables = test::csv_file(folder.path() / "csv" / "paper_sizes.csv");
    EXPECT_EQ(tables.size(), kHaaTableGraphs.size() * 3 * 2);
    for (const test::CsvRow& row : tables) {
        EXPECT_EQ(row.text("wrong"), "0");
        EXPECT_EQ(row.text("set"), "plain");
        // The author's map is taken for the share that he has.
        EXPECT_EQ(row.text("map"), row.text("share") == "20" ? "newone.map" : "one.map");
    }
    EXPECT_EQ(test::csv_file(folder.path() / "csv" / "paper_problems.csv").size(), 12U * 3 * 2);

    EXPECT_EQ(test::run_lab(folder.path(), "reproduce haa --data . --maps .").code, 2);
    EXPECT_EQ(test::run_lab(folder.path(), "reproduce hpa --example-only --soft 10").code, 2);
    const test::Ran missing = test::run_lab(folder.path(), "reproduce haa --maps nowhere");
    EXPECT_NE(missing.code, 0);
    EXPECT_THAT(missing.err, HasSubstr("nowhere"));
}

TEST(ReproduceHaa, PlantsTreesOnMapsThatHaveSome) {
    const test::ScratchFolder folder;
    ASSERT_TRUE(formats::write_map(folder.path() / "one.map", small_case(10, 2).image).ok());
    const test::Ran ran = test::run_lab(
        folder.path(),
        "reproduce haa --maps . --part tables --pairs 4 --soft 0,50 --cluster-size 8 --out csv");
    ASSERT_EQ(ran.code, 0) << ran.err;
    const test::CsvRows rows = test::csv_file(folder.path() / "csv" / "paper_sizes.csv");
    ASSERT_EQ(rows.size(), 2 * kHaaTableGraphs.size());
    EXPECT_NE(rows.front().number("intra_edges"),
              rows[kHaaTableGraphs.size()].number("intra_edges"));
}

TEST(ReproduceHaa, MeasuresThePartAsked) {
    const test::ScratchFolder folder;
    for (const auto& [part, tables, times] :
         {std::tuple("tables", true, false), std::tuple("times", false, true)}) {
        const std::string out = std::string("csv ") + part;
        const test::Ran ran = test::run_lab(
            folder.path(), std::string("reproduce haa --example-only --pairs 4 --soft 20 "
                                       "--cluster-size 10 --part ") +
                               part + " --out '" + out + "'");
        ASSERT_EQ(ran.code, 0) << ran.err;
        EXPECT_EQ(std::filesystem::exists(folder.path() / out / "paper_sizes.csv"), tables);
        EXPECT_EQ(std::filesystem::exists(folder.path() / out / "abstractions.csv"), times);
    }
}

}  // namespace
}  // namespace cairn::app
