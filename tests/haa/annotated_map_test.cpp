// Clearances and class maps agree with the definition: an agent can stand where all cells that it
// covers have terrains of its capability.

#include "cairn/haa/annotated_map.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "haa/random_agents.hpp"
#include "support/scale.hpp"

namespace cairn::haa {
namespace {

using grid::Cell;
using grid::Point;
using test::RandomAgents;

// The weight of an anchor: the greatest of the cells that the agent covers, 0 where it cannot
// stand.
int weight_by_footprint(const AnnotatedMap& map, Agent agent, Point anchor) {
    const Capability& capability = map.options().capabilities[agent.capability];
    const bool centred = map.options().anchor == Anchor::centred;
    const int before = centred ? (agent.size - 1) / 2 : 0;  // cells covered left of the anchor
    int weight = 0;
    for (int dy = 0; dy < agent.size; ++dy) {
        for (int dx = 0; dx < agent.size; ++dx) {
            const Point p{anchor.x - before + dx, anchor.y - before + dy};
            if (!map.contains(p)) return 0;
            const std::uint8_t t = map.options().key.terrain[map.terrain(map.cell(p))];
            if (t >= kMaxTerrains || !capability.includes(t)) return 0;
            weight = std::max<int>(weight, capability.weight[t]);
        }
    }
    return weight;
}

Point point_of(const AnnotatedMap& map, Cell cell) {
    const auto width = static_cast<Cell>(map.width());
    return {static_cast<int>(cell % width), static_cast<int>(cell / width)};
}

TEST(AnnotatedMapTest, WeightsAreThoseOfTheFootprint) {
    RandomAgents random(1);
    for (std::uint64_t round = 0; round < cairn::test::scaled(150); ++round) {
        const AnnotatedMap map = random.map(24, 6);
        for (std::uint32_t k = 0; k < map.classes(); ++k) {
            const Agent agent = map.agent(k);
            ASSERT_EQ(map.class_of(agent), k);
            for (Cell c = 0; c < map.size(); ++c) {
                const int weight = weight_by_footprint(map, agent, point_of(map, c));
                ASSERT_EQ(map.weight(agent, c), weight) << "cell " << c << " class " << k;
                ASSERT_EQ(map.clearance(agent.capability, c) >= agent.size, weight != 0);
            }
        }
    }
}

TEST(AnnotatedMapTest, MovesOfAClassMapFollowTheCornerRuleOnAnchors) {
    RandomAgents random(2);
    for (std::uint64_t round = 0; round < cairn::test::scaled(100); ++round) {
        const AnnotatedMap map = random.map(20, 4);
        const grid::MoveRules& rules = map.options().rules;
        for (std::uint32_t k = 0; k < map.classes(); ++k) {
            const Agent agent = map.agent(k);
            const grid::Map view = map.class_map(agent).value();
            for (Cell c = 0; c < map.size(); ++c) {
                const Point p = point_of(map, c);
                // Whether the agent can stand on the neighbour in a direction (modulo 8).
                const auto stands = [&](int direction) {
                    const auto d = static_cast<std::size_t>(direction & 7);
                    return weight_by_footprint(map, agent,
                                               {p.x + grid::kDx[d], p.y + grid::kDy[d]}) != 0;
                };
                ASSERT_EQ(view.weight(c), map.weight(agent, c));
                for (int d = 0; d < grid::kDirections; ++d) {
                    bool legal = view.weight(c) != 0 && stands(d);
                    if (grid::is_diagonal(d)) {
                        const int beside = stands(d - 1) + stands(d + 1);
                        const int needed = rules.corner == grid::CornerRule::strict         ? 2
                                           : rules.corner == grid::CornerRule::both_blocked ? 1
                                                                                            : 0;
                        legal = legal && rules.neighbourhood == grid::Neighbourhood::eight &&
                                beside >= needed;
                    }
                    ASSERT_EQ((view.moves(c) >> d & 1) != 0, legal) << "cell " << c << ", " << d;
                }
            }
        }
    }
}

// Clearances also change beside the edited cells, but only where anchors_over says.
TEST(AnnotatedMapTest, EditedIsTheMapOfTheEditedTerrain) {
    RandomAgents random(3);
    for (std::uint64_t round = 0; round < cairn::test::scaled(300); ++round) {
        const AnnotationOptions options = random.agents(8);
        grid::TerrainImage image = random.image(random.size(40));
        const AnnotatedMap map = AnnotatedMap::create(image, options).value();
        const std::vector<grid::TerrainEdit> edits =
            random.edits(grid::make_map(image, {}).value());
        for (const auto& [area, terrain] : edits) {
            for (int y = area.y; y < area.y + area.height; ++y) {
                for (int x = area.x; x < area.x + area.width; ++x) image.set(x, y, terrain);
            }
        }
        const AnnotatedMap edited = map.edited(edits).value();
        const AnnotatedMap rebuilt = AnnotatedMap::create(image, options).value();
        ASSERT_TRUE(edited == rebuilt);
        ASSERT_EQ(edited.fingerprint(), rebuilt.fingerprint());
        for (std::uint32_t c = 0; c < options.capabilities.size(); ++c) {
            for (Cell cell = 0; cell < map.size(); ++cell) {
                ASSERT_EQ(edited.clearance(c, cell), rebuilt.clearance(c, cell)) << "cell " << cell;
                const bool near = std::any_of(edits.begin(), edits.end(), [&](const auto& edit) {
                    return hpa::inside(map.anchors_over(edit.area), point_of(map, cell));
                });
                ASSERT_TRUE(near || map.clearance(c, cell) == rebuilt.clearance(c, cell));
            }
        }
    }
}

TEST(AnnotatedMapTest, RefusesInvalidAgentsTerrainsAndEdits) {
    const grid::TerrainImage image{2, 2, {'.', '.', '.', '.'}};
    const auto code = [&](const AnnotationOptions& options) {
        const auto map = AnnotatedMap::create(image, options);
        return map ? StatusCode::ok : map.error().code;
    };
    AnnotationOptions options;
    EXPECT_EQ(code(options), StatusCode::ok);
    options.capabilities.clear();
    EXPECT_EQ(code(options), StatusCode::bad_option);
    options.capabilities.assign(16, Capability(terrain_set({kGround})));
    options.max_size = 8;  // 16 * 8 = 128 classes, one too many
    EXPECT_EQ(code(options), StatusCode::bad_option);
    options.max_size = 7;
    EXPECT_EQ(code(options), StatusCode::ok);
    options.capabilities.assign(1, Capability());
    EXPECT_EQ(code(options), StatusCode::bad_option);
    options.capabilities.assign(1, Capability(terrain_set({kGround})));
    options.capabilities[0].weight[kGround] = 0;
    EXPECT_EQ(code(options), StatusCode::bad_option);
    options.capabilities[0].weight[kGround] = 1;
    options.max_size = 17;
    EXPECT_EQ(code(options), StatusCode::bad_option);
    options.max_size = 16;
    options.key.terrain['x'] = 16;
    EXPECT_EQ(code(options), StatusCode::bad_option);

    const AnnotatedMap map = AnnotatedMap::create(image).value();
    EXPECT_EQ(map.class_map({0, 3}).error().code, StatusCode::bad_option);
    EXPECT_EQ(map.class_map({1, 1}).error().code, StatusCode::bad_option);
    const grid::TerrainEdit outside{{1, 1, 2, 1}, '.'};
    EXPECT_EQ(map.edited({&outside, 1}).error().code, StatusCode::bad_option);
}

}  // namespace
}  // namespace cairn::haa
