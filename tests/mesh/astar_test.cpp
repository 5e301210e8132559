// A* over portals agrees with test::MeshDijkstra, which computes costs from their definition.

#include "cairn/mesh/astar.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "cairn/mesh/dijkstra.hpp"
#include "cairn/mesh/planner.hpp"
#include "support/allocation_counter.hpp"
#include "support/mesh_dijkstra.hpp"
#include "support/random_meshes.hpp"
#include "support/scale.hpp"

namespace cairn::mesh {
namespace {

using test::RandomMaps;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

// A random place in each polygon that is no connection.
std::vector<Place> places(const Mesh& mesh, RandomMaps& random) {
    std::vector<Place> found;
    found.reserve(mesh.num_polygons());
    for (Polygon p = 0; p < mesh.num_polygons(); ++p) {
        if (!mesh.is_connection(p)) found.push_back(test::random_place(mesh, p, random));
    }
    return found;
}

TEST(NavmeshAstar, FindsACheapestPathBetweenAnyPolygons) {
    Astar search;
    Path path;
    for (std::uint64_t seed = 0; seed < test::scaled(150); ++seed) {
        SCOPED_TRACE(seed);
        RandomMaps random(seed);
        const Mesh mesh = test::random_mesh(seed);
        const test::MeshDijkstra oracle(mesh);
        const std::vector<Place> ends = places(mesh, random);
        for (const Place& start : ends) {
            if (mesh.blocked(start.polygon)) continue;
            const std::vector<Cost> costs = oracle.costs_from(start);
            for (const Place& goal : ends) {
                if (mesh.blocked(goal.polygon)) continue;
                const StatusCode status = search.find_path(mesh, start, goal, path);
                const Cost least = start.polygon == goal.polygon ? oracle.direct(start, goal)
                                                                 : oracle.cost_at(costs, goal);
                ASSERT_EQ(path.cost, least) << start.polygon << " to " << goal.polygon;
                ASSERT_EQ(status, least == kInfinity ? StatusCode::no_path : StatusCode::ok);
                ASSERT_EQ(path.status, status);
                if (least == kInfinity) continue;
                ASSERT_EQ(oracle.cost_of(start, goal, path.links), least);
            }
        }
    }
}

TEST(NavmeshAstar, CostsFromTheStartAndToTheGoalMeetInTheLeastCost) {
    for (std::uint64_t seed = 0; seed < test::scaled(100); ++seed) {
        SCOPED_TRACE(seed);
        RandomMaps random(seed);
        const Mesh mesh = test::random_mesh(seed);
        const Place start = test::random_place(mesh, random);
        const Place goal = test::random_place(mesh, random);
        const Cost cost = test::MeshDijkstra(mesh).cost(start, goal);
        EXPECT_EQ(path_cost(mesh, start, goal).value(), cost);
        if (start.polygon == goal.polygon) continue;
        const std::vector<Cost> from = costs_from(mesh, start).value();
        const std::vector<Cost> to = costs_to(mesh, goal).value();
        Cost best = kInfinity;
        for (Link link = 0; link < mesh.num_links(); ++link)
            best = std::min(best, from[link] + to[twin(link)]);
        EXPECT_EQ(std::min(best, kInfinity), cost);
    }
}

TEST(NavmeshAstar, TheStatusTellsWhyThereIsNoPath) {
    const Mesh drawn = test::drawn_mesh({"aab.d", "..c.d"});
    const Polygon a = 0;  // numbered row by row
    const Polygon b = 1;
    const Polygon d = 2;
    const Polygon c = 3;
    const std::vector<PolygonEdit> edits{{c, 0, true}};
    const Mesh mesh = drawn.edited(edits).value();
    Astar search;
    Path path;
    const auto code = [&](const Place& start, const Place& goal) {
        return search.find_path(mesh, start, goal, path);
    };
    const Place in_a{a, {0.5F, 0, 0.5F}};
    const Place in_c{c, {2.5F, 0, 1.5F}};
    EXPECT_EQ(code(in_a, {b, {2.5F, 0, 0.5F}}), StatusCode::ok);
    EXPECT_EQ(path.links.size(), 1U);
    EXPECT_EQ(code(in_a, {a, {1, 0, 0.5F}}), StatusCode::ok);
    EXPECT_TRUE(path.links.empty());
    EXPECT_EQ(path.cost, mesh.direct_cost(a, in_a.point, {1, 0, 0.5F}));
    EXPECT_EQ(path.statistics.expanded, 0U);
    EXPECT_EQ(code({99, {}}, {kNone, {}}), StatusCode::start_outside);
    EXPECT_EQ(path.cost, kInfinity);
    EXPECT_EQ(code({a, {kNan, 0, 0}}, in_a), StatusCode::start_outside);
    EXPECT_EQ(code(in_c, {kNone, {}}), StatusCode::start_blocked);
    EXPECT_EQ(code(in_a, {a, {0, kNan, 0}}), StatusCode::goal_outside);
    EXPECT_EQ(code(in_c, in_a), StatusCode::start_blocked);
    EXPECT_EQ(code(in_a, in_c), StatusCode::goal_blocked);
    EXPECT_EQ(code(in_a, {d, {4.5F, 0, 0.5F}}), StatusCode::no_path);

    constexpr float kFar = 3e38F;
    EXPECT_EQ(code({a, {kFar, -kFar, kFar}}, {b, {-kFar, 0, 0}}), StatusCode::ok);
    EXPECT_LT(path.cost, kInfinity);
}

TEST(NavmeshAstar, MeshWithoutPolygonsHasNoPlaces) {
    Astar search;
    Path path;
    EXPECT_EQ(search.find_path(Mesh(), {0, {}}, {0, {}}, path), StatusCode::start_outside);
}

// A random mesh with a path of at least 8 links, found by one call.
class NavmeshAstarRun : public testing::Test {
protected:
    void SetUp() override {
        for (std::uint64_t seed = 0; whole_.links.size() < 8; ++seed) {
            RandomMaps random(seed);
            mesh_ = test::random_mesh(seed);
            start_ = test::random_place(mesh_, random);
            goal_ = test::random_place(mesh_, random);
            search_.find_path(mesh_, start_, goal_, whole_);
        }
    }

