// Queries in slices, and queries that are bounded or stopped.

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "subgoal/verify.hpp"
#include "support/scale.hpp"

namespace cairn::subgoal::test {
namespace {

using grid::Map;
using grid::Point;

TEST(SubgoalSlices, OfAnySizeGiveTheSameAnswer) {
    RandomMaps random(1);
    Searcher sliced;
    Answer answer;
    for (auto maps = cairn::test::scaled(25); maps > 0; --maps) {
        const RandomMaps::Size size{random.number(20, 80), random.number(20, 80)};
        const Index index = build(random.uniform_map(size), variant(random.number(0, 15)));
        for (const std::uint64_t slice : {1U, 2U, 3U, 7U, 100U, 257U}) {
            const Point start = random.point(index.map());
            const Point goal = random.point(index.map());
            const Query query = query_of(start, goal, static_cast<Engine>(random.number(0, 3)));
            const Answer whole = answer_to(index, query);
            sliced.begin(index, query, answer);
            while (sliced.advance(slice)) {
            }
            ASSERT_EQ(answer.status, whole.status) << describe(index, query);
            ASSERT_EQ(answer.cost, whole.cost);
            ASSERT_EQ(answer.subgoals, whole.subgoals);
            ASSERT_EQ(answer.cells, whole.cells) << describe(index, query);
            ASSERT_EQ(answer.statistics.search.expanded, whole.statistics.search.expanded);
        }
    }
}

// Walls with a gap at one end and the other in turn: a long way with many subgoals.
Map serpentine() {
    std::vector<std::uint8_t> terrain(60 * 61, '.');
    for (std::size_t y = 1; y < 61; y += 2) {
        for (std::size_t x = 0; x < 59; ++x) terrain[y * 60 + (y % 4 == 1 ? x : x + 1)] = '@';
    }
    return *Map::create(60, 61, terrain);
}

class SubgoalLimits : public testing::Test {
protected:
    SubgoalLimits() : index_(build(serpentine())) {
        query_ = query_of({0, 0}, {0, 60}, Engine::astar, Detail::cost);
    }
    Index index_;
    Query query_;
};

TEST_F(SubgoalLimits, AQueryOutlivesItsIndexAndItsEdit) {
    query_.detail = Detail::path;
    const Answer whole = answer_to(index_, query_);
    ASSERT_EQ(whole.status, StatusCode::ok);
    Searcher searcher;
    Answer answer;
    auto index = std::make_unique<Index>(build(serpentine()));
    searcher.begin(*index, query_, answer);
    ASSERT_TRUE(searcher.advance(1));
    const grid::TerrainEdit edit{{0, 0, 60, 61}, '@'};
    *index = *index->edited({&edit, 1});
    index.reset();
    while (searcher.advance(1)) {
    }
    EXPECT_EQ(answer.status, whole.status);
    EXPECT_EQ(answer.cells, whole.cells);
    EXPECT_EQ(answer.snapshot_id, whole.snapshot_id);
}

// At an h-reachable goal, behind one corner, and far away.
TEST_F(SubgoalLimits, MaxCostIsInclusive) {
    for (const Point goal : {Point{30, 0}, Point{59, 2}, Point{0, 2}, Point{0, 60}}) {
        for (const Engine engine : kEngines) {
            query_.goal = goal;
            query_.engine = engine;
            query_.limits = {};
            const Cost cost = answer_to(index_, query_).cost;
            ASSERT_LT(cost, kInfinity);
            query_.limits.max_cost = cost;
            EXPECT_EQ(answer_to(index_, query_).status, StatusCode::ok);
            EXPECT_EQ(answer_to(index_, query_).cost, cost);
            query_.limits.max_cost = cost - 1;
            const Answer refused = answer_to(index_, query_);
            EXPECT_EQ(refused.status, StatusCode::over_cost_limit);
            EXPECT_EQ(refused.cost, kInfinity);
            EXPECT_TRUE(refused.cells.empty());
            query_.limits.max_cost = 0;
            EXPECT_EQ(answer_to(index_, query_).status, StatusCode::over_cost_limit);
            query_.limits.max_cost = kInfinity;
            EXPECT_EQ(answer_to(index_, query_).status, StatusCode::ok);
        }
    }
}

// With every limit around the optimum, on random maps: only the status changes.
TEST(SubgoalCostLimit, OnRandomMaps) {
    RandomMaps random(2);
    Searcher searcher;
    Answer answer;
    for (auto maps = cairn::test::scaled(60); maps > 0; --maps) {
        const RandomMaps::Size size = random.size(40);
        const Index index = build(random.uniform_map(size), variant(random.number(0, 31)));
        const std::vector<Point> points = free_points(index.map());
        if (points.empty()) continue;
        for (int pairs = 0; pairs < 30; ++pairs) {
            const Engine engine = kEngines[static_cast<std::size_t>(random.number(0, 2))];
            const Point start = random.one_of(points);
            Query query = query_of(start, random.one_of(points), engine);
            const Cost optimum = answer_to(index, query).cost;
            if (optimum == 0 || optimum == kInfinity) continue;
            const auto least = static_cast<int>(optimum) - 3;
            query.limits.max_cost = static_cast<Cost>(std::max(0, random.number(least, least + 6)));
            searcher.find(index, query, answer);
            if (query.limits.max_cost >= optimum) {
                ASSERT_EQ(fault_of(index, query, answer, optimum), "") << describe(index, query);
            } else {
                ASSERT_EQ(answer.status, StatusCode::over_cost_limit) << describe(index, query);
                ASSERT_TRUE(answer.subgoals.empty());
            }
        }
    }
}

TEST_F(SubgoalLimits, AStartThatIsTheGoalFitsAnyCost) {
    query_.goal = query_.start;
    query_.limits.max_cost = 0;
    query_.limits.max_expanded = 0;
    EXPECT_EQ(answer_to(index_, query_).status, StatusCode::ok);
}

TEST_F(SubgoalLimits, Budget) {
    for (const Engine engine : {Engine::astar, Engine::levels}) {
        query_.engine = engine;
        query_.limits = {};
        const std::uint64_t needed = answer_to(index_, query_).statistics.search.expanded;
        ASSERT_GT(needed, 10U);
        for (const std::uint64_t budget : {std::uint64_t{0}, std::uint64_t{1}, needed / 2}) {
            query_.limits.max_expanded = budget;
            const Answer stopped = answer_to(index_, query_);
            EXPECT_EQ(stopped.status, StatusCode::budget_exhausted);
            EXPECT_EQ(stopped.cost, kInfinity);
            EXPECT_LE(stopped.statistics.search.expanded, budget);
        }
        query_.limits.max_expanded = needed + 1;
        EXPECT_EQ(answer_to(index_, query_).status, StatusCode::ok);
    }
}

TEST_F(SubgoalLimits, Cancel) {
    CancelFlag flag;
    query_.limits.cancel = &flag;
    EXPECT_EQ(answer_to(index_, query_).status, StatusCode::ok);
    Searcher searcher;
    Answer answer;
    for (const Engine engine : {Engine::astar, Engine::levels}) {
        flag.reset();
        query_.engine = engine;
        searcher.begin(index_, query_, answer);
        ASSERT_TRUE(searcher.advance(3));
        flag.cancel();
        EXPECT_FALSE(searcher.advance());
        EXPECT_EQ(answer.status, StatusCode::cancelled);
        EXPECT_EQ(answer.cost, kInfinity);
        EXPECT_TRUE(answer.cells.empty());
        EXPECT_FALSE(searcher.advance());
        EXPECT_EQ(answer.status, StatusCode::cancelled);
    }
}

TEST(SubgoalBuildControl, CancelsAndReportsProgress) {
    RandomMaps random(3);
    const Map map = random.noise({200, 200}, 20);
    BuildControl control;
    double last = 0;
    int reports = 0;
    control.progress = [&](double share) {
        EXPECT_GE(share, last);
        last = share;
        ++reports;
    };
    ASSERT_TRUE(Index::build(map, {}, control));
    EXPECT_EQ(last, 1.0);
    EXPECT_LT(reports, 1000);

    CancelFlag flag;
    flag.cancel();
    control = {};
    control.cancel = &flag;
    const auto cancelled = Index::build(map, {}, control);
    ASSERT_FALSE(cancelled);
    EXPECT_EQ(cancelled.error().code, StatusCode::cancelled);
    const grid::TerrainEdit edit{{5, 5, 1, 1}, '@'};
    const Index edited = *build(map).edited({&edit, 1});
    const auto stopped = edited.completed(control);
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error().code, StatusCode::cancelled);
    EXPECT_FALSE(edited.complete());
}

}  // namespace
}  // namespace cairn::subgoal::test
