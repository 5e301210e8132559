// Edited indexes against indexes built afresh (HPA* paper, sections 1 and 3.1).

#include <gtest/gtest.h>

#include "cairn/grid/components.hpp"
#include "cairn/grid/dijkstra.hpp"
#include "hpa/random_cases.hpp"
#include "hpa/verify.hpp"
#include "support/scale.hpp"

namespace cairn::hpa::test {
namespace {

using grid::Map;
using grid::MoveRules;
using grid::Point;
using grid::TerrainEdit;

// A pair of points and all that may be asked of it.
struct Question {
    Point start;
    Point goal;
    StatusCode status;
    Cost cost;
};

std::vector<Question> questions(RandomCases& random, const Index& index, int count) {
    std::vector<Question> result;
    for (int i = 0; i < count; ++i) {
        const Point start = random.point(index.map());
        const Point goal = random.point(index.map());
        const Answer answer = answer_to(index, unsmoothed(start, goal, Engine::levels));
        result.push_back({start, goal, answer.status, answer.cost});
    }
    return result;
}

void expect_same_answers(const Index& index, const std::vector<Question>& questions,
                         Engine engine) {
    Searcher searcher;
    Answer answer;
    for (const auto& [start, goal, status, cost] : questions) {
        const Query query = unsmoothed(start, goal, engine);
        searcher.find(index, query, answer);
        ASSERT_EQ(answer.status, status) << describe(index, query);
        ASSERT_EQ(answer.cost, cost) << describe(index, query);
    }
}

void expect_right_reachability(RandomCases& random, const Index& index) {
    if (!complete(index)) return;
    const grid::Components components = grid::Components::build(index.map());
    for (int i = 0; i < 40; ++i) {
        const Point a = random.point(index.map());
        const Point b = random.point(index.map());
        ASSERT_EQ(index.reachable(a, b),
                  components.connected(index.map().cell(a), index.map().cell(b)));
    }
}

class Edit : public testing::TestWithParam<MoveRules> {};

TEST_P(Edit, SequencesEqualRebuilds) {
    BuildControl alone;
    alone.threads = 1;
    RandomCases random(40 + static_cast<std::uint64_t>(GetParam().corner));
    for (auto maps = cairn::test::scaled(60); maps > 0; --maps) {
        const Map map = random.map(random.size(64), GetParam());
        Options options = random.options();
        options.labels = random.chance(20);
        Index index = build(map, options);
        for (int steps = 0; steps < 10; ++steps) {
            const std::vector<TerrainEdit> edits = random.edits(index.map());
            const std::vector<Question> before = questions(random, index, 5);
            const Index old = index;
            const std::uint64_t old_id = index.snapshot_id();

            index = *old.edited(edits);
            const Index fresh = build(*old.map().edited(edits), options);
            ASSERT_TRUE(index == fresh) << describe(fresh, {});
            EXPECT_FALSE(index.has_labels());
            EXPECT_EQ(index.labels_status().code, StatusCode::stale_index);
            EXPECT_NE(index.snapshot_id(), old_id);
            expect_right_reachability(random, index);
            const std::vector<Question> after = questions(random, fresh, 5);
            expect_same_answers(index, after, Engine::levels);
            expect_same_answers(*index.with_labels(alone), after, Engine::cut_labels);
            expect_same_answers(old, before, Engine::levels);
            if (HasFatalFailure()) return;
        }
    }
}

// Small clusters of few free cells, where much hangs on inter-edges alone: clusters of one node
// keep their record when the terrain under it changes.
TEST_P(Edit, WeightsOfInterEdgesReachEveryLevel) {
    RandomCases random(50 + static_cast<std::uint64_t>(GetParam().corner));
    for (auto maps = cairn::test::scaled(150); maps > 0; --maps) {
        const int width = random.number(4, 24);
        const int height = random.number(1, 12);
        std::vector<std::uint8_t> terrain(static_cast<std::size_t>(width * height));
        const bool weighted = random.chance(50);
        for (std::uint8_t& t : terrain)
            t = random.chance(50) ? static_cast<std::uint8_t>(weighted ? random.number(1, 3) : 1)
                                  : std::uint8_t{0};
        grid::MapOptions map_options;
        map_options.rules = GetParam();
        map_options.weights = grid::TerrainWeights::literal();
        Options options;
        options.cluster_size = random.number(2, 3);
        options.levels = 4;
        options.labels = false;
        Index index = build(*Map::create(width, height, terrain, map_options), options);
        for (int steps = 0; steps < 12; ++steps) {
            TerrainEdit edit;
            const Point corner = random.point(index.map());
            edit.area = {corner.x, corner.y, 1, 1};
            edit.terrain = static_cast<std::uint8_t>(random.number(0, 3));
            if (random.chance(20)) edit.area = {0, 0, width, height};
            index = *index.edited({&edit, 1});
            ASSERT_TRUE(index == build(index.map(), options)) << describe(index, {});
        }
    }
}

// One map, the whole of it set to another weight: uniform before and after.
TEST_P(Edit, FromOneUniformTerrainToAnother) {
    grid::MapOptions map_options;
    map_options.rules = GetParam();
    map_options.weights = grid::TerrainWeights::literal();
    // Two nodes in two 1-clusters, each the only one of its cluster; both lie on the border of
    // their 2-cluster.
    const std::vector<std::uint8_t> terrain{
        0, 1, 1, 0,  //
        0, 0, 0, 0,  //
        0, 0, 0, 0,  //
        0, 0, 0, 0,  //
        0, 1, 1, 0,  //
        0, 0, 0, 0,  //
    };
    std::vector<std::uint8_t> tall(terrain);
    tall[13] = tall[14] = 1;  // so that both nodes also lead south
    Options options;
    options.cluster_size = 2;
    options.levels = 3;
    const Index index = build(*Map::create(4, 6, tall, map_options), options);
    std::vector<TerrainEdit> edits;
    for (const Point p : free_points(index.map())) edits.push_back({{p.x, p.y, 1, 1}, 2});
    const Index edited = *index.edited(edits);
    EXPECT_TRUE(edited.map().uniform());
    EXPECT_TRUE(edited == build(edited.map(), options));
}

INSTANTIATE_TEST_SUITE_P(Rules, Edit, testing::ValuesIn(kAllRules), case_name);

}  // namespace
}  // namespace cairn::hpa::test
