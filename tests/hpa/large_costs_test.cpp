// Queries on a large map of heavy terrain, where some paths cost too much.

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "cairn/grid/planners.hpp"
#include "cairn/hpa/hpa.hpp"
#include "hpa/verify.hpp"
#include "support/scale.hpp"

namespace cairn::hpa::test {
namespace {

// Lanes of weight 252 wind from the first row to the last. Crossing one costs at least 102,816 a
// cell, so about five lanes of 4096 cells make kInfinity.
TEST(LargeCosts, AMapOf4096CellsASideWithWeightsOf252) {
    const int side = cairn::test::scale() < 1 ? 1024 : 4096;
    const int lanes = 8 * 4096 / side;
    const int lane = side / lanes;
    std::vector<std::uint8_t> terrain;
    for (int y = 0; y < side; ++y) {
        for (int x = 0; x < side; ++x) {
            const int gap = y / lane % 2 == 0 ? side - 1 : 0;
            terrain.push_back(y % lane == lane - 1 && x != gap ? 0 : 252);
        }
    }
    grid::MapOptions map_options;
    map_options.weights = grid::TerrainWeights::literal();
    const grid::Map map = grid::Map::create(side, side, terrain, map_options).value();
    EXPECT_FALSE(map.costs_fit());
    Options options;
    options.cluster_size = 64;
    options.move_tables = options.labels = false;
    options.levels = 2;
    const Index index = Index::build(map, options).value();
    const auto jump_points = grid::JpsMap::create(map).value();
    grid::Jps jps;
    grid::Path optimal;
    int found = 0;
    for (int i = 0; i < lanes; i += 2) {
        const grid::Point goal{side / 2, i * lane};
        const Answer answer = answer_to(index, unsmoothed({0, 0}, goal));
        const StatusCode status = jps.find_path(jump_points, {0, 0}, goal, optimal);
        ASSERT_EQ(answer.status, status);
        if (status != StatusCode::ok) {
            EXPECT_EQ(status, StatusCode::cost_too_large);
            continue;
        }
        EXPECT_GE(answer.cost, optimal.cost);
        EXPECT_EQ(grid::path_cost(map, answer.cells), answer.cost);
        ++found;
    }
    EXPECT_GE(found, lanes / 4);
    EXPECT_LT(found, lanes / 2);
}

}  // namespace
}  // namespace cairn::hpa::test
