// One scene for each point that the HAA* paper (Harabor and Botea 2008), the author's articles on
// it or the author's code leave open or get wrong, answered by an index.

#include <gtest/gtest.h>

#include <initializer_list>
#include <string_view>

#include "haa/footprint.hpp"
#include "haa/random_agents.hpp"

namespace cairn::haa::test {
namespace {

using grid::Point;
using Rows = std::initializer_list<std::string_view>;

constexpr Agent kOnGround{0, 1};
constexpr Agent kAnywhere{2, 1};

class HaaScene : public testing::Test {
protected:
    HaaScene() {
        annotation_.capabilities = three_capabilities();
        options_.transitions = Transitions::every;
    }

    void set_scene(Rows rows, int cluster_size) {
        image_ = {static_cast<int>(rows.begin()->size()), static_cast<int>(rows.size()), {}};
        for (const std::string_view row : rows) {
            image_.terrain.insert(image_.terrain.end(), row.begin(), row.end());
        }
        options_.cluster_size = cluster_size;
    }
    [[nodiscard]] AnnotatedMap map() const { return annotated_map(image_, annotation_); }
    [[nodiscard]] Footprint footprint_of(Agent agent) const { return {image_, annotation_, agent}; }

    template <class Check>
    void for_every_abstraction(Check&& check) {
        for (const auto abstraction :
             {Abstraction::initial, Abstraction::high_quality, Abstraction::low_quality}) {
            options_.abstraction = abstraction;
            check(build(map(), options_));
        }
    }
    [[nodiscard]] Answer find(const Index& index, Agent agent, Point start, Point goal) {
        Answer answer;
        searcher_.find(index, unsmoothed(agent, start, goal), answer);
        return answer;
    }
    /// Every agent finds a path wherever there is one.
    void expect_complete(const Index& index) {
        for (const Agent agent : all_agents(index.map())) {
            const Footprint footprint = footprint_of(agent);
            for (const Point start : footprint.anchors()) {
                const std::vector<Cost> optimum = footprint.distances(start);
                for (const Point goal : footprint.anchors()) {
                    Query query = unsmoothed(agent, start, goal);
                    query.detail = hpa::Detail::cost;
                    Answer answer;
                    searcher_.find(index, query, answer);
                    ASSERT_EQ(fault_of(footprint, query, answer, optimum[footprint.index(goal)]),
                              "");
                }
            }
        }
    }
    /// The abstract path is a cheapest path, which HAA* does not promise.
    void expect_optimal(const Index& index, Agent agent, Point start, Point goal) {
        const Footprint footprint = footprint_of(agent);
        EXPECT_EQ(find(index, agent, start, goal).cost,
                  footprint.distances(start)[footprint.index(goal)]);
    }

