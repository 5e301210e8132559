// The HPA* paper's pseudo-code, counted as the paper counts, against its figures and Cairn's
// engines.

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <span>

#include "cairn/file.hpp"
#include "cairn/grid/dijkstra.hpp"
#include "cairn/grid/generate.hpp"
#include "cairn/hpa/index.hpp"
#include "cairn/plot.hpp"
#include "cairn/problems.hpp"
#include "cairn/reproduce_exhibit.hpp"
#include "cairn/reproduce_subgoal_tables.hpp"
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
    const auto example = grid::worked_example();
    const auto map = grid::make_map(example.image, example_map_options());
    ASSERT_TRUE(map);
    PaperHpa one(*map, kPaperClusterSize, 1);
    ASSERT_EQ(one.sizes().size(), 1U);
    EXPECT_EQ(one.sizes()[0].nodes, 66U);
    EXPECT_EQ(one.sizes()[0].inter_edges, 43U);
    EXPECT_EQ(one.sizes()[0].intra_edges, 88U);
    const PaperAnswer first = one.find(example.start, example.goal, true);
    EXPECT_EQ(first.sg.expanded, 16U);
    EXPECT_EQ(first.main.expanded, 67U);
    EXPECT_EQ(first.top_nodes, 68U);
    EXPECT_EQ(first.border_edges, 2U);

    PaperHpa two(*map, kPaperClusterSize, 2);
    const PaperAnswer second = two.find(example.start, example.goal, true);
    EXPECT_EQ(second.top_nodes, 14U);
    EXPECT_EQ(second.cost, first.cost);
    EXPECT_LT(second.main.expanded, first.main.expanded);
    EXPECT_GT(second.sg.expanded, first.sg.expanded);
}

