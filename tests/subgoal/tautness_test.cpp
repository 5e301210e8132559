// Pruning: the useful octants against their definition, and the claim that pruned graphs hold
// shortest paths between all cells that are not h-reachable (src/subgoal/octants.hpp).

#include <gtest/gtest.h>

#include "cairn/grid/dijkstra.hpp"
#include "subgoal/connectors.hpp"
#include "subgoal/engines.hpp"
#include "subgoal/naive.hpp"
#include "subgoal/verify.hpp"
#include "support/scale.hpp"

namespace cairn::subgoal::test {
namespace {

using cairn::test::small_map;
using grid::Cell;
using grid::Map;
using grid::Point;

Map noisy_or_any_map(RandomMaps& random, const RandomMaps::Size& size) {
    return random.chance(50) ? random.noise(size, random.number(1, 45)) : random.uniform_map(size);
}

void expect_useful_octants(const Map& map) {
    const SubgoalBits bits(map);
    const Naive naive(map);
    const std::vector<Octants> useful = useful_octants(bits);
    ASSERT_EQ(useful.size(), bits.count());
    for (std::uint32_t node = 0; node < bits.count(); ++node) {
        const Point p = bits.point(node);
        ASSERT_EQ(useful[node], naive.useful(p.x, p.y))
            << describe(build(map), query_of(p, p, Engine::astar));
    }
}

TEST(Tautness, UsefulOctantsOfSmallGridsAreThoseOfTheDefinition) {
    const std::uint64_t stride = cairn::test::stride(0.2);
    for (std::uint64_t free = 0; free < 1U << 16; free += stride) {
        expect_useful_octants(small_map(4, 4, free));
        if (HasFatalFailure()) return;
    }
}

TEST(Tautness, UsefulOctantsOfRandomMapsAreThoseOfTheDefinition) {
    RandomMaps random(51);
    for (auto maps = cairn::test::scaled(150); maps > 0; --maps) {
        expect_useful_octants(noisy_or_any_map(random, random.size(24)));
        if (HasFatalFailure()) return;
    }
    // Rows or columns of one to three 64-bit words.
    for (auto maps = cairn::test::scaled(60); maps > 0; --maps) {
        const bool wide = random.chance(50);
        const int length = random.number(58, 132);
        const int breadth = random.number(2, 5);
        expect_useful_octants(noisy_or_any_map(random, strip(wide, length, breadth)));
        if (HasFatalFailure()) return;
    }
}

// Expects the least cost from each start to all goals that are not h-reachable, over useful
// connectors and taut edges alone, without the rest of the planner. Returns the number of pairs.
std::uint64_t check_pairs(const Map& map, const std::vector<Point>& starts) {
    Options options;
    options.labels = false;
    const Index index = build(map, options);
    const Snapshot& snapshot = index.snapshot();
    const std::vector<Point> points = free_points(map);
    NLevelGraph::Scratch scratch;
    Endpoint from;
    Endpoint to;
    std::uint64_t pairs = 0;
    for (const Point start : starts) {
        const std::vector<Cost> optimum = grid::dijkstra_distances(map, start).value();
        connect(snapshot, map.cell(start), Connections::taut, from);
        for (const Point goal : points) {
            const Cost cost = optimum[map.cell(goal)];
            if (cost == map.distance_bound(start, goal)) continue;
            connect(snapshot, map.cell(goal), Connections::taut, to);
            ++pairs;
            const Cost found =
                snapshot.engines->levels.distance(from.connectors, to.connectors, scratch);
            if (found != cost) {
                ADD_FAILURE() << found << ", not " << cost
                              << describe(index, query_of(start, goal, Engine::levels));
                return pairs;
            }
        }
    }
    return pairs;
}

TEST(Tautness, NoShortestPathIsLostOnSmallGrids) {
    const std::uint64_t stride = cairn::test::stride(0.12);
    std::uint64_t pairs = 0;
    constexpr int kCells = 5 * 4;
    for (std::uint64_t i = 0; i < 1U << kCells; i += 8 * stride) {  // about 1.5 % of them
        const Map map = small_map(5, 4, mixed_grid(i, kCells));
        pairs += check_pairs(map, free_points(map));
        if (HasFailure()) return;
    }
    RecordProperty("pairs", std::to_string(pairs));
}

TEST(Tautness, NoShortestPathIsLostOnRandomMaps) {
    RandomMaps random(52);
    std::uint64_t pairs = 0;
    for (auto maps = cairn::test::scaled(500); maps > 0; --maps) {
        const Map map = noisy_or_any_map(random, random.size(40));
        const std::vector<Point> points = free_points(map);
        if (points.empty()) continue;
        std::vector<Point> starts;
        for (int i = 0; i < 8; ++i) starts.push_back(random.one_of(points));
        pairs += check_pairs(map, starts);
        if (HasFailure()) return;
    }
    RecordProperty("pairs", std::to_string(pairs));
}

}  // namespace
}  // namespace cairn::subgoal::test
