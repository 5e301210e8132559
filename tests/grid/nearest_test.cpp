// The nearest cells to a point agree with a search of the whole map.

#include "cairn/grid/nearest.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "grid/scenes.hpp"
#include "support/scale.hpp"

namespace cairn::grid {
namespace {

// nearest_cell_where by trying every cell in order: of equally near cells the first is kept.
template <class Predicate>
std::optional<Point> nearest_of_all_cells(const Map& map, Point around, Predicate accept,
                                          int max_radius) {
    const Point centre = clamped(map, around);
    std::optional<Point> best;
    for (Cell c = 0; c < map.size(); ++c) {
        const Point p = map.point(c);
        const bool near =
            std::abs(p.x - centre.x) <= max_radius && std::abs(p.y - centre.y) <= max_radius;
        if (!near || !accept(c)) continue;
        if (best && open_distance(map.options(), centre, *best) <=
                        open_distance(map.options(), centre, p)) {
            continue;
        }
        best = p;
    }
    return best;
}

TEST(NearestTest, AgreesWithExhaustiveSearch) {
    std::mt19937 random(3);
    for (std::uint64_t round = 0; round < cairn::test::scaled(5000); ++round) {
        const int width = 1 + static_cast<int>(random() % 20);
        const int height = 1 + static_cast<int>(random() % 20);
        const Map map = test::random_map(random, width, height, test::kAllRules[round % 4],
                                         static_cast<unsigned>(50 + random() % 51));
        const Point around{static_cast<int>(random() % 30) - 5,
                           static_cast<int>(random() % 30) - 5};
        const int radius =
            round % 3 == 0 ? static_cast<int>(random() % 8) : static_cast<int>(Map::kMaxSide);
        const auto accept = [&](Cell c) { return map.passable(c); };
        ASSERT_EQ(nearest_cell_where(map, around, accept, radius),
                  nearest_of_all_cells(map, around, accept, radius));

        const Components components = Components::build(map).value();
        const Point start = map.point(static_cast<Cell>(random() % map.size()));
        const auto reachable = nearest_reachable(map, components, start, around);
        if (!map.passable(map.cell(start))) {
            ASSERT_FALSE(reachable);
        } else {
            ASSERT_EQ(
                reachable,
                nearest_of_all_cells(
                    map, around, [&](Cell c) { return components.connected(c, map.cell(start)); },
                    Map::kMaxSide));
        }
    }
}

TEST(NearestTest, TiesGoToTheLowestCell) {
    const Map map = test::scene({"@.@", ".@.", "@.@"});
    EXPECT_EQ(nearest_passable(map, {1, 1}), (Point{1, 0}));
}

TEST(NearestTest, CallsThePredicateOnceForEachCell) {
    const Map map = test::scene({".....", ".....", "....."});
    std::vector<int> calls(map.size());
    const auto found = nearest_cell_where(map, {4, 1}, [&](Cell c) {
        ++calls[c];
        return false;
    });
    EXPECT_FALSE(found);
    EXPECT_EQ(calls, std::vector<int>(map.size(), 1));
}

TEST(NearestTest, PointsFarOutsideAreMovedToTheBorder) {
    const Map map = test::scene({"..", ".@"});
    constexpr int kMost = std::numeric_limits<int>::max();
    constexpr int kLeast = std::numeric_limits<int>::min();
    EXPECT_EQ(nearest_passable(map, {kLeast, kLeast}), (Point{0, 0}));
    EXPECT_EQ(nearest_passable(map, {kMost, kLeast}), (Point{1, 0}));
    EXPECT_EQ(nearest_passable(map, {kMost, kMost}), (Point{1, 0}));
    EXPECT_FALSE(nearest_passable(test::scene({"@@"}), {0, 0}));
    EXPECT_FALSE(nearest_reachable(map, Components::build(map).value(), {-1, 0}, {0, 0}));
}

}  // namespace
}  // namespace cairn::grid
