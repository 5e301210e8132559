// HAA* as the conference paper describes it, and its tables beside Cairn's.

#include "reproduce/textbook_haa.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <random>
#include <string>
#include <vector>

#include "cairn/grid/astar.hpp"
#include "cairn/grid/generate.hpp"
#include "lab/lab_test.hpp"
#include "problems.hpp"
#include "reproduce/haa_tables.hpp"

namespace cairn::app {
namespace {

using ::testing::ElementsAre;

grid::TerrainImage image_of(const std::vector<std::string>& rows) {
    grid::TerrainImage image{static_cast<int>(rows[0].size()), static_cast<int>(rows.size()), {}};
    for (const std::string& row : rows)
        image.terrain.insert(image.terrain.end(), row.begin(), row.end());
    return image;
}

haa::AnnotatedMap annotated(const grid::TerrainImage& image) {
    return haa::AnnotatedMap::create(image, haa_annotation(kHaaPaperSize)).value();
}

grid::TerrainImage made(grid::MapKind kind, int share, std::uint64_t seed) {
    grid::GenerateOptions options;
    options.kind = kind;
    options.width = 53;
    options.height = 41;
    options.seed = seed;
    grid::TerrainImage image = grid::generate(options).value();
    EXPECT_TRUE(grid::plant_trees(image, share, seed).ok());
    return image;
}

grid::Point random_point(const grid::Map& map, std::mt19937_64& random) {
    return map.point(static_cast<grid::Cell>(random() % map.size()));
}

constexpr std::uint32_t kGroundOnly = 0;
constexpr std::uint32_t kBoth = 2;

TEST(AnnotatedAstar, FindsThePathsOfTheClassMap) {
    for (const int share : {0, 30}) {
        const haa::AnnotatedMap map = annotated(made(grid::MapKind::caves, share, 2));
        AnnotatedAstar annotated_astar(map);
        grid::Astar astar;
        grid::Path path;
        std::mt19937_64 random(1);
        for (std::uint32_t k = 0; k < map.classes(); ++k) {
            const grid::Map class_map = map.class_map(map.agent(k)).value();
            for (int i = 0; i < 60; ++i) {
                const grid::Point a = random_point(class_map, random);
                const grid::Point b = random_point(class_map, random);
                SearchStatistics effort;
                std::vector<grid::Cell> cells;
                const Cost cost = annotated_astar.find(
                    map.agent(k), a, b, {0, 0, map.width(), map.height()}, effort, &cells);
                const bool found = astar.find_path(class_map, a, b, path) == StatusCode::ok;
                EXPECT_EQ(cost, found ? path.cost : kInfinity);
                if (!found) continue;
                cells.insert(cells.begin(), class_map.cell(a));
                EXPECT_EQ(path_cost(class_map, cells), cost);
            }
        }
    }
}

TEST(AnnotatedAstar, StaysInsideTheArea) {
    const haa::AnnotatedMap map = annotated(image_of({".....", "..@..", "....."}));
    AnnotatedAstar astar(map);
    SearchStatistics effort;
    const haa::Agent agent{kGroundOnly, 1};
    EXPECT_EQ(astar.find(agent, {1, 1}, {3, 1}, {0, 0, 5, 3}, effort), 4U * 408);
    EXPECT_EQ(astar.find(agent, {1, 1}, {3, 1}, {0, 1, 5, 1}, effort), kInfinity);
    EXPECT_EQ(astar.find({kGroundOnly, 2}, {1, 1}, {0, 0}, {0, 0, 5, 3}, effort), kInfinity);
}

// The drawing in docs/haa-star.md: going down the border, clearances rise after the wall.
TEST(PaperHaa, EntrancesEndWhereClearanceRises) {
    const haa::AnnotatedMap map = annotated(image_of({"............",  //
                                                      "............",  //
                                                      ".......@@@@@",  //
                                                      "............",  //
                                                      "............"}));
    const auto cell = [](int x, int y) { return static_cast<grid::Cell>(12 * y + x); };
    PaperHaa graph(map, 6);
    // The best tiles of the upper and of the lower room: agents of size 2 pass from both.
    EXPECT_THAT(graph.transitions(), ElementsAre(std::array{cell(5, 0), cell(6, 0)},
                                                 std::array{cell(5, 3), cell(6, 3)}));
    for (const int y : {0, 3}) {
        const PaperHaaAnswer answer = graph.find({kGroundOnly, 2}, {0, y}, {9, y});
        EXPECT_GE(answer.cost, 9U * 408) << y;
        EXPECT_LT(answer.cost, kInfinity) << y;
    }
    // The lower tile does for all agents that the upper one serves only inside the left cluster:
    // the rooms on the right are not joined for agents of size 2.
    EXPECT_EQ(graph.low_quality().transitions().size(), 2U);
}

TEST(PaperHaa, WeakDominanceLeavesOneTransitionOfAnOpenBorder) {
    std::vector<std::string> rows(8, "................");
    rows[3] = ".....T..@.......";  // clearance rises below the obstacle
    const haa::AnnotatedMap map = annotated(image_of(rows));
    const PaperHaa graph(map, 8);
    EXPECT_GT(graph.transitions().size(), 1U);
    const PaperHaa low = graph.low_quality();
    EXPECT_EQ(low.transitions().size(), 1U);
    EXPECT_EQ(low.num_nodes(), 2U);
    EXPECT_EQ(low.num_intra_edges(), 0U);
}

TEST(PaperHaa, IntraEdgesAreKeptForTheLargestAgentsThatMayUseThem) {
    // Three clusters of 4 x 4 in a row: the one in the middle has two nodes.
    std::vector<std::string> rows(4, "............");
    const haa::AnnotatedMap open = annotated(image_of(rows));
    // One path serves all agents with ground.
    EXPECT_EQ(PaperHaa(open, 4).num_intra_edges(), 1U);
    // Agents that also cross trees have a shorter path.
    rows[0] = "....TTTT....";
    const haa::AnnotatedMap trees = annotated(image_of(rows));
    EXPECT_GT(PaperHaa(trees, 4).num_intra_edges(), 1U);
}

TEST(PaperHaa, IsCompleteAndRefinesToPathsOfTheSameCost) {
    for (const auto kind : {grid::MapKind::caves, grid::MapKind::rooms, grid::MapKind::forest}) {
        for (const int share : {0, 15, 40}) {
            const HaaCase input{"set", "map", share, kHaaPaperSize, made(kind, share, 7)};
            const std::vector<int> cluster_sizes{6, 10};
            const HaaTables tables = measure_haa_tables(input, cluster_sizes, 60, 3, {}).value();
            EXPECT_EQ(tables.problems.size(), 60U);
            ASSERT_EQ(tables.graphs.size(), 2U);
            for (const auto& graphs : tables.graphs) {
                for (const HaaTableGraph& graph : graphs) {
                    EXPECT_EQ(graph.wrong, 0U) << graph.first_wrong;
                    EXPECT_EQ(graph.answers.size(), tables.problems.size());
                }
                EXPECT_GE(graphs[0].nodes, graphs[1].nodes);
                EXPECT_GE(graphs[0].intra_edges, graphs[1].intra_edges);
            }
            EXPECT_GT(tables.low.edges, tables.low.nodes);
        }
    }
}

TEST(PaperHaa, RestoresItsGraphAfterEachQuery) {
    const haa::AnnotatedMap map = annotated(made(grid::MapKind::rooms, 10, 4));
    const grid::Map class_map = map.class_map({kBoth, 1}).value();
    const auto problems = random_problems(class_map, 20, 1).value();
    PaperHaa graph(map, 8);
    std::vector<PaperHaaAnswer> answers;
    for (const Problem& p : problems) answers.push_back(graph.find({kBoth, 1}, p.start, p.goal));
    for (std::size_t i = 0; i < problems.size(); ++i) {
        const PaperHaaAnswer again = graph.find({kBoth, 1}, problems[i].start, problems[i].goal);
        EXPECT_EQ(again.cost, answers[i].cost);
        EXPECT_EQ(again.cells, answers[i].cells);
        EXPECT_EQ(again.insertion.expanded, answers[i].insertion.expanded);
        EXPECT_EQ(again.search.expanded, answers[i].search.expanded);
        EXPECT_EQ(again.refinement.expanded, answers[i].refinement.expanded);
    }
}

TEST(HaaTables, WrongAnswersAreCounted) {
    const HaaCase input{"set", "map", 20, kHaaPaperSize, made(grid::MapKind::caves, 20, 1)};
    HaaTables tables = measure_haa_tables(input, {10}, 10, 1, {}).value();
    tables.graphs[0][1].wrong = 3;
    tables.graphs[0][1].first_wrong = "why";
    Sheets sheets;
    ::testing::internal::CaptureStdout();
    add_rows(input, {10}, tables, sheets);
    const auto blocks = test::csv_blocks(::testing::internal::GetCapturedStdout());
    EXPECT_EQ(sheets.wrong(), 3U);
    ASSERT_EQ(blocks.size(), 2U);
    EXPECT_EQ(blocks[0].size(), kHaaTableGraphs.size());
    EXPECT_EQ(blocks[0][1].text("note"), "why");
    EXPECT_EQ(blocks[1].size(), 10U);
}

TEST(HaaTables, StopWhenCancelledAndRefuseBadClusterSizes) {
    const HaaCase input{"set", "map", 0, kHaaPaperSize, made(grid::MapKind::caves, 0, 1)};
    CancelFlag cancel;
    cancel.cancel();
    EXPECT_EQ(measure_haa_tables(input, {10}, 5, 1, {.cancel = &cancel}).error().code,
              StatusCode::cancelled);
    EXPECT_EQ(measure_haa_tables(input, {65}, 5, 1, {}).error().code, StatusCode::bad_option);
}

}  // namespace
}  // namespace cairn::app
