// Lines with two turns: found where there are some, and the only paths of octile length that
// pruning may lose besides those with one turn (docs/subgoal-graphs.md, proof, 6).

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

bool is_free(const Map& map, Point a, Point b, const TwoTurnLine& line) {
    for (const grid::Run run : line) {
        if (run.steps < 1 || !grid::run_is_free(map, map.cell(a), run)) return false;
        a = grid::run_end(a, run);
    }
    return a == b;
}

bool has_two_turn_line(const Map& map, Point a, Point b) {
    const auto [diagonal, straight] = grid::legs(map, a, b);
    for (int first = 1; first < straight.steps; ++first) {
        const grid::Run before{straight.direction, first};
        const grid::Run behind{straight.direction, straight.steps - first};
        if (is_free(map, a, b, {before, diagonal, behind})) return true;
    }
    return false;
}

// Returns how many of all pairs have such a line.
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

TEST(TwoTurnLine, FoundOnSmallGrids) {
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

TEST(TwoTurnLine, FoundAcrossWords) {
    RandomMaps random(61);
    int found = 0;
    for (auto maps = cairn::test::scaled(40); maps > 0; --maps) {
        const bool wide = random.chance(50);
        const int length = random.number(58, 200);
        const int other = random.number(3, 12);
        const Map map =
            random.noise({wide ? length : other, wide ? other : length}, random.number(1, 12));
        found += check_lines(map, some_points(random, map, 6));
        if (HasFailure()) return;
    }
    EXPECT_GT(found, 100);
}

// The pruned graph alone, without the planner around it. Returns how many lengths it lost.
int check_lost(const Map& map, const std::vector<Point>& starts) {
    Options options;
    options.labels = false;
    const Index index = build(map, options);
    const Snapshot& snapshot = index.snapshot();
    NLevelGraph::Scratch scratch;
    Endpoint from;
    Endpoint to;
    int lost = 0;
    for (const Point a : starts) {
        const std::vector<Cost> optimum = grid::dijkstra_distances(map, a);
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
            EXPECT_TRUE(two_turn_line(map, snapshot.bits, snapshot.engines->diagonals, a, b))
                << describe(index, query_of(a, b, Engine::levels));
            if (testing::Test::HasFailure()) return lost;
        }
    }
    return lost;
}

TEST(TwoTurnLine, NothingElseIsLostOnSmallGrids) {
    const std::uint64_t stride = cairn::test::stride(0.1);
    const std::uint64_t grids = std::uint64_t{1} << 20;
    for (std::uint64_t i = 0; i < grids; i += 8 * stride) {
        const Map map = small_map(5, 4, i * 0x9E37'79B1ULL % grids);
        check_lost(map, free_points(map));
        if (HasFailure()) return;
    }
}

TEST(TwoTurnLine, NothingElseIsLostOnRandomMaps) {
    RandomMaps random(62);
    int lost = 0;  // by some maps of a hundred
    for (auto maps = std::max<std::uint64_t>(cairn::test::scaled(400), 100); maps > 0; --maps) {
        const Map map = noise_map(random, random.size(24));
        lost += check_lost(map, some_points(random, map, 40));
        if (HasFailure()) return;
    }
    EXPECT_GT(lost, 0);
}

}  // namespace
}  // namespace cairn::subgoal::test
