// HPA* indexes under other weights.

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "cairn/index_file.hpp"
#include "core/labels/closure_view.hpp"
#include "hpa/label_checks.hpp"
#include "hpa/random_cases.hpp"
#include "hpa/verify.hpp"
#include "support/cancelling.hpp"
#include "support/scale.hpp"

namespace cairn::hpa::test {
namespace {

using grid::Map;
using grid::MoveRules;
using grid::TerrainWeights;

// Other weights of the same terrain: any, all the same, or mostly as before.
TerrainWeights other_weights(RandomCases& random, const TerrainWeights& before, int heaviest) {
    TerrainWeights weights = before;
    const int kind = random.number(0, 2);
    const int same = random.number(1, heaviest);
    for (std::uint8_t& weight : weights.weight) {
        if (weight == 0 || (kind == 2 && random.chance(70))) continue;
        weight = static_cast<std::uint8_t>(kind == 0 ? same : random.number(1, heaviest));
    }
    return weights;
}

// The terrain of a map under other weights, created from its bytes.
Map fresh_map(const Map& map, const TerrainWeights& weights) {
    std::vector<std::uint8_t> terrain;
    for (grid::Cell c = 0; c < map.size(); ++c) terrain.push_back(map.terrain(c));
    grid::MapOptions options = map.options();
    options.weights = weights;
    return Map::create(map.width(), map.height(), terrain, options).value();
}

BuildControl one_thread() {
    BuildControl control;
    control.threads = 1;
    return control;
}

Index with_costs(const Index& index, const TerrainWeights& weights) {
    return index.with_costs(weights, one_thread()).value();
}

// Expects that an index under other weights is what a build makes of these.
void expect_fresh(RandomCases& random, const Index& index) {
    const Index fresh =
        build(fresh_map(index.map(), index.map().options().weights), index.options());
    ASSERT_TRUE(index == fresh);
    for (grid::Cell c = 0; c < index.map().size(); ++c)
        ASSERT_EQ(index.map().moves(c), fresh.map().moves(c));
    ASSERT_EQ(index.map().min_straight(), fresh.map().min_straight());
    ASSERT_EQ(index.map().max_move(), fresh.map().max_move());
    for (int i = 0; i < 10; ++i) {
        const grid::Point a = random.point(index.map());
        const grid::Point b = random.point(index.map());
        ASSERT_EQ(index.reachable(a, b), fresh.reachable(a, b));
    }
    if (!index.has_labels() || !fresh.has_labels()) return;
    expect_fresh_answers(random, index, fresh);
    expect_equal_answers(random, index, index);
}

class Costs : public testing::TestWithParam<MoveRules> {};

TEST_P(Costs, AreThoseOfAnIndexBuiltFromScratch) {
    RandomCases random(610 + static_cast<std::uint64_t>(GetParam().corner));
    for (auto maps = cairn::test::scaled(60); maps > 0; --maps) {
        Options options = random.options();
        const Index index = build(random.map(random.size(64), GetParam()), options);
        const TerrainWeights weights = other_weights(random, index.map().options().weights, 9);
        const Index other = with_costs(index, weights);
        EXPECT_EQ(other.has_labels(), index.has_labels());
        EXPECT_EQ(other.options(), index.options());
        expect_fresh(random, other);
        if (HasFatalFailure()) return;
        // Orders do not depend on costs, so even the labels are those of a fresh build.
        if (index.map().costs_fit() && other.map().costs_fit()) {
            const Index fresh = build(fresh_map(index.map(), weights), index.options());
            ASSERT_EQ(to_bytes(other).value(), to_bytes(fresh).value());
        }
        const Index back = with_costs(other, index.map().options().weights);
        ASSERT_TRUE(back == index);
        if (index.has_labels()) {
            ASSERT_TRUE(same_labels(back, index));
            ASSERT_EQ(labels_of(other).closure().wear(), 1);
        }
    }
}

TEST_P(Costs, CanBeChangedBetweenEdits) {
    RandomCases random(620 + static_cast<std::uint64_t>(GetParam().corner));
    for (auto maps = cairn::test::scaled(30); maps > 0; --maps) {
        Options options = random.options();
        options.labels = true;
        Index index = build(random.map(random.size(64), GetParam()), options);
        for (int steps = 0; steps < 4; ++steps) {
            index = *index.edited(random.edits(index.map()));
            if (random.chance(50)) index = with_labels(index);
            const double wear = index.wear();
            const Index other =
                with_costs(index, other_weights(random, index.map().options().weights, 9));
            ASSERT_EQ(other.has_closure(), index.has_closure());
            ASSERT_EQ(other.has_labels(), index.has_labels());
            ASSERT_EQ(other.labels_status().code, index.labels_status().code);
            EXPECT_LE(other.wear(), std::max(wear, 1.0) * 1.0001);
            expect_fresh(random, with_labels(other));
            if (HasFatalFailure()) return;
            index = other;
        }
    }
}

TEST_P(Costs, SurviveBeingSaved) {
    RandomCases random(630 + static_cast<std::uint64_t>(GetParam().corner));
    for (auto maps = cairn::test::scaled(10); maps > 0; --maps) {
        const Index index =
            with_costs(build(random.map(random.size(40), GetParam()), random.options()),
                       TerrainWeights::weighted());
        const auto bytes = std::make_shared<const std::string>(to_bytes(index).value());
        const Index loaded =
            from_bytes<Index>(std::as_bytes(std::span(*bytes)), bytes, "costs", index.map())
                .value();
        ASSERT_TRUE(loaded == index);
        EXPECT_EQ(loaded.has_labels(), index.has_labels());
        const Index other =
            with_costs(loaded, other_weights(random, index.map().options().weights, 9));
        expect_fresh(random, other);
        if (HasFatalFailure()) return;
    }
}

// Under heavy weights some intra-edges cost kInfinity, and have other edges than under light ones.
TEST_P(Costs, MayPassInfinityInsideClusters) {
    RandomCases random(640 + static_cast<std::uint64_t>(GetParam().corner));
    for (auto maps = cairn::test::scaled(20); maps > 0; --maps) {
        Options options = random.options();
        options.labels = true;
        const Map light = random.map(random.size(40), GetParam());
        grid::MapOptions map_options = light.options();
        map_options.costs = {800'000, 1'000'000};
        std::vector<std::uint8_t> terrain;
        for (grid::Cell c = 0; c < light.size(); ++c) terrain.push_back(light.terrain(c));
        const Map map = Map::create(light.width(), light.height(), terrain, map_options).value();
        const TerrainWeights heavy = other_weights(random, map_options.weights, 255);
        const Index from_light = with_costs(build(map, options), heavy);
        const Index from_heavy =
            with_costs(build(fresh_map(map, heavy), options), map_options.weights);
        expect_fresh(random, from_light);
        expect_fresh(random, from_heavy);
        if (HasFatalFailure()) return;
    }
}

INSTANTIATE_TEST_SUITE_P(Rules, Costs, testing::ValuesIn(kAllRules), case_name);

// A map of '.', with a lake of '2' in the middle.
Map lake() {
    std::vector<std::uint8_t> terrain(90 * 60, '.');
    for (std::size_t y = 20; y < 40; ++y)
        for (std::size_t x = 15; x < 75; ++x) terrain[y * 90 + x] = x % 9 == 4 ? '@' : '2';
    grid::MapOptions options;
    options.weights = TerrainWeights::weighted();
    return Map::create(90, 60, terrain, options).value();
}

TEST(CostsTest, TheTreeStays) {
    Options by_width;
    by_width.transitions = Transitions::by_width;
    const Index index = build(lake(), by_width);
    TerrainWeights weights = TerrainWeights::weighted();
    weights.weight['2'] = 7;
    const Index other = with_costs(index, weights);
    const ClosureView before(*labels_of(index).closure().storage());
    const ClosureView after(*labels_of(other).closure().storage());
    ASSERT_EQ(before.num_places(), after.num_places());
    bool same_costs = true;
    for (std::uint32_t p = 0; p < before.num_places(); ++p) {
        ASSERT_EQ(before.node(p).node, after.node(p).node);
        ASSERT_EQ(before.node(p).parent, after.node(p).parent);
        ASSERT_EQ(before.node(p).length, after.node(p).length);
        for (std::uint32_t e = 0; e < before.row(p).length; ++e)
            same_costs = same_costs && before.row(p).cost[e] == after.row(p).cost[e];
    }
    EXPECT_FALSE(same_costs);
    EXPECT_NE(other.snapshot_id(), index.snapshot_id());
    EXPECT_NE(other.snapshot_id(), 0U);
    EXPECT_EQ(other.snapshot_id(), with_costs(index, weights).snapshot_id());
}

TEST(CostsTest, ARefusalNamesTheTerrainByte) {
    const Index index = build(lake());
    TerrainWeights weights = TerrainWeights::weighted();
    weights.weight['3'] = 0;  // not on the map
    EXPECT_TRUE(index.with_costs(weights));
    const auto expect_refused = [&](std::string_view byte) {
        const auto refused = index.with_costs(weights);
        ASSERT_FALSE(refused);
        EXPECT_EQ(refused.error().code, StatusCode::bad_option);
        EXPECT_NE(refused.error().message.find(byte), std::string::npos) << refused.error().message;
    };
    weights.weight['2'] = 0;
    expect_refused(" 50 ");
    weights.weight['2'] = 2;
    weights.weight['@'] = 1;
    expect_refused(" 64 ");
    BuildControl control;
    control.threads = -1;
    EXPECT_EQ(index.with_costs(TerrainWeights::weighted(), control).error().code,
              StatusCode::bad_option);
}

TEST(CostsTest, CanBeCancelledAtAnyTime) {
    const Index index = build(lake());
    TerrainWeights weights = TerrainWeights::weighted();
    weights.weight['2'] = 5;
    cairn::test::expect_cancelled_at_any_time(
        [&](const BuildControl& control) { return index.with_costs(weights, control); }, 3);
}

TEST(CostsThreads, DoNotChangeTheResult) {
    const Index index = build(lake());
    TerrainWeights weights = TerrainWeights::weighted();
    weights.weight['2'] = 5;
    BuildControl control;
    control.threads = 3;
    EXPECT_EQ(to_bytes(index.with_costs(weights, control).value()).value(),
              to_bytes(with_costs(index, weights)).value());
}

TEST(CostsTest, KeepWhatTheIndexHasOfLabels) {
    const TerrainWeights weights = TerrainWeights::weighted();
    Options options;
    options.label_bytes = 1;
    const Index only_closure = build(lake(), options);
    ASSERT_TRUE(only_closure.has_closure());
    ASSERT_FALSE(only_closure.has_labels());
    const Index other = with_costs(only_closure, weights);
    EXPECT_TRUE(other.has_closure());
    EXPECT_FALSE(other.has_labels());
    EXPECT_EQ(other.labels_status().code, StatusCode::too_large);
    const Index without = with_costs(only_closure.without_labels().value(), weights);
    EXPECT_FALSE(without.has_closure());
    EXPECT_EQ(without.labels_status().code, StatusCode::unsupported);
    EXPECT_TRUE(with_labels(without).has_closure());
}

}  // namespace
}  // namespace cairn::hpa::test
