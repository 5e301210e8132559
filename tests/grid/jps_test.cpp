// Jump point search finds legal paths of least cost: it agrees with Dijkstra on all small maps and
// on random ones. Its obstacle bits follow the edits of the map.

#include "cairn/grid/jps.hpp"

#include <gtest/gtest.h>

#include <random>

#include "cairn/grid/dijkstra.hpp"
#include "cairn/grid/generate.hpp"
#include "grid/bits.hpp"
#include "grid/obstacle_bits.hpp"
#include "grid/scenes.hpp"
#include "support/ascii_map.hpp"
#include "support/scale.hpp"

namespace cairn::grid {
namespace {

// A random number from 0 to n - 1.
unsigned below(std::mt19937& random, unsigned n) { return static_cast<unsigned>(random() % n); }

JpsMap jps_map_of(const Map& map) { return JpsMap::create(map).value(); }

// What is wrong with the answer `path`, given Dijkstra's cost; empty if nothing is.
std::string fault(const Map& map, Point start, Point goal, Cost expected, const Path& path) {
    const auto blocked = [&](Point p) { return !map.passable(map.cell(p)); };
    StatusCode status = expected == kInfinity ? StatusCode::no_path : StatusCode::ok;
    if (blocked(goal)) status = StatusCode::goal_blocked;
    if (blocked(start)) status = StatusCode::start_blocked;
    if (path.status != status) return "status " + std::string(name(path.status));
    if (path.cost != expected) return "cost " + std::to_string(path.cost);
    if (status != StatusCode::ok) return path.cells.empty() ? "" : "cells without a path";
    if (path.cells.front() != map.cell(start) || path.cells.back() != map.cell(goal)) {
        return "the path has other ends";
    }
    return path_cost(map, path.cells) == expected ? "" : "the path is not legal, or too long";
}

class JpsCheck {
public:
    // Queries from `start` to every cell.
    void expect_exact_from(const JpsMap& jps_map, Point start) {
        const Map& map = jps_map.map();
        const std::vector<Cost> expected = dijkstra_distances(map, start).value();
        for (Cell goal = 0; goal < map.size(); ++goal) {
            expect_exact(jps_map, start, map.point(goal), expected[goal]);
            if (testing::Test::HasFatalFailure()) return;
        }
    }
    void expect_exact(const JpsMap& jps_map, Point start, Point goal, Cost expected) {
        const Map& map = jps_map.map();
        jps_.find_path(jps_map, start, goal, path_);
        ASSERT_EQ(fault(map, start, goal, expected, path_), "")
            << "from " << start.x << ',' << start.y << " to " << goal.x << ',' << goal.y
            << ", expected " << expected << '\n'
            << cairn::test::draw(map, path_.cells);
    }

private:
    Jps jps_;
    Path path_;
};

TEST(JpsTest, IsExactOnEveryThreeByThreeMap) {
    JpsCheck check;
    for (std::uint32_t bits = 0; bits < 1U << 9; ++bits) {
        const JpsMap map = jps_map_of(test::bit_map(3, 3, bits));
        for (Cell start = 0; start < 9; ++start) {
            ASSERT_NO_FATAL_FAILURE(check.expect_exact_from(map, map.map().point(start)));
        }
    }
}

// Every map at scale 1; every n-th map at scale 1/n.
TEST(JpsTest, IsExactOnFourByFourMaps) {
    JpsCheck check;
    const std::uint64_t stride = cairn::test::stride(1);
    for (std::uint64_t i = 0; i < 1U << 16; i += stride) {
        const JpsMap map = jps_map_of(test::bit_map(4, 4, static_cast<std::uint32_t>(i)));
        for (Cell start = 0; start < 16; ++start) {
            ASSERT_NO_FATAL_FAILURE(check.expect_exact_from(map, map.map().point(start)));
        }
    }
}

TEST(JpsTest, IsExactOnRandomMapsWithSidesAroundWordBorders) {
    std::mt19937 random(1);
    JpsCheck check;
    for (std::uint64_t i = 0; i < cairn::test::scaled(1500); ++i) {
        const auto side = [&] { return test::kEdgeSides[random() % std::size(test::kEdgeSides)]; };
        const int long_side = side();
        const int short_side = 1 + static_cast<int>(random() % 12);
        const bool wide = random() % 2 == 0;
        const unsigned blocked = below(random, random() % 4 == 0 ? 100 : 45);
        const JpsMap map = jps_map_of(test::random_map(random, wide ? long_side : short_side,
                                                       wide ? short_side : long_side, {}, blocked));
        const auto start = static_cast<Cell>(random() % map.map().size());
        ASSERT_NO_FATAL_FAILURE(check.expect_exact_from(map, map.map().point(start)));
    }
}

TEST(JpsTest, IsExactOnGeneratedMapsOfEveryKind) {
    std::mt19937 random(2);
    JpsCheck check;
    for (const MapKind kind : {MapKind::rooms, MapKind::maze, MapKind::caves, MapKind::forest,
                               MapKind::city, MapKind::random}) {
        GenerateOptions options;
        options.kind = kind;
        options.width = 200;
        options.height = 131;
        const TerrainImage image = generate(options).value();
        const JpsMap map =
            jps_map_of(Map::create(image.width, image.height, image.terrain).value());
        for (int i = 0; i < 8; ++i) {
            const auto start = static_cast<Cell>(random() % map.map().size());
            const std::vector<Cost> expected =
                dijkstra_distances(map.map(), map.map().point(start)).value();
            for (std::uint64_t j = 0; j < cairn::test::scaled(300); ++j) {
                const auto goal = static_cast<Cell>(random() % map.map().size());
                ASSERT_NO_FATAL_FAILURE(check.expect_exact(map, map.map().point(start),
                                                           map.map().point(goal), expected[goal]));
            }
        }
    }
}

TEST(JpsTest, IsExactUnderOtherCostModels) {
    std::mt19937 random(3);
    JpsCheck check;
    for (const CostModel costs : {CostModel::paper(), CostModel::fine(), CostModel{100, 101},
                                  CostModel{100, 199}, CostModel{2, 3}}) {
        for (int i = 0; i < 20; ++i) {
            const Map plain =
                test::random_map(random, 30, 20, {}, 5 * static_cast<unsigned>(i % 9));
            std::vector<std::uint8_t> terrain;
            for (Cell c = 0; c < plain.size(); ++c) terrain.push_back(plain.passable(c) ? 7 : 0);
            MapOptions options = plain.options();
            options.costs = costs;
            const JpsMap map = jps_map_of(Map::create(30, 20, terrain, options).value());
            const auto start = static_cast<Cell>(random() % map.map().size());
            ASSERT_NO_FATAL_FAILURE(check.expect_exact_from(map, map.map().point(start)));
        }
    }
}

TEST(ObstacleBitsTest, AreTheMapsObstacles) {
    std::mt19937 random(4);
    for (const int width : test::kEdgeSides) {
        for (const int height : {1, 63, 64, 65, 130}) {
            const Map map = test::random_map(random, width, height, {}, below(random, 100));
            const ObstacleBits bits = make_obstacle_bits(map);
            for (Cell c = 0; c < map.size(); ++c) {
                const Point p = map.point(c);
                ASSERT_EQ(bits.rows.test(p.x, p.y), !map.passable(c));
                ASSERT_EQ(bits.columns.test(p.y, p.x), !map.passable(c));
            }
        }
    }
}

TEST(ObstacleBitsTest, EditedBitsEqualThoseOfTheEditedMap) {
    std::mt19937 random(5);
    JpsCheck check;
    for (std::uint64_t i = 0; i < cairn::test::scaled(200); ++i) {
        const int width = test::kEdgeSides[random() % std::size(test::kEdgeSides)];
        const int height = 1 + static_cast<int>(random() % 70);
        JpsMap map = jps_map_of(test::random_map(random, width, height, {}, below(random, 60)));
        const auto number_below = [&](int n) {
            return static_cast<int>(below(random, static_cast<unsigned>(n)));
        };
        for (int round = 0; round < 4; ++round) {
            std::vector<TerrainEdit> edits;
            for (int n = number_below(4); n >= 0; --n) {
                const int x = number_below(width);
                const int y = number_below(height);
                const Rect area{x, y, 1 + number_below(width - x), 1 + number_below(height - y)};
                edits.push_back({area, static_cast<std::uint8_t>(random() % 2)});
            }
            const ObstacleBits before = make_obstacle_bits(map.map());
            const JpsMap next = map.edited(edits).value();
            ASSERT_EQ(next.bits(), make_obstacle_bits(next.map()));
            ASSERT_EQ(map.bits(), before) << "the edit changed the older snapshot";
            map = next;
        }
        const auto start = static_cast<Cell>(random() % map.map().size());
        const std::vector<Cost> expected =
            dijkstra_distances(map.map(), map.map().point(start)).value();
        for (int j = 0; j < 20; ++j) {
            const auto goal = static_cast<Cell>(random() % map.map().size());
            ASSERT_NO_FATAL_FAILURE(check.expect_exact(map, map.map().point(start),
                                                       map.map().point(goal), expected[goal]));
        }
    }
}

}  // namespace
}  // namespace cairn::grid
