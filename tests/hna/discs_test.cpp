// Paths of discs on one mesh: corridors against Dijkstra, and lines against the walls.

#include "cairn/hna/discs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "cairn/mesh/from_grid.hpp"
#include "support/allocation_counter.hpp"
#include "support/ascii_map.hpp"
#include "support/clearance_oracle.hpp"
#include "support/mesh_dijkstra.hpp"
#include "support/random_meshes.hpp"
#include "support/scale.hpp"

namespace cairn::hna::test {
namespace {

using cairn::test::MeshKind;
using cairn::test::MeshParts;
using cairn::test::RandomMaps;
using mesh::DiscWaypoint;
using mesh::Onwards;
using mesh::Place;
using mesh::Point;

constexpr std::array kFlatKinds{MeshKind::lattice, MeshKind::flat, MeshKind::islands,
                                MeshKind::corridors};

double across(const Point& a, const Point& b) {
    return std::hypot(double{a.x} - double{b.x}, double{a.z} - double{b.z});
}

/// Points along a line, at most `step` apart, seen from above.
std::vector<Point> points_along(std::span<const DiscWaypoint> line, double step) {
    std::vector<Point> points;
    for (std::size_t i = 0; i + 1 < line.size(); ++i) {
        const Point& a = line[i].point;
        const Point& b = line[i + 1].point;
        const bool arc = line[i].onwards != Onwards::straight;
        const Point& c = line[i].corner;
        const double radius = across(a, c);
        double from = 0;
        double turn = 0;
        if (arc) {
            from = std::atan2(double{a.z} - double{c.z}, double{a.x} - double{c.x});
            turn = std::atan2(double{b.z} - double{c.z}, double{b.x} - double{c.x}) - from;
            const double whole = 2 * std::acos(-1.0);
            if (line[i].onwards == Onwards::arc_left && turn < 0) turn += whole;
            if (line[i].onwards == Onwards::arc_right && turn > 0) turn -= whole;
        }
        const double size = arc ? radius * std::abs(turn) : across(a, b);
        const int parts = std::max(arc ? 32 : 1, static_cast<int>(std::ceil(size / step)));
        for (int part = 0; part <= parts; ++part) {
            const double share = static_cast<double>(part) / parts;
            double x = double{a.x} + (double{b.x} - double{a.x}) * share;
            double z = double{a.z} + (double{b.z} - double{a.z}) * share;
            if (arc) {
                x = double{c.x} + radius * std::cos(from + turn * share);
                z = double{c.z} + radius * std::sin(from + turn * share);
            }
            points.push_back({static_cast<float>(x), 0, static_cast<float>(z)});
        }
    }
    return points;
}

/// The line of an answer keeps its distance and leads from the start to the goal.
void expect_keeps_away(const DiscQuery& query, const DiscAnswer& answer,
                       std::span<const cairn::test::WallSegment> walls) {
    ASSERT_GE(answer.waypoints.size(), 1U);
    ASSERT_EQ(answer.waypoints.front().point, query.start.point);
    ASSERT_EQ(answer.waypoints.back().point, query.goal.point);
    for (const DiscWaypoint& waypoint : answer.waypoints) {
        if (waypoint.onwards == Onwards::straight) continue;
        ASSERT_NEAR(across(waypoint.point, waypoint.corner), query.radius, 1e-4);
    }
    double length = 0;
    const std::vector<Point> points = points_along(answer.waypoints, 0.05);
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (i > 0) length += across(points[i - 1], points[i]);
        ASSERT_GE(cairn::test::distance(walls, double{points[i].x}, double{points[i].z}),
                  query.radius * (1 - 2e-5) - 2e-4)
            << points[i].x << ", " << points[i].z << " of the line from " << query.start.point.x
            << ", " << query.start.point.z << " to " << query.goal.point.x << ", "
            << query.goal.point.z << " with radius " << query.radius;
    }
    ASSERT_NEAR(answer.length, length, 1e-3 + 1e-3 * length);
    ASSERT_GE(answer.length, across(query.start.point, query.goal.point) - 1e-4);
}

std::vector<double> some_radii(RandomMaps& random) {
    std::vector<double> radii;
    for (int i = random.number(1, 4); i > 0; --i) radii.push_back(random.number(1, 120) / 100.0);
    return radii;
}

TEST(DiscsTest, CorridorsAreThoseOfDijkstra) {
    for (std::uint64_t seed = 0; seed < cairn::test::scaled(200); ++seed) {
        SCOPED_TRACE(seed);
        RandomMaps random(seed);
        const mesh::Mesh mesh = cairn::test::random_mesh(seed);
        const DiscIndex index = DiscIndex::build(mesh, some_radii(random)).value();
        const mesh::Clearance& clearance = index.clearance();
        DiscSearcher searcher;
        DiscAnswer answer;
        for (int i = 0; i < 40; ++i) {
            const double most = index.radii().back();
            const double radius = random.chance(50)
                                      ? index.radii()[static_cast<std::size_t>(random.number(
                                            0, static_cast<int>(index.radii().size()) - 1))]
                                      : most * random.number(0, 100) / 100;
            const DiscQuery query{.start = cairn::test::random_place(mesh, random),
                                  .goal = cairn::test::random_place(mesh, random),
                                  .radius = radius,
                                  .detail = Detail::corridor,
                                  .reach = 0};
            const StatusCode reachable = index.reachable(query.start, query.goal, radius);
            ASSERT_EQ(searcher.find(index, query, answer), reachable);
            if (reachable == StatusCode::start_blocked || reachable == StatusCode::goal_blocked)
                continue;
            const mesh::Mesh cut = clearance.mesh().with_radius(radius).value();
            const Place start = clearance.place(query.start);
            const Place goal = clearance.place(query.goal);
            const cairn::test::MeshDijkstra dijkstra(cut);
            ASSERT_EQ(answer.cost, dijkstra.cost(start, goal));
            if (reachable != StatusCode::ok) continue;
            ASSERT_EQ(dijkstra.cost_of(start, goal, answer.links), answer.cost);
            ASSERT_EQ(answer.polygons.front(), query.start.polygon);
            ASSERT_EQ(answer.polygons.back(), query.goal.polygon);
        }
    }
}

TEST(DiscsTest, LinesKeepTheRadius) {
    std::size_t lines = 0;
    for (std::uint64_t seed = 0; seed < cairn::test::scaled(300); ++seed) {
        SCOPED_TRACE(seed);
        RandomMaps random(seed);
        MeshParts parts =
            cairn::test::mesh_of_kind(kFlatKinds[seed % kFlatKinds.size()], random, 10);
        for (mesh::Polygon p = 0; p < parts.num_polygons() && seed % 3 == 0; ++p) {
            if (random.chance(15)) parts.blocked.push_back(p);
        }
        const mesh::Mesh mesh = parts.build();
        const auto walls = cairn::test::walls_of(mesh);
        const DiscIndex index = DiscIndex::build(mesh, some_radii(random)).value();
        DiscSearcher searcher;
        DiscAnswer answer;
        for (int i = 0; i < 60; ++i) {
            const DiscQuery query{.start = cairn::test::random_place(mesh, random),
                                  .goal = cairn::test::random_place(mesh, random),
                                  .radius = index.radii().back() * random.number(1, 100) / 100};
            if (index.reachable(query.start, query.goal, query.radius) != StatusCode::ok) continue;
            ASSERT_EQ(searcher.find(index, query, answer), StatusCode::ok)
                << query.start.point.x << ", " << query.start.point.z << " to "
                << query.goal.point.x << ", " << query.goal.point.z << " radius " << query.radius;
            ASSERT_NO_FATAL_FAILURE(expect_keeps_away(query, answer, walls));
            ++lines;
        }
    }
    EXPECT_GT(lines, 0U);
}

/// The width of the widest way between two pieces: every portal is tried as the narrowest.
double widest_way(const mesh::Mesh& cut, mesh::Polygon from, mesh::Polygon to) {
    std::vector<double> best(cut.num_polygons(), -1);
    best[from] = HUGE_VAL;
    for (bool changed = true; changed;) {
        changed = false;
        for (mesh::Link link = 0; link < 2 * cut.num_portals(); ++link) {
            const mesh::Polygon a = cut.polygon_of(link);
            const mesh::Polygon b = cut.polygon_of(mesh::twin(link));
            if (a == mesh::kNone || b == mesh::kNone || !cut.open(link)) continue;
            const double width = std::min(best[a], double{cut.width(link / 2)});
            if (width <= best[b]) continue;
            best[b] = width;
            changed = true;
        }
    }
    return best[to];
}

TEST(DiscsTest, TheWidestIsTheGreatestThatGetsThere) {
    std::size_t portals = 0;
    std::size_t places = 0;
    for (std::uint64_t seed = 0; seed < cairn::test::scaled(300); ++seed) {
        SCOPED_TRACE(seed);
        RandomMaps random(seed);
        const mesh::Mesh mesh = cairn::test::random_mesh(seed);
        const DiscIndex index = DiscIndex::build(mesh, some_radii(random)).value();
        const mesh::Clearance& clearance = index.clearance();
        const double most = index.radii().back();
        for (int i = 0; i < 40; ++i) {
            const Place from = cairn::test::random_place(mesh, random);
            const Place to = cairn::test::random_place(mesh, random);
            double radius = 7;
            const StatusCode status = index.widest(from, to, radius);
            ASSERT_EQ(status, index.reachable(from, to, 0));
            if (status != StatusCode::ok) {
                ASSERT_EQ(radius, 0);
                continue;
            }
            ASSERT_EQ(index.reachable(from, to, radius), StatusCode::ok);
            // Distances are rounded.
            ASSERT_NE(index.reachable(from, to, radius + 1e-9), StatusCode::ok);
            const Place a = clearance.place(from);
            const Place b = clearance.place(to);
            const double room =
                std::min({most, clearance.clearance(a, most), clearance.clearance(b, most)});
            const double way = widest_way(clearance.mesh(), a.polygon, b.polygon) / 2;
            ASSERT_EQ(radius, std::min(room, way));
            ++(way < room ? portals : places);
        }
    }
    EXPECT_GT(portals, 0U);
    EXPECT_GT(places, 0U);
}

mesh::Mesh two_doors() {
    return mesh::mesh_from_grid(cairn::test::ascii_map({"...........", "...........", "@.@@@@@@..@",
                                                        "...........", "..........."}))
        .value();
}

Place at(const mesh::Mesh& mesh, float x, float z) {
    const Point point{x, 0, z};
    return {mesh::Locator::create(mesh).value().find(mesh, point), point};
}

TEST(DiscsTest, OutsideThereIsNoWidest) {
    const mesh::Mesh mesh = two_doors();
    const double most = 0.9;
    const DiscIndex index = DiscIndex::build(mesh, {&most, 1}).value();
    const Place inside = at(mesh, 1.5F, 1);
    double radius = 7;
    EXPECT_EQ(index.widest({mesh::kNone, {}}, inside, radius), StatusCode::start_outside);
    EXPECT_EQ(index.widest(inside, {1000, {}}, radius), StatusCode::goal_outside);
    EXPECT_EQ(radius, 0);
    EXPECT_EQ(index.widest(inside, {inside.polygon, {NAN, 0, 0}}, radius),
              StatusCode::goal_outside);
    EXPECT_EQ(index.widest(inside, at(mesh, 1.5F, 4), radius), StatusCode::ok);
    EXPECT_EQ(radius, 0.9);  // by the wide door
}

TEST(DiscsTest, LocatesPlaces) {
    const mesh::Mesh mesh = two_doors();
    const double most = 0.9;
    const DiscIndex index = DiscIndex::build(mesh, {&most, 1}).value();
    const Point point{1.5F, 0, 1};
    const Place own = at(mesh, 1.5F, 1);
    EXPECT_EQ(index.located({mesh::kNone, point}), own);
    EXPECT_EQ(index.located({1000, point}), (Place{1000, point}));
    EXPECT_EQ(index.located({mesh::kNone, {1.5F, 3, 1}}).polygon, mesh::kNone);
    EXPECT_EQ(index.located({mesh::kNone, {1.5F, 3, 1}}, 4).polygon, own.polygon);
    const Place beside = index.located({mesh::kNone, {-0.25F, 0, 0.5F}});
    EXPECT_EQ(beside.point, (Point{0, 0, 0.5F}));
    for (const double reach : {-1.0, std::nan(""), HUGE_VAL})
        EXPECT_EQ(index.located({mesh::kNone, point}, reach).polygon, mesh::kNone);
}

TEST(DiscsTest, AWideDiscTakesTheWideDoor) {
    const mesh::Mesh mesh = two_doors();
    const std::array radii{0.4, 0.9};
    const DiscIndex index = DiscIndex::build(mesh, radii).value();
    DiscSearcher searcher;
    DiscAnswer answer;
    DiscQuery query{.start = at(mesh, 1.5F, 1), .goal = at(mesh, 1.5F, 4), .radius = 0.5};
    ASSERT_EQ(searcher.find(index, query, answer), StatusCode::ok);
    EXPECT_NEAR(answer.length, 3, 1e-6);
    EXPECT_EQ(answer.waypoints.size(), 2U);
    query.radius = 0.51;
    ASSERT_EQ(searcher.find(index, query, answer), StatusCode::ok);
    EXPECT_GT(answer.length, 13);
    query.radius = 0.9;
    ASSERT_EQ(searcher.find(index, query, answer), StatusCode::ok);
    EXPECT_NEAR(answer.waypoints[1].corner.x, 8, 1e-6);
    query.radius = 0.91;
    EXPECT_EQ(searcher.find(index, query, answer), StatusCode::bad_option);
    EXPECT_TRUE(answer.waypoints.empty());
}

TEST(DiscsTest, RadiiBetweenTheSameWidthsShareAClass) {
    const std::array radii{0.9, 0.4, 0.4};
    const DiscIndex index = DiscIndex::build(two_doors(), radii).value();
    EXPECT_EQ(std::vector<double>(index.radii().begin(), index.radii().end()),
              (std::vector<double>{0.4, 0.9}));
    EXPECT_EQ(index.class_of(0), 0U);
    EXPECT_EQ(index.class_of(0.5), 0U);
    EXPECT_EQ(index.class_of(0.51), 1U);
    EXPECT_EQ(index.class_of(0.9), 1U);
    EXPECT_EQ(index.index(0).mesh().options().radius, 0.4);
    EXPECT_GT(index.memory(), 0U);
}

TEST(DiscsTest, RefusesRadii) {
    const mesh::Mesh mesh = two_doors();
    for (const double radius : {0.0, -1.0, std::nan(""), HUGE_VAL})
        EXPECT_EQ(DiscIndex::build(mesh, {&radius, 1}).error().code, StatusCode::bad_option);
    EXPECT_EQ(DiscIndex::build(mesh, {}).error().code, StatusCode::bad_option);
    const std::vector<double> many(65, 1);
    EXPECT_EQ(DiscIndex::build(mesh, many).error().code, StatusCode::bad_option);
}

TEST(DiscsTest, WarmedQueriesAllocateNothing) {
    const mesh::Mesh mesh = two_doors();
    const double radius = 0.9;
    const DiscIndex index = DiscIndex::build(mesh, {&radius, 1}).value();
    DiscSearcher searcher;
    DiscAnswer answer;
    const DiscQuery query{.start = at(mesh, 1.5F, 1), .goal = at(mesh, 1.5F, 4), .radius = 0.9};
    ASSERT_EQ(searcher.find(index, query, answer), StatusCode::ok);
    ASSERT_EQ(searcher.find(index, query, answer), StatusCode::ok);
    const std::uint64_t before = cairn::test::allocations();
    ASSERT_EQ(searcher.find(index, query, answer), StatusCode::ok);
    const std::uint64_t made = cairn::test::allocations() - before;
    EXPECT_TRUE(made == 0 || !cairn::test::counts_allocations()) << made;
    EXPECT_GT(searcher.memory(), 0U);
}

}  // namespace
}  // namespace cairn::hna::test
