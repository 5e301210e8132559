// Indexes and searchers of HAA*: answers agree with Dijkstra on the footprint, graphs with HPA*.

#include "cairn/haa/index.hpp"

#include <gtest/gtest.h>

#include <array>

#include "haa/footprint.hpp"
#include "haa/random_agents.hpp"
#include "support/allocation_counter.hpp"
#include "support/planner.hpp"
#include "support/scale.hpp"

namespace cairn::haa::test {
namespace {

using grid::Point;
using hpa::Engine;

// A random map of up to 24 x 24 cells with random agents, and an index of it with random options.
struct RandomIndex {
    explicit RandomIndex(RandomAgents& random)
        : image(random.image(random.size(24))),
          annotation(random.agents(4)),
          map(annotated_map(image, annotation)),
          options(any_options(random)),
          index(build(map, options)) {}

    static Options any_options(RandomAgents& random) {
        Options options = random.options();
        options.levels = random.number(1, 3);
        options.branching = random.number(2, 3);
        options.move_tables = random.chance(50);
        return options;
    }
    [[nodiscard]] Footprint footprint(Agent agent) const { return {image, annotation, agent}; }

    grid::TerrainImage image;
    AnnotationOptions annotation;
    AnnotatedMap map;
    Options options;
    Index index;
};

TEST(HaaIndex, FindsAPathWhereverThereIsOne) {
    RandomAgents random(1);
    Searcher searcher;
    Answer answer;
    for (auto maps = cairn::test::scaled(150); maps > 0; --maps) {
        const RandomIndex c(random);
        for (const Agent agent : all_agents(c.map)) {
            const Footprint footprint = c.footprint(agent);
            const std::vector<Point> anchors = footprint.anchors();
            for (int i = 0; i < 3 && !anchors.empty(); ++i) {
                const Point start = random.one_of(anchors);
                const std::vector<Cost> optimum = footprint.distances(start);
                for (int j = 0; j < 8; ++j) {
                    Query query = unsmoothed(agent, start, random.one_of(anchors));
                    query.detail = static_cast<hpa::Detail>(random.number(0, 3));
                    query.smoothing = static_cast<hpa::Smoothing>(random.number(0, 3));
                    query.try_direct_line = random.chance(30);
                    searcher.find(c.index, query, answer);
                    ASSERT_EQ(
                        fault_of(footprint, query, answer, optimum[footprint.index(query.goal)]),
                        "");
                }
            }
        }
    }
}

TEST(HaaIndex, EveryEngineAndNumberOfLevelsGivesTheSameCost) {
    RandomAgents random(2);
    Searcher searcher;
    Answer answer;
    for (auto maps = cairn::test::scaled(40); maps > 0; --maps) {
        RandomIndex c(random);
        std::vector<Index> indexes;
        for (c.options.levels = 1; c.options.levels <= 3; ++c.options.levels) {
            indexes.push_back(build(c.map, c.options));
        }
        for (const Agent agent : all_agents(c.map)) {
            ASSERT_TRUE(indexes[0].with_labels({&agent, 1}).has_value());
            for (int pairs = 0; pairs < 10; ++pairs) {
                const auto view = indexes[0].view(agent);
                ASSERT_TRUE(view);
                const Point start = random.point(view->map());
                const Point goal = random.point(view->map());
                const StatusCode status = searcher.find(
                    indexes[0], unsmoothed(agent, start, goal, Engine::astar), answer);
                const Cost cost = answer.cost;
                EXPECT_EQ(view->reachable(start, goal), status);
                const auto expect_same = [&](const Index& index, Engine engine) {
                    searcher.find(index, unsmoothed(agent, start, goal, engine), answer);
                    ASSERT_EQ(answer.status, status);
                    ASSERT_EQ(answer.cost, cost);
                };
                expect_same(indexes[0], Engine::cut_labels);
                for (const Index& index : indexes) expect_same(index, Engine::levels);
            }
        }
    }
}

// An agent that is smaller, or can stand on more terrains, reaches at least as many goals.
TEST(HaaIndex, PathsAreMonotoneInSizeAndCapability) {
    RandomAgents random(3);
    Searcher searcher;
    Answer answer;
    const auto reaches = [&](const Index& index, Agent agent, Point start, Point goal) {
        return searcher.find(index, unsmoothed(agent, start, goal), answer) == StatusCode::ok;
    };
    for (auto maps = cairn::test::scaled(60); maps > 0; --maps) {
        AnnotationOptions annotation;
        annotation.capabilities = three_capabilities();
        annotation.max_size = 4;
        annotation.rules = random.rules();
        const grid::TerrainImage image = random.image(random.size(24));
        const AnnotatedMap map = annotated_map(image, annotation);
        const Index index = build(map, random.options());
        const auto everywhere = index.view({2, 1});
        ASSERT_TRUE(everywhere);
        for (int pairs = 0; pairs < 40; ++pairs) {
            const Point start = random.point(everywhere->map());
            const Point goal = random.point(everywhere->map());
            for (std::uint32_t capability = 0; capability < 3; ++capability) {
                bool smaller_reaches = true;
                for (int size = 1; size <= 4; ++size) {
                    const bool reaches_goal = reaches(index, {capability, size}, start, goal);
                    EXPECT_LE(reaches_goal, smaller_reaches);
                    EXPECT_LE(reaches_goal, reaches(index, {2, size}, start, goal));
                    smaller_reaches = reaches_goal;
                }
            }
        }
    }
}

// One agent class of size 1 and the transitions of HPA* give the graph of HPA*.
TEST(HaaIndex, OneClassOfSizeOneIsHpa) {
    RandomAgents random(4);
    for (auto maps = cairn::test::scaled(80); maps > 0; --maps) {
        AnnotationOptions annotation = random.agents(1);
        annotation.capabilities.resize(1);
        const AnnotatedMap map = annotated_map(random.image(random.size(64)), annotation);
        Options options = RandomIndex::any_options(random);
        options.transitions = static_cast<Transitions>(random.number(0, 2));
        options.abstraction = static_cast<Abstraction>(random.number(0, 1));
        hpa::Options hpa_options;
        hpa_options.cluster_size = options.cluster_size;
        hpa_options.levels = options.levels;
        hpa_options.branching = options.branching;
        hpa_options.wide_entrance = options.wide_entrance;
        hpa_options.transitions = static_cast<hpa::Transitions>(options.transitions);
        hpa_options.move_tables = options.move_tables;
        const auto hpa = hpa::Index::build(*map.class_map({0, 1}), hpa_options);
        ASSERT_TRUE(hpa);
        const Index index = build(map, options);
        const Agent agent{0, 1};
        ASSERT_TRUE(index.with_labels({&agent, 1}).has_value());
        const auto view = index.view(agent);
        ASSERT_TRUE(view);
        EXPECT_TRUE(*view == *hpa);
        EXPECT_TRUE(view->has_labels());
    }
}

TEST(HaaIndex, TheResultDoesNotDependOnThreads) {
    RandomAgents random(5);
    for (auto maps = cairn::test::scaled(10); maps > 0; --maps) {
        const RandomIndex c(random);
        BuildControl control;
        for (const int threads : {0, 2, 3}) {
            control.threads = threads;
            const auto index = Index::build(c.map, c.options, control);
            ASSERT_TRUE(index);
            EXPECT_TRUE(*index == c.index);
            EXPECT_EQ(index->snapshot_id(), c.index.snapshot_id());
        }
    }
}

TEST(HaaIndex, StatisticsCountTheGraph) {
    // Four clusters, the lower two blocked. Size 1 crosses the border of the upper two at one tile.
    // Size 2 can stand at one anchor only, so it crosses nowhere.
    AnnotationOptions annotation;
    annotation.capabilities = {Capability(terrain_set({kGround}))};
    const AnnotatedMap map = annotated({"....", "@..@", "@@@@", "@@@@"}, annotation);
    Options options;
    options.cluster_size = 2;
    const IndexStatistics s = build(map, options).statistics().value();
    EXPECT_EQ(s.clusters, 4U);
    EXPECT_EQ(s.nodes, 2U);
    EXPECT_EQ(s.inter_edges, 1U);
    EXPECT_EQ(s.intra_edges, 0U);
    EXPECT_EQ(s.map_bytes, 2 * map.size());
    EXPECT_GT(s.graph_bytes, 0U);
    EXPECT_EQ(s.views, 0U);
    EXPECT_EQ(s.view_bytes, 0U);
}

TEST(HaaIndex, BadOptionsAreRefused) {
    const AnnotatedMap map = annotated({"..", ".."});
    const auto expect_refused = [&](auto&& change) {
        Options options;
        change(options);
        const auto index = Index::build(map, options);
        ASSERT_FALSE(index);
        EXPECT_EQ(index.error().code, StatusCode::bad_option);
    };
    expect_refused([](Options& o) { o.cluster_size = 1; });
    expect_refused([](Options& o) { o.cluster_size = 65; });
    expect_refused([](Options& o) { o.levels = 0; });
    expect_refused([](Options& o) { o.branching = 5; });
    expect_refused([](Options& o) { o.wide_entrance = 1; });
    expect_refused([](Options& o) { o.shift = -1; });
    expect_refused([](Options& o) { o.shift = 65; });
    BuildControl control;
    control.threads = -1;
    EXPECT_EQ(Index::build(map, {}, control).error().code, StatusCode::bad_option);
    EXPECT_EQ(build(map).with_labels({}, control).error().code, StatusCode::bad_option);
}

TEST(HaaIndex, BuildAndWithLabelsReportProgressAndCanBeCancelled) {
    RandomAgents random(6);
    AnnotationOptions annotation;
    annotation.capabilities = three_capabilities();
    const AnnotatedMap map = annotated_map(random.image({200, 200}), annotation);
    const std::vector<Agent> agents = all_agents(map);
    BuildControl control;
    double last = 0;
    control.progress = [&](double share) {
        EXPECT_GE(share, last);
        last = share;
    };
    const auto index = Index::build(map, {}, control);
    ASSERT_TRUE(index);
    EXPECT_EQ(last, 1.0);
    last = 0;
    EXPECT_TRUE(index->with_labels(agents, control).has_value());
    EXPECT_EQ(last, 1.0);

    CancelFlag flag;
    flag.cancel();
    control = {};
    control.cancel = &flag;
    EXPECT_EQ(Index::build(map, {}, control).error().code, StatusCode::cancelled);
    EXPECT_EQ(build(map).with_labels(agents, control).error().code, StatusCode::cancelled);
}

class HaaSearcher : public testing::Test {
protected:
    RandomAgents random_{7};
    AnnotatedMap map_ = annotated({"......@@", "..TT..@@", "..TT..@@", "........"}, annotation());
    Index index_ = build(map_, small_clusters());
    Searcher searcher_;
    Answer answer_;

