// Views that come and go: what is kept, what is dropped, and that answers do not depend on it.

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

AnnotatedMap field(RandomAgents& random) {
    AnnotationOptions annotation;
    annotation.capabilities = three_capabilities();
    return annotated_map(random.image({40, 40}), annotation);
}

TEST(HaaViews, AnswersDoNotDependOnWhatIsKept) {
    RandomAgents random(21);
    for (auto maps = cairn::test::scaled(10); maps > 0; --maps) {
        const AnnotatedMap map = field(random);
        const Index roomy = with_view_bytes(map, std::uint64_t{1} << 30);
        const Index tight = with_view_bytes(map, 0);
        const std::vector<Agent> agents = all_agents(map);
        const grid::Map somewhere = *map.class_map({2, 1});
        Searcher searcher;
        Searcher another;
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
            const Point start = random.point(somewhere);
            const Query query = unsmoothed(agent, start, random.point(somewhere));
            another.find(roomy, query, expected);
            searcher.find(tight, query, answer);
            ASSERT_EQ(answer.status, expected.status);
            ASSERT_EQ(answer.cost, expected.cost);
            ASSERT_EQ(answer.snapshot_id, expected.snapshot_id);
            ASSERT_LE(tight.statistics().views, 1U);
        }
        EXPECT_GT(roomy.statistics().views, 1U);
    }
}

TEST(HaaViews, TheOneNotUsedForLongestIsDropped) {
    RandomAgents random(22);
    const AnnotatedMap map = field(random);
    const Index measured = with_view_bytes(map, std::uint64_t{1} << 30);
    for (const Agent agent : {Agent{2, 1}, Agent{2, 2}}) ASSERT_TRUE(measured.view(agent));
    // Room for those two, but for no other beside them; the other one takes less than either.
    const Index index = with_view_bytes(map, measured.statistics().view_bytes);
    ASSERT_TRUE(index.view({2, 1}));
    ASSERT_TRUE(index.view({2, 2}));
    EXPECT_EQ(index.statistics().views, 2U);
    Searcher searcher;
    Answer answer;
    searcher.find(index, unsmoothed({2, 1}, {0, 0}, {1, 1}), answer);
    const hpa::Index kept = *index.view({2, 1});
    ASSERT_TRUE(index.view({0, 2}));
    EXPECT_EQ(index.statistics().views, 2U);
    EXPECT_EQ(&index.view({2, 1})->snapshot(), &kept.snapshot());
    EXPECT_LE(index.statistics().view_bytes, index.options().view_bytes);
}

TEST(HaaViews, CompleteOnesReplacePlainOnesAtOnce) {
    RandomAgents random(23);
    const AnnotatedMap map = field(random);
    const Index index = with_view_bytes(map, std::uint64_t{1} << 30);
    const Agent agent{2, 1};
    const grid::Map class_map = *map.class_map(agent);
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
    // What is complete stays as it is.
    ASSERT_TRUE(index.with_labels({&agent, 1}).has_value());
    EXPECT_EQ(&index.view(agent)->snapshot(), &complete.snapshot());
}

TEST(HaaViews, LabelsTooLargeAreDoneWithout) {
    RandomAgents random(24);
    Options options;
    options.label_bytes = 1;
    const Index index = build(field(random), options);
    const Agent agent{2, 1};
    ASSERT_TRUE(index.with_labels({&agent, 1}).has_value());
    const hpa::Index view = *index.view(agent);
    EXPECT_FALSE(view.has_labels());
    EXPECT_EQ(view.labels_status().code, StatusCode::too_large);
    ASSERT_TRUE(index.with_labels({&agent, 1}).has_value());
    EXPECT_EQ(&index.view(agent)->snapshot(), &view.snapshot());
}

// A searcher goes on with what it holds; a query outlives index and view.
TEST(HaaViews, AQueryOutlivesItsIndexAndItsView) {
    RandomAgents random(25);
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
    ASSERT_TRUE(index->view({0, 1}));  // drops the other
    *index = *index->edited({&edit, 1});
    index.reset();
    while (sliced.advance(1)) {
    }
    EXPECT_EQ(answer.status, StatusCode::ok);
    EXPECT_EQ(answer.cells, whole.cells);
}

}  // namespace
}  // namespace cairn::haa::test
