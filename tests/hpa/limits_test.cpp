// Limits and options of HPA* queries and builds. The tests of all planners are in
// support/planner_limits.hpp.

#include <gtest/gtest.h>

#include "hpa/random_cases.hpp"
#include "hpa/verify.hpp"

namespace cairn::hpa::test {
namespace {

using grid::Map;
using grid::Point;

// A query across an open map.
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

TEST_F(Limits, ACorridorRingOutOfRangeIsABadOption) {
    query_.corridor_ring = -1;
    EXPECT_EQ(answer_to(index_, query_).status, StatusCode::bad_option);
    query_.corridor_ring = 65;
    EXPECT_EQ(answer_to(index_, query_).status, StatusCode::bad_option);
    query_.corridor_ring = 64;
    EXPECT_EQ(answer_to(index_, query_).status, StatusCode::ok);
}

TEST_F(Limits, WithoutLabelsTheAutomaticEngineIsLevels) {
    const Index unlabelled = index_.without_labels().value();
    query_.engine = Engine::cut_labels;
    EXPECT_EQ(answer_to(unlabelled, query_).status, StatusCode::unsupported);
    query_.engine = Engine::automatic;
    const Answer answer = answer_to(unlabelled, query_);
    EXPECT_EQ(answer.status, StatusCode::ok);
    EXPECT_EQ(answer.engine, Engine::levels);
    EXPECT_EQ(answer_to(index_, query_).engine, Engine::cut_labels);
}

TEST(BuildOptions, ARefusalNamesTheOptionAtFault) {
    const std::vector<std::uint8_t> terrain(16, '.');
    const Map map = *Map::create(4, 4, terrain);
    const auto expect_refused = [&](auto&& change, std::string_view option) {
        Options options;
        change(options);
        const auto index = Index::build(map, options);
        EXPECT_FALSE(index);
        if (index) return;
        EXPECT_EQ(index.error().code, StatusCode::bad_option);
        EXPECT_NE(index.error().message.find(option), std::string::npos) << index.error().message;
    };
    expect_refused([](Options& o) { o.cluster_size = 1; }, "cluster_size");
    expect_refused([](Options& o) { o.cluster_size = 65; }, "cluster_size");
    expect_refused([](Options& o) { o.levels = 0; }, "levels");
    expect_refused([](Options& o) { o.levels = 9; }, "levels");
    expect_refused([](Options& o) { o.branching = 1; }, "branching");
    expect_refused([](Options& o) { o.branching = 5; }, "branching");
    expect_refused([](Options& o) { o.wide_entrance = 1; }, "wide_entrance");
}

TEST(BuildOptions, LabelsOverTheirBudgetAreLeftOut) {
    RandomCases random(5);
    Options options;
    options.label_bytes = 100;
    const Map map = random.map({random.number(30, 80), random.number(30, 80)}, {});
    const Index index = build(map, options);
    EXPECT_FALSE(index.has_labels());
    EXPECT_EQ(index.labels_status().code, StatusCode::too_large);
    const auto labelled = index.with_labels();
    ASSERT_TRUE(labelled.has_value());
    EXPECT_EQ(&labelled->snapshot(), &index.snapshot());  // not built again
    EXPECT_FALSE(labelled->has_labels());
    EXPECT_EQ(labelled->labels_status().code, StatusCode::too_large);
}

}  // namespace
}  // namespace cairn::hpa::test
