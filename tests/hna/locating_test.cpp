// Places without a polygon are located, on meshes of several storeys, too. With
// Query::nearest_reachable a goal that cannot be reached moves to the nearest point that can. Both
// against a scan of all polygons.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <optional>

#include "cairn/mesh/locator.hpp"
#include "hna/verify.hpp"
#include "support/scale.hpp"

namespace cairn::hna::test {
namespace {

using mesh::kNone;
using mesh::Nearest;
using mesh::Point;

/// The point of one polygon that is nearest to `point`.
std::optional<Nearest> nearest_in(const Mesh& mesh, const mesh::Locator& locator, Polygon polygon,
                                  const Point& point) {
    std::vector<std::uint32_t> component(mesh.num_polygons(), 0);
    component[polygon] = 1;  // the locator searches component 1
    return locator.nearest(mesh, point, std::numeric_limits<double>::infinity(), component, 1);
}

/// The nearest point of all polygons to which a path leads from `start`; of equally near polygons
/// the lowest number.
std::optional<Nearest> nearest_reachable(const Index& index, const mesh::Locator& locator,
                                         Polygon start, const Point& point) {
    std::optional<Nearest> best;
    for (Polygon p = 0; p < index.mesh().num_polygons(); ++p) {
        if (index.mesh().is_connection(p) || index.reachable(start, p) != StatusCode::ok) continue;
        const auto found = nearest_in(index.mesh(), locator, p, point);
        if (found && (!best || found->distance < best->distance)) best = found;
    }
    return best;
}

/// A random point on the mesh, or near it: at most 2 beside a polygon and 4 above or below.
Point anywhere(const Mesh& mesh, RandomMaps& random) {
    Point point = cairn::test::random_place(mesh, random).point;
    const auto offset = [&](int tenths) {
        return random.chance(50) ? 0.0F : static_cast<float>(random.number(-tenths, tenths)) / 10;
    };
    point.x += offset(20);
    point.y += offset(40);
    point.z += offset(20);
    return point;
}

TEST(HnaLocatingTest, GoalsMoveToTheNearestReachablePoint) {
    Searcher searcher;
    Answer answer;
    std::size_t moved = 0;
    for (std::uint64_t seed = 0; seed < cairn::test::scaled(150); ++seed) {
        RandomMaps random(seed);
        const Mesh mesh = random_mesh(seed);
        const Index index = any_index(mesh, random);
        const auto locator = mesh::Locator::create(mesh).value();
        const MeshDijkstra oracle(mesh);
        for (int i = 0; i < 12; ++i) {
            Query query = query_of(cairn::test::random_place(mesh, random), {});
            query.nearest_reachable = true;
            query.goal = random.chance(50) ? cairn::test::random_place(mesh, random)
                                           : Place{kNone, anywhere(mesh, random)};
            searcher.find(index, query, answer);
            if (mesh.blocked(query.start.polygon)) {
                ASSERT_EQ(answer.status, StatusCode::start_blocked);
                continue;
            }
            ASSERT_EQ(answer.status, StatusCode::ok) << seed << describe(query);
            ASSERT_EQ(fault_of(index, query, answer, oracle.cost(answer.start, answer.goal)), "")
                << seed << describe(query);
            if (!answer.goal_moved) continue;
            ++moved;
            const auto nearest =
                nearest_reachable(index, locator, query.start.polygon, query.goal.point);
            ASSERT_TRUE(nearest);
            ASSERT_EQ(answer.goal, nearest->place) << seed << describe(query);
        }
    }
    EXPECT_GT(moved, cairn::test::scaled(100) / 2);
}

TEST(HnaLocatingTest, PlacesWithoutAPolygonAreLocated) {
    Searcher searcher;
    Answer answer;
    Answer located;  // to the query between the places that a locator finds
    for (std::uint64_t seed = 0; seed < cairn::test::scaled(150); ++seed) {
        RandomMaps random(seed);
        const Mesh mesh = random_mesh(seed);
        const Index index = any_index(mesh, random);
        const auto locator = mesh::Locator::create(mesh).value();
        const auto expected = [&](const Point& point, double reach) -> Place {
            const Polygon polygon = locator.find(mesh, point, reach);
            if (polygon != kNone) return {polygon, point};
            const auto nearest = locator.nearest(mesh, point, reach);
            return nearest ? nearest->place : Place{};
        };
        for (int i = 0; i < 12; ++i) {
            Query query =
                query_of({kNone, anywhere(mesh, random)}, {kNone, anywhere(mesh, random)});
            query.reach = random.number(0, 30) / 10.0;
            const Place start = expected(query.start.point, query.reach);
            const Place goal = expected(query.goal.point, query.reach);
            searcher.find(index, query, answer);
            if (start.polygon == kNone) {
                ASSERT_EQ(answer.status, StatusCode::start_outside) << seed << describe(query);
                continue;
            }
            if (!mesh.blocked(start.polygon) && goal.polygon == kNone) {
                ASSERT_EQ(answer.status, StatusCode::goal_outside) << seed << describe(query);
                continue;
            }
            ASSERT_EQ(answer.start, start);
            if (mesh.blocked(start.polygon)) {
                ASSERT_EQ(answer.status, StatusCode::start_blocked);
                continue;
            }
            ASSERT_EQ(answer.goal, goal);
            searcher.find(index, query_of(start, goal), located);
            ASSERT_TRUE(essence(located) == essence(answer)) << seed << describe(query);
        }
    }
}

// Two storeys, at heights 0 and 3, without stairs. A point belongs to the nearer storey, if it is
// within `reach`.
TEST(HnaLocatingTest, TheHeightOfAPointDecidesOnItsStorey) {
    cairn::test::MeshParts parts = cairn::test::drawn_parts({"ab", "cd"});
    const std::vector<Point> ground = parts.vertices;
    const auto ground_portals = parts.portals;
    for (Polygon p = 0; p < 4; ++p) {
        std::array<std::uint32_t, 4> upper{};
        for (std::size_t i = 0; i < 4; ++i) {
            const Point& below = ground[4 * p + i];
            upper[i] = parts.vertex(below.x, 3, below.z);
        }
        parts.polygon({upper[0], upper[1], upper[2], upper[3]});
    }
    for (mesh::PortalSource portal : ground_portals) {
        portal.first += 4;
        portal.second += 4;
        portal.begin.y = portal.end.y = 3;
        parts.portals.push_back(portal);
    }
    const Index index = build(parts.build(), {.mu = 2});
    const auto status = [&](float start_height, float goal_height, double reach) {
        Query query =
            query_of({kNone, {0.5F, start_height, 0.5F}}, {kNone, {1.5F, goal_height, 1.5F}});
        query.reach = reach;
        return answer_to(index, query).status;
    };
    EXPECT_EQ(status(0, 0, 0), StatusCode::ok);
    EXPECT_EQ(status(3, 3, 0), StatusCode::ok);
    EXPECT_EQ(status(0, 3, 0.5), StatusCode::no_path);
    EXPECT_EQ(status(0.4F, -0.4F, 0.5), StatusCode::ok);
    EXPECT_EQ(status(0.6F, 0, 0.5), StatusCode::start_outside);
    EXPECT_EQ(status(0, 0.6F, 0.5), StatusCode::goal_outside);
    EXPECT_EQ(status(1.4F, 1.4F, 2), StatusCode::ok);
    EXPECT_EQ(status(1.4F, 1.6F, 2), StatusCode::no_path);
}

TEST(HnaLocatingTest, AReachIsANumberThatIsNotNegative) {
    const Index index = build(cairn::test::drawn_mesh({"ab"}));
    Query query = query_of({0, {0.5F, 0, 0.5F}}, {1, {1.5F, 0, 0.5F}});
    constexpr double kInfinite = std::numeric_limits<double>::infinity();
    constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();
    for (const double reach : {-1.0, -1e-300, kInfinite, kNotANumber}) {
        query.reach = reach;
        EXPECT_EQ(answer_to(index, query).status, StatusCode::bad_option);
    }
    for (const double reach : {0.0, 1e30}) {
        query.reach = reach;
        EXPECT_EQ(answer_to(index, query).status, StatusCode::ok);
    }
}

}  // namespace
}  // namespace cairn::hna::test