TEST(Textbook, LeavesNothingOfAQueryBehind) {
    PaperMap m = small_map(grid::MapKind::rooms, 5, 20);
    PaperHpa graph(*m.map, 8, 3);
    const auto before = graph.sizes();
    std::vector<PaperAnswer> answers;
    for (const BenchProblem& p : m.problems) answers.push_back(graph.find(p.start, p.goal, true));
    for (std::size_t i = 0; i < m.problems.size(); ++i) {
        const PaperAnswer again = graph.find(m.problems[i].start, m.problems[i].goal, true);
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

TEST(Textbook, AgreesWithTheEnginesAndTheirGraph) {
    for (const PaperMap& m : measured_maps()) {
        EXPECT_EQ(m.wrong, 0U) << m.name;
        for (std::size_t levels = 1; levels <= kPaperLevels; ++levels) {
            const auto index =
                hpa::Index::build(*m.map, paper_index_options(static_cast<int>(levels)));
            ASSERT_TRUE(index);
            const hpa::IndexStatistics s = index->statistics();
            for (std::size_t l = 0; l < levels; ++l) {
                EXPECT_EQ(m.sizes[levels - 1][l].nodes, s.levels[l].nodes) << m.name;
                EXPECT_EQ(m.sizes[levels - 1][l].inter_edges, s.levels[l].inter_edges) << m.name;
                EXPECT_EQ(m.sizes[levels - 1][l].intra_edges, s.levels[l].intra_edges) << m.name;
            }
        }
        for (std::size_t i = 0; i < m.queries.size(); ++i) {
            const PaperQuery& q = m.queries[i];
            const auto oracle = grid::dijkstra_distances(*m.map, m.problems[i].start);
            EXPECT_EQ(q.optimum, oracle[m.map->cell(m.problems[i].goal)]);
            EXPECT_LE(q.optimum, q.smoothed);
            EXPECT_LE(q.smoothed, q.length);
            EXPECT_LE(q.paper_smoothed, q.length);
            for (const PaperAnswer& a : q.levels) {
                EXPECT_EQ(a.cost, q.length);
                EXPECT_EQ(a.refined, q.length);
            }
        }
    }
}

TEST(Reproduce, CountsAreTheSameForAnyNumberOfJobs) {
    std::vector<PaperMap> one{small_map(grid::MapKind::caves, 1, 20),
                              small_map(grid::MapKind::rooms, 2, 20)};
    std::vector<PaperMap> two = one;
    ASSERT_TRUE(measure_effort(one, {nullptr, nullptr, 1}).ok());
    ASSERT_TRUE(measure_effort(two, {nullptr, nullptr, 4}).ok());
    EXPECT_EQ(format_csv(figure_6(one)), format_csv(figure_6(two)));
    EXPECT_EQ(format_csv(figure_7(one)), format_csv(figure_7(two)));
    EXPECT_EQ(format_csv(table_3(one)), format_csv(table_3(two)));
}

TEST(Reproduce, EveryExhibitIsComplete) {
    std::vector<PaperMap> maps = measured_maps();
    ASSERT_TRUE(measure_times(maps, {}).ok());
    ASSERT_TRUE(measure_cluster_sizes(maps, {}).ok());
    auto exhibits = example_exhibits();
    ASSERT_TRUE(exhibits);
    for (auto* make : {table_2, overhead, table_3, figure_5, figure_6, figure_7, figure_8})
        exhibits->push_back(make(maps));
    for (const Exhibit& e : *exhibits) {
        EXPECT_FALSE(e.rows.empty()) << e.name;
        for (const auto& row : e.rows) EXPECT_EQ(row.size(), e.columns.size()) << e.name;
        const Json json = Json::parse(to_json(e).dump());
        EXPECT_EQ(json["rows"].size(), e.rows.size());
        EXPECT_NE(format_text(e).find(e.title), std::string::npos);
        EXPECT_EQ(static_cast<std::size_t>(std::ranges::count(format_csv(e), '\n')),
                  e.rows.size() + 1);
    }
}

TEST(Reproduce, StopsWhenCancelled) {
    std::vector<PaperMap> maps{small_map(grid::MapKind::rooms, 1, 5)};
    CancelFlag cancel;
    cancel.cancel();
    EXPECT_EQ(measure_effort(maps, {nullptr, &cancel, 1}).code, StatusCode::cancelled);
    EXPECT_EQ(measure_times(maps, {nullptr, &cancel, 1}).code, StatusCode::cancelled);
}

std::vector<SubgoalVariant> every_variant() {
    std::vector<SubgoalVariant> out = table_variants();
    for (const auto& more : {edge_variants(), order_variants()})
        out.insert(out.end(), more.begin(), more.end());
    return out;
}

TEST(ReproduceSubgoal, EveryAnswerIsAShortestPathAndEveryExhibitComplete) {
    auto maps = built_in_subgoal_maps(6, 1);
    ASSERT_TRUE(maps);
    int steps = 0;
    const SubgoalControl control{[&] { ++steps; }, nullptr};
    ASSERT_TRUE(solve_by_astar(*maps, control).ok());
    const std::vector<const SubgoalMap*> some = sample(std::span(*maps).first(2), 0);
    std::vector<SubgoalExperiment> measured;
    for (auto variants : {table_variants(), edge_variants(), order_variants()})
        measured.push_back(measure_variants(variants, some, control).value());
    EXPECT_EQ(steps, static_cast<int>(maps->size() + 2 * every_variant().size()));
    std::vector<Exhibit> exhibits;
    for (auto* make : {subgoal_table_1, subgoal_figure_12, subgoal_levels})
        exhibits.push_back(make(measured[0]));
    exhibits.push_back(subgoal_figure_3(measured[1]));
    exhibits.push_back(subgoal_orders(measured[2]));
    for (const Exhibit& e : exhibits) {
        EXPECT_FALSE(e.rows.empty()) << e.name;
        for (const auto& row : e.rows) EXPECT_EQ(row.size(), e.columns.size()) << e.name;
        const std::set<std::string> names(e.columns.begin(), e.columns.end());
        EXPECT_EQ(names.size(), e.columns.size()) << e.name;  // they are keys of the JSON
    }
    for (const SubgoalExperiment& e : measured) {
        EXPECT_EQ(wrong_answers(e), 0U);
        for (const auto& runs : e.runs) {
            for (const SubgoalRun& run : runs) EXPECT_GT(run.size.subgoals, 0U);
        }
    }
}

TEST(ReproduceSubgoal, WrongAnswersAreCounted) {
    auto maps = built_in_subgoal_maps(4, 2).value();
    ASSERT_TRUE(solve_by_astar(maps, {}).ok());
    maps[0].optima[1] -= 1;
    const auto measured = measure_variants({table_variants()[0]}, sample(maps, 0), {});
    ASSERT_TRUE(measured);
    EXPECT_EQ(wrong_answers(*measured), 1U);
}

TEST(ReproduceSubgoal, SamplesAreSpreadOverEachSet) {
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
    EXPECT_EQ(solve_by_astar(maps, {{}, &cancel}).code, StatusCode::cancelled);
    EXPECT_EQ(measure_variants(table_variants(), sample(maps, 0), {{}, &cancel}).error().code,
              StatusCode::cancelled);
}

TEST(Plot, DrawsOrSaysWhatIsMissing) {
    EXPECT_EQ(plot_kind("figure-8"), PlotKind::figure_8);
    EXPECT_FALSE(plot_kind("figure-9"));
    std::vector<PaperMap> maps{small_map(grid::MapKind::rooms, 1, 5)};
    ASSERT_TRUE(measure_cluster_sizes(maps, {}).ok());
    const test::ScratchFolder folder;
    const auto csv = folder.path() / "figure-8.csv";
    const auto png = folder.path() / "figure-8.png";
    ASSERT_TRUE(cairn::write_file_atomically(csv, format_csv(figure_8(maps))).ok());
    const Status drawn = plot(PlotKind::figure_8, csv, png);
    if (drawn.code == StatusCode::unsupported) {
        EXPECT_NE(drawn.message.find("python3-matplotlib"), std::string::npos);
        GTEST_SKIP() << drawn.message;
    }
    ASSERT_TRUE(drawn.ok()) << drawn.message;
    EXPECT_GT(std::filesystem::file_size(png), 1000U);
    EXPECT_EQ(plot(PlotKind::figure_8, folder.path() / "missing.csv", png).code,
              StatusCode::io_error);
}

}  // namespace
}  // namespace cairn::app
