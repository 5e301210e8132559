// JPS+ finds legal paths of least cost, with goal bounding and without: it agrees with Dijkstra on
// all small maps and on random ones. The goal bounds are no wider than they must be.

#include "jps_plus/jps_plus.hpp"

#include <gtest/gtest.h>

#include "cairn/grid/dijkstra.hpp"
#include "support/allocation_counter.hpp"
#include "support/ascii_map.hpp"
#include "support/random_maps.hpp"
#include "support/scale.hpp"

namespace cairn::test {
namespace {

using grid::Cell;
using grid::Map;
using grid::Point;

jps_plus::Index index_of(const Map& map, bool goal_bounds, int threads = 1) {
    return jps_plus::Index::build(map, {goal_bounds}, {{}, nullptr, threads}).value();
}

// What is wrong with the answer `path`, given Dijkstra's cost; empty if nothing is.
std::string fault(const Map& map, Point start, Point goal, Cost expected, const grid::Path& path) {
    const bool blocked = !map.passable(map.cell(start)) || !map.passable(map.cell(goal));
    if (expected == kInfinity) {
        if (!blocked && path.status != StatusCode::no_path) return "a path that cannot be";
        return path.cost == kInfinity && path.cells.empty() ? "" : "a cost or cells without a path";
    }
    if (path.status != StatusCode::ok) return "status " + std::string(name(path.status));
    if (path.cost != expected) return "cost " + std::to_string(path.cost);
    if (path.cells.front() != map.cell(start) || path.cells.back() != map.cell(goal))
        return "the path has other ends";
    return path_cost(map, path.cells) == expected ? "" : "the path is not legal, or too long";
}

// Queries with and without goal bounding between all cells, or from `sources` random ones.
class JpsPlusCheck {
public:
    void expect_exact(const Map& map, std::span<const Point> starts) {
        for (const bool goal_bounds : {false, true}) {
            const jps_plus::Index index = index_of(map, goal_bounds);
            for (const Point start : starts) {
                const auto expected = grid::dijkstra_distances(map, start).value();
                for (Cell goal = 0; goal < map.size(); ++goal) {
                    search_.find_path(index, start, map.point(goal), path_);
                    ASSERT_EQ(fault(map, start, map.point(goal), expected[goal], path_), "")
                        << (goal_bounds ? "with" : "without") << " goal bounds from " << start.x
                        << ',' << start.y << " to " << map.point(goal).x << ',' << map.point(goal).y
                        << ", expected " << expected[goal] << '\n'
                        << draw(map, path_.cells);
                }
            }
        }
    }

private:
    jps_plus::Search search_;
    grid::Path path_;
};

std::vector<Point> all_points(const Map& map) {
    std::vector<Point> points;
    for (Cell c = 0; c < map.size(); ++c) points.push_back(map.point(c));
    return points;
}

// Every map at scale 1; every n-th map at scale 1/n.
TEST(JpsPlus, IsExactOnFourByFourMaps) {
    JpsPlusCheck check;
    const std::uint64_t step = stride(1);
    for (std::uint64_t i = 0; i < 1U << 16; i += step) {
        const Map map = small_map(4, 4, i * 40'503 & 0xffff);
        ASSERT_NO_FATAL_FAILURE(check.expect_exact(map, all_points(map)));
    }
}

TEST(JpsPlus, IsExactOnRandomMaps) {
    JpsPlusCheck check;
    for (std::uint64_t seed = 0; seed < scaled(300); ++seed) {
        RandomMaps random(seed);
        const auto size = random.size(40);
        const CostModel costs = random.chance(50) ? CostModel::standard() : CostModel{5, 7};
        const Map map = random.chance(50) ? random.uniform_map(size, costs)
                                          : random.noise(size, random.number(5, 45));
        std::vector<Point> starts;
        for (int i = 0; i < 5; ++i) starts.push_back(random.point(map));
        SCOPED_TRACE(seed);
        ASSERT_NO_FATAL_FAILURE(check.expect_exact(map, starts));
    }
}

// A rectangle must contain only what the goals of shortest paths with this first move span.
TEST(JpsPlus, GoalBoundsAreNotWiderThanTheGoals) {
    for (std::uint64_t seed = 0; seed < scaled(60); ++seed) {
        RandomMaps random(seed);
        const Map map = random.uniform_map(random.size(24));
        const jps_plus::Index index = index_of(map, true);
        for (const Point start : free_points(map)) {
            const Cell c = map.cell(start);
            const auto distance = grid::dijkstra_distances(map, start).value();
            const jps_plus::GoalBounds& bounds = index.bounds()[c];
            for (int d = 0; d < grid::kDirections; ++d) {
                if ((map.moves(c) >> d & 1) == 0) {
                    EXPECT_GT(bounds.min_x[d], bounds.max_x[d]);
                    continue;
                }
                const auto onward =
                    grid::dijkstra_distances(map, map.point(map.step(c, d))).value();
                int min_x = 32767;
                int max_x = -1;
                int min_y = 32767;
                int max_y = -1;
                for (Cell goal = 0; goal < map.size(); ++goal) {
                    if (onward[goal] == kInfinity ||
                        onward[goal] + map.move_cost(c, d) != distance[goal])
                        continue;
                    min_x = std::min(min_x, map.point(goal).x);
                    max_x = std::max(max_x, map.point(goal).x);
                    min_y = std::min(min_y, map.point(goal).y);
                    max_y = std::max(max_y, map.point(goal).y);
                }
                ASSERT_GE(bounds.min_x[d], min_x) << seed;
                ASSERT_LE(bounds.max_x[d], max_x) << seed;
                ASSERT_GE(bounds.min_y[d], min_y) << seed;
                ASSERT_LE(bounds.max_y[d], max_y) << seed;
            }
        }
    }
}

TEST(JpsPlus, GoalBoundsDoNotDependOnThreads) {
    const Map map = RandomMaps(7).uniform_map({60, 50});
    const jps_plus::Index one = index_of(map, true, 1);
    const jps_plus::Index three = index_of(map, true, 3);
    for (Cell c = 0; c < map.size(); ++c) {
        for (Cell goal = 0; goal < map.size(); ++goal) {
            ASSERT_EQ(one.bounds()[c].towards(map.point(goal)),
                      three.bounds()[c].towards(map.point(goal)));
        }
    }
}

TEST(JpsPlus, WarmedQueriesAllocateNothing) {
    if (!counts_allocations()) GTEST_SKIP() << "allocations are not counted";
    const Map map = RandomMaps(3).uniform_map({50, 40});
    const std::vector<Point> points = free_points(map);
    for (const bool goal_bounds : {false, true}) {
        const jps_plus::Index index = index_of(map, goal_bounds);
        jps_plus::Search search;
        grid::Path path;
        std::uint64_t before = 0;
        for (int round = 0; round < 2; ++round) {
            before = allocations();
            for (std::size_t i = 0; i < points.size(); i += 7)
                search.find_path(index, points[i], points[points.size() - 1 - i], path);
        }
        EXPECT_EQ(allocations(), before);
    }
}

TEST(JpsPlus, RefusesMapsThatItDoesNotServe) {
    const auto refused = [](const Map& map) {
        const auto index = jps_plus::Index::build(map);
        return !index && index.error().code == StatusCode::unsupported;
    };
    EXPECT_TRUE(refused(small_map(3, 3, 0x1ff, {.corner = grid::CornerRule::free})));
    EXPECT_TRUE(refused(small_map(3, 3, 0x1ff, {.neighbourhood = grid::Neighbourhood::four})));
    CancelFlag cancel;
    cancel.cancel();
    const auto cancelled = jps_plus::Index::build(small_map(3, 3, 0x1ff), {true}, {{}, &cancel, 1});
    ASSERT_FALSE(cancelled);
    EXPECT_EQ(cancelled.error().code, StatusCode::cancelled);
}

}  // namespace
}  // namespace cairn::test
