// A* and jump point search as planners (cairn/planner.hpp), and the planner concepts.

#include "cairn/grid/planners.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "cairn/cairn.hpp"
#include "cairn/grid/dijkstra.hpp"
#include "support/allocation_counter.hpp"
#include "support/ascii_map.hpp"
#include "support/large_costs.hpp"
#include "support/random_maps.hpp"
#include "support/scale.hpp"

namespace cairn::grid {
namespace {

static_assert(Planner<AstarPlanner> && Planner<JpsPlanner> && Planner<mesh::AstarPlanner>);
static_assert(LabelledPlanner<hpa::Planner> && LabelledPlanner<subgoal::Planner> &&
              LabelledPlanner<hna::Planner> && IndexedPlanner<haa::Planner>);
static_assert(!IndexedPlanner<AstarPlanner>);

template <class P>
class PlainPlanner : public testing::Test {};
using PlainPlanners = testing::Types<AstarPlanner, JpsPlanner>;
TYPED_TEST_SUITE(PlainPlanner, PlainPlanners);

TYPED_TEST(PlainPlanner, CostsAreThoseOfDijkstraWholeAndInSlices) {
    using P = TypeParam;
    cairn::Searcher<P> searcher;
    typename P::Answer whole;
    typename P::Answer sliced;
    std::size_t found = 0;
    for (std::uint64_t seed = 0; seed < cairn::test::scaled(60); ++seed) {
        cairn::test::RandomMaps random(seed);
        const Map map = random.map(random.size(24), {});
        const auto index = P::build(map);
        if (!index) continue;  // jump point search refuses terrain of several weights
        const Point start = random.point(map);
        const std::vector<Cost> optima = dijkstra_distances(map, start).value();
        std::vector<Point> goals;
        for (int i = 0; i < 20; ++i) goals.push_back(random.point(map));
        std::vector<Cost> costs(goals.size());
        typename P::Query query{.start = start};
        const StatusCode status = searcher.costs(*index, query, goals, costs);
        ASSERT_EQ(status == StatusCode::ok, map.passable(map.cell(start))) << seed;
        for (std::size_t i = 0; i < goals.size(); ++i) {
            const Cost optimum = optima[map.cell(goals[i])];
            if (status == StatusCode::ok) {
                ASSERT_EQ(costs[i], optimum) << seed;
            }
            query.goal = goals[i];
            searcher.find(*index, query, whole);
            ASSERT_EQ(whole.cost, optimum) << seed;
            if (searcher.begin(*index, query, sliced) == StatusCode::ok) {
                while (searcher.advance(3)) {
                }
            }
            ASSERT_EQ(sliced.status, whole.status) << seed;
            ASSERT_EQ(sliced.cells, whole.cells) << seed;
            const auto once = find_path(map, start, goals[i]);
            ASSERT_EQ(once.has_value(), whole.status == StatusCode::ok) << seed;
            if (once) {
                ASSERT_EQ(once->cost, optimum) << seed;
            }
            found += once ? 1 : 0;
        }
        std::size_t nearest = 0;
        const StatusCode nearest_status =
            searcher.find_nearest(*index, query, goals, whole, nearest);
        Cost least = kInfinity;
        for (const Point goal : goals) least = std::min(least, optima[map.cell(goal)]);
        ASSERT_EQ(nearest_status == StatusCode::ok, least < kInfinity) << seed;
        ASSERT_EQ(whole.cost, least) << seed;
    }
    EXPECT_GT(found, 0U);
}

TYPED_TEST(PlainPlanner, CostsAreExactUpToTheLargestAndTooLargeBeyond) {
    using P = TypeParam;
    const cairn::test::Serpentine s = cairn::test::serpentine(100, 101);
    const auto index = P::build(s.map).value();
    cairn::Searcher<P> searcher;
    typename P::Answer answer;
    for (const std::size_t i : {0, 1, 2386, 2387, 2388, 4773, 4774, 4775, 5148}) {
        for (const bool back : {false, true}) {
            typename P::Query query{.start = s.cells[back ? i : 0], .goal = s.cells[back ? 0 : i]};
            const bool fits = i <= cairn::test::kMostMoves;
            const StatusCode expected = fits ? StatusCode::ok : StatusCode::cost_too_large;
            ASSERT_EQ(searcher.find(index, query, answer), expected) << i;
            ASSERT_EQ(answer.cost, fits ? i * 899'658 : kInfinity);
            ASSERT_EQ(path_cost(s.map, answer.cells), answer.cost);
            query.limits.max_cost = kInfinity - 2;
            ASSERT_EQ(searcher.find(index, query, answer),
                      i < cairn::test::kMostMoves ? StatusCode::ok : StatusCode::over_cost_limit);
        }
    }
}

TYPED_TEST(PlainPlanner, LargeCostsAgreeWithDijkstraIn64Bits) {
    using P = TypeParam;
    cairn::Searcher<P> searcher;
    typename P::Answer answer;
    std::array<std::size_t, 3> seen{};  // found, too large, no path
    for (std::uint64_t seed = 0; seed < cairn::test::scaled(800, 200); ++seed) {
        cairn::test::RandomMaps random(seed);
        const Map map = cairn::test::with_large_costs(
            random, random.chance(50) ? random.map(random.size(24), {})
                                      : random.uniform_map(random.size(24)));
        const auto index = P::build(map);
        if (!index) continue;
        typename P::Query query{.start = random.point(map)};
        if (!map.passable(map.cell(query.start))) continue;
        const auto distances = cairn::test::wide_distances(map, query.start);
        std::vector<Point> goals;
        for (int i = 0; i < 10; ++i) goals.push_back(random.point(map));
        std::vector<Cost> costs(goals.size());
        ASSERT_EQ(searcher.costs(*index, query, goals, costs), StatusCode::ok);
        StatusCode nearest_expected = StatusCode::no_path;
        Cost least = kInfinity;
        for (std::size_t i = 0; i < goals.size(); ++i) {
            query.goal = goals[i];
            if constexpr (requires { query.open; }) {
                query.open = random.chance(50) ? OpenList::heap : OpenList::buckets;
            }
            searcher.find(*index, query, answer);
            if (!map.passable(map.cell(goals[i]))) continue;
            const std::uint64_t distance = distances[map.cell(goals[i])];
            const bool reached = distance != cairn::test::kUnreachable;
            ASSERT_EQ(answer.status, !reached               ? StatusCode::no_path
                                     : distance < kInfinity ? StatusCode::ok
                                                            : StatusCode::cost_too_large)
                << seed;
            ASSERT_EQ(answer.cost, std::min<std::uint64_t>(distance, kInfinity)) << seed;
            ASSERT_EQ(costs[i], answer.cost) << seed;
            ASSERT_EQ(path_cost(map, answer.cells), answer.cost) << seed;
            least = std::min(least, costs[i]);
            if (answer.status == StatusCode::cost_too_large) nearest_expected = answer.status;
            const StatusCode status = answer.status;
            if (searcher.begin(*index, query, answer) == StatusCode::ok) {
                while (searcher.advance(2)) {
                }
            }
            ASSERT_EQ(answer.status, status) << seed;
            ++seen[!reached ? 2 : distance < kInfinity ? 0 : 1];
        }
        if (least < kInfinity) nearest_expected = StatusCode::ok;
        std::size_t nearest = 0;
        ASSERT_EQ(searcher.find_nearest(*index, query, goals, answer, nearest), nearest_expected)
            << seed;
    }
    for (const std::size_t count : seen) EXPECT_GT(count, 0U);
}

TYPED_TEST(PlainPlanner, TheFirstFaultOfEndpointsGivesTheStatus) {
    using P = TypeParam;
    const Map map = cairn::test::ascii_map({"..@.", "..@.", "@@@."});
    const auto index = P::build(map).value();
    cairn::Searcher<P> searcher;
    typename P::Answer answer;
    const auto status = [&](Point start, Point goal) {
        return searcher.find(index, {.start = start, .goal = goal}, answer);
    };
    for (const Point goal : {Point{0, 0}, {2, 0}, {0, 9}}) {
        EXPECT_EQ(status({9, 9}, goal), StatusCode::start_outside);
        EXPECT_EQ(status({2, 0}, goal), StatusCode::start_blocked);
    }
    EXPECT_EQ(status({0, 0}, {-1, 0}), StatusCode::goal_outside);
    EXPECT_EQ(status({0, 0}, {2, 0}), StatusCode::goal_blocked);
    EXPECT_EQ(status({0, 0}, {3, 0}), StatusCode::no_path);
}

TYPED_TEST(PlainPlanner, AWarmedQueryAllocatesNothing) {
    using P = TypeParam;
    if (!cairn::test::counts_allocations()) GTEST_SKIP() << "allocations are not counted";
    const std::vector<std::uint8_t> terrain(200 * 200, '.');
    const auto index = P::build(*Map::create(200, 200, terrain));
    ASSERT_TRUE(index.has_value());
    cairn::Searcher<P> searcher;
    typename P::Answer answer;
    const typename P::Query query{.start = {0, 0}, .goal = {199, 150}};
    ASSERT_EQ(searcher.find(*index, query, answer), StatusCode::ok);
    const auto before = cairn::test::allocations();
    ASSERT_EQ(searcher.find(*index, query, answer), StatusCode::ok);
    EXPECT_EQ(cairn::test::allocations(), before);
}

TEST(SubgoalReachable, AgreesWithDijkstra) {
    std::size_t unreachable = 0;
    for (std::uint64_t seed = 0; seed < cairn::test::scaled(30); ++seed) {
        cairn::test::RandomMaps random(seed);
        const Map map = random.map(random.size(20), {});
        const auto index = subgoal::Index::build(map);
        if (!index) continue;
        EXPECT_GT(index->memory(), index->statistics().value().bytes());
        for (int i = 0; i < 40; ++i) {
            const Point a = random.point(map);
            const Point b = random.point(map);
            const bool reachable = dijkstra_distances(map, a).value()[map.cell(b)] < kInfinity;
            ASSERT_EQ((index->reachable(a, b) == StatusCode::ok), reachable) << seed;
            unreachable += reachable ? 0 : 1;
        }
    }
    EXPECT_GT(unreachable, 0U);
}

}  // namespace
}  // namespace cairn::grid
