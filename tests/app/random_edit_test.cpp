// RandomEdits, also on maps without a terrain that blocks cells.

#include <gtest/gtest.h>

#include <vector>

#include "checks/random_edit.hpp"

namespace cairn::test {
namespace {

using app::RandomEdits;

constexpr int kSide = 3;  // of the square that an edit changes

TEST(RandomEdits, BlockAndFreeInTurns) {
    const std::vector<std::uint8_t> letters(64, '.');
    const auto map = grid::Map::create(8, 8, letters);
    ASSERT_TRUE(map.has_value());
    RandomEdits edits(1, kSide);
    for (const bool freed : {false, true, false, true}) {
        const grid::TerrainEdit edit = edits.next(*map);
        EXPECT_EQ(edit.area.width, kSide);
        EXPECT_EQ(map->options().weights.weight[edit.terrain] != 0, freed);
    }
}

TEST(RandomEdits, ChangeNothingWithoutObstacles) {
    grid::MapOptions options;
    options.weights.weight.fill(2);  // no terrain is an obstacle
    options.weights.weight[0] = 1;
    const std::vector<std::uint8_t> letters(64, '.');
    const auto map = grid::Map::create(8, 8, letters, options);
    ASSERT_TRUE(map.has_value());
    const grid::TerrainEdit edit = RandomEdits(1, kSide).next(*map);
    EXPECT_EQ(edit.terrain, '.');
    EXPECT_EQ(edit.area.width * edit.area.height, 1);
}

TEST(RandomEdits, ChangeNothingWithoutObstaclesInTheTerrainKey) {
    haa::AnnotationOptions options;
    options.key.terrain.fill(1);  // trees, which agents on the ground cannot enter
    options.key.terrain[0] = 0;
    const auto map = haa::AnnotatedMap::create({8, 8, std::vector<std::uint8_t>(64, 'T')}, options);
    ASSERT_TRUE(map.has_value());
    const grid::TerrainEdit edit = RandomEdits(1, kSide).next(*map);
    EXPECT_EQ(edit.terrain, 'T');
    EXPECT_EQ(edit.area.width * edit.area.height, 1);
}

}  // namespace
}  // namespace cairn::test
