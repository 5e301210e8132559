// Random queries on random maps and subgoal graphs of every kind, against Dijkstra's algorithm.

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "cairn/grid/dijkstra.hpp"
#include "cairn/grid/generate.hpp"
#include "subgoal/verify.hpp"
#include "support/scale.hpp"

namespace cairn::subgoal::test {
namespace {

using grid::Map;
using grid::MapKind;
using grid::Point;

// Checks paths from `starts` random free cells to `goals` random free cells each.
std::string fault_of_some_pairs(const Index& index, RandomMaps& random, Searcher& searcher,
                                int starts, int goals) {
    const Map& map = index.map();
    const std::vector<Point> points = free_points(map);
    if (points.empty()) return "";
    for (int i = 0; i < starts; ++i) {
        const Point start = random.one_of(points);
        const std::vector<Cost> optimum = grid::dijkstra_distances(map, start).value();
        for (int j = 0; j < goals; ++j) {
            const Point goal = random.one_of(points);
            std::string fault =
                fault_of_pair(index, searcher, start, goal, optimum[map.cell(goal)]);
            if (!fault.empty()) return fault;
        }
    }
    return "";
}

Options any_variant(RandomMaps& random) {
    Options options = variant(random.number(0, kVariants - 1));
    options.order = static_cast<ContractionOrder>(random.number(0, 4));
    return options;
}

// Costs that subgoal graphs accept: straight < diagonal < 2 * straight.
CostModel any_costs(RandomMaps& random) {
    CostModel costs = random.costs();
    while (costs.straight == costs.diagonal) costs = random.costs();
    return costs;
}

TEST(SubgoalRandomQueries, OnMapsOfEveryKindAreOptimal) {
    RandomMaps random(7);
    Searcher searcher;
    for (auto maps = cairn::test::scaled(250); maps > 0; --maps) {
        const CostModel costs = any_costs(random);
        // With h-reachable edges the engines of large maps take long to build.
        const Options options = any_variant(random);
        const int longest = options.edges == Edges::direct ? 80 : 32;
        const Index index = build(random.uniform_map(random.size(longest), costs), options);
        ASSERT_EQ(fault_of_some_pairs(index, random, searcher, 4, 20), "");
    }
}

TEST(SubgoalRandomQueries, OnNoiseOfEveryDensityAreOptimal) {
    RandomMaps random(8);
    Searcher searcher;
    for (auto rounds = cairn::test::scaled(6); rounds > 0; --rounds) {
        for (int density = 0; density <= 100; density += 2) {
            const Index index = build(random.noise(random.size(48), density), any_variant(random));
            ASSERT_EQ(fault_of_some_pairs(index, random, searcher, 4, 20), "");
        }
    }
}

// Free and blocked rectangles that overlap, on an open or a blocked map: long straight walls and
// open areas.
TEST(SubgoalRandomQueries, OnOverlappingRectanglesAreOptimal) {
    RandomMaps random(9);
    Searcher searcher;
    for (auto maps = cairn::test::scaled(300); maps > 0; --maps) {
        const RandomMaps::Size size = random.size(100);
        Map map = random.noise(size, random.chance(70) ? 0 : 100);
        std::vector<grid::TerrainEdit> edits;
        for (int i = random.number(1, 25); i > 0; --i) {
            const Point corner = random.point(map);
            const int width = random.number(1, std::min(30, size.width - corner.x));
            const int height = random.number(1, std::min(30, size.height - corner.y));
            const std::uint8_t terrain = random.chance(50) ? '.' : '@';
            edits.push_back({{corner.x, corner.y, width, height}, terrain});
        }
        map = *map.edited(edits);
        const Index index = build(map, any_variant(random));
        ASSERT_EQ(fault_of_some_pairs(index, random, searcher, 4, 20), "");
    }
}

// One generated map of each kind, of about the size of a game's level.
class SubgoalLargeMap : public testing::TestWithParam<MapKind> {};

TEST_P(SubgoalLargeMap, QueriesAreOptimal) {
    grid::GenerateOptions generate;
    generate.kind = GetParam();
    generate.width = 300;
    generate.height = 260;
    const Map map = *grid::make_map(*grid::generate(generate));
    RandomMaps random(10);
    Searcher searcher;
    for (const std::uint32_t levels : {1U, 2U, 0U}) {  // 0: as many as possible
        Options options;
        options.levels = levels;
        options.labels = levels == 1;
        const Index index = build(map, options);
        const auto starts = static_cast<int>(cairn::test::scaled(3));
        ASSERT_EQ(fault_of_some_pairs(index, random, searcher, starts, 30), "");
    }
}

INSTANTIATE_TEST_SUITE_P(Kinds, SubgoalLargeMap,
                         testing::Values(MapKind::open, MapKind::random, MapKind::rooms,
                                         MapKind::maze, MapKind::caves, MapKind::city,
                                         MapKind::forest),
                         [](const auto& kind) { return std::string(name(kind.param)); });

// Maps of cells that RapidCheck can shrink after a failure.
RC_GTEST_PROP(SubgoalProperty, EveryAnswerIsTheOptimum, ()) {
    const int width = *rc::gen::inRange(1, 24);
    const int height = *rc::gen::inRange(1, 12);
    const auto size = static_cast<std::size_t>(width * height);
    const auto cells = *rc::gen::container<std::vector<std::uint8_t>>(
        size, rc::gen::weightedElement<std::uint8_t>({{3, '.'}, {1, '@'}}));
    const Index index =
        build(*Map::create(width, height, cells), variant(*rc::gen::inRange(0, kVariants)));
    const std::vector<Point> points = free_points(index.map());
    RC_PRE(!points.empty());
    const Point start = *rc::gen::elementOf(points);
    const std::vector<Cost> optimum = grid::dijkstra_distances(index.map(), start).value();
    Searcher searcher;
    for (const Point goal : points) {
        RC_ASSERT(fault_of_pair(index, searcher, start, goal, optimum[index.map().cell(goal)]) ==
                  "");
    }
}

}  // namespace
}  // namespace cairn::subgoal::test
