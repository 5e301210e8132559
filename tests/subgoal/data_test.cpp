// Subgoal graphs on published problems: on the maps of this repository, and on some maps of each
// benchmark set in CAIRN_DATA.

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "cairn/formats/movingai.hpp"
#include "cairn/grid/dijkstra.hpp"
#include "subgoal/verify.hpp"
#include "support/benchmark_sets.hpp"
#include "support/scale.hpp"
#include "support/source_folder.hpp"

namespace cairn::subgoal::test {
namespace {

using grid::Map;
using grid::Point;
namespace fs = std::filesystem;

struct Tally {
    int problems = 0;
    int disagreements = 0;  // problems whose published length is not Dijkstra's
};

// Expects the answer to have the published length, or else the least cost by Dijkstra's algorithm.
void check_problem(const Index& index, Searcher& searcher, const formats::ScenarioProblem& problem,
                   Engine engine, Tally& tally) {
    const Map& map = index.map();
    const Query query = query_of(problem.start, problem.goal, engine);
    Answer answer;
    searcher.find(index, query, answer);
    ++tally.problems;
    const Cost path_cost = grid::path_cost(map, answer.cells);
    ASSERT_EQ(answer.cost, answer.status == StatusCode::ok ? path_cost : kInfinity);
    const double length =
        answer.status == StatusCode::ok ? grid::path_length(map, answer.cells) : 0;
    // Published lengths are rounded.
    const double tolerance = 1e-5 + 2e-6 * problem.optimal_length;
    if (std::abs(length - problem.optimal_length) <= tolerance) return;
    ++tally.disagreements;
    const std::vector<Cost> optimum = grid::dijkstra_distances(map, problem.start).value();
    ASSERT_EQ(fault_of(index, query, answer, optimum[map.cell(problem.goal)]), "")
        << problem.optimal_length << " expected, " << length << " found" << describe(index, query);
}

// Checks about `count` problems, spread over the scenario of a map, by every engine in turn.
void check_scenario(const fs::path& path, const Options& options, std::uint64_t count,
                    Tally& tally) {
    const auto map = formats::load_map(path);
    ASSERT_TRUE(map) << map.error().message;
    const auto scenario = formats::load_scenario(path.string() + ".scen");
    ASSERT_TRUE(scenario) << scenario.error().message;
    const Index index = build(*map, options);
    Searcher searcher;
    const std::size_t all = scenario->problems.size();
    const std::size_t step = std::max<std::size_t>(1, all / count);
    for (std::size_t i = 0; i < all; i += step) {
        const formats::ScenarioProblem& problem = scenario->problems[i];
        if (problem.map_width != map->width() || problem.map_height != map->height()) continue;
        Engine engine = kEngines[i / step % kEngines.size()];
        if (engine == Engine::cut_labels && !index.has_labels()) engine = Engine::levels;
        check_problem(index, searcher, problem, engine, tally);
        if (testing::Test::HasFatalFailure()) return;
    }
}

TEST(SubgoalData, AnswersOnTheRepositorysMapsHaveThePublishedLengths) {
    Tally tally;
    int maps = 0;
    for (const fs::path& path :
         cairn::test::maps_with_scenarios(cairn::test::source_folder() / "maps")) {
        const auto map = formats::load_map(path);
        ASSERT_TRUE(map) << map.error().message;
        if (map->free_cells() == 0) continue;  // a map of terrain weights, written as digits
        for (const int number : {0, 2}) {      // one level and two
            check_scenario(path, variant(number), cairn::test::scaled(100), tally);
            if (HasFatalFailure()) return;
        }
        ++maps;
    }
    EXPECT_GE(maps, 5);
    EXPECT_GT(tally.problems, 50);
    EXPECT_EQ(tally.disagreements, 0);
}

class SubgoalBenchmarkSet : public cairn::test::BenchmarkSet {};

TEST_P(SubgoalBenchmarkSet, AnswersHaveThePublishedLengths) {
    const auto maps = cairn::test::maps_with_scenarios(folder_);
    if (maps.empty()) GTEST_SKIP() << folder_ << " has no scenarios";
    RandomMaps random(91);
    Tally tally;
    const std::size_t step = std::max<std::size_t>(1, maps.size() / cairn::test::scaled(2));
    for (std::size_t i = step / 2; i < maps.size(); i += step) {
        Options options = variant(2 * random.number(0, 3));  // pruned, any number of levels
        options.label_bytes = 64 << 20;
        check_scenario(maps[i], options, 60, tally);
        ASSERT_FALSE(HasFatalFailure()) << maps[i];
    }
    EXPECT_GT(tally.problems, 0);
    RecordProperty("problems", tally.problems);
    RecordProperty("disagreements", tally.disagreements);
}

INSTANTIATE_TEST_SUITE_P(Data, SubgoalBenchmarkSet, cairn::test::kBenchmarkSets,
                         cairn::test::set_name);

}  // namespace
}  // namespace cairn::subgoal::test
