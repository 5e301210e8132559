// Generated maps: every kind at every size, the promises of each kind, and golden bytes.

#include "cairn/grid/generate.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace cairn::grid {
namespace {

using ::testing::HasSubstr;

TerrainImage generated(MapKind kind, int width, int height, std::uint64_t seed) {
    auto image = generate(
        {.kind = kind, .width = width, .height = height, .seed = seed, .size = {}, .density = {}});
    EXPECT_TRUE(image);
    return image.value_or(TerrainImage{});
}

Map weighted_map(const TerrainImage& image) {
    MapOptions options;
    options.weights = TerrainWeights::weighted();
    return make_map(image, options).value();
}

/// The number of free cells that can be reached from the first one.
std::size_t reachable(const Map& map) {
    std::vector<bool> seen(map.size(), false);
    std::vector<Cell> open;
    for (Cell c = 0; c < map.size() && open.empty(); ++c) {
        if (map.passable(c)) open.push_back(c);
    }
    if (!open.empty()) seen[open[0]] = true;
    for (std::size_t i = 0; i < open.size(); ++i) {
        for (int d = 0; d < kDirections; ++d) {
            if ((map.moves(open[i]) >> d & 1) == 0) continue;
            const Cell next = map.step(open[i], d);
            if (seen[next]) continue;
            seen[next] = true;
            open.push_back(next);
        }
    }
    return open.size();
}

std::uint64_t hash(const TerrainImage& image) {
    std::uint64_t h = 0xcbf29ce484222325U;  // FNV-1a
    for (const std::uint8_t t : image.terrain) h = (h ^ t) * 0x100000001b3U;
    return h;
}

TEST(Generate, KindsHaveNames) {
    for (const MapKind kind : kMapKinds) EXPECT_EQ(map_kind(name(kind)), kind);
    EXPECT_EQ(map_kind("labyrinth"), std::nullopt);
}

TEST(Generate, EveryKindHasTheRequestedSidesAtEverySmallSize) {
    for (const MapKind kind : kMapKinds) {
        for (int height = 1; height <= 24; ++height) {
            for (int width = 1; width <= 24; ++width) {
                const TerrainImage image = generated(kind, width, height, 3);
                ASSERT_EQ(image.width, width);
                ASSERT_EQ(image.height, height);
                ASSERT_EQ(image.terrain.size(), static_cast<std::size_t>(width * height))
                    << name(kind);
            }
        }
    }
}

TEST(Generate, AnySizeAndDensityGiveAMapOrAnError) {
    for (const MapKind kind : kMapKinds) {
        for (const int size : {1, 3, 4, 8, 64, 1000, 4096}) {
            for (const int density : {0, 1, 60, 90, 100}) {
                const auto image = generate({.kind = kind,
                                             .width = 97,
                                             .height = 61,
                                             .seed = 5,
                                             .size = size,
                                             .density = density});
                if (image) {
                    EXPECT_EQ(image->terrain.size(), 97U * 61) << name(kind);
                } else {
                    EXPECT_EQ(image.error().code, StatusCode::bad_option) << name(kind);
                }
            }
        }
    }
}

TEST(Generate, EqualSeedsGiveEqualMapsAndOthersDifferentMaps) {
    for (const MapKind kind : kMapKinds) {
        EXPECT_EQ(generated(kind, 64, 48, 7), generated(kind, 64, 48, 7)) << name(kind);
        if (kind != MapKind::open) {
            EXPECT_NE(generated(kind, 64, 48, 7), generated(kind, 64, 48, 8)) << name(kind);
        }
    }
}

TEST(Generate, RoomsAndMazesAreConnected) {
    for (const MapKind kind : {MapKind::rooms, MapKind::maze}) {
        for (std::uint64_t seed = 0; seed < 40; ++seed) {
            const Map map =
                weighted_map(generated(kind, 20 + static_cast<int>(seed * 3), 60, seed));
            EXPECT_EQ(reachable(map), map.free_cells()) << name(kind) << " seed " << seed;
        }
    }
}

TEST(Generate, MazesWithoutLoopsAreTrees) {
    const Map map = weighted_map(generated(MapKind::maze, 101, 81, 9));
    EXPECT_EQ(map.edge_count() + 1, map.free_cells());
}

TEST(Generate, DensityIsThePercentageOfObstacles) {
    const auto blocked_percent = [](MapKind kind, int density) {
        const auto image = generate(
            {.kind = kind, .width = 256, .height = 256, .seed = 1, .size = {}, .density = density});
        const Map map = weighted_map(image.value());
        return 100.0 * static_cast<double>(map.size() - map.free_cells()) /
               static_cast<double>(map.size());
    };
    EXPECT_NEAR(blocked_percent(MapKind::random, 40), 40.0, 1.0);
    EXPECT_NEAR(blocked_percent(MapKind::terrain, 30), 30.0, 0.5);
    EXPECT_NEAR(blocked_percent(MapKind::terrain, 0), 0.0, 0.0);
    EXPECT_NEAR(blocked_percent(MapKind::forest, 20), 19.0, 2.0);  // some trees overlap
    EXPECT_EQ(blocked_percent(MapKind::open, 50), 0.0);
}

TEST(Generate, TerrainHasEveryWeight) {
    const TerrainImage image = generated(MapKind::terrain, 256, 256, 1);
    for (const char letter : std::string("123456789W")) {
        EXPECT_GT(std::count(image.terrain.begin(), image.terrain.end(),
                             static_cast<std::uint8_t>(letter)),
                  500)
            << letter;
    }
}

TEST(Generate, ErrorsNameTheOption) {
    const auto message = [](GenerateOptions options) {
        const auto image = generate(options);
        EXPECT_FALSE(image);
        EXPECT_EQ(image ? StatusCode::ok : image.error().code, StatusCode::bad_option);
        return image ? std::string() : image.error().message;
    };
    EXPECT_THAT(message({.width = 0, .size = {}, .density = {}}),
                HasSubstr("width 0: must be 1 to 32768"));
    EXPECT_THAT(message({.height = 32769, .size = {}, .density = {}}), HasSubstr("height 32769"));
    EXPECT_THAT(message({.kind = MapKind::forest, .size = 4, .density = {}}),
                HasSubstr("forest map: size 4: must be 1 to 3"));
    EXPECT_THAT(message({.kind = MapKind::caves, .size = {}, .density = 101}),
                HasSubstr("density 101: must be 0 to 100"));
    EXPECT_THAT(message({.kind = static_cast<MapKind>(99), .size = {}, .density = {}}),
                HasSubstr("map kind 99"));
}

TEST(WorkedExample, HasTheNumbersOfThePaper) {
    const ExampleProblem example = worked_example().value();
    MapOptions options;
    options.rules.neighbourhood = Neighbourhood::four;
    const Map map = make_map(example.image, options).value();
    EXPECT_EQ(map.free_cells(), 1463U);
    EXPECT_EQ(map.edge_count(), 2714U);
    EXPECT_EQ(reachable(map), map.free_cells());
    EXPECT_TRUE(map.passable(map.cell(example.start)));
    EXPECT_TRUE(map.passable(map.cell(example.goal)));
    EXPECT_LT(example.start.x + example.start.y, 20) << "the start is at the upper left";
    EXPECT_GT(example.goal.x + example.goal.y, 50) << "the goal is at the lower right";
}

TEST(Trees, GrowOnTheGivenShareOfTheGroundOnly) {
    const TerrainImage plain = generated(MapKind::forest, 100, 90, 3);
    for (const int percent : {0, 20, 100}) {
        TerrainImage image = plain;
        ASSERT_TRUE(plant_trees(image, percent, 7).ok());
        TerrainImage again = plain;
        ASSERT_TRUE(plant_trees(again, percent, 7).ok());
        EXPECT_EQ(image, again);
        std::size_t ground = 0;
        std::size_t planted = 0;
        for (std::size_t i = 0; i < plain.terrain.size(); ++i) {
            if (plain.terrain[i] != '.') {
                EXPECT_EQ(image.terrain[i], plain.terrain[i]);
                continue;
            }
            ++ground;
            planted += image.terrain[i] == 'T' ? 1U : 0U;
        }
        const double share = static_cast<double>(planted) / static_cast<double>(ground);
        EXPECT_NEAR(share, percent / 100.0, 0.02);
    }
    TerrainImage image = plain;
    EXPECT_EQ(plant_trees(image, 101, 7).code, StatusCode::bad_option);
    EXPECT_EQ(image, plain);
}

struct Golden {
    MapKind kind;
    std::uint64_t hash;
};

class GoldenGenerate : public ::testing::TestWithParam<Golden> {};

TEST_P(GoldenGenerate, SameBytesEverywhere) {
    EXPECT_EQ(hash(generated(GetParam().kind, 150, 130, 42)), GetParam().hash);
}

INSTANTIATE_TEST_SUITE_P(Kinds, GoldenGenerate,
                         ::testing::Values(Golden{MapKind::open, 0xd389f2d4d63c5015U},
                                           Golden{MapKind::random, 0x739866c3d3cde9fbU},
                                           Golden{MapKind::rooms, 0x2155fa1ad43b7e95U},
                                           Golden{MapKind::maze, 0x224b6d71540d021bU},
                                           Golden{MapKind::caves, 0xc305aec030e69fbbU},
                                           Golden{MapKind::city, 0x7cc0c24a2e08be10U},
                                           Golden{MapKind::forest, 0xd701bd11f0ceb48dU},
                                           Golden{MapKind::terrain, 0x13393ed9f8489d1bU}),
                         [](const auto& param) { return std::string(name(param.param.kind)); });

}  // namespace
}  // namespace cairn::grid
