// Index::edited: each index against one built from scratch (HPA* paper, sections 1 and 3.1).

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

// A query and the status and cost of its answer.
struct AnsweredQuery {
    Point start;
    Point goal;
    StatusCode status;
    Cost cost;
};

// Random queries, answered by Engine::levels.
std::vector<AnsweredQuery> answered_queries(RandomCases& random, const Index& index, int count) {
    std::vector<AnsweredQuery> result;
    for (int i = 0; i < count; ++i) {
        const Point start = random.point(index.map());
        const Point goal = random.point(index.map());
        const Answer answer = answer_to(index, unsmoothed(start, goal, Engine::levels));
        result.push_back({start, goal, answer.status, answer.cost});
    }
    return result;
}

void expect_same_answers(const Index& index, const std::vector<AnsweredQuery>& queries,
                         Engine engine) {
    Searcher searcher;
    Answer answer;
    for (const auto& [start, goal, status, cost] : queries) {
        const Query query = unsmoothed(start, goal, engine);
        searcher.find(index, query, answer);
        ASSERT_EQ(answer.status, status) << describe(index, query);
        ASSERT_EQ(answer.cost, cost) << describe(index, query);
    }
}

// Compares Index::reachable with the components of the map's cells.
void expect_right_reachability(RandomCases& random, const Index& index) {
    if (!complete(index)) return;  // then the abstract graph may have fewer connections
    const grid::Components components = grid::Components::build(index.map()).value();
    for (int i = 0; i < 40; ++i) {
        const Point a = random.point(index.map());
        const Point b = random.point(index.map());
        ASSERT_EQ((index.reachable(a, b) == StatusCode::ok),
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
            const std::vector<AnsweredQuery> before = answered_queries(random, index, 5);
            const Index old = index;
            const std::uint64_t old_id = index.snapshot_id();

            index = *old.edited(edits);
            const Index fresh = build(*old.map().edited(edits), options);
            ASSERT_TRUE(index == fresh) << describe(fresh, {});
            EXPECT_FALSE(index.has_labels());
            EXPECT_EQ(index.labels_status().code, StatusCode::stale_index);
            EXPECT_NE(index.snapshot_id(), old_id);
            expect_right_reachability(random, index);
            const std::vector<AnsweredQuery> after = answered_queries(random, fresh, 5);
            expect_same_answers(index, after, Engine::levels);
            expect_same_answers(*index.with_labels(alone), after, Engine::cut_labels);
            expect_same_answers(old, before, Engine::levels);
            if (HasFatalFailure()) return;
        }
    }
}

// Many of these small clusters have a single node, and so no intra-edges. The record of such a
// cluster stays the same when the terrain under its node changes, but the costs of its inter-edges
// do not.
TEST_P(Edit, CostsOfInterEdgesReachEveryLevel) {
    RandomCases random(50 + static_cast<std::uint64_t>(GetParam().corner));
    for (auto maps = cairn::test::scaled(150); maps > 0; --maps) {
        const int width = random.number(4, 24);
        const int height = random.number(1, 12);
        std::vector<std::uint8_t> terrain(static_cast<std::size_t>(width * height));
        const bool weighted = random.chance(50);
        for (std::uint8_t& weight : terrain) {
            weight = 0;
            if (random.chance(50))
                weight = static_cast<std::uint8_t>(weighted ? random.number(1, 3) : 1);
        }
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

// All free cells of a map of one weight get another one: the map is uniform before and after.
TEST_P(Edit, FromOneUniformTerrainToAnotherEqualsARebuild) {
    grid::MapOptions map_options;
    map_options.rules = GetParam();
    map_options.weights = grid::TerrainWeights::literal();
    // The two free cells of a row are nodes, each the only one of its 1-cluster (2 x 2 cells), and
    // lie in one 2-cluster (4 x 4 cells).
    const std::vector<std::uint8_t> terrain{
        0, 1, 1, 0,  //
        0, 0, 0, 0,  //
        0, 0, 0, 0,  //
        0, 0, 0, 0,  //
        0, 1, 1, 0,  //
        0, 0, 0, 0,  //
    };
    std::vector<std::uint8_t> joined(terrain);
    joined[13] = joined[14] = 1;  // rows 3 and 4 meet at a border of 2-clusters
    Options options;
    options.cluster_size = 2;
    options.levels = 3;
    const Index index = build(*Map::create(4, 6, joined, map_options), options);
    std::vector<TerrainEdit> edits;
    for (const Point p : free_points(index.map())) edits.push_back({{p.x, p.y, 1, 1}, 2});
    const Index edited = *index.edited(edits);
    EXPECT_TRUE(edited.map().uniform());
    EXPECT_TRUE(edited == build(edited.map(), options));
}

INSTANTIATE_TEST_SUITE_P(Rules, Edit, testing::ValuesIn(kAllRules), case_name);

}  // namespace
}  // namespace cairn::hpa::test
