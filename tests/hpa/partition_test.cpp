// hpa::Partition: the nested clusters of a grid.

#include "hpa/partition.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace cairn::hpa {
namespace {

// Each cell lies in exactly one cluster of a level, and each cluster in one cluster of the next
// level.
RC_GTEST_PROP(Partition, TilesTheMapOnEveryLevel, ()) {
    const int width = *rc::gen::inRange(1, 60);
    const int height = *rc::gen::inRange(1, 60);
    const int size = *rc::gen::inRange(2, 20);
    const int branching = *rc::gen::inRange(2, 5);
    const Partition partition(width, height, size, branching, 4);
    for (int level = 1; level <= 4; ++level) {
        std::vector<std::size_t> cells(partition.clusters(level));
        for (int y = 0; y < height; ++y) {
            for (int x = 0; x < width; ++x) {
                const std::uint32_t id = partition.cluster(level, {x, y});
                RC_ASSERT(id < cells.size());
                RC_ASSERT(inside(partition.rect(level, id), {x, y}));
                ++cells[id];
                if (level == 1) continue;
                const grid::Rect child =
                    partition.rect(level - 1, partition.cluster(level - 1, {x, y}));
                RC_ASSERT(partition.cluster(level, {child.x, child.y}) == id);
            }
        }
        for (std::uint32_t id = 0; id < cells.size(); ++id) {
            const grid::Rect rect = partition.rect(level, id);
            RC_ASSERT(cells[id] == static_cast<std::size_t>(rect.width * rect.height));
        }
    }
}

// A partition divides coordinates by multiplying with a reciprocal. The result is exact for all
// coordinates of all maps.
TEST(Partition, DividesCoordinatesExactly) {
    for (int size = 2; size <= 64; ++size) {
        const Partition partition(grid::Map::kMaxSide, 1, size, 4, 8);
        for (int level = 1; level <= 8; ++level) {
            for (int x = 0; x < grid::Map::kMaxSide; ++x) {
                ASSERT_EQ(partition.cluster(level, {x, 0}),
                          static_cast<std::uint32_t>(x / partition.side(level)));
            }
        }
    }
}

}  // namespace
}  // namespace cairn::hpa