    Mesh mesh_;
    Place start_;
    Place goal_;
    Astar search_;
    Path whole_;
    Path path_;
};

TEST_F(NavmeshAstarRun, SlicesChangeNothing) {
    search_.begin(mesh_, start_, goal_);
    EXPECT_EQ(search_.take(path_), StatusCode::budget_exhausted);
    std::uint64_t slices = 1;
    while (search_.advance(1) == Progress::running) ++slices;
    EXPECT_EQ(search_.take(path_), StatusCode::ok);
    EXPECT_EQ(path_.links, whole_.links);
    EXPECT_EQ(path_.cost, whole_.cost);
    EXPECT_EQ(path_.statistics.expanded, whole_.statistics.expanded);
    EXPECT_GE(slices, whole_.statistics.expanded);
    EXPECT_EQ(search_.advance(0), Progress::finished);
}

TEST_F(NavmeshAstarRun, LimitsStopTheSearch) {
    SearchLimits limits;
    limits.max_cost = whole_.cost;
    EXPECT_EQ(search_.find_path(mesh_, start_, goal_, path_, {}, limits), StatusCode::ok);
    EXPECT_EQ(path_.links, whole_.links);
    --limits.max_cost;
    EXPECT_EQ(search_.find_path(mesh_, start_, goal_, path_, {}, limits),
              StatusCode::over_cost_limit);
    limits = {};
    limits.max_expanded = 2;
    EXPECT_EQ(search_.find_path(mesh_, start_, goal_, path_, {}, limits),
              StatusCode::budget_exhausted);
    EXPECT_EQ(path_.statistics.expanded, 2U);
    CancelFlag flag;
    flag.cancel();
    limits = {};
    limits.cancel = &flag;
    EXPECT_EQ(search_.find_path(mesh_, start_, goal_, path_, {}, limits), StatusCode::cancelled);
    EXPECT_EQ(path_.cost, kInfinity);
}

TEST_F(NavmeshAstarRun, APartialPathComesToItsGoal) {
    SearchLimits limits;
    limits.partial_path = true;
    Cost proved = 0;
    std::vector<Polygon> corridor;
    bool arrived = false;
    for (limits.max_expanded = 0;
         search_.find_path(mesh_, start_, goal_, path_, {}, limits) == StatusCode::budget_exhausted;
         ++limits.max_expanded) {
        EXPECT_EQ(path_.cost, kInfinity);
        EXPECT_GE(path_.lower_bound, proved);
        EXPECT_LE(path_.lower_bound, whole_.cost);
        proved = path_.lower_bound;
        ASSERT_FALSE(path_.links.empty());
        polygons(mesh_, start_.polygon, path_.links, corridor);
        for (std::size_t i = 0; i < path_.links.size(); ++i) {
            ASSERT_EQ(mesh_.polygon_of(path_.links[i]), corridor[i]);
            ASSERT_FALSE(mesh_.blocked(corridor[i + 1]));
        }
        arrived = corridor.back() == goal_.polygon;
    }
    EXPECT_TRUE(arrived);
    EXPECT_EQ(path_.lower_bound, whole_.cost);
    limits.max_expanded = 2;
    search_.find_path(mesh_, start_, goal_, path_, {.cost_only = true}, limits);
    EXPECT_TRUE(path_.links.empty());
}

TEST_F(NavmeshAstarRun, CostOnlyLeavesThePathEmpty) {
    const AstarOptions cost_only{.cost_only = true};
    EXPECT_EQ(search_.find_path(mesh_, start_, goal_, path_, cost_only), StatusCode::ok);
    EXPECT_EQ(path_.cost, whole_.cost);
    EXPECT_TRUE(path_.links.empty());
}

TEST_F(NavmeshAstarRun, PolygonsFollowTheLinks) {
    std::vector<Polygon> corridor;
    polygons(mesh_, start_.polygon, whole_.links, corridor);
    ASSERT_EQ(corridor.size(), whole_.links.size() + 1);
    EXPECT_EQ(corridor.front(), start_.polygon);
    EXPECT_EQ(corridor.back(), goal_.polygon);
}

TEST_F(NavmeshAstarRun, AllocatesNothingOnceWarm) {
    if (!test::counts_allocations()) GTEST_SKIP() << "allocations are not counted here";
    const std::vector<Place> goals{goal_, start_, {kNone, {}}};
    std::vector<Cost> costs(goals.size());
    std::size_t reached = 0;
    const auto query_all = [&] {
        search_.find_path(mesh_, start_, goal_, path_);
        search_.find_nearest(mesh_, start_, goals, path_, reached);
        search_.distances(mesh_, start_, goals, costs);
    };
    query_all();
    const std::uint64_t before = test::allocations();
    query_all();
    EXPECT_EQ(test::allocations(), before);
}

// The polygons and the string of a planner's answer are those of its links, also of partial paths.
TEST(NavmeshAstar, AnswersOfThePlannerHoldTheCorridorAndTheString) {
    AstarSearcher searcher;
    AstarSearcher sliced;
    AstarAnswer answer;
    AstarAnswer in_slices;
    Funnel funnel;
    std::vector<Polygon> corridor;
    std::vector<Waypoint> string;
    int partial = 0;
    for (std::uint64_t seed = 0; seed < test::scaled(400); ++seed) {
        SCOPED_TRACE(seed);
        RandomMaps random(seed);
        const Mesh mesh = test::random_mesh(seed);
        AstarQuery query{test::random_place(mesh, random), test::random_place(mesh, random)};
        query.limits.partial_path = random.chance(50);
        if (random.chance(50)) query.limits.max_expanded = 4;
        query.detail = random.chance(20)   ? Detail::cost
                       : random.chance(20) ? Detail::corridor
                                           : Detail::path;
        searcher.find(mesh, query, answer);
        sliced.begin(mesh, query, in_slices);
        while (sliced.advance(1)) {
        }
        ASSERT_EQ(in_slices.links, answer.links);
        ASSERT_EQ(in_slices.polygons, answer.polygons);
        ASSERT_EQ(in_slices.waypoints, answer.waypoints);
        const bool path = answer.status == StatusCode::ok || !answer.links.empty();
        if (!path || query.detail == Detail::cost) {
            ASSERT_TRUE(answer.polygons.empty() && answer.waypoints.empty());
            continue;
        }
        partial += answer.status != StatusCode::ok ? 1 : 0;
        polygons(mesh, query.start.polygon, answer.links, corridor);
        ASSERT_EQ(answer.polygons, corridor);
        if (query.detail == Detail::corridor) {
            ASSERT_TRUE(answer.waypoints.empty());
            continue;
        }
        const Point end = corridor.back() == query.goal.polygon
                              ? query.goal.point
                              : mesh.midpoint(answer.links.back());
        funnel.pull(mesh, query.start.point, end, answer.links, string);
        ASSERT_EQ(answer.waypoints, string);
    }
    EXPECT_GT(partial, 0);
}

TEST(NavmeshAstar, SearchesForSeveralGoalsAgreeWithSingleSearches) {
    Astar search;
    Path path;
    Path single;
    for (std::uint64_t seed = 0; seed < test::scaled(150); ++seed) {
        SCOPED_TRACE(seed);
        RandomMaps random(seed);
        const Mesh mesh = test::random_mesh(seed);
        const Place start = test::random_place(mesh, random);
        std::vector<Place> goals;
        for (int i = random.number(0, 8); i > 0; --i)
            goals.push_back(test::random_place(mesh, random));
        if (random.chance(20)) goals.push_back({mesh.num_polygons(), {}});
        std::vector<Cost> single_costs(goals.size());
        Cost least = kInfinity;
        bool any_free_goal = false;
        for (std::size_t i = 0; i < goals.size(); ++i) {
            search.find_path(mesh, start, goals[i], single);
            single_costs[i] = single.cost;
            least = std::min(least, single_costs[i]);
            any_free_goal = any_free_goal || (single.status != StatusCode::goal_outside &&
                                              single.status != StatusCode::goal_blocked);
        }
        std::vector<Cost> costs(goals.size(), 7);
        const bool blocked = mesh.blocked(start.polygon);
        EXPECT_EQ(search.distances(mesh, start, goals, costs),
                  blocked ? StatusCode::start_blocked : StatusCode::ok);
        EXPECT_EQ(costs, single_costs);
        std::size_t reached = 0;
        const StatusCode status = search.find_nearest(mesh, start, goals, path, reached);
        EXPECT_EQ(status, blocked              ? StatusCode::start_blocked
                          : !any_free_goal     ? StatusCode::goal_blocked
                          : least == kInfinity ? StatusCode::no_path
                                               : StatusCode::ok);
        EXPECT_EQ(path.cost, least);
        if (status != StatusCode::ok) {
            EXPECT_EQ(reached, goals.size());
            continue;
        }
        ASSERT_LT(reached, goals.size());
        EXPECT_EQ(single_costs[reached], least);
        EXPECT_EQ(test::check_corridor(mesh, start, goals[reached], path.links, least), "");
    }
}

TEST(NavmeshAstar, DistancesNeedRoomForEveryGoal) {
    const Mesh mesh = test::drawn_mesh({"ab"});
    const std::vector<Place> goals{{0, {}}, {1, {}}};
    std::vector<Cost> costs(1);
    EXPECT_EQ(Astar().distances(mesh, {0, {}}, goals, costs), StatusCode::bad_option);
}

}  // namespace
}  // namespace cairn::mesh
