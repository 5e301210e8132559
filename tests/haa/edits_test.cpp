// Edited indexes, and the views that they take over, equal indexes and views built from scratch.

#include <gtest/gtest.h>

#include "haa/footprint.hpp"
#include "haa/random_agents.hpp"
#include "haa/view_making.hpp"
#include "hpa/level_one_graphs.hpp"
#include "support/planner.hpp"
#include "support/scale.hpp"

namespace cairn::haa::test {
namespace {

using grid::TerrainEdit;

// One to three edits, most of them of a single cell, some of rectangles.
std::vector<TerrainEdit> any_edits(RandomAgents& random, const AnnotatedMap& map) {
    std::vector<TerrainEdit> edits;
    for (int count = random.number(1, 3); count > 0; --count) {
        const int x = random.number(0, map.width() - 1);
        const int y = random.number(0, map.height() - 1);
        const int longest = random.chance(10) ? 40 : random.chance(30) ? 6 : 1;
        const int width = std::min(random.number(1, longest), map.width() - x);
        const int height = std::min(random.number(1, longest), map.height() - y);
        const char letter = "@.TS"[random.number(0, 3)];
        edits.push_back({{x, y, width, height}, static_cast<std::uint8_t>(letter)});
    }
    return edits;
}

void apply(grid::TerrainImage& image, const std::vector<TerrainEdit>& edits) {
    for (const auto& [area, terrain] : edits) {
        for (int y = area.y; y < area.y + area.height; ++y) {
            for (int x = area.x; x < area.x + area.width; ++x) image.set(x, y, terrain);
        }
    }
}

// Every agent has equal views in both indexes, first as they are, then with labels.
void expect_same_views(const Index& index, const Index& fresh) {
    for (const Agent agent : all_agents(index.map())) {
        const auto view = index.view(agent);
        const auto expected = fresh.view(agent);
        ASSERT_TRUE(view && expected);
        ASSERT_EQ(hpa::test::graph_fault(view->snapshot(), expected->snapshot()), "");
        if (!view->options().move_tables) {  // a view with labels is compared below
            ASSERT_TRUE(*view == *expected);
        }
        ASSERT_TRUE(index.with_labels({&agent, 1}).has_value());
        ASSERT_TRUE(fresh.with_labels({&agent, 1}).has_value());
        ASSERT_TRUE(*index.view(agent) == *fresh.view(agent));
    }
}

// Some answers for one agent are correct.
void expect_right_answers(RandomAgents& random, const Index& index, const Footprint& footprint,
                          Agent agent) {
    const std::vector<grid::Point> anchors = footprint.anchors();
    if (anchors.empty()) return;
    Searcher searcher;
    Answer answer;
    const grid::Point start = random.one_of(anchors);
    const std::vector<Cost> optimum = footprint.distances(start);
    for (int i = 0; i < 4; ++i) {
        const Query query = unsmoothed(agent, start, random.one_of(anchors));
        searcher.find(index, query, answer);
        ASSERT_EQ(fault_of(footprint, query, answer, optimum[footprint.index(query.goal)]), "");
    }
}

TEST(HaaEdits, AfterEveryEditTheIndexEqualsARebuild) {
    RandomAgents random(11);
    for (auto maps = cairn::test::scaled(60); maps > 0; --maps) {
        grid::TerrainImage image = random.image(random.size(40));
        const AnnotationOptions annotation = random.agents(4);
        Options options = random.options();
        options.levels = random.number(1, 3);
        options.move_tables = random.chance(50);
        Index index = build(annotated_map(image, annotation), options);
        for (int steps = 0; steps < 8; ++steps) {
            make_views(random, index);
            const std::vector<TerrainEdit> edits = any_edits(random, index.map());
            apply(image, edits);
            const Index old = index;
            const auto edited = old.edited(edits);
            ASSERT_TRUE(edited);
            index = *edited;
            const Index fresh = build(annotated_map(image, annotation), options);
            ASSERT_TRUE(index == fresh);
            ASSERT_EQ(index.statistics().value().views, old.statistics().value().views);
            ASSERT_NE(index.snapshot_id(), old.snapshot_id());
            for (const Agent agent : all_agents(index.map())) {
                for (std::uint32_t c = 0; c < index.map().size(); ++c) {
                    ASSERT_EQ(index.map().clearance(agent.capability, c),
                              fresh.map().clearance(agent.capability, c));
                }
                expect_right_answers(random, index, {image, annotation, agent}, agent);
            }
            if (random.chance(30)) expect_same_views(index, fresh);
            if (HasFatalFailure()) return;
        }
        expect_same_views(index, build(annotated_map(image, annotation), options));
    }
}

TEST(HaaEdits, AnEditOutsideTheMapIsRefused) {
    const Index index = build(annotated({"....", "...."}));
    const TerrainEdit edit{{3, 1, 2, 1}, '@'};
    EXPECT_EQ(index.edited({&edit, 1}).error().code, StatusCode::bad_option);
}

TEST(HaaEdits, AnEditThatChangesNothingKeepsGraphAndLabels) {
    const Index index = build(annotated({"....", "..T."}));
    const Agent agent{0, 1};
    ASSERT_TRUE(index.with_labels({&agent, 1}).has_value());
    const TerrainEdit same{{0, 0, 2, 2}, '.'};
    const auto edited = index.edited({&same, 1});
    ASSERT_TRUE(edited);
    EXPECT_TRUE(*edited == index);
    EXPECT_NE(edited->snapshot_id(), index.snapshot_id());
    EXPECT_TRUE(edited->view(agent)->has_labels());
}

// Trees replace a swamp. This changes only the class maps of agents that can stand on trees.
TEST(HaaEdits, OnlyViewsThatChangeLoseTheirLabels) {
    AnnotationOptions annotation;
    annotation.capabilities = {Capability(terrain_set({kGround})),
                               Capability(terrain_set({kGround, kTrees}))};
    Options options;
    options.cluster_size = 2;
    const Index index = build(annotated({"....S", "....S", "....S"}, annotation), options);
    const std::vector<Agent> agents{{0, 1}, {0, 2}, {1, 1}, {1, 2}};
    ASSERT_TRUE(index.with_labels(agents).has_value());
    const TerrainEdit edit{{4, 0, 1, 3}, 'T'};
    const auto edited = index.edited({&edit, 1});
    ASSERT_TRUE(edited);
    for (const Agent agent : agents) {
        const auto view = edited->view(agent);
        ASSERT_TRUE(view);
        EXPECT_EQ(view->has_labels(), agent.capability == 0);
        EXPECT_NE(view->snapshot_id(), index.view(agent)->snapshot_id());
        EXPECT_TRUE(view->options().move_tables);
    }
    ASSERT_TRUE(edited->with_labels(agents).has_value());
    for (const Agent agent : agents) EXPECT_TRUE(edited->view(agent)->has_labels());
}

TEST(HaaEdits, ClassEditsTurnOneClassMapIntoTheOther) {
    RandomAgents random(12);
    for (auto maps = cairn::test::scaled(200); maps > 0; --maps) {
        const AnnotatedMap before = random.map(20, 4);
        const std::vector<TerrainEdit> edits = any_edits(random, before);
        const AnnotatedMap after = *before.edited(edits);
        std::vector<grid::Rect> areas;
        for (const TerrainEdit& edit : edits) areas.push_back(before.anchors_over(edit.area));
        for (const Agent agent : all_agents(before)) {
            const grid::Map map = *before.class_map(agent);
            const auto class_map_edits = class_edits(before, after, agent, areas);
            const auto edited = after.edited_class_map(map, agent, class_map_edits, areas);
            ASSERT_TRUE(edited);
            ASSERT_TRUE(*edited == *after.class_map(agent));
            // The edits alone make a map of the same weights and moves.
            if (!after.shares_clearances(agent.capability)) continue;
            std::vector<std::uint8_t> weights;
            for (grid::Cell c = 0; c < map.size(); ++c)
                weights.push_back(static_cast<std::uint8_t>(map.weight(c)));
            const auto literal = grid::Map::create(map.width(), map.height(), weights,
                                                   {map.options().rules, map.options().costs,
                                                    grid::TerrainWeights::literal()})
                                     ->edited(class_map_edits);
            ASSERT_TRUE(literal);
            for (grid::Cell c = 0; c < map.size(); ++c) {
                ASSERT_EQ(edited->weight(c), literal->weight(c));
                ASSERT_EQ(edited->moves(c), literal->moves(c));
            }
            ASSERT_EQ(edited->free_cells(), literal->free_cells());
            ASSERT_EQ(edited->min_straight(), literal->min_straight());
        }
    }
}

// Size 2 loses the anchors of the edited cells, and those one row above and one column to the left.
TEST(HaaEdits, TheClassEditOfARectangleIsARectangleOfAnchors) {
    const AnnotatedMap before = annotated({"......", "......", "......", "......"});
    const TerrainEdit edit{{2, 1, 2, 2}, '@'};
    const AnnotatedMap after = *before.edited({&edit, 1});
    const grid::Rect all{0, 0, 6, 4};
    const auto small = class_edits(before, after, {0, 1}, {&all, 1});
    ASSERT_EQ(small.size(), 1U);
    EXPECT_EQ(small[0].area, edit.area);
    const auto large = class_edits(before, after, {0, 2}, {&all, 1});
    ASSERT_EQ(large.size(), 1U);
    EXPECT_EQ(large[0].area, (grid::Rect{1, 0, 3, 3}));
}

}  // namespace
}  // namespace cairn::haa::test
