// HPA* on some maps of each benchmark set in CAIRN_DATA, against A*.

#include <gtest/gtest.h>

#include "cairn/formats/movingai.hpp"
#include "cairn/grid/astar.hpp"
#include "hpa/random_cases.hpp"
#include "hpa/verify.hpp"
#include "support/benchmark_sets.hpp"
#include "support/scale.hpp"

namespace cairn::hpa::test {
namespace {

using grid::Map;
using grid::Point;

class HpaBenchmarkSet : public cairn::test::BenchmarkSet {};

TEST_P(HpaBenchmarkSet, EveryPathIsFoundAndNearlyOptimal) {
    const auto maps = cairn::test::maps_of(folder_);
    ASSERT_FALSE(maps.empty());

    RandomCases random(91);
    Searcher searcher;
    Answer answer;
    grid::Astar astar;
    grid::Path optimum;
    grid::AstarOptions astar_options;
    astar_options.open = grid::OpenList::buckets;
    astar_options.cost_only = true;
    double smoothed_costs = 0;
    double optimal_costs = 0;
    const std::size_t step = std::max<std::size_t>(1, maps.size() / cairn::test::scaled(2));
    for (std::size_t i = step / 2; i < maps.size(); i += step) {
        const auto map = formats::load_map(maps[i]);
        ASSERT_TRUE(map) << map.error().message;
        Options options;
        options.levels = random.number(1, 3);
        options.labels = random.chance(50);
        const Index index = build(*map, options);
        const std::vector<Point> points = free_points(*map);
        for (int pairs = 0; pairs < 40; ++pairs) {
            Query query;
            query.start = random.one_of(points);
            query.goal = random.one_of(points);
            query.smoothing = static_cast<Smoothing>(pairs % 4);  // each kind in turn
            astar.find_path(*map, query.start, query.goal, optimum, astar_options);
            searcher.find(index, query, answer);
            ASSERT_EQ(fault_of(index, query, answer, optimum.cost), "")
                << maps[i] << describe(index, query);
            if (answer.status != StatusCode::ok || query.smoothing == Smoothing::none) continue;
            smoothed_costs += answer.cost;
            optimal_costs += optimum.cost;
        }
    }
    // A coarse bound, which only a fault exceeds.
    EXPECT_LT(smoothed_costs, 1.05 * optimal_costs) << "paths are more than 5 % too long";
}

INSTANTIATE_TEST_SUITE_P(Data, HpaBenchmarkSet, cairn::test::kBenchmarkSets, cairn::test::set_name);

}  // namespace
}  // namespace cairn::hpa::test
