// Paths that edits have broken or may shorten: grid::first_illegal_step, path_valid and replan.

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "cairn/grid/path_check.hpp"
#include "cairn/threads.hpp"
#include "support/allocation_faults.hpp"
#include "support/ascii_map.hpp"
#include "support/scale.hpp"
#include "world/cases.hpp"

namespace cairn::test {
namespace {

template <class P>
class Routes : public testing::Test {
protected:
    /// Paths found at one time, as an agent holds them.
    struct Held {
        std::vector<typename P::Request> requests;
        std::vector<std::vector<typename P::Step>> steps;
        std::vector<Cost> costs;
        std::uint64_t edits = 0;

        [[nodiscard]] std::vector<Route<P>> routes() const {
            std::vector<Route<P>> routes;
            for (std::size_t i = 0; i < requests.size(); ++i)
                routes.push_back({requests[i], steps[i], costs[i]});
            return routes;
        }
    };
    static Held some_paths(RandomMaps& random, WorldSearcher<P>& searcher, int count) {
        Held held;
        held.edits = searcher.snapshot().edits;
        std::vector<typename P::Request> asked;
        for (int i = 0; i < count; ++i)
            asked.push_back(any_request<P>(random, searcher.snapshot().index));
        typename P::Paths paths;
        EXPECT_TRUE(searcher.find_paths(asked, paths).ok());
        for (std::size_t i = 0; i < asked.size(); ++i) {
            if (paths.status[i] != StatusCode::ok) continue;
            held.requests.push_back(asked[i]);
            const auto steps = steps_of(paths)[i];
            held.steps.emplace_back(steps.begin(), steps.end());
            held.costs.push_back(paths.cost[i]);
        }
        return held;
    }
    static World<P> world_of(const typename P::Index& index, const WorldOptions& options = {}) {
        return World<P>::create(index, options).value();
    }
};

TYPED_TEST_SUITE(Routes, EditablePlanners);

TYPED_TEST(Routes, AreValidExactlyIfEveryStepIsLegal) {
    RandomMaps random(1811);
    int broken = 0;
    for (auto maps = scaled(20, 4); maps > 0 && !this->HasFailure(); --maps) {
        WorldOptions options;
        options.remembered_areas = static_cast<std::uint32_t>(random.number(0, 40));
        auto world = this->world_of(first_index<TypeParam>(random), options);
        WorldSearcher<TypeParam> searcher(world);
        for (int rounds = 4; rounds > 0; --rounds) {
            const auto held = this->some_paths(random, searcher, 8);
            for (int edits = random.number(1, 25); edits > 0; --edits) {
                const auto index = world.snapshot().index;
                ASSERT_TRUE(world.edit(small_edits<TypeParam>(random, index)).has_value());
                if (random.chance(70)) continue;
                const auto& now = searcher.snapshot().index;
                for (const Route<TypeParam>& route : held.routes()) {
                    const bool legal = is_legal<TypeParam>(now, route.request, route.steps);
                    ASSERT_EQ(searcher.path_valid(route, held.edits), legal);
                    broken += legal ? 0 : 1;
                }
            }
        }
    }
    EXPECT_GT(broken, 0);
}

TYPED_TEST(Routes, AreReplannedWhereBroken) {
    RandomMaps random(1812);
    BuildControl control;
    control.threads = 1;
    for (auto maps = scaled(15); maps > 0 && !this->HasFailure(); --maps) {
        auto world = this->world_of(first_index<TypeParam>(random));
        WorldSearcher<TypeParam> searcher(world);
        const auto held = this->some_paths(random, searcher, 12);
        const auto routes = held.routes();
        for (int edits = random.number(1, 5); edits > 0; --edits) {
            const auto index = world.snapshot().index;
            ASSERT_TRUE(world.edit(small_edits<TypeParam>(random, index)).has_value());
        }
        Replanned<TypeParam> out;
        ASSERT_TRUE(searcher.replan(routes, held.edits, out, ReplanWhat::broken, {}, control).ok());
        std::vector<std::uint32_t> broken;
        for (std::uint32_t i = 0; i < routes.size(); ++i) {
            if (!searcher.path_valid(routes[i], held.edits)) broken.push_back(i);
        }
        ASSERT_EQ(out.routes, broken);
        for (std::size_t k = 0; k < broken.size(); ++k) {
            const auto& request = routes[broken[k]].request;
            const Cost best = optimum<TypeParam>(searcher.snapshot().index, request);
            ASSERT_EQ(out.paths.status[k] == StatusCode::ok, best < kInfinity);
            if (TypeParam::kExact && best < kInfinity) {
                ASSERT_EQ(out.paths.cost[k], best);
            }
        }
    }
}

// The edit comes while the batch of `replan` runs: all of it is on the snapshot before.
TYPED_TEST(Routes, AreReplannedOnOneSnapshot) {
    using P = TypeParam;
    struct EditingJobs {
        World<P>* world;
        std::vector<typename P::Edit> edits;
        static void run(void* context, std::size_t tasks, JobSystem::Task task, void* data) {
            auto& self = *static_cast<EditingJobs*>(context);
            EXPECT_TRUE(self.world->edit(self.edits).has_value());
            while (tasks > 0) task(data, --tasks);
        }
    };
    RandomMaps random(1814);
    int edited = 0;
    for (int maps = 15; maps > 0 && !this->HasFailure(); --maps) {
        WorldOptions options;
        options.worker = false;
        auto world = World<P>::create(first_index<P>(random), options).value();
        WorldSearcher<P> searcher(world);
        const auto held = this->some_paths(random, searcher, 40);
        const auto routes = held.routes();
        const auto first = world.snapshot().index;
        for (int edits = 4; edits > 0; --edits)
            ASSERT_TRUE(world.edit(small_edits<P>(random, first)).has_value());
        const auto before = world.snapshot();
        EditingJobs context{&world, small_edits<P>(random, first)};
        const JobSystem jobs{&context, &EditingJobs::run, 2};
        BuildControl control;
        control.jobs = &jobs;
        Replanned<P> out;
        const auto what = random.chance(50) ? ReplanWhat::broken : ReplanWhat::improvable;
        ASSERT_TRUE(searcher.replan(routes, held.edits, out, what, {}, control).ok());
        edited += world.edits() > before.edits ? 1 : 0;
        for (std::size_t k = 0; k < out.routes.size(); ++k) {
            const auto& request = routes[out.routes[k]].request;
            const Cost best = optimum<P>(before.index, request);
            ASSERT_EQ(out.paths.status[k] == StatusCode::ok, best < kInfinity);
            if (best == kInfinity) continue;
            ASSERT_TRUE(is_legal<P>(before.index, request, steps_of(out.paths)[k]));
            ASSERT_TRUE(!P::kExact || out.paths.cost[k] == best);
        }
    }
    EXPECT_GT(edited, 0);
}

// After it, no exact planner's route costs more than the best path.
TYPED_TEST(Routes, AreReplannedWhereTheyCanBeImproved) {
    RandomMaps random(1813);
    BuildControl control;
    control.threads = 1;
    int improved = 0;
    for (auto maps = scaled(60); maps > 0 && !this->HasFailure(); --maps) {
        auto world = this->world_of(first_index<TypeParam>(random));
        WorldSearcher<TypeParam> searcher(world);
        for (int edits = 10; edits > 0; --edits) {
            const auto index = world.snapshot().index;
            ASSERT_TRUE(world.edit(small_edits<TypeParam>(random, index)).has_value());
        }
        const auto held = this->some_paths(random, searcher, 12);
        const auto routes = held.routes();
        for (int edits = random.number(1, 5); edits > 0; --edits) {
            const auto index = world.snapshot().index;
            ASSERT_TRUE(world.edit(small_edits<TypeParam>(random, index)).has_value());
        }
        Replanned<TypeParam> out;
        ASSERT_TRUE(
            searcher.replan(routes, held.edits, out, ReplanWhat::improvable, {}, control).ok());
        ASSERT_TRUE(std::ranges::is_sorted(out.routes));
        ASSERT_EQ(out.paths.status.size(), out.routes.size());
        for (std::uint32_t i = 0; i < routes.size(); ++i) {
            const auto at = std::ranges::find(out.routes, i);
            const auto& index = searcher.snapshot().index;
            const Cost best = optimum<TypeParam>(index, routes[i].request);
            if (at == out.routes.end()) {
                ASSERT_TRUE(searcher.path_valid(routes[i], held.edits));
                if (TypeParam::kExact) {
                    ASSERT_EQ(routes[i].cost, best);
                }
                continue;
            }
            const auto k = static_cast<std::size_t>(at - out.routes.begin());
            if (searcher.path_valid(routes[i], held.edits)) ++improved;
            ASSERT_EQ(out.paths.status[k] == StatusCode::ok, best < kInfinity);
            if (TypeParam::kExact && best < kInfinity) {
                ASSERT_EQ(out.paths.cost[k], best);
            }
        }
    }
    if (!kOnMesh<TypeParam>) {  // a scene below has a mesh
        EXPECT_GT(improved, 0);
    }
}

TYPED_TEST(Routes, AreReplacedAlsoAfterFailedAllocations) {
    RandomMaps random(1813);
    std::size_t replaced = 0;
    for (int maps = 4; maps > 0 && !this->HasFailure(); --maps) {
        WorldOptions options;
        options.worker = false;
        auto world = this->world_of(first_index<TypeParam>(random), options);
        WorldSearcher<TypeParam> first(world);
        const auto held = this->some_paths(random, first, 12);
        const auto routes = held.routes();
        for (int edits = 3; edits > 0; --edits)
            ASSERT_TRUE(world.edit(small_edits<TypeParam>(random, world.snapshot().index)));
        BuildControl control;
        control.threads = 1;
        Replanned<TypeParam> out;
        expect_survives(
            "replan",
            [&] {
                WorldSearcher<TypeParam> searcher(world);
                return searcher.replan(routes, held.edits, out, ReplanWhat::broken, {}, control);
            },
            [&](const Status&) { return out.routes.size(); });
        replaced += out.routes.size();
    }
    EXPECT_GT(replaced, 0U);
}

// First a polygon far off is freed, then one on the short way from a to c.
TEST(MeshRoutes, AreImprovedByAPolygonOnTheirWayOnly) {
    using P = hna::Planner;
    const mesh::Mesh mesh = drawn_mesh({
        "abbc..",
        "a..c..",
        "a..c..",
        "adec..",
        "....ff",
    });
    auto world = World<P>::create(P::build(mesh, {}, {}).value()).value();
    WorldSearcher<P> searcher(world);
    const auto set_blocked = [&](mesh::Polygon polygon, bool blocked) {
        const mesh::PolygonEdit edit{polygon, 0, blocked};
        ASSERT_TRUE(world.edit({&edit, 1}).has_value());
    };
    constexpr mesh::Polygon kShortWay = 1;
    constexpr mesh::Polygon kFarOff = 5;
    set_blocked(kShortWay, true);
    set_blocked(kFarOff, true);
    const mesh::Request request{{0, {.5F, 0, .5F}}, {2, {3.5F, 0, .5F}}};
    mesh::Paths paths;
    ASSERT_TRUE(searcher.find_paths({&request, 1}, paths).ok());
    const Route<P> route{request, paths.polygons[0], paths.cost[0]};
    ASSERT_EQ(route.steps.size(), 4U);

    Replanned<P> out;
    const auto replanned = [&] {
        EXPECT_TRUE(searcher.replan({&route, 1}, 2, out, ReplanWhat::improvable).ok());
        return out.routes.size();
    };
    set_blocked(kFarOff, false);
    EXPECT_EQ(replanned(), 0U);
    set_blocked(kShortWay, false);
    ASSERT_EQ(replanned(), 1U);
    EXPECT_LT(out.paths.cost[0], route.cost);
    EXPECT_EQ(out.paths.polygons[0].size(), 3U);
}

grid::Rect whole(const grid::Map& map) { return {0, 0, map.width(), map.height()}; }

TEST(FirstIllegalStep, FindsABlockedCellAndABlockedCorner) {
    const grid::Map map = ascii_map({
        "....",
        ".@..",
        "....",
    });
    const auto step = [&](std::vector<grid::Cell> path) {
        const grid::Rect area = whole(map);
        return grid::first_illegal_step(map, path, {&area, 1});
    };
    EXPECT_EQ(step({0, 1, 2, 3}), 4U);
    EXPECT_EQ(step({0, 1, 5, 9}), 1U);
    EXPECT_EQ(step({0, 1, 6}), 1U);   // passes the corner of the obstacle
    EXPECT_EQ(step({5}), 0U);         // stands on it
    EXPECT_EQ(step({0, 2}), 0U);      // no step
    EXPECT_EQ(step({0, 1, 99}), 1U);  // leaves the map
    EXPECT_EQ(step({99}), 0U);
    EXPECT_EQ(step({}), 0U);
}

TEST(FirstIllegalStep, LooksNearChangedAreasOnly) {
    const grid::Map map = ascii_map({
        ".........@",
        "..........",
    });
    std::vector<grid::Cell> path;
    for (grid::Cell cell = 0; cell < 10; ++cell) path.push_back(cell);
    const grid::Rect far{0, 0, 1, 1};
    const grid::Rect near{9, 1, 1, 1};
    EXPECT_EQ(grid::first_illegal_step(map, path, {&far, 1}), 10U);
    EXPECT_EQ(grid::first_illegal_step(map, path, {&near, 1}), 8U);
    EXPECT_EQ(grid::first_illegal_step(map, path, {}), 10U);
}

}  // namespace
}  // namespace cairn::test
