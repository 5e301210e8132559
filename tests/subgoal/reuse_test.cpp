// What changes no answer: the threads of a build, the earlier queries of a searcher, and the
// connected endpoints that it keeps.

#include <gtest/gtest.h>

#include "cairn/grid/dijkstra.hpp"
#include "subgoal/engines.hpp"
#include "subgoal/verify.hpp"
#include "support/ascii_map.hpp"
#include "support/scale.hpp"

namespace cairn::subgoal::test {
namespace {

using grid::Map;
using grid::Point;

Index built_by(const Map& map, const Options& options, int threads) {
    BuildControl control;
    control.threads = threads;
    return Index::build(map, options, control).value();
}

void expect_same_answer(const Answer& a, const Answer& b) {
    ASSERT_EQ(a.status, b.status);
    ASSERT_EQ(a.cost, b.cost);
    ASSERT_EQ(a.engine, b.engine);
    ASSERT_EQ(a.h_reachable, b.h_reachable);
    ASSERT_EQ(a.subgoals, b.subgoals);
    ASSERT_EQ(a.cells, b.cells);
    ASSERT_EQ(a.statistics.start_connectors, b.statistics.start_connectors);
    ASSERT_EQ(a.statistics.goal_connectors, b.statistics.goal_connectors);
    ASSERT_EQ(a.statistics.search.expanded, b.statistics.search.expanded);
}

Query any_query(RandomMaps& random, const Index& index) {
    const Point start = random.point(index.map());
    const Point goal = random.point(index.map());
    Query query = query_of(start, goal);
    if (index.complete()) query.engine = static_cast<Engine>(random.number(0, 3));
    query.detail = static_cast<Detail>(random.number(0, 2));
    query.nearest_reachable = random.chance(20);
    return query;
}

TEST(SubgoalReuse, ThreadsOfABuildChangeNothing) {
    RandomMaps random(91);
    for (auto maps = cairn::test::scaled(8); maps > 0; --maps) {
        const RandomMaps::Size size{random.number(60, 120), random.number(60, 120)};
        const Map map = random.uniform_map(size);
        const Options options = variant(random.number(0, kDirectVariants - 1));
        const Index alone = built_by(map, options, 1);
        for (const int threads : {2, 0}) {
            const Index index = built_by(map, options, threads);
            ASSERT_TRUE(index == alone);
            ASSERT_EQ(index.snapshot_id(), alone.snapshot_id());
            ASSERT_TRUE(edges(index).value() == edges(alone));
            for (int i = 0; i < 20; ++i) {
                const Query query = any_query(random, alone);
                expect_same_answer(answer_to(index, query), answer_to(alone, query));
                if (HasFatalFailure()) return;
            }
        }
    }
}

// One searcher for many maps and their snapshots, in random order. The parameter is the number of
// endpoints that the searcher keeps.
class SubgoalSearcherReuse : public testing::TestWithParam<std::size_t> {};

TEST_P(SubgoalSearcherReuse, AnswersAsAFreshOneWould) {
    RandomMaps random(92);
    std::vector<Index> indexes;
    for (int i = 0; i < 12; ++i) {
        const RandomMaps::Size size = random.size(50);
        Index index = build(random.uniform_map(size), variant(random.number(0, kVariants - 1)));
        indexes.push_back(index);
        for (int steps = 0; steps < 3; ++steps) {
            index = *index.edited(random.edits(index.map()));
            indexes.push_back(index);
            indexes.push_back(with_labels(index));
        }
    }
    Searcher searcher(GetParam());
    Answer answer;
    for (auto round = cairn::test::scaled(6000); round > 0; --round) {
        const auto i = random.number(0, static_cast<int>(indexes.size()) - 1);
        const Index& index = indexes[static_cast<std::size_t>(i)];
        const Query query = any_query(random, index);
        searcher.find(index, query, answer);
        ASSERT_EQ(answer.snapshot_id, index.snapshot_id());
        expect_same_answer(answer, answer_to(index, query));
        if (HasFatalFailure()) {
            ADD_FAILURE() << describe(index, query);
            return;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(CachedEndpoints, SubgoalSearcherReuse,
                         testing::Values(std::size_t{0}, std::size_t{1}, std::size_t{8},
                                         std::size_t{1000}));

// Six cells are starts and goals of many queries by every engine, so that queries find endpoints in
// the cache that others have connected.
TEST(SubgoalReuse, QueriesBetweenAFewEndpointsAreOptimal) {
    RandomMaps random(93);
    for (auto maps = cairn::test::scaled(60); maps > 0; --maps) {
        const RandomMaps::Size size{random.number(5, 24), random.number(5, 24)};
        const Index index = build(random.noise(size, 25), variant(random.number(0, kVariants - 1)));
        const std::vector<Point> points = free_points(index.map());
        if (points.empty()) continue;
        Searcher searcher(4);
        std::vector<Point> endpoints;
        std::vector<std::vector<Cost>> optimum;
        for (int i = 0; i < 6; ++i) {
            endpoints.push_back(random.one_of(points));
            optimum.push_back(grid::dijkstra_distances(index.map(), endpoints.back()).value());
        }
        for (int i = 0; i < 200; ++i) {
            const auto a = static_cast<std::size_t>(random.number(0, 5));
            const auto b = static_cast<std::size_t>(random.number(0, 5));
            ASSERT_EQ(fault_of_pair(index, searcher, endpoints[a], endpoints[b],
                                    optimum[a][index.map().cell(endpoints[b])]),
                      "");
        }
    }
}

// The reverse query finds both endpoints in the cache, each connected in its other role.
TEST(SubgoalReuse, AQueryAndItsReverseCostTheSame) {
    const Index index = build(cairn::test::ascii_map({"......",  //
                                                      ".@@@@.",  //
                                                      ".@....",  //
                                                      ".@.@@@",  //
                                                      "......"}));
    for (const Engine engine : kEngines) {
        Searcher searcher;
        Answer there;
        Answer back;
        for (int round = 0; round < 3; ++round) {
            searcher.find(index, query_of({2, 2}, {0, 2}, engine), there);
            searcher.find(index, query_of({0, 2}, {2, 2}, engine), back);
            EXPECT_EQ(there.status, StatusCode::ok);
            EXPECT_EQ(there.cost, back.cost);
            EXPECT_EQ(there.cost, 6 * CostModel{}.straight);
        }
    }
}

TEST(SubgoalReuse, AMovedSearcherAnswersQueries) {
    const Index index = build(cairn::test::ascii_map({"..@..", "..@..", "....."}));
    Searcher first;
    Answer answer;
    first.find(index, query_of({0, 0}, {4, 0}), answer);
    const Cost cost = answer.cost;
    Searcher second(std::move(first));
    second.find(index, query_of({4, 0}, {0, 0}), answer);
    EXPECT_EQ(answer.cost, cost);
    first = std::move(second);
    first.find(index, query_of({0, 0}, {4, 0}), answer);
    EXPECT_EQ(answer.cost, cost);
}

}  // namespace
}  // namespace cairn::subgoal::test
