// Discs through cairn.h, against hna::DiscIndex and DiscSearcher of the C++ interface.

#include "cairn/hna/discs.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <cfloat>
#include <cmath>
#include <memory>
#include <optional>
#include <set>
#include <string_view>
#include <thread>
#include <vector>

#include "c/handles.hpp"
#include "support/allocation_counter.hpp"
#include "support/allocation_faults.hpp"
#include "support/ascii_map.hpp"
#include "support/scale.hpp"

namespace cairn::test {
namespace {

using testing::HasSubstr;

/// A mesh and its index for discs in both interfaces.
struct BothDiscs {
    explicit BothDiscs(std::uint64_t seed) : random(seed), parts(random_mesh_parts(seed)) {
        for (int i = random.number(1, 3); i > 0; --i)
            radii.push_back(random.number(1, 120) / 100.0);
        mesh = mesh::Mesh::build(parts.source()).value();
        index = hna::DiscIndex::build(mesh, radii).value();
        c_mesh = std::make_unique<MapHandle>(to_c(static_cast<const mesh::MeshImage&>(parts)));
        EXPECT_FINE(cairn_discs_build(*c_mesh, radii.data(), radii.size(), nullptr, 0, nullptr,
                                      discs.out()));
        EXPECT_FINE(cairn_disc_searcher_create(discs, c_searcher.out()));
    }
    RandomMaps random;
    MeshParts parts;
    std::vector<double> radii;
    mesh::Mesh mesh;
    std::optional<hna::DiscIndex> index;
    hna::DiscSearcher searcher;
    hna::DiscAnswer answer;
    std::unique_ptr<MapHandle> c_mesh;
    Handle<cairn_discs> discs;
    Handle<cairn_disc_searcher> c_searcher;
};

/// A place of the mesh, at times without its polygon, beside the mesh or in none of its polygons.
mesh::Place any_place(const mesh::Mesh& mesh, RandomMaps& random) {
    mesh::Place place = random_place(mesh, random);
    if (random.chance(30)) place.polygon = mesh::kNone;
    if (random.chance(10)) place.point.y += 0.4F;
    if (random.chance(5)) place.point.x += 100;
    if (random.chance(3)) place.polygon = 1000;
    return place;
}

void expect_same(const mesh::Place& expected, const cairn_place& place) {
    EXPECT_EQ(place.polygon, expected.polygon);
    EXPECT_EQ(place.x, expected.point.x);
    EXPECT_EQ(place.y, expected.point.y);
    EXPECT_EQ(place.z, expected.point.z);
}

void expect_same(const hna::DiscAnswer& expected, const cairn_disc_path& path) {
    EXPECT_EQ(path.status, static_cast<int>(expected.status));
    EXPECT_EQ(path.cost, expected.cost);
    const std::string_view engine = expected.engine == hna::Engine::automatic    ? "none"
                                    : expected.engine == hna::Engine::cut_labels ? "labels"
                                                                                 : "astar";
    EXPECT_EQ(path.engine, engine);
    EXPECT_EQ(path.length, expected.length);
    expect_same(expected.start, path.start);
    expect_same(expected.goal, path.goal);
    EXPECT_EQ(std::vector(path.polygons, path.polygons + path.num_polygons), expected.polygons);
    ASSERT_EQ(path.num_waypoints, expected.waypoints.size());
    for (std::size_t i = 0; i < path.num_waypoints; ++i) {
        const mesh::DiscWaypoint& w = expected.waypoints[i];
        const cairn_disc_waypoint& c = path.waypoints[i];
        EXPECT_EQ((mesh::Point{c.x, c.y, c.z}), w.point);
        EXPECT_EQ(c.polygon, w.polygon);
        EXPECT_EQ(c.onwards, static_cast<int>(w.onwards));
        EXPECT_EQ((mesh::Point{c.corner_x, c.corner_y, c.corner_z}), w.corner);
    }
    std::vector<mesh::LinePoint> line;
    ASSERT_EQ(polyline(expected.waypoints, 0.01, line), StatusCode::ok);
    std::vector<double> points(3 * line.size());
    std::size_t count = line.size();
    EXPECT_FINE(
        cairn_disc_polyline(path.waypoints, path.num_waypoints, 0.01, points.data(), &count));
    ASSERT_EQ(count, line.size());
    for (std::size_t i = 0; i < line.size(); ++i)
        EXPECT_EQ((mesh::LinePoint{points[3 * i], points[3 * i + 1], points[3 * i + 2]}), line[i]);
}

TEST(CDiscs, FindTheSamePaths) {
    constexpr std::array kDetails{hna::Detail::path, hna::Detail::corridor, hna::Detail::cost,
                                  hna::Detail::reachable};
    std::size_t arcs = 0;
    std::size_t found = 0;
    for (std::uint64_t seed = 1; seed <= scaled(200); ++seed) {
        SCOPED_TRACE(seed);
        BothDiscs both(seed);
        for (int i = 0; i < 30; ++i) {
            const std::int32_t detail = both.random.chance(60) ? 0 : both.random.number(0, 3);
            hna::DiscQuery query{
                .start = any_place(both.mesh, both.random),
                .goal = any_place(both.mesh, both.random),
                .radius = both.random.chance(50)
                              ? both.radii[0]
                              : both.index->radii().back() * both.random.number(0, 101) / 100};
            query.detail = kDetails[static_cast<std::size_t>(detail)];
            auto c_query = CAIRN_INIT(cairn_disc_query);
            c_query.start = c_place(query.start);
            c_query.goal = c_place(query.goal);
            c_query.radius = query.radius;
            c_query.detail = detail;
            auto limits = CAIRN_INIT(cairn_limits);
            if (both.random.chance(30))
                c_query.reach = query.reach = both.random.number(-1, 8) / 4.0;
            if (c_query.reach == 0) query.reach = 0.5;
            if (both.random.chance(30)) {
                c_query.limits = &limits;
                limits.max_cost = 2000;
                query.limits.max_cost = 2000;
            }
            const StatusCode status = both.searcher.find(*both.index, query, both.answer);
            auto path = CAIRN_INIT(cairn_disc_path);
            ASSERT_EQ(cairn_find_disc(both.c_searcher, &c_query, &path), static_cast<int>(status));
            expect_same(both.answer, path);
            if (status == StatusCode::ok) ++found;
            for (std::size_t w = 0; w < path.num_waypoints; ++w)
                arcs += path.waypoints[w].onwards != CAIRN_STRAIGHT ? 1 : 0;
        }
    }
    EXPECT_GT(found, 20U);
    EXPECT_GT(arcs, 0U);
}

TEST(CDiscs, TellTheSameOfPlaces) {
    std::size_t passing = 0;
    for (std::uint64_t seed = 1; seed <= scaled(200); ++seed) {
        SCOPED_TRACE(seed);
        BothDiscs both(seed);
        const mesh::Clearance& clearance = both.index->clearance();
        for (int i = 0; i < 30; ++i) {
            const mesh::Place from = any_place(both.mesh, both.random);
            const mesh::Place to = any_place(both.mesh, both.random);
            const cairn_place c_from = c_place(from);
            const cairn_place c_to = c_place(to);
            const mesh::Place a = both.index->located(from);
            const mesh::Place b = both.index->located(to);
            const double radius = both.radii[0] * both.random.number(-5, 110) / 100;
            const StatusCode reachable = both.index->reachable(a, b, radius);
            EXPECT_EQ(cairn_discs_reachable(both.discs, &c_from, &c_to, radius),
                      static_cast<int>(reachable));
            passing += reachable == StatusCode::ok ? 1 : 0;
            double expected = -1;
            double widest = -2;
            EXPECT_EQ(cairn_discs_widest(both.discs, &c_from, &c_to, &widest),
                      static_cast<int>(both.index->widest(a, b, expected)));
            EXPECT_EQ(widest, expected);
            double distance = -1;
            if (a.polygon >= both.mesh.num_polygons()) {
                EXPECT_EQ(cairn_discs_clearance(both.discs, &c_from, &distance),
                          CAIRN_START_OUTSIDE);
                continue;
            }
            ASSERT_FINE(cairn_discs_clearance(both.discs, &c_from, &distance));
            EXPECT_EQ(distance, clearance.clearance(clearance.place(a), HUGE_VAL));
        }
        auto info = CAIRN_INIT(cairn_discs_info);
        ASSERT_FINE(cairn_discs_get(both.discs, &info));
        EXPECT_EQ(info.num_pieces, clearance.mesh().num_polygons());
        EXPECT_EQ(info.num_gates, clearance.gates().size());
        EXPECT_EQ(info.memory, both.index->memory());
        EXPECT_EQ(std::vector(info.radii, info.radii + info.num_radii),
                  std::vector(both.index->radii().begin(), both.index->radii().end()));
    }
    EXPECT_GT(passing, 0U);
}

/// Two rooms with a door of one cell and one of two between them.
MapHandle two_rooms() {
    const MapHandle grid = to_c(
        ascii_map({"...........", "...........", "@.@@@@@@..@", "...........", "..........."}));
    MapHandle mesh;
    EXPECT_FINE(cairn_mesh_from_grid(grid, nullptr, mesh.out()));
    return mesh;
}

/// From one room to the other.
cairn_disc_query between_rooms(double radius) {
    auto query = CAIRN_INIT(cairn_disc_query);
    query.start = {1.5, 0, 1, CAIRN_NONE};
    query.goal = {1.5, 0, 4, CAIRN_NONE};
    query.radius = radius;
    return query;
}

TEST(CDiscs, PolylinesAreCountedBeforeTheyAreWritten) {
    std::array<cairn_disc_waypoint, 2> half_circle{};
    half_circle[0].x = 1;
    half_circle[0].onwards = CAIRN_ARC_LEFT;
    half_circle[1].x = -1;
    std::size_t count = 0;
    ASSERT_FINE(cairn_disc_polyline(half_circle.data(), 2, 0.5, nullptr, &count));
    ASSERT_EQ(count, 3U);
    std::vector<double> points(9, 7);
    for (const std::size_t room : {0U, 2U}) {
        count = room;
        EXPECT_EQ(cairn_disc_polyline(half_circle.data(), 2, 0.5, points.data(), &count),
                  CAIRN_BAD_OPTION);
        EXPECT_EQ(count, 3U);
        EXPECT_EQ(points, std::vector<double>(9, 7));
    }
    ASSERT_FINE(cairn_disc_polyline(half_circle.data(), 2, 0.5, points.data(), &count));
    EXPECT_NEAR(points[3], 0, 1e-9);
    EXPECT_NEAR(points[5], 1, 1e-9);
    EXPECT_FINE(cairn_disc_polyline(nullptr, 0, 0.5, nullptr, &count));
    EXPECT_EQ(count, 0U);
    EXPECT_EQ(cairn_disc_polyline(nullptr, 1, 0.5, nullptr, &count), CAIRN_BAD_OPTION);
    EXPECT_EQ(cairn_disc_polyline(half_circle.data(), 2, 0.5, nullptr, nullptr), CAIRN_BAD_OPTION);
    for (const double wrong : {0.0, -1.0, std::nan("")}) {
        EXPECT_EQ(cairn_disc_polyline(half_circle.data(), 2, wrong, nullptr, &count),
                  CAIRN_BAD_OPTION);
    }
    EXPECT_THAT(cairn_last_message(), HasSubstr("tolerance"));
    half_circle[0].onwards = 3;
    EXPECT_EQ(cairn_disc_polyline(half_circle.data(), 2, 0.5, nullptr, &count), CAIRN_BAD_OPTION);
    EXPECT_THAT(cairn_last_message(), HasSubstr("onwards"));
}

TEST(CDiscs, OutliveTheirMapAndIndex) {
    const double most = 0.9;
    Handle<cairn_disc_searcher> searcher;
    {
        const MapHandle mesh = two_rooms();
        Handle<cairn_discs> discs;
        ASSERT_FINE(cairn_discs_build(mesh, &most, 1, nullptr, 0, nullptr, discs.out()));
        ASSERT_FINE(cairn_disc_searcher_create(discs, searcher.out()));
    }
    const auto query = between_rooms(0.9);
    auto path = CAIRN_INIT(cairn_disc_path);
    ASSERT_FINE(cairn_find_disc(searcher, &query, &path));
    EXPECT_GT(path.length, 13);
    EXPECT_EQ(path.waypoints[0].x, 1.5F);
    EXPECT_GT(cairn_disc_searcher_memory(searcher), 0U);
}

TEST(CDiscs, ObeyLimits) {
    const MapHandle mesh = two_rooms();
    const double most = 0.9;
    const cairn_setting settings[] = {{"labels", "false"}};
    Handle<cairn_discs> discs;
    Handle<cairn_disc_searcher> searcher;
    ASSERT_FINE(cairn_discs_build(mesh, &most, 1, settings, 1, nullptr, discs.out()));
    ASSERT_FINE(cairn_disc_searcher_create(discs, searcher.out()));
    auto query = between_rooms(0.5);  // the first door: no class, so A* searches
    auto path = CAIRN_INIT(cairn_disc_path);
    ASSERT_FINE(cairn_find_disc(searcher, &query, &path));
    EXPECT_STREQ(path.engine, "astar");
    auto limits = CAIRN_INIT(cairn_limits);
    query.limits = &limits;
    limits.max_cost = path.cost - 1;
    EXPECT_EQ(cairn_find_disc(searcher, &query, &path), CAIRN_OVER_COST_LIMIT);
    EXPECT_EQ(path.cost, CAIRN_INFINITY);
    EXPECT_EQ(path.num_polygons + path.num_waypoints, 0U);
    limits.max_cost = 0;
    limits.max_expanded = 1;
    limits.partial_path = 1;
    EXPECT_EQ(cairn_find_disc(searcher, &query, &path), CAIRN_BUDGET_EXHAUSTED);
    EXPECT_EQ(path.num_polygons + path.num_waypoints, 0U);
    limits.max_expanded = 0;
    Handle<cairn_cancel> cancel;
    ASSERT_FINE(cairn_cancel_create(cancel.out()));
    cairn_cancel_set(cancel);
    limits.cancel = cancel;
    EXPECT_EQ(cairn_find_disc(searcher, &query, &path), CAIRN_CANCELLED);
    cairn_cancel_reset(cancel);
    EXPECT_FINE(cairn_find_disc(searcher, &query, &path));
    limits.size = 2;
    EXPECT_EQ(cairn_find_disc(searcher, &query, &path), CAIRN_BAD_OPTION);
}

TEST(CDiscs, BuildsAreControlled) {
    const MapHandle mesh = two_rooms();
    const double most = 0.9;
    auto control = CAIRN_INIT(cairn_control);
    std::vector<double> told;
    control.user = &told;
    control.progress = [](void* user, double fraction) {
        static_cast<std::vector<double>*>(user)->push_back(fraction);
        return 0;
    };
    Handle<cairn_discs> discs;
    ASSERT_FINE(cairn_discs_build(mesh, &most, 1, nullptr, 0, &control, discs.out()));
    ASSERT_FALSE(told.empty());
    EXPECT_TRUE(std::is_sorted(told.begin(), told.end()));
    EXPECT_EQ(told.back(), 1);
    Handle<cairn_cancel> cancel;
    ASSERT_FINE(cairn_cancel_create(cancel.out()));
    cairn_cancel_set(cancel);
    control.cancel = cancel;
    EXPECT_EQ(cairn_discs_build(mesh, &most, 1, nullptr, 0, &control, discs.out()),
              CAIRN_CANCELLED);
    EXPECT_EQ(discs, nullptr);
}

TEST(CDiscs, RefuseWhatIsWrong) {
    const MapHandle mesh = two_rooms();
    const double most = 0.9;
    Handle<cairn_discs> discs;
    Handle<cairn_disc_searcher> searcher;
    ASSERT_FINE(cairn_discs_build(mesh, &most, 1, nullptr, 0, nullptr, discs.out()));
    ASSERT_FINE(cairn_disc_searcher_create(discs, searcher.out()));
    // Queries.
    auto query = between_rooms(0.91);
    auto path = CAIRN_INIT(cairn_disc_path);
    EXPECT_EQ(cairn_find_disc(searcher, &query, &path), CAIRN_BAD_OPTION);
    EXPECT_EQ(path.status, CAIRN_BAD_OPTION);
    for (const double wrong : {-0.1, HUGE_VAL, std::nan("")}) {
        query.radius = wrong;
        EXPECT_EQ(cairn_find_disc(searcher, &query, &path), CAIRN_BAD_OPTION);
        query.radius = 0.4;
        query.reach = wrong;
        EXPECT_EQ(cairn_find_disc(searcher, &query, &path), CAIRN_BAD_OPTION);
        query.reach = 0;
        query.start.x = wrong * 1e300;
        EXPECT_EQ(cairn_find_disc(searcher, &query, &path), CAIRN_START_OUTSIDE);
        EXPECT_EQ(path.start.polygon, CAIRN_NONE);
        query = between_rooms(0.4);
    }
    for (const int detail : {-1, 4}) {
        query.detail = detail;
        EXPECT_EQ(cairn_find_disc(searcher, &query, &path), CAIRN_BAD_OPTION);
        EXPECT_THAT(cairn_last_message(), HasSubstr("detail"));
    }
    query.detail = 0;
    query.size = 0;
    EXPECT_EQ(cairn_find_disc(searcher, &query, &path), CAIRN_BAD_OPTION);
    query.size = offsetof(cairn_disc_query, reach);  // an older program
    EXPECT_FINE(cairn_find_disc(searcher, &query, &path));
    path.size = 3;
    EXPECT_EQ(cairn_find_disc(searcher, &query, &path), CAIRN_BAD_OPTION);
    path = cairn_disc_path{};
    path.size = offsetof(cairn_disc_path, cost);
    EXPECT_FINE(cairn_find_disc(searcher, &query, &path));
    EXPECT_EQ(path.cost, 0U);  // not written
    auto info = CAIRN_INIT(cairn_discs_info);
    info.size = 1;
    EXPECT_EQ(cairn_discs_get(discs, &info), CAIRN_BAD_OPTION);
    // Builds.
    const double wrong[] = {1, -1};
    const std::vector<double> many(65, 1);
    const cairn_setting setting{"levels", "99"};
    EXPECT_EQ(cairn_discs_build(mesh, wrong, 2, nullptr, 0, nullptr, discs.out()),
              CAIRN_BAD_OPTION);
    EXPECT_THAT(cairn_last_message(), HasSubstr("-1"));
    EXPECT_EQ(discs, nullptr);
    EXPECT_EQ(cairn_discs_build(mesh, wrong, 0, nullptr, 0, nullptr, discs.out()),
              CAIRN_BAD_OPTION);
    EXPECT_EQ(cairn_discs_build(mesh, many.data(), 65, nullptr, 0, nullptr, discs.out()),
              CAIRN_BAD_OPTION);
    EXPECT_EQ(cairn_discs_build(mesh, wrong, 1, &setting, 1, nullptr, discs.out()),
              CAIRN_BAD_OPTION);
    EXPECT_THAT(cairn_last_message(), HasSubstr("levels"));
    const MapHandle grid = to_c(RandomMaps(3).uniform_map({30, 20}));
    EXPECT_EQ(cairn_discs_build(grid, wrong, 1, nullptr, 0, nullptr, discs.out()),
              CAIRN_UNSUPPORTED);
    // Null.
    ASSERT_FINE(cairn_discs_build(mesh, &most, 1, nullptr, 0, nullptr, discs.out()));
    query = between_rooms(0.4);
    path = CAIRN_INIT(cairn_disc_path);
    const cairn_place place{};
    double number = 0;
    for (const cairn_status status : {
             cairn_discs_build(nullptr, &most, 1, nullptr, 0, nullptr, Handle<cairn_discs>().out()),
             cairn_discs_build(mesh, nullptr, 1, nullptr, 0, nullptr, Handle<cairn_discs>().out()),
             cairn_discs_build(mesh, &most, 1, nullptr, 1, nullptr, Handle<cairn_discs>().out()),
             cairn_discs_build(mesh, &most, 1, nullptr, 0, nullptr, nullptr),
             cairn_discs_get(nullptr, &info),
             cairn_discs_get(discs, nullptr),
             cairn_discs_clearance(nullptr, &place, &number),
             cairn_discs_clearance(discs, nullptr, &number),
             cairn_discs_clearance(discs, &place, nullptr),
             cairn_discs_reachable(nullptr, &place, &place, 1),
             cairn_discs_reachable(discs, nullptr, &place, 1),
             cairn_discs_reachable(discs, &place, nullptr, 1),
             cairn_discs_widest(nullptr, &place, &place, &number),
             cairn_discs_widest(discs, &place, &place, nullptr),
             cairn_disc_searcher_create(nullptr, Handle<cairn_disc_searcher>().out()),
             cairn_disc_searcher_create(discs, nullptr),
             cairn_find_disc(nullptr, &query, &path),
             cairn_find_disc(searcher, nullptr, &path),
             cairn_find_disc(searcher, &query, nullptr),
         })
        EXPECT_EQ(status, CAIRN_BAD_OPTION);
    EXPECT_EQ(cairn_disc_searcher_memory(nullptr), 0U);
}

TEST(CDiscs, AnyNumbersGiveAResultOrAnError) {
    const std::vector<double> numbers{0.0,
                                      0.4,
                                      0.9,
                                      1.5,
                                      4.0,
                                      -1.0,
                                      1e30,
                                      -1e300,
                                      DBL_MIN,
                                      HUGE_VAL,
                                      -HUGE_VAL,
                                      std::nan(""),
                                      1e9,
                                      0.00001,
                                      1000000.5,
                                      double{FLT_MAX},
                                      2.0 * double{FLT_MAX},
                                      5.5};
    std::set<cairn_status> statuses;
    for (std::uint64_t seed = 1; seed <= scaled(100); ++seed) {
        BothDiscs both(seed);
        RandomMaps& random = both.random;
        const auto number = [&] {
            return numbers[static_cast<std::size_t>(
                random.number(0, static_cast<int>(numbers.size()) - 1))];
        };
        const auto place = [&] {
            const std::uint32_t polygon =
                random.chance(50) ? CAIRN_NONE : static_cast<std::uint32_t>(random.number(0, 40));
            return cairn_place{number(), random.chance(50) ? 0 : number(), number(), polygon};
        };
        for (int i = 0; i < 20; ++i) {
            auto query = CAIRN_INIT(cairn_disc_query);
            query.start = place();
            query.goal = place();
            query.radius = number();
            query.reach = random.chance(50) ? 0 : number();
            query.detail = random.number(0, 3);
            auto path = CAIRN_INIT(cairn_disc_path);
            double result = 0;
            statuses.insert(cairn_find_disc(both.c_searcher, &query, &path));
            statuses.insert(
                cairn_discs_reachable(both.discs, &query.start, &query.goal, query.radius));
            statuses.insert(cairn_discs_widest(both.discs, &query.start, &query.goal, &result));
            EXPECT_TRUE(result >= 0 && result <= both.index->radii().back());
            if (cairn_discs_clearance(both.discs, &query.start, &result) == CAIRN_OK) {
                EXPECT_GE(result, 0);
            }
        }
        const std::array radii{number(), number()};
        Handle<cairn_discs> discs;
        const auto control = on_one_thread_in_c();
        statuses.insert(
            cairn_discs_build(*both.c_mesh, radii.data(), 2, nullptr, 0, &control, discs.out()));
    }
    EXPECT_TRUE(statuses.contains(CAIRN_OK));
    EXPECT_TRUE(statuses.contains(CAIRN_BAD_OPTION));
    EXPECT_TRUE(statuses.contains(CAIRN_START_OUTSIDE));
    EXPECT_FALSE(statuses.contains(CAIRN_OUT_OF_MEMORY));
}

TEST(CThreads, ShareAnIndexForDiscs) {
    BothDiscs both(7);
    std::vector<cairn_place> places;
    for (int i = 0; i < 12; ++i) places.push_back(c_place(random_place(both.mesh, both.random)));
    const auto lengths = [&] {
        Handle<cairn_disc_searcher> searcher;
        EXPECT_EQ(cairn_disc_searcher_create(both.discs, searcher.out()), CAIRN_OK);
        std::vector<double> out;
        for (const cairn_place& start : places) {
            for (const cairn_place& goal : places) {
                auto query = CAIRN_INIT(cairn_disc_query);
                query.start = start;
                query.goal = goal;
                query.radius = both.radii[0] / 2;
                auto path = CAIRN_INIT(cairn_disc_path);
                cairn_find_disc(searcher, &query, &path);
                double widest = 0;
                cairn_discs_widest(both.discs, &start, &goal, &widest);
                out.insert(out.end(), {path.length, widest});
            }
        }
        return out;
    };
    const std::vector<double> expected = lengths();
    EXPECT_GT(*std::max_element(expected.begin(), expected.end()), 0);
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) threads.emplace_back([&] { EXPECT_EQ(lengths(), expected); });
    for (std::thread& thread : threads) thread.join();
}

TEST(CDiscs, WarmedQueriesAllocateNothing) {
    const MapHandle mesh = two_rooms();
    const double most = 0.9;
    Handle<cairn_discs> discs;
    Handle<cairn_disc_searcher> searcher;
    ASSERT_FINE(cairn_discs_build(mesh, &most, 1, nullptr, 0, nullptr, discs.out()));
    ASSERT_FINE(cairn_disc_searcher_create(discs, searcher.out()));
    const auto query = between_rooms(0.9);
    auto path = CAIRN_INIT(cairn_disc_path);
    double number = 0;
    const auto ask = [&] {
        EXPECT_EQ(cairn_find_disc(searcher, &query, &path), CAIRN_OK);
        EXPECT_EQ(cairn_discs_reachable(discs, &query.start, &query.goal, 0.9), CAIRN_OK);
        EXPECT_EQ(cairn_discs_widest(discs, &query.start, &query.goal, &number), CAIRN_OK);
        EXPECT_EQ(cairn_discs_clearance(discs, &query.start, &number), CAIRN_OK);
    };
    ask();
    ask();
    const std::uint64_t before = allocations();
    const std::uint64_t bytes = allocated_bytes();
    for (int i = 0; i < 100; ++i) ask();
    const std::uint64_t made = allocations() - before;
    EXPECT_TRUE(made == 0 || !counts_allocations()) << made;
    EXPECT_EQ(allocated_bytes(), bytes);
}

TEST(CDiscs, MemoryIsGivenBack) {
    const MapHandle mesh = two_rooms();
    const double radii[] = {0.3, 0.9};
    std::uint64_t bytes = 0;
    for (int i = 0; i < 20; ++i) {
        Handle<cairn_discs> discs;
        Handle<cairn_disc_searcher> searcher;
        const auto control = on_one_thread_in_c();
        ASSERT_FINE(cairn_discs_build(mesh, radii, 2, nullptr, 0, &control, discs.out()));
        ASSERT_FINE(cairn_disc_searcher_create(discs, searcher.out()));
        const auto query = between_rooms(0.5);
        auto path = CAIRN_INIT(cairn_disc_path);
        ASSERT_FINE(cairn_find_disc(searcher, &query, &path));
        if (i == 5) bytes = allocated_bytes();
        EXPECT_TRUE(i < 6 || allocated_bytes() == bytes);
    }
}

TEST(CDiscs, SayOutOfMemory) {
    const MapHandle mesh = two_rooms();
    const double radii[] = {0.3, 0.9};
    const auto control = on_one_thread_in_c();
    Handle<cairn_discs> discs;
    const auto survives = [](const char* name, const auto& call, const auto& value) {
        expect_survives(
            name, [&] { return static_cast<StatusCode>(call()); },
            [&](StatusCode /*code*/) { return value(); });
    };
    survives(
        "build",
        [&] { return cairn_discs_build(mesh, radii, 2, nullptr, 0, &control, discs.out()); },
        [&] {
            auto info = CAIRN_INIT(cairn_discs_info);
            EXPECT_FINE(cairn_discs_get(discs, &info));
            return info.num_gates + info.memory;
        });
    if (HasFatalFailure()) return;
    for (const double radius : {0.5, 0.9}) {  // by A*, and of a class
        const auto query = between_rooms(radius);
        auto path = CAIRN_INIT(cairn_disc_path);
        Handle<cairn_disc_searcher> searcher;
        survives(
            "find",
            [&] {
                const cairn_status made = cairn_disc_searcher_create(discs, searcher.out());
                if (made != CAIRN_OK) return made;
                const cairn_status status = cairn_find_disc(searcher, &query, &path);
                if (status != CAIRN_OK) {
                    EXPECT_EQ(path.cost, CAIRN_INFINITY);
                    EXPECT_EQ(path.num_polygons + path.num_waypoints, 0U);
                }
                return status;
            },
            [&] { return path.cost + path.num_waypoints; });
        if (HasFatalFailure()) return;
    }
    double widest = 0;
    const auto query = between_rooms(0.9);
    survives(
        "widest", [&] { return cairn_discs_widest(discs, &query.start, &query.goal, &widest); },
        [&] { return widest; });
}

}  // namespace
}  // namespace cairn::test
