// Indexes for agents with other terrain costs (Index::with_costs) equal those built
// from scratch for them.

#include <gtest/gtest.h>

#include <algorithm>
#include <thread>
#include <vector>

#include "haa/footprint.hpp"
#include "haa/random_agents.hpp"
#include "hpa/snapshot.hpp"
#include "support/cancelling.hpp"
#include "support/planner.hpp"
#include "support/scale.hpp"

namespace cairn::haa::test {
namespace {

BuildControl on_one_thread() {
    BuildControl control;
    control.threads = 1;
    return control;
}

// Other weights for the terrains of these capabilities; some capabilities stay, and some get one
// weight for all terrains.
std::vector<Capability> other_costs(RandomAgents& random, std::vector<Capability> capabilities) {
    for (Capability& c : capabilities) {
        if (random.chance(30)) continue;
        const bool same = random.chance(30);
        const auto common = static_cast<std::uint8_t>(random.number(1, 9));
        for (std::uint8_t& weight : c.weight)
            weight = same ? common : static_cast<std::uint8_t>(random.number(1, 9));
    }
    return capabilities;
}

// Expects that `index`, which `before` became, has its views under the new costs, and that they
// and all answers are those of an index built from scratch.
void expect_fresh(RandomAgents& random, const Index& index, const Index& before,
                  const grid::TerrainImage& image) {
    const AnnotationOptions& annotation = index.map().options();
    const Index fresh = build(annotated_map(image, annotation), index.options());
    ASSERT_TRUE(index == fresh);
    ASSERT_EQ(index.statistics().value().views, before.statistics().value().views);
    Searcher searcher;
    Answer answer;
    Answer expected;
    for (const Agent agent : all_agents(index.map())) {
        ASSERT_EQ(index.has_labels(agent), before.has_labels(agent));
        ASSERT_EQ(index.has_closure(agent), before.has_closure(agent));
        ASSERT_TRUE(index.with_labels({&agent, 1}));
        ASSERT_TRUE(fresh.with_labels({&agent, 1}));
        ASSERT_TRUE(*index.view(agent) == *fresh.view(agent));
        const Footprint footprint(image, annotation, agent);
        const std::vector<grid::Point> anchors = footprint.anchors();
        if (anchors.empty()) continue;
        const grid::Point start = random.one_of(anchors);
        const std::vector<Cost> optimum = footprint.distances(start);
        for (int i = 0; i < 4; ++i) {
            const Query query = unsmoothed(agent, start, random.one_of(anchors));
            searcher.find(index, query, answer);
            ASSERT_EQ(fault_of(footprint, query, answer, optimum[footprint.index(query.goal)]), "");
            searcher.find(fresh, query, expected);
            ASSERT_EQ(answer.cost, expected.cost);
        }
    }
}

TEST(HaaCosts, AreThoseOfAnIndexBuiltFromScratch) {
    RandomAgents random(71);
    for (auto maps = cairn::test::scaled(60); maps > 0; --maps) {
        const grid::TerrainImage image = random.image(random.size(40));
        const AnnotationOptions annotation = random.agents(3);
        Options options = random.options();
        options.levels = random.number(1, 3);
        options.move_tables = random.chance(50);
        const Index index = build(annotated_map(image, annotation), options);
        make_views(random, index);
        const std::vector<Capability> costs = other_costs(random, annotation.capabilities);
        const auto other = index.with_costs(costs, on_one_thread());
        ASSERT_TRUE(other) << other.error().message;
        ASSERT_EQ(other->map().options().capabilities, costs);
        ASSERT_NE(other->snapshot_id(), index.snapshot_id());
        expect_fresh(random, *other, index, image);
        const auto back = other->with_costs(annotation.capabilities);
        ASSERT_TRUE(back && *back == index);
        if (HasFatalFailure()) return;
    }
}

TEST(HaaCosts, CanBeChangedBetweenEdits) {
    RandomAgents random(72);
    for (auto maps = cairn::test::scaled(20); maps > 0; --maps) {
        grid::TerrainImage image = random.image(random.size(40));
        Index index = build(annotated_map(image, random.agents(3)), random.options());
        for (int steps = 0; steps < 4; ++steps) {
            make_views(random, index);
            const grid::Rect area{random.number(0, image.width - 1),
                                  random.number(0, image.height - 1), 1, 1};
            const grid::TerrainEdit edit{area,
                                         static_cast<std::uint8_t>("@.TS"[random.number(0, 3)])};
            image.set(area.x, area.y, edit.terrain);
            const Index edited = *index.edited({&edit, 1});
            index = *edited.with_costs(other_costs(random, edited.map().options().capabilities));
            expect_fresh(random, index, edited, image);
            if (HasFatalFailure()) return;
        }
    }
}

TEST(HaaCosts, OfAViewThatDoesNotChangeAreShared) {
    RandomAgents random(73);
    AnnotationOptions annotation;
    annotation.capabilities = three_capabilities();
    const Index index = build(annotated_map(random.image({40, 40}), annotation));
    const std::vector<Agent> agents = all_agents(index.map());
    ASSERT_TRUE(index.with_labels(agents));
    std::vector<Capability> costs = annotation.capabilities;
    costs[0].weight.fill(5);
    const Index other = *index.with_costs(costs);
    for (const Agent agent : agents) {
        const bool shared =
            other.view(agent)->snapshot().labels == index.view(agent)->snapshot().labels;
        EXPECT_EQ(shared, agent.capability != 0);
    }
}

// Queries, new views and labels go on while other costs are made.
TEST(HaaCostsThreads, AreMadeWhileTheIndexIsUsed) {
    RandomAgents random(75);
    AnnotationOptions annotation;
    annotation.capabilities = three_capabilities();
    const Index index = build(annotated_map(random.image({50, 40}), annotation));
    const std::vector<Agent> agents = all_agents(index.map());
    std::vector<Capability> costs = annotation.capabilities;
    for (Capability& c : costs) c.weight[kGround] = 3;
    std::thread user([&] {
        Searcher searcher;
        Answer answer;
        for (const Agent agent : agents) {
            for (int x = 0; x < 50; ++x)
                searcher.find(index, unsmoothed(agent, {0, 0}, {x, 39}), answer);
            EXPECT_TRUE(index.with_labels({&agent, 1}));
        }
    });
    const Index fresh = build(*index.map().with_costs(costs));
    for (int i = 0; i < 5; ++i) {
        const auto other = index.with_costs(costs);
        EXPECT_TRUE(other && *other == fresh);
    }
    user.join();
}

TEST(HaaCosts, OfOtherTerrainsAreRefused) {
    const Index index = build(annotated({"..T.", "...."}));
    const auto expect_refused = [&](const std::vector<Capability>& costs) {
        const auto other = index.with_costs(costs);
        ASSERT_FALSE(other);
        EXPECT_EQ(other.error().code, StatusCode::bad_option);
    };
    expect_refused({});
    expect_refused({Capability(terrain_set({kTrees}))});
    expect_refused({Capability(terrain_set({kGround})), Capability(terrain_set({kGround}))});
    Capability none(terrain_set({kGround}));
    none.weight[kGround] = 0;
    expect_refused({none});
    BuildControl threads;
    threads.threads = -1;
    EXPECT_EQ(index.with_costs(index.map().options().capabilities, threads).error().code,
              StatusCode::bad_option);
}

TEST(HaaCosts, CanBeCancelledAtAnyPoint) {
    RandomAgents random(74);
    AnnotationOptions annotation;
    annotation.capabilities = three_capabilities();
    const Index index = build(annotated_map(random.image({60, 60}), annotation));
    ASSERT_TRUE(index.with_labels(all_agents(index.map())));
    // The last capability, whose views come last, stays.
    std::vector<Capability> costs = annotation.capabilities;
    for (std::size_t i = 0; i + 1 < costs.size(); ++i) costs[i].weight[kGround] = 7;
    cairn::test::expect_cancelled_at_any_time(
        [&](const BuildControl& control) { return index.with_costs(costs, control); }, 3);
}

}  // namespace
}  // namespace cairn::haa::test