    grid::TerrainImage image_;
    AnnotationOptions annotation_;
    Options options_;
    Searcher searcher_;
};

// The articles compare only edges of the same capability and length. On open ground the two
// capabilities that can cross it share the edges of their nodes.
TEST_F(HaaScene, AgentsOfEqualCostsShareAnEdge) {
    set_scene({"............",  //
               "............",  //
               "............",  //
               "............"},
              4);
    options_.transitions = Transitions::middle;
    options_.abstraction = Abstraction::initial;
    const IndexStatistics all = build(map(), options_).statistics().value();
    options_.abstraction = Abstraction::high_quality;
    const Index index = build(map(), options_);
    const IndexStatistics kept = index.statistics().value();
    EXPECT_EQ(all.nodes, kept.nodes);
    EXPECT_EQ(all.inter_edges, kept.inter_edges);
    // Agents of size 1 cross each border at one tile, agents of size 2 at another one. In the
    // middle cluster an edge joins the two nodes of each size.
    EXPECT_EQ(kept.intra_edges, 2U);
    EXPECT_EQ(all.intra_edges, 4U);
    expect_complete(index);
}

// What is one entrance for size 1 can be several for a larger agent. The article gives them one
// common transition, of best clearance, which cuts larger agents off. Here each class has its own.
TEST_F(HaaScene, EveryAgentCrossesWhereverItCan) {
    set_scene({"............",  //
               "............",  //
               "@@@@@@@@@@@@",  //
               "............",  //
               "............",  //
               "............"},
              6);
    for (const auto transitions : {Transitions::by_width, Transitions::middle, Transitions::every,
                                   Transitions::best_clearance}) {
        options_.transitions = transitions;
        for_every_abstraction([&](const Index& index) { expect_complete(index); });
    }
    set_scene({"......@.....",  //
               "............",  //
               "............",  //
               "......@.....",  //
               "............",  //
               "............"},
              6);
    options_.transitions = Transitions::best_clearance;
    for_every_abstraction([&](const Index& index) { expect_complete(index); });
}

// Each of two doors can replace the other. The article compares each with the whole graph, so it
// would remove both.
TEST_F(HaaScene, TwoDoorsDoNotJustifyEachOthersRemoval) {
    set_scene({".....@.....",  //
               "...........",  //
               ".....@.....",  //
               "...........",  //
               ".....@....."},
              5);
    options_.reach = 64;
    options_.abstraction = Abstraction::low_quality;
    const Index index = build(map(), options_);
    options_.abstraction = Abstraction::high_quality;
    EXPECT_LT(index.statistics().value().nodes, build(map(), options_).statistics().value().nodes);
    EXPECT_EQ(find(index, kOnGround, {0, 0}, {10, 4}).status, StatusCode::ok);
    expect_complete(index);
}

// The author's code takes any intra-edge that an agent can use, even if another one is shorter.
// Here the edge for agents on ground leads round the trees.
TEST_F(HaaScene, AnAgentThatCanCrossTreesDoesNotGoRoundThem) {
    set_scene({".......T.......",  //
               "@@@@@..T..@@@@@",  //
               "@@@@@..T..@@@@@",  //
               "@@@@@..T..@@@@@",  //
               "@@@@@.....@@@@@"},
              5);
    for_every_abstraction([&](const Index& index) {
        const Cost straight = annotation_.costs.straight;
        EXPECT_EQ(find(index, kAnywhere, {0, 0}, {14, 0}).cost, 14 * straight);
        EXPECT_GT(find(index, kOnGround, {0, 0}, {14, 0}).cost, 14 * straight);
        expect_optimal(index, kOnGround, {0, 0}, {14, 0});
    });
}

// Start and goal lie in one cluster, but the shortest path leaves it. The author's code searches
// only the cluster.
TEST_F(HaaScene, APathMayLeaveTheClusterOfBothEnds) {
    set_scene({"............",  //
               "............",  //
               ".@@@@@......",  //
               "............",  //
               "............",  //
               "............"},
              6);
    for_every_abstraction([&](const Index& index) {
        const Cost straight = annotation_.costs.straight;
        const Cost cost = find(index, kOnGround, {5, 1}, {5, 3}).cost;
        // Inside the cluster it takes 10 moves. Low quality may leave out the nearest transition.
        const bool keeps_all_transitions = options_.abstraction != Abstraction::low_quality;
        EXPECT_LE(cost, (keeps_all_transitions ? 4 : 6) * straight);
        // Size 2 does not fit between the wall and the border of the map, so it has no path inside.
        const Agent large{0, 2};
        EXPECT_EQ(find(index, large, {4, 0}, {4, 3}).status, StatusCode::ok);
        expect_complete(index);
    });
}

// The edited cell {3, 5} lies in the second column of clusters. Most anchors from which the agent
// of size 3 covers it lie in the first column.
TEST_F(HaaScene, EditsReachAnchorsInOtherClusters) {
    set_scene({"@...@@@@",  //
               "@...@@@@",  //
               "@...@@@@",  //
               "@...@@@@",  //
               "@...@@@@",  //
               "@...@@@@",  //
               "@...@@@@",  //
               "@...@@@@"},
              3);
    annotation_.max_size = 3;
    for (const auto anchor : {Anchor::top_left, Anchor::centred}) {
        annotation_.anchor = anchor;
        const int before = anchor == Anchor::centred ? 1 : 0;
        const Point start{1 + before, before};
        const Point goal{1 + before, 5 + before};
        for_every_abstraction([&](const Index& index) {
            const Agent large{0, 3};
            ASSERT_EQ(find(index, large, start, goal).status, StatusCode::ok);
            grid::TerrainImage after = image_;
            after.set(3, 5, '@');
            const grid::TerrainEdit edit{{3, 5, 1, 1}, '@'};
            const auto edited = index.edited({&edit, 1});
            ASSERT_TRUE(edited);
            const Index fresh = build(annotated_map(after, annotation_), index.options());
            EXPECT_TRUE(*edited == fresh);
            // The view taken over from before the edit equals a new one.
            EXPECT_TRUE(*edited->view(large) == *fresh.view(large));
            EXPECT_EQ(find(*edited, large, start, goal).status, StatusCode::goal_blocked);
            EXPECT_EQ(find(*edited, large, start, {goal.x, goal.y - 3}).status, StatusCode::ok);
            EXPECT_EQ(find(*edited, large, start, {goal.x, goal.y - 2}).status,
                      StatusCode::goal_blocked);
            EXPECT_EQ(find(*edited, {0, 2}, {1, 0}, {1, 6}).status, StatusCode::ok);
        });
    }
}

// An inter-edge costs what its move costs, not 1, also between weights and diagonally. Both paths
// have two moves of weight 1, one of weight 2 from ground to trees, and two of weight 3.
TEST_F(HaaScene, InterEdgesCostTheMove) {
    annotation_.capabilities[2].weight[kTrees] = 3;
    set_scene({"...TTT"}, 3);
    for_every_abstraction([&](const Index& index) {
        const Cost straight = annotation_.costs.straight;
        EXPECT_EQ(find(index, kAnywhere, {0, 0}, {5, 0}).cost, (2 + 2 + 6) * straight);
    });
    set_scene({"...@@@",  //
               "...@@@",  //
               "...@@@",  //
               "@@@TTT",  //
               "@@@TTT",  //
               "@@@TTT"},
              3);
    annotation_.rules.corner = grid::CornerRule::free;
    for_every_abstraction([&](const Index& index) {
        const Cost diagonal = annotation_.costs.diagonal;
        EXPECT_EQ(find(index, kAnywhere, {0, 0}, {5, 5}).cost, (2 + 2 + 6) * diagonal);
        expect_complete(index);
    });
}

}  // namespace
}  // namespace cairn::haa::test
