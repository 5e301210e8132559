// Queries in slices, and queries that are bounded or stopped.

#include <gtest/gtest.h>

#include "hpa/random_cases.hpp"
#include "hpa/verify.hpp"
#include "support/scale.hpp"

namespace cairn::hpa::test {
namespace {

using grid::Map;
using grid::Point;

Index sample_index(RandomCases& random, Options options) {
    return build(random.map({random.number(30, 80), random.number(30, 80)}, {}), options);
}

TEST(Slices, OfAnySizeGiveTheSameAnswer) {
    RandomCases random(1);
    Searcher sliced;
    Answer answer;
    for (auto maps = cairn::test::scaled(40); maps > 0; --maps) {
        const Index index = sample_index(random, random.options());
        for (const std::uint64_t slice : {1U, 2U, 3U, 7U, 100U, 257U}) {
            const Query query = random.query(index.map(), index.has_labels());
            const Answer whole = answer_to(index, query);
            sliced.begin(index, query, answer);
            while (sliced.advance(slice)) {
            }
            ASSERT_EQ(answer.status, whole.status) << describe(index, query);
            ASSERT_EQ(answer.cost, whole.cost);
            ASSERT_EQ(answer.abstract_cost, whole.abstract_cost);
            ASSERT_EQ(answer.abstract_nodes, whole.abstract_nodes);
            ASSERT_EQ(answer.cells, whole.cells) << describe(index, query);
            ASSERT_EQ(answer.statistics.search.expanded, whole.statistics.search.expanded);
        }
    }
}

TEST(Slices, AQueryOutlivesItsIndex) {
    RandomCases random(2);
    Options options;
    options.labels = false;
    Searcher searcher;
    Answer answer;
    Query query = unsmoothed({0, 0}, {79, 79}, Engine::astar);
    const Map map = random.map({80, 80}, {});
    const std::vector<Point> points = free_points(map);
    query.start = points.front();
    query.goal = points.back();
    auto index = std::make_unique<Index>(build(map, options));
    const Answer whole = answer_to(*index, query);
    searcher.begin(*index, query, answer);
    static_cast<void>(searcher.advance(1));
    index.reset();
    while (searcher.advance(1)) {
    }
    EXPECT_EQ(answer.status, whole.status);
    EXPECT_EQ(answer.cells, whole.cells);
}

class Limits : public testing::Test {
protected:
    Limits() : index_(build(open_map())) {
        query_ = unsmoothed({0, 0}, {99, 60}, Engine::astar);
        query_.detail = Detail::cost;
    }
    static Map open_map() {
        const std::vector<std::uint8_t> terrain(100 * 100, '.');
        return *Map::create(100, 100, terrain);
    }
    Index index_;
    Query query_;
};

TEST_F(Limits, MaxCostIsInclusive) {
    for (const Engine engine : {Engine::astar, Engine::levels, Engine::cut_labels}) {
        query_.engine = engine;
        query_.limits = {};
        const Cost cost = answer_to(index_, query_).cost;
        query_.limits.max_cost = cost;
        EXPECT_EQ(answer_to(index_, query_).status, StatusCode::ok);
        query_.limits.max_cost = cost - 1;
        const Answer refused = answer_to(index_, query_);
        EXPECT_EQ(refused.status, StatusCode::over_cost_limit);
        EXPECT_EQ(refused.cost, kInfinity);
        query_.limits.max_cost = 0;
        EXPECT_EQ(answer_to(index_, query_).status, StatusCode::over_cost_limit);
    }
}

TEST_F(Limits, MaxCostHoldsForADirectLineAndInsideACluster) {
    query_.goal = {7, 3};
    query_.try_direct_line = true;
    const Cost cost = answer_to(index_, query_).cost;
    for (const bool direct : {true, false}) {
        query_.try_direct_line = direct;
        query_.limits.max_cost = cost;
        EXPECT_EQ(answer_to(index_, query_).status, StatusCode::ok);
        query_.limits.max_cost = cost - 1;
        EXPECT_EQ(answer_to(index_, query_).status, StatusCode::over_cost_limit);
        EXPECT_EQ(answer_to(index_, query_).cost, kInfinity);
    }
}

TEST_F(Limits, AStartThatIsTheGoalFitsAnyCost) {
    query_.goal = query_.start;
    query_.limits.max_cost = 0;
    EXPECT_EQ(answer_to(index_, query_).status, StatusCode::ok);
}

TEST_F(Limits, NodeBudget) {
    const std::uint64_t needed = answer_to(index_, query_).statistics.search.expanded;
    ASSERT_GT(needed, 10U);
    query_.limits.max_expanded = needed / 2;
    const Answer stopped = answer_to(index_, query_);
    EXPECT_EQ(stopped.status, StatusCode::budget_exhausted);
    EXPECT_EQ(stopped.cost, kInfinity);
    EXPECT_LE(stopped.statistics.search.expanded, needed / 2);
    query_.limits.max_expanded = 10 * needed;
    EXPECT_EQ(answer_to(index_, query_).status, StatusCode::ok);
}

TEST_F(Limits, Cancel) {
    CancelFlag flag;
    query_.limits.cancel = &flag;
    EXPECT_EQ(answer_to(index_, query_).status, StatusCode::ok);
    Searcher searcher;
    Answer answer;
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

TEST_F(Limits, BadOptions) {
    query_.corridor_ring = -1;
    EXPECT_EQ(answer_to(index_, query_).status, StatusCode::bad_option);
    query_.corridor_ring = 65;
    EXPECT_EQ(answer_to(index_, query_).status, StatusCode::bad_option);
    query_.corridor_ring = 64;
    EXPECT_EQ(answer_to(index_, query_).status, StatusCode::ok);
}

TEST_F(Limits, LabelsOfAnIndexWithoutLabels) {
    const Index bare = index_.without_labels();
    query_.engine = Engine::cut_labels;
    EXPECT_EQ(answer_to(bare, query_).status, StatusCode::unsupported);
    query_.engine = Engine::automatic;
    const Answer answer = answer_to(bare, query_);
    EXPECT_EQ(answer.status, StatusCode::ok);
    EXPECT_EQ(answer.engine, Engine::levels);
    EXPECT_EQ(answer_to(index_, query_).engine, Engine::cut_labels);
}

TEST(BuildOptions, OutOfRangeAreNamed) {
    const std::vector<std::uint8_t> terrain(16, '.');
    const Map map = *Map::create(4, 4, terrain);
    const auto refuses = [&](auto&& change, std::string_view named) {
        Options options;
        change(options);
        const auto index = Index::build(map, options);
        EXPECT_FALSE(index);
        if (index) return;
        EXPECT_EQ(index.error().code, StatusCode::bad_option);
        EXPECT_NE(index.error().message.find(named), std::string::npos) << index.error().message;
    };
    refuses([](Options& o) { o.cluster_size = 1; }, "cluster_size");
    refuses([](Options& o) { o.cluster_size = 65; }, "cluster_size");
    refuses([](Options& o) { o.levels = 0; }, "levels");
    refuses([](Options& o) { o.levels = 9; }, "levels");
    refuses([](Options& o) { o.branching = 1; }, "branching");
    refuses([](Options& o) { o.branching = 5; }, "branching");
    refuses([](Options& o) { o.wide_entrance = 1; }, "wide_entrance");
}

TEST(BuildOptions, LabelsOverTheirBudgetAreLeftOut) {
    RandomCases random(5);
    Options options;
    options.label_bytes = 100;
    const Index index = sample_index(random, options);
    EXPECT_FALSE(index.has_labels());
    EXPECT_EQ(index.labels_status().code, StatusCode::too_large);
    const auto labelled = index.with_labels();
    ASSERT_FALSE(labelled);
    EXPECT_EQ(labelled.error().code, StatusCode::too_large);
}

TEST(BuildControl, CancelsAndReportsProgress) {
    const std::vector<std::uint8_t> terrain(200 * 200, '.');
    const Map map = *Map::create(200, 200, terrain);
    cairn::BuildControl control;
    double last = 0;
    int reports = 0;
    control.progress = [&](double share) {
        EXPECT_GE(share, last);
        last = share;
        ++reports;
    };
    Options options;
    options.levels = 3;
    ASSERT_TRUE(Index::build(map, options, control));
    EXPECT_EQ(last, 1.0);
    EXPECT_GT(reports, 3);
    EXPECT_LT(reports, 300);

    CancelFlag flag;
    flag.cancel();
    control = {};
    control.cancel = &flag;
    const auto cancelled = Index::build(map, options, control);
    ASSERT_FALSE(cancelled);
    EXPECT_EQ(cancelled.error().code, StatusCode::cancelled);
}

}  // namespace
}  // namespace cairn::hpa::test
