// Which views an index keeps and which it drops. Answers do not depend on this.

#include "haa/views.hpp"

#include <gtest/gtest.h>

#include "haa/footprint.hpp"
#include "haa/random_agents.hpp"
#include "support/planner.hpp"
#include "support/scale.hpp"

namespace cairn::haa::test {
namespace {

using grid::Point;

Index with_view_bytes(const AnnotatedMap& map, std::uint64_t bytes) {
    Options options;
    options.cluster_size = 5;
    options.view_bytes = bytes;
    return build(map, options);
}

// A map of 40 x 40 cells for three capabilities and sizes 1 and 2: six agents.
AnnotatedMap random_map(RandomAgents& random) {
    AnnotationOptions annotation;
    annotation.capabilities = three_capabilities();
    return annotated_map(random.image({40, 40}), annotation);
}

TEST(HaaViews, AnswersDoNotDependOnWhichViewsAreKept) {
    RandomAgents random(21);
    for (auto maps = cairn::test::scaled(10); maps > 0; --maps) {
        const AnnotatedMap map = random_map(random);
        const Index roomy = with_view_bytes(map, std::uint64_t{1} << 30);
        const Index tight = with_view_bytes(map, 0);
        const std::vector<Agent> agents = all_agents(map);
        const grid::Map any_cell = *map.class_map({2, 1});
        Searcher searcher;
        Searcher roomy_searcher;
        Answer answer;
        Answer expected;
        for (int i = 0; i < 120; ++i) {
            const Agent agent = agents[static_cast<std::size_t>(random.number(0, 5))];
            if (random.chance(5)) {
                ASSERT_TRUE(tight.with_labels({&agent, 1}).has_value());
            }
            if (random.chance(5)) {
                ASSERT_TRUE(roomy.with_labels({&agent, 1}).has_value());
            }
            const Point start = random.point(any_cell);
            const Query query = unsmoothed(agent, start, random.point(any_cell));
            roomy_searcher.find(roomy, query, expected);
            searcher.find(tight, query, answer);
            ASSERT_EQ(answer.status, expected.status);
            ASSERT_EQ(answer.cost, expected.cost);
            ASSERT_EQ(answer.snapshot_id, expected.snapshot_id);
            ASSERT_LE(tight.statistics().value().views, 1U);
        }
        EXPECT_GT(roomy.statistics().value().views, 1U);
    }
}

TEST(HaaViews, TheLeastRecentlyUsedViewIsDropped) {
    RandomAgents random(22);
    const AnnotatedMap map = random_map(random);
    const Index measured = with_view_bytes(map, std::uint64_t{1} << 30);
    for (const Agent agent : {Agent{2, 1}, Agent{2, 2}}) ASSERT_TRUE(measured.view(agent));
    // Room for these two views and no third one. That of {0, 2} takes less memory than either.
    const Index index = with_view_bytes(map, measured.statistics().value().view_bytes);
    ASSERT_TRUE(index.view({2, 1}));
    ASSERT_TRUE(index.view({2, 2}));
    EXPECT_EQ(index.statistics().value().views, 2U);
    Searcher searcher;
    Answer answer;
    searcher.find(index, unsmoothed({2, 1}, {0, 0}, {1, 1}), answer);
    const hpa::Index kept = *index.view({2, 1});
    ASSERT_TRUE(index.view({0, 2}));
    EXPECT_EQ(index.statistics().value().views, 2U);
    EXPECT_EQ(&index.view({2, 1})->snapshot(), &kept.snapshot());
    EXPECT_LE(index.statistics().value().view_bytes, index.options().view_bytes);
}

TEST(HaaViews, ACompleteViewReplacesThePlainOne) {
    RandomAgents random(23);
    const AnnotatedMap map = random_map(random);
    const Index index = with_view_bytes(map, std::uint64_t{1} << 30);
    const Agent agent{2, 1};
    Searcher searcher;
    Answer answer;
    Query query = unsmoothed(agent, {0, 0}, {0, 0}, hpa::Engine::cut_labels);
    EXPECT_EQ(searcher.find(index, query, answer), StatusCode::unsupported);
    EXPECT_FALSE(index.view(agent)->has_labels());
    ASSERT_TRUE(index.with_labels({&agent, 1}).has_value());
    const hpa::Index complete = *index.view(agent);
    EXPECT_TRUE(complete.has_labels());
    EXPECT_TRUE(complete.options().move_tables);
    EXPECT_NE(searcher.find(index, query, answer), StatusCode::unsupported);
    // A complete view is not made again.
    ASSERT_TRUE(index.with_labels({&agent, 1}).has_value());
    EXPECT_EQ(&index.view(agent)->snapshot(), &complete.snapshot());
}

TEST(HaaViews, LabelsStatusSaysWhyThereAreNone) {
    RandomAgents random(25);
    const Index index = with_view_bytes(random_map(random), std::uint64_t{1} << 30);
    const Agent agent{2, 1};
    EXPECT_EQ(index.labels_status({99, 1}).code, StatusCode::bad_option);
    EXPECT_EQ(index.labels_status(agent).message, "the agent has no view yet");
    ASSERT_TRUE(index.view(agent));
    EXPECT_EQ(index.labels_status(agent).code, StatusCode::unsupported);
    ASSERT_TRUE(index.with_labels({&agent, 1}));
    EXPECT_TRUE(index.labels_status(agent).ok());
    Options options;
    options.label_bytes = 1;
    const Index tight = build(index.map(), options);
    ASSERT_TRUE(tight.with_labels({&agent, 1}));
    EXPECT_EQ(tight.labels_status(agent).code, StatusCode::too_large);
    EXPECT_FALSE(tight.has_labels(agent));
    EXPECT_FALSE(tight.has_labels());
    EXPECT_TRUE(tight.has_closure(agent));
    EXPECT_TRUE(tight.has_closure());
    EXPECT_FALSE(tight.has_closure({99, 1}));
    ASSERT_TRUE(tight.view({1, 1}));
    EXPECT_FALSE(tight.has_closure({1, 1}));
    EXPECT_FALSE(tight.has_closure());
}

TEST(HaaViews, ReachableAgreesWithPathsForEveryAgent) {
    RandomAgents random(26);
    const AnnotatedMap map = random_map(random);
    const Index index = with_view_bytes(map, std::uint64_t{1} << 30);
    EXPECT_EQ(index.reachable({99, 1}, {0, 0}, {1, 1}), StatusCode::bad_option);
    Searcher searcher;
    Answer answer;
    int found = 0;
    int none = 0;
    for (const Agent agent : all_agents(map)) {
        for (int y = -1; y < 40; y += 4) {
            for (int x = 0; x < 42; x += 4) {
                const Point goal{x, y};
                searcher.find(index, unsmoothed(agent, {20, 20}, goal), answer);
                ASSERT_EQ(index.reachable(agent, {20, 20}, goal), answer.status) << x << ", " << y;
                ++(answer.status == StatusCode::ok ? found : none);
            }
        }
    }
    EXPECT_GT(found, 0);
    EXPECT_GT(none, 0);
}

TEST(HaaViews, LabelsOverTheirLimitAreLeftOut) {
    RandomAgents random(24);
    Options options;
    options.label_bytes = 1;
    const Index index = build(random_map(random), options);
    const Agent agent{2, 1};
    ASSERT_TRUE(index.with_labels({&agent, 1}).has_value());
    const hpa::Index view = *index.view(agent);
    EXPECT_FALSE(view.has_labels());
    EXPECT_EQ(view.labels_status().code, StatusCode::too_large);
    ASSERT_TRUE(index.with_labels({&agent, 1}).has_value());
    EXPECT_EQ(&index.view(agent)->snapshot(), &view.snapshot());
}

// A query in slices keeps the view with which it began.
TEST(HaaViews, AQueryOutlivesItsIndexAndItsView) {
    const AnnotatedMap map = annotated_map({30, 30, std::vector<std::uint8_t>(900, '.')}, {});
    auto index = std::make_unique<Index>(with_view_bytes(map, 0));
    Query query = unsmoothed({0, 2}, {0, 0}, {28, 27}, hpa::Engine::astar);
    Searcher searcher;
    Answer whole;
    ASSERT_EQ(searcher.find(*index, query, whole), StatusCode::ok);
    Searcher sliced;
    Answer answer;
    sliced.begin(*index, query, answer);
    ASSERT_TRUE(sliced.advance(1));
    const grid::TerrainEdit edit{{10, 0, 1, 30}, '@'};
    ASSERT_TRUE(index->view({0, 1}));  // drops the view of {0, 2}
    *index = *index->edited({&edit, 1});
    index.reset();
    while (sliced.advance(1)) {
    }
    EXPECT_EQ(answer.status, StatusCode::ok);
    EXPECT_EQ(answer.cells, whole.cells);
}

}  // namespace
}  // namespace cairn::haa::test
