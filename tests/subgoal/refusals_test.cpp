// Maps, edits, options and engines that subgoal graphs refuse. The message for an unsupported map
// names the planners to use instead.

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

TEST(SubgoalRefusals, MapsOfOtherMoveRulesAreRefused) {
    for (const grid::MoveRules rules :
         {grid::MoveRules{grid::Neighbourhood::four, grid::CornerRule::strict},
          grid::MoveRules{grid::Neighbourhood::eight, grid::CornerRule::both_blocked},
          grid::MoveRules{grid::Neighbourhood::eight, grid::CornerRule::free}}) {
        grid::MapOptions options;
        options.rules = rules;
        expect_refused(Index::build(ascii_map({"...", ".@.", "..."}, options)));
    }
}

TEST(SubgoalRefusals, MapsOfSeveralWeightsAreRefused) {
    expect_refused(Index::build(ascii_map({"11", "12"})));
    EXPECT_TRUE(Index::build(ascii_map({"22", "2@"})));
    EXPECT_EQ(answer_to(build(ascii_map({"33", "3@"})), query_of({0, 0}, {1, 0})).cost,
              3 * CostModel{}.straight);
}

// If a diagonal move costs as much as one straight move, or as two, a shortest path may turn
// anywhere, not only at subgoals.
TEST(SubgoalRefusals, CostsWithTooCheapOrTooCostlyDiagonalsAreRefused) {
    for (const CostModel costs : {CostModel{1, 1}, CostModel{5, 10}}) {
        grid::MapOptions options;
        options.costs = costs;
        expect_refused(Index::build(ascii_map({"...", ".@.", "..."}, options)));
    }
    grid::MapOptions options;
    options.costs = {2, 3};
    EXPECT_TRUE(Index::build(ascii_map({"...", ".@.", "..."}, options)));
}

// After the refusal the index accepts other edits.
TEST(SubgoalRefusals, EditsThatBringASecondWeightAreRefused) {
    const Index index = build(ascii_map({"111", "1@1", "111"}));
    const TerrainEdit mud{{2, 2, 1, 1}, '4'};
    expect_refused(index.edited({&mud, 1}));
    const TerrainEdit wall{{2, 2, 1, 1}, '@'};
    EXPECT_TRUE(index.edited({&wall, 1}));
    // An edit of the whole map to another weight is no second weight.
    const TerrainEdit whole_map{{0, 0, 3, 3}, '4'};
    const auto costlier = index.edited({&whole_map, 1});
    ASSERT_TRUE(costlier);
    EXPECT_TRUE(*costlier == build(costlier->map()));
    EXPECT_EQ(answer_to(*costlier, query_of({0, 0}, {2, 0})).cost, 8 * CostModel{}.straight);
}

TEST(SubgoalRefusals, ARefusalNamesTheOptionAtFault) {
    const Map map = ascii_map({"...", ".@.", "..."});
    const auto expect_bad = [&](auto&& change, std::string_view option) {
        Options options;
        change(options);
        const auto index = Index::build(map, options);
        ASSERT_FALSE(index);
        EXPECT_EQ(index.error().code, StatusCode::bad_option);
        EXPECT_NE(index.error().message.find(option), std::string::npos) << index.error().message;
    };
    expect_bad([](Options& o) { o.edges = static_cast<Edges>(2); }, "edges");
    expect_bad([](Options& o) { o.extra_edges = static_cast<ExtraEdges>(2); }, "extra_edges");
    expect_bad([](Options& o) { o.levels = 65'536; }, "levels");
    expect_bad([](Options& o) { o.order = static_cast<ContractionOrder>(5); }, "order");
}

TEST(SubgoalRefusals, LabelsOverTheirBudgetAreLeftOut) {
    RandomMaps random(5);
    Options options;
    options.label_bytes = 1;
    const Index index = build(random.noise({40, 40}, 20), options);
    EXPECT_TRUE(index.complete());
    EXPECT_FALSE(index.has_labels());
    EXPECT_EQ(index.labels_status().code, StatusCode::too_large);
    EXPECT_FALSE(index.labels_status().message.empty());
    const IndexStatistics statistics = index.statistics().value();
    EXPECT_EQ(statistics.label_bytes, 0U);
    EXPECT_GT(statistics.closure_bytes, 0U);
    const grid::Point start = index.map().point(subgoals(index).value().front());
    const grid::Point goal = index.map().point(subgoals(index).value().back());
    EXPECT_NE(answer_to(index, query_of(start, goal)).engine, Engine::cut_labels);
    EXPECT_EQ(answer_to(index, query_of(start, goal, Engine::cut_labels)).status,
              StatusCode::unsupported);
}

// Without labels; and after an edit, without levels, too.
TEST(SubgoalRefusals, EnginesThatAreMissingAreUnsupported) {
    RandomMaps random(6);
    Options options;
    options.labels = false;
    const Index index = build(random.noise({40, 40}, 20), options);
    EXPECT_EQ(index.labels_status().code, StatusCode::unsupported);
    const grid::Point start = index.map().point(subgoals(index).value().front());
    const grid::Point goal = index.map().point(subgoals(index).value().back());
    const auto answer_by = [&](const Index& queried, Engine engine) {
        return answer_to(queried, query_of(start, goal, engine));
    };
    EXPECT_EQ(answer_by(index, Engine::cut_labels).status, StatusCode::unsupported);
    EXPECT_NE(answer_by(index, Engine::levels).status, StatusCode::unsupported);
    EXPECT_EQ(answer_by(index, Engine::automatic).engine, Engine::levels);
    const Index edited = *index.edited({});
    EXPECT_EQ(answer_by(edited, Engine::cut_labels).status, StatusCode::unsupported);
    EXPECT_EQ(answer_by(edited, Engine::levels).status, StatusCode::unsupported);
    EXPECT_EQ(answer_by(edited, Engine::automatic).engine, Engine::astar);
    EXPECT_EQ(answer_by(edited, Engine::automatic).cost, answer_by(index, Engine::levels).cost);
}

}  // namespace
}  // namespace cairn::subgoal::test
