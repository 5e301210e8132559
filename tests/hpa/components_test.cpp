// hpa::Index::reachable over many edits that join and separate the same rooms.

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "cairn/hpa/index.hpp"

namespace cairn::hpa {
namespace {

// An open map whose top-left corner is a walled room of 15 x 15 cells.
grid::Map walled_room() {
    constexpr int kSide = 64;
    constexpr int kWall = 15;  // the row and the column of the room's walls
    std::vector<std::uint8_t> terrain(kSide * kSide, '.');
    for (int i = 0; i <= kWall; ++i) {
        terrain[static_cast<std::size_t>(kWall * kSide + i)] = '@';
        terrain[static_cast<std::size_t>(i * kSide + kWall)] = '@';
    }
    return *grid::Map::create(kSide, kSide, terrain);
}

// Opens or closes a door in the east wall of the room.
Index with_door(const Index& index, bool open) {
    const grid::TerrainEdit door{{15, 5, 1, 1}, static_cast<std::uint8_t>(open ? '.' : '@')};
    return *index.edited({&door, 1});
}

TEST(ComponentsTest, ADoorMayOpenAndCloseAnyNumberOfTimes) {
    Options options;
    options.labels = false;
    Index index = *Index::build(walled_room(), options);
    const std::size_t bytes = index.statistics().value().component_bytes;
    for (int i = 0; i < 3000; ++i) {
        const bool open = i % 2 == 0;
        index = with_door(index, open);
        ASSERT_EQ((index.reachable({3, 3}, {50, 50}) == StatusCode::ok), open) << "edit " << i;
        ASSERT_EQ(index.reachable({3, 3}, {12, 12}), StatusCode::ok) << "edit " << i;
        ASSERT_EQ(index.reachable({20, 3}, {50, 50}), StatusCode::ok) << "edit " << i;
    }
    EXPECT_LT(index.statistics().value().component_bytes, bytes + 4096)
        << "component labels pile up";
}

TEST(ComponentsTest, OneEditMayJoinAndSeparate) {
    Options options;
    options.labels = false;
    const Index closed = *Index::build(walled_room(), options);
    // A door in the room's wall, and a second wall that divides the map outside the room.
    const std::array<grid::TerrainEdit, 2> edits{grid::TerrainEdit{{15, 5, 1, 1}, '.'},
                                                 grid::TerrainEdit{{40, 0, 1, 64}, '@'}};
    const Index index = *closed.edited(edits);
    EXPECT_EQ(index.reachable({3, 3}, {30, 50}), StatusCode::ok);
    EXPECT_EQ(index.reachable({3, 3}, {50, 50}), StatusCode::no_path);
    EXPECT_EQ(index.reachable({30, 50}, {50, 50}), StatusCode::no_path);
    EXPECT_EQ(closed.reachable({30, 50}, {50, 50}), StatusCode::ok);
}

}  // namespace
}  // namespace cairn::hpa