    static AnnotationOptions annotation() {
        AnnotationOptions options;
        options.capabilities = three_capabilities();
        return options;
    }
    static Options small_clusters() {
        Options options;
        options.cluster_size = 3;
        return options;
    }
};

TEST_F(HaaSearcher, RefusesUnknownAgentsAndPlacesWhereAgentsDoNotFit) {
    const auto status = [&](Agent agent, Point start, Point goal) {
        return searcher_.find(index_, unsmoothed(agent, start, goal), answer_);
    };
    EXPECT_EQ(status({3, 1}, {0, 0}, {1, 1}), StatusCode::bad_option);
    EXPECT_EQ(status({0, 0}, {0, 0}, {1, 1}), StatusCode::bad_option);
    EXPECT_EQ(status({0, 3}, {0, 0}, {1, 1}), StatusCode::bad_option);
    EXPECT_EQ(answer_.cost, kInfinity);
    EXPECT_EQ(status({0, 1}, {0, 0}, {7, 3}), StatusCode::ok);
    EXPECT_EQ(status({0, 2}, {0, 0}, {7, 3}), StatusCode::goal_blocked);
    EXPECT_EQ(status({0, 2}, {1, 1}, {4, 1}), StatusCode::start_blocked);
    EXPECT_EQ(status({0, 2}, {8, 1}, {4, 1}), StatusCode::start_outside);
    EXPECT_EQ(status({0, 2}, {0, 0}, {4, 2}), StatusCode::no_path);
    EXPECT_EQ(status({2, 2}, {0, 0}, {4, 2}), StatusCode::ok);
    EXPECT_EQ(index_.view({3, 1}).error().code, StatusCode::bad_option);
    const Agent unknown{0, 3};
    EXPECT_EQ(index_.with_labels({&unknown, 1}).error().code, StatusCode::bad_option);
}

TEST_F(HaaSearcher, AnswersSlicesCostsAndNearestGoalsForTheAgent) {
    const Agent agent{2, 2};
    const Query query = unsmoothed(agent, {0, 0}, {4, 2}, Engine::astar);
    ASSERT_EQ(searcher_.find(index_, query, answer_), StatusCode::ok);
    const std::vector<grid::Cell> cells = answer_.cells;
    searcher_.begin(index_, query, answer_);
    while (searcher_.advance(1)) {
    }
    EXPECT_EQ(answer_.cells, cells);
    const auto view = index_.view(agent);
    ASSERT_TRUE(view);
    EXPECT_EQ(answer_.snapshot_id, view->snapshot_id());

    const std::array<Point, 3> goals{{{4, 2}, {7, 3}, {1, 0}}};
    std::array<Cost, 3> costs{};
    ASSERT_EQ(searcher_.costs(index_, {.start = {0, 0}, .agent = agent}, goals, costs),
              StatusCode::ok);
    EXPECT_EQ(costs[0], answer_.cost);
    EXPECT_EQ(costs[1], kInfinity);
    EXPECT_EQ(costs[2], map_.options().costs.straight);
    std::size_t nearest = 9;
    ASSERT_EQ(searcher_.find_nearest(index_, query, goals, answer_, nearest), StatusCode::ok);
    EXPECT_EQ(nearest, 2U);

    // A refused query also ends the sliced query before it.
    searcher_.begin(index_, query, answer_);
    searcher_.begin(index_, unsmoothed({9, 9}, {0, 0}, {1, 1}), answer_);
    EXPECT_FALSE(searcher_.advance());
    EXPECT_EQ(answer_.status, StatusCode::bad_option);
    EXPECT_EQ(searcher_.costs(index_, {.start = {0, 0}, .agent = {9, 9}}, goals, costs),
              StatusCode::bad_option);
    EXPECT_EQ(
        searcher_.find_nearest(index_, unsmoothed({9, 9}, {0, 0}, {1, 1}), goals, answer_, nearest),
        StatusCode::bad_option);
}

TEST_F(HaaSearcher, WarmedQueriesAllocateNothing) {
    if (!cairn::test::counts_allocations()) GTEST_SKIP() << "allocations are not counted here";
    AnnotationOptions annotation;
    annotation.capabilities = three_capabilities();
    const AnnotatedMap map = annotated_map(random_.image({60, 50}), annotation);
    const Index index = build(map);
    const std::array<Agent, 4> agents{{{0, 1}, {0, 2}, {2, 1}, {2, 2}}};
    for (const bool prepared : {false, true}) {
        if (prepared) {
            ASSERT_TRUE(index.with_labels(agents).has_value());
        }
        std::vector<Query> queries;
        for (int i = 0; i < 80; ++i) {
            const Agent agent = agents[static_cast<std::size_t>(random_.number(0, 3))];
            const grid::Map class_map = *map.class_map(agent);
            const Point start = random_.point(class_map);
            queries.push_back(unsmoothed(agent, start, random_.point(class_map)));
            queries.back().smoothing = hpa::Smoothing::straight_lines;
        }
        // Answers all queries and returns the number of allocations.
        const auto round = [&] {
            const std::uint64_t before = cairn::test::allocations();
            for (const Query& query : queries) searcher_.find(index, query, answer_);
            return cairn::test::allocations() - before;
        };
        EXPECT_GT(round(), 0U);
        round();
        round();
        EXPECT_EQ(round(), 0U);
    }
}

}  // namespace
}  // namespace cairn::haa::test
