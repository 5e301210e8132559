// `cairn-lab reproduce hpa` and `subgoal`. "Textbook" is the HPA* paper's pseudo-code with its
// counts, compared with the paper's numbers and with Cairn's engines.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <span>

#include "cairn/grid/dijkstra.hpp"
#include "cairn/grid/generate.hpp"
#include "cairn/hpa/index.hpp"
#include "lab/lab_test.hpp"
#include "problems.hpp"
#include "reproduce/hpa.hpp"
#include "reproduce/subgoal.hpp"
#include "support/scratch_folder.hpp"

namespace cairn::app {
namespace {

PaperMap small_map(grid::MapKind kind, std::uint64_t seed, int pairs) {
    grid::GenerateOptions options;
    options.kind = kind;
    options.width = 70;
    options.height = 55;
    options.seed = seed;
    PaperMap m;
    m.name = std::string(name(kind));
    m.map = grid::make_map(*grid::generate(options), paper_map_options()).value();
    m.problems = random_problems(*m.map, pairs, seed).value();
    return m;
}

std::vector<PaperMap> measured_maps() {
    std::vector<PaperMap> maps;
    for (const auto kind : {grid::MapKind::rooms, grid::MapKind::caves, grid::MapKind::forest})
        maps.push_back(small_map(kind, 3, 40));
    EXPECT_TRUE(measure_effort(maps, {}).ok());
    return maps;
}

TEST(Textbook, CountsThePapersNumbersOnTheWorkedExample) {
    const auto example = grid::worked_example().value();
    const auto map = grid::make_map(example.image, example_map_options());
    ASSERT_TRUE(map);
    PaperHpa one_level(*map, kPaperClusterSize, 1);
    ASSERT_EQ(one_level.sizes().size(), 1U);
    EXPECT_EQ(one_level.sizes()[0].nodes, 66U);
    EXPECT_EQ(one_level.sizes()[0].inter_edges, 43U);
    EXPECT_EQ(one_level.sizes()[0].intra_edges, 88U);
    const PaperAnswer first = one_level.find(example.start, example.goal, /*refine=*/true);
    EXPECT_EQ(first.sg.expanded, 16U);
    EXPECT_EQ(first.main.expanded, 67U);
    EXPECT_EQ(first.top_nodes, 68U);
    EXPECT_EQ(first.border_edges, 2U);

    PaperHpa two_levels(*map, kPaperClusterSize, 2);
    const PaperAnswer second = two_levels.find(example.start, example.goal, /*refine=*/true);
    EXPECT_EQ(second.top_nodes, 14U);
    EXPECT_EQ(second.cost, first.cost);
    EXPECT_LT(second.main.expanded, first.main.expanded);
    EXPECT_GT(second.sg.expanded, first.sg.expanded);
}

/// Two clusters of 10 x 10 with a wall between them, which has a gap of `width` tiles from `first`.
grid::Map two_clusters(int first, int width) {
    std::vector<std::uint8_t> terrain(20 * 10, '.');
    for (int y = 0; y < 10; ++y) {
        if (y < first || y >= first + width) terrain[static_cast<std::size_t>(20 * y + 10)] = '@';
    }
    return grid::Map::create(20, 10, terrain, paper_map_options()).value();
}

TEST(Textbook, ThePapersProgramCutsOffTheLastTileOfEachBorder) {
    const auto transitions = [](const grid::Map& map, EntranceRule rule) {
        return PaperHpa(map, 10, 1, rule).sizes()[0].inter_edges;
    };
    for (const auto& [first, width, text, program] :
         {std::array{0, 10, 2, 2}, std::array{0, 7, 2, 2}, std::array{3, 7, 2, 1},
          std::array{0, 6, 2, 1}, std::array{0, 5, 1, 1}, std::array{9, 1, 1, 1}}) {
        const grid::Map map = two_clusters(first, width);
        EXPECT_EQ(transitions(map, EntranceRule::text), static_cast<std::size_t>(text)) << width;
        EXPECT_EQ(transitions(map, EntranceRule::program), static_cast<std::size_t>(program))
            << width;
    }
    // The middle of four tiles: one more cell to the right by the text's rule.
    const grid::Map four = two_clusters(2, 4);
    const Cost text = PaperHpa(four, 10, 1).find({9, 4}, {10, 4}, true).cost;
    const Cost program =
        PaperHpa(four, 10, 1, EntranceRule::program).find({9, 4}, {10, 4}, true).cost;
    EXPECT_EQ(text, 100U);
    EXPECT_EQ(program, 300U);
}

TEST(Textbook, RestoresItsGraphAfterEachQuery) {
    PaperMap m = small_map(grid::MapKind::rooms, 5, 20);
    PaperHpa graph(*m.map, 8, 3);
    const auto before = graph.sizes();
    std::vector<PaperAnswer> answers;
    for (const Problem& p : m.problems)
        answers.push_back(graph.find(p.start, p.goal, /*refine=*/true));
    for (std::size_t i = 0; i < m.problems.size(); ++i) {
        const PaperAnswer again =
            graph.find(m.problems[i].start, m.problems[i].goal, /*refine=*/true);
        EXPECT_EQ(again.cost, answers[i].cost);
        EXPECT_EQ(again.sg.expanded, answers[i].sg.expanded);
        EXPECT_EQ(again.main.expanded, answers[i].main.expanded);
        EXPECT_EQ(again.refine.expanded, answers[i].refine.expanded);
    }
    const auto after = graph.sizes();
    for (std::size_t l = 0; l < before.size(); ++l) {
        EXPECT_EQ(after[l].nodes, before[l].nodes);
        EXPECT_EQ(after[l].inter_edges, before[l].inter_edges);
        EXPECT_EQ(after[l].intra_edges, before[l].intra_edges);
    }
}

TEST(Textbook, AgreesWithCairnsEnginesAndGraphs) {
    for (const PaperMap& m : measured_maps()) {
        EXPECT_EQ(m.wrong, 0U) << m.name;
        for (std::size_t levels = 1; levels <= kPaperLevels; ++levels) {
            const auto index =
                hpa::Index::build(*m.map, paper_index_options(static_cast<int>(levels)));
            ASSERT_TRUE(index);
            const hpa::IndexStatistics s = index->statistics().value();
            for (std::size_t l = 0; l < levels; ++l) {
                EXPECT_EQ(m.sizes[0][levels - 1][l].nodes, s.levels[l].nodes) << m.name;
                EXPECT_EQ(m.sizes[0][levels - 1][l].inter_edges, s.levels[l].inter_edges) << m.name;
                EXPECT_EQ(m.sizes[0][levels - 1][l].intra_edges, s.levels[l].intra_edges) << m.name;
            }
        }
        for (std::size_t i = 0; i < m.queries.size(); ++i) {
            const PaperQuery& q = m.queries[i];
            const auto oracle = grid::dijkstra_distances(*m.map, m.problems[i].start).value();
            EXPECT_EQ(q.optimum, oracle[m.map->cell(m.problems[i].goal)]);
            EXPECT_LE(q.optimum, q.smoothed);
            EXPECT_LE(q.smoothed, q.length);
            EXPECT_LE(q.paper_smoothed, q.length);
            for (const PaperAnswer& a : q.answers[0]) {
                EXPECT_EQ(a.cost, q.length);
                EXPECT_EQ(a.refined, q.length);
            }
        }
    }
}

TEST(Reproduce, CountsAreTheSameForAnyNumberOfJobs) {
    std::vector<PaperMap> one_thread{small_map(grid::MapKind::caves, 1, 20),
                                     small_map(grid::MapKind::rooms, 2, 20)};
    std::vector<PaperMap> four_threads = one_thread;
    ASSERT_TRUE(measure_effort(one_thread, {.threads = 1}).ok());
    ASSERT_TRUE(measure_effort(four_threads, {.threads = 4}).ok());
    for (std::size_t m = 0; m < one_thread.size(); ++m) {
        for (std::size_t q = 0; q < one_thread[m].queries.size(); ++q) {
            const PaperQuery& a = one_thread[m].queries[q];
            const PaperQuery& b = four_threads[m].queries[q];
            EXPECT_EQ((std::array{a.optimum, a.length, a.paper_smoothed, a.smoothed}),
                      (std::array{b.optimum, b.length, b.paper_smoothed, b.smoothed}));
            for (std::size_t rule = 0; rule < kEntranceRules.size(); ++rule) {
                for (std::size_t l = 0; l < kPaperLevels; ++l) {
                    const PaperAnswer& left = a.answers[rule][l];
                    const PaperAnswer& right = b.answers[rule][l];
                    for (const auto part :
                         {&PaperAnswer::sg, &PaperAnswer::main, &PaperAnswer::refine}) {
                        EXPECT_EQ((left.*part).expanded, (right.*part).expanded);
                        EXPECT_EQ((left.*part).open_sum, (right.*part).open_sum);
                    }
                }
            }
        }
    }
}

/// The experiment on two maps writes every sheet with all its rows.
TEST(Reproduce, EverySheetIsComplete) {
    const test::ScratchFolder folder;
    for (const char* map : {"rooms one.map", "caves two.map"})
        ASSERT_EQ(test::run_cairn(folder.path(),
                                  std::string("generate ") + map + " --width 60 --height 50")
                      .code,
                  0);
    const test::Ran ran =
        test::run_lab(folder.path(), "reproduce hpa --maps . --pairs 10 --out csv");
    ASSERT_EQ(ran.code, 0) << ran.err;
    const auto rows = [&](const std::string& sheet) {
        return test::csv_file(folder.path() / "csv" / (sheet + ".csv"));
    };
    EXPECT_EQ(rows("example_sizes").size(), 8U);
    EXPECT_EQ(rows("example").size(), 5U);
    EXPECT_EQ(rows("sizes").size(), 2U * (1 + 2 * 6));
    EXPECT_EQ(rows("queries").size(), 2U * 10);
    EXPECT_EQ(rows("searches").size(), 2U * 10 * (1 + 2 * 3 * kPaperLevels));
    EXPECT_EQ(rows("times").size(), 2U * 10 * kTimed);
    EXPECT_EQ(rows("cluster_sizes").size(), 2U * 2 * kClusterSizes.size());
    for (const test::CsvRow& row : rows("checks")) EXPECT_EQ(row.text("wrong"), "0");
    for (const test::CsvRow& row : rows("times")) EXPECT_GT(row.number("us"), 0);
}

TEST(Reproduce, StopsWhenCancelled) {
    std::vector<PaperMap> maps{small_map(grid::MapKind::rooms, 1, 5)};
    CancelFlag cancel;
    cancel.cancel();
    Sheets sheets;
    EXPECT_EQ(measure_effort(maps, {.cancel = &cancel}).code, StatusCode::cancelled);
    EXPECT_EQ(measure_times(maps, {.cancel = &cancel}, sheets).code, StatusCode::cancelled);
}

std::vector<SubgoalVariant> every_variant() {
    std::vector<SubgoalVariant> out = table_variants();
    for (const auto& variants : {edge_variants(), order_variants()})
        out.insert(out.end(), variants.begin(), variants.end());
    return out;
}

TEST(ReproduceSubgoal, EveryAnswerIsAShortestPathAndEverySheetComplete) {
    auto maps = built_in_subgoal_maps(6, 1);
    ASSERT_TRUE(maps);
    int steps = 0;
    const MeasureOptions options{.step = [&] { ++steps; }};
    ASSERT_TRUE(solve_by_astar(*maps, options).ok());
    Sheets sheets;
    ::testing::internal::CaptureStdout();
    for (auto variants : {table_variants(), edge_variants(), order_variants()}) {
        for (const SubgoalMap& map : std::span(*maps).first(2))
            ASSERT_TRUE(measure_variants("study", variants, map, options, sheets).ok());
    }
    std::size_t rows = 0;
    for (const auto& block : test::csv_blocks(::testing::internal::GetCapturedStdout())) {
        if (!block.front().has("read_bytes")) continue;
        rows += block.size();
        for (const test::CsvRow& row : block) {
            EXPECT_EQ(row.text("wrong"), "0");
            EXPECT_GT(row.number("subgoals"), 0);
        }
    }
    EXPECT_EQ(rows, 2 * every_variant().size());
    EXPECT_EQ(sheets.wrong(), 0U);
    EXPECT_EQ(steps, static_cast<int>(maps->size() + 2 * every_variant().size()));
}

TEST(ReproduceSubgoal, WrongAnswersAreCounted) {
    auto maps = built_in_subgoal_maps(4, 2).value();
    ASSERT_TRUE(solve_by_astar(maps, {}).ok());
    maps[0].optima[1] -= 1;
    Sheets sheets;
    ::testing::internal::CaptureStdout();
    const auto table = table_variants();
    for (const SubgoalMap& map : maps)
        EXPECT_TRUE(measure_variants("study", std::span(table).first(1), map, {}, sheets).ok());
    ::testing::internal::GetCapturedStdout();
    EXPECT_EQ(sheets.wrong(), 1U);
    EXPECT_EQ((sheets.outcome(Context{}, {})).value(), kFailed);
}

TEST(ReproduceSubgoal, SamplesAreSpreadEvenlyOverEachSet) {
    std::vector<SubgoalMap> maps(10);
    for (std::size_t i = 0; i < maps.size(); ++i) {
        maps[i].set = i < 7 ? "a" : "b";
        maps[i].name = std::to_string(i);
    }
    const auto names = [&](int most) {
        std::string out;
        for (const SubgoalMap* m : sample(maps, most)) out += m->name;
        return out;
    };
    EXPECT_EQ(names(0), "0123456789");
    EXPECT_EQ(names(1), "07");
    EXPECT_EQ(names(3), "035789");
    EXPECT_EQ(names(9), "0123456789");
}

TEST(ReproduceSubgoal, StopsWhenCancelled) {
    auto maps = built_in_subgoal_maps(2, 1).value();
    CancelFlag cancel;
    cancel.cancel();
    const MeasureOptions options{.cancel = &cancel};
    Sheets sheets;
    EXPECT_EQ(solve_by_astar(maps, options).code, StatusCode::cancelled);
    EXPECT_EQ(measure_variants("study", table_variants(), maps[0], options, sheets).code,
              StatusCode::cancelled);
}

}  // namespace
}  // namespace cairn::app
