// Lines with two turns. two_turn_line finds one wherever there is one. Pruning loses a path of
// octile length only where there is a free line with one turn or with two (docs/subgoal-graphs.md,
// step 6 of the proof).

#include "subgoal/line_test.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "cairn/grid/dijkstra.hpp"
#include "subgoal/connectors.hpp"
#include "subgoal/engines.hpp"
#include "subgoal/verify.hpp"
#include "support/scale.hpp"

namespace cairn::subgoal::test {
namespace {

using cairn::test::small_map;
using grid::Cell;
using grid::Map;
using grid::Point;

Map noise_map(RandomMaps& random, const RandomMaps::Size& size) {
    return random.noise(size, random.number(1, 40));
}

// Whether the line leads from a to b, its moves are legal and none of its runs is empty.
bool is_free(const Map& map, Point a, Point b, const TwoTurnLine& line) {
    for (const grid::Run run : line) {
        if (run.steps < 1 || !grid::run_is_free(map, map.cell(a), run)) return false;
        a = grid::run_end(a, run);
    }
    return a == b;
}

// Tries every length of the first straight run.
bool has_two_turn_line(const Map& map, Point a, Point b) {
    const auto [diagonal, straight] = grid::legs(map, a, b);
    for (int first = 1; first < straight.steps; ++first) {
        const grid::Run before{straight.direction, first};
        const grid::Run behind{straight.direction, straight.steps - first};
        if (is_free(map, a, b, {before, diagonal, behind})) return true;
    }
    return false;
}

// Checks the pairs of a start and any free cell. Returns how many have a line with two turns.
int check_lines(const Map& map, const std::vector<Point>& starts) {
    const SubgoalBits bits(map);
    const DiagonalBits diagonals(bits);
    int found = 0;
    for (const Point a : starts) {
        for (const Point b : free_points(map)) {
            const auto line = two_turn_line(map, bits, diagonals, a, b);
            EXPECT_EQ(line.has_value(), has_two_turn_line(map, a, b))
                << describe(build(map), query_of(a, b, Engine::astar));
            if (line) {
                EXPECT_TRUE(is_free(map, a, b, *line));
            }
            if (testing::Test::HasFailure()) return found;
            found += line ? 1 : 0;
        }
    }
    return found;
}

std::vector<Point> some_points(RandomMaps& random, const Map& map, int count) {
    const std::vector<Point> points = free_points(map);
    std::vector<Point> out;
    for (int i = 0; i < count && !points.empty(); ++i) out.push_back(random.one_of(points));
    return out;
}

TEST(TwoTurnLine, IsFoundOnSmallGrids) {
    const std::uint64_t stride = cairn::test::stride(0.1);
    int found = 0;
    for (std::uint64_t i = 0; i < 1U << 15; i += stride) {
        for (const bool wide : {true, false}) {
            const Map map = small_map(wide ? 5 : 3, wide ? 3 : 5, i);
            found += check_lines(map, free_points(map));
            if (HasFailure()) return;
        }
    }
    EXPECT_GT(found, 100);
}

// Rows or columns of one to four 64-bit words.
TEST(TwoTurnLine, IsFoundAcrossWords) {
    RandomMaps random(61);
    int found = 0;
    for (auto maps = cairn::test::scaled(40); maps > 0; --maps) {
        const bool wide = random.chance(50);
        const int length = random.number(58, 200);
        const int breadth = random.number(3, 12);
        const Map map = random.noise(strip(wide, length, breadth), random.number(1, 12));
        found += check_lines(map, some_points(random, map, 6));
        if (HasFailure()) return;
    }
    EXPECT_GT(found, 100);
}

// Takes the pairs that are h-reachable without a free line of one turn. Where the pruned graph
// alone, without the rest of the planner, has no path of octile length, expects a line with two
// turns. Returns the number of these pairs.
int check_lost_pairs(const Map& map, const std::vector<Point>& starts) {
    Options options;
    options.labels = false;
    const Index index = build(map, options);
    const Snapshot& snapshot = index.snapshot();
    NLevelGraph::Scratch scratch;
    Endpoint from;
    Endpoint to;
    int lost = 0;
    for (const Point a : starts) {
        const std::vector<Cost> optimum = grid::dijkstra_distances(map, a).value();
        connect(snapshot, map.cell(a), Connections::taut, from);
        for (const Point b : free_points(map)) {
            const Cost octile = map.distance_bound(a, b);
            if (optimum[map.cell(b)] != octile) continue;
            if (grid::free_line(map, a, b).shape != grid::LineShape::none) continue;
            connect(snapshot, map.cell(b), Connections::taut, to);
            if (snapshot.engines->levels.distance(from.connectors, to.connectors, scratch) ==
                octile)
                continue;
            ++lost;
            EXPECT_TRUE(two_turn_line(map, snapshot.bits, snapshot.diagonals, a, b))
                << describe(index, query_of(a, b, Engine::levels));
            if (testing::Test::HasFailure()) return lost;
        }
    }
    return lost;
}

TEST(TwoTurnLine, NoOtherPathIsLostOnSmallGrids) {
    const std::uint64_t stride = cairn::test::stride(0.1);
    constexpr int kCells = 5 * 4;
    for (std::uint64_t i = 0; i < 1U << kCells; i += 8 * stride) {  // 1.25 % of them
        const Map map = small_map(5, 4, mixed_grid(i, kCells));
        check_lost_pairs(map, free_points(map));
        if (HasFailure()) return;
    }
}

TEST(TwoTurnLine, NoOtherPathIsLostOnRandomMaps) {
    RandomMaps random(62);
    int lost = 0;  // a few maps in a hundred have such pairs, so at least a hundred are drawn
    for (auto maps = std::max<std::uint64_t>(cairn::test::scaled(400), 100); maps > 0; --maps) {
        const Map map = noise_map(random, random.size(24));
        lost += check_lost_pairs(map, some_points(random, map, 40));
        if (HasFailure()) return;
    }
    EXPECT_GT(lost, 0);
}

}  // namespace
}  // namespace cairn::subgoal::test
