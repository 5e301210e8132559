// What subgoal graphs do not do is refused in words that say what to do instead.

#include <gtest/gtest.h>

#include "subgoal/verify.hpp"
#include "support/ascii_map.hpp"

namespace cairn::subgoal::test {
namespace {

using cairn::test::ascii_map;
using grid::Map;
using grid::TerrainEdit;

void expect_refused(const Result<Index>& index) {
    ASSERT_FALSE(index);
    EXPECT_EQ(index.error().code, StatusCode::unsupported);
    EXPECT_NE(index.error().message.find("use HPA* or A*"), std::string::npos)
        << index.error().message;
}

TEST(SubgoalRefusals, OtherMoveRules) {
    for (const grid::MoveRules rules :
         {grid::MoveRules{grid::Neighbourhood::four, grid::CornerRule::strict},
          grid::MoveRules{grid::Neighbourhood::eight, grid::CornerRule::both_blocked},
          grid::MoveRules{grid::Neighbourhood::eight, grid::CornerRule::free}}) {
        grid::MapOptions options;
        options.rules = rules;
        expect_refused(Index::build(ascii_map({"...", ".@.", "..."}, options)));
    }
}

TEST(SubgoalRefusals, TerrainOfSeveralWeights) {
    expect_refused(Index::build(ascii_map({"11", "12"})));
    EXPECT_TRUE(Index::build(ascii_map({"22", "2@"})));
    EXPECT_EQ(answer_to(build(ascii_map({"33", "3@"})), query_of({0, 0}, {1, 0})).cost,
              3 * CostModel{}.straight);
}

// Where a diagonal costs as much as a straight move, or as two, shortest paths turn anywhere.
TEST(SubgoalRefusals, CostsThatAreNotOctile) {
    for (const CostModel costs : {CostModel{1, 1}, CostModel{5, 10}}) {
        grid::MapOptions options;
        options.costs = costs;
        expect_refused(Index::build(ascii_map({"...", ".@.", "..."}, options)));
    }
    grid::MapOptions options;
    options.costs = {2, 3};
    EXPECT_TRUE(Index::build(ascii_map({"...", ".@.", "..."}, options)));
}

// The index stays what it was, and takes other edits.
TEST(SubgoalRefusals, EditsThatBringASecondWeight) {
    const Index index = build(ascii_map({"111", "1@1", "111"}));
    const TerrainEdit mud{{2, 2, 1, 1}, '4'};
    expect_refused(index.edited({&mud, 1}));
    const TerrainEdit wall{{2, 2, 1, 1}, '@'};
    EXPECT_TRUE(index.edited({&wall, 1}));
    // All of it to another weight is one weight again.
    const TerrainEdit all{{0, 0, 3, 3}, '4'};
    const auto heavier = index.edited({&all, 1});
    ASSERT_TRUE(heavier);
    EXPECT_TRUE(*heavier == build(heavier->map()));
    EXPECT_EQ(answer_to(*heavier, query_of({0, 0}, {2, 0})).cost, 8 * CostModel{}.straight);
}

TEST(SubgoalRefusals, BadOptionsAreNamed) {
    const Map map = ascii_map({"...", ".@.", "..."});
    const auto refuses = [&](auto&& change, std::string_view named) {
        Options options;
        change(options);
        const auto index = Index::build(map, options);
        ASSERT_FALSE(index);
        EXPECT_EQ(index.error().code, StatusCode::bad_option);
        EXPECT_NE(index.error().message.find(named), std::string::npos) << index.error().message;
    };
    refuses([](Options& o) { o.edges = static_cast<Edges>(2); }, "edges");
    refuses([](Options& o) { o.extra_edges = static_cast<ExtraEdges>(2); }, "extra_edges");
    refuses([](Options& o) { o.levels = 65'536; }, "levels");
    refuses([](Options& o) { o.order = static_cast<ContractionOrder>(5); }, "order");
}

TEST(SubgoalRefusals, LabelsOverTheirBudgetAreLeftOut) {
    RandomMaps random(5);
    Options options;
    options.label_bytes = 0;
    const Index index = build(random.noise({40, 40}, 20), options);
    EXPECT_TRUE(index.complete());
    EXPECT_FALSE(index.has_labels());
    EXPECT_EQ(index.labels_status().code, StatusCode::too_large);
    EXPECT_FALSE(index.labels_status().message.empty());
    EXPECT_EQ(index.statistics().label_bytes, 0U);
    const grid::Point start = index.map().point(subgoals(index).front());
    const grid::Point goal = index.map().point(subgoals(index).back());
    EXPECT_NE(answer_to(index, query_of(start, goal)).engine, Engine::cut_labels);
    EXPECT_EQ(answer_to(index, query_of(start, goal, Engine::cut_labels)).status,
              StatusCode::unsupported);
}

TEST(SubgoalRefusals, EnginesThatAreNotThere) {
    RandomMaps random(6);
    Options options;
    options.labels = false;
    const Index index = build(random.noise({40, 40}, 20), options);
    EXPECT_EQ(index.labels_status().code, StatusCode::unsupported);
    const grid::Point start = index.map().point(subgoals(index).front());
    const grid::Point goal = index.map().point(subgoals(index).back());
    const auto ask = [&](const Index& asked, Engine engine) {
        return answer_to(asked, query_of(start, goal, engine));
    };
    EXPECT_EQ(ask(index, Engine::cut_labels).status, StatusCode::unsupported);
    EXPECT_NE(ask(index, Engine::levels).status, StatusCode::unsupported);
    EXPECT_EQ(ask(index, Engine::automatic).engine, Engine::levels);
    const Index edited = *index.edited({});
    EXPECT_EQ(ask(edited, Engine::cut_labels).status, StatusCode::unsupported);
    EXPECT_EQ(ask(edited, Engine::levels).status, StatusCode::unsupported);
    EXPECT_EQ(ask(edited, Engine::automatic).engine, Engine::astar);
    EXPECT_EQ(ask(edited, Engine::automatic).cost, ask(index, Engine::levels).cost);
}

}  // namespace
}  // namespace cairn::subgoal::test
