// Worlds of planners chosen by name (cairn/any_world.hpp) answer as the worlds of the planners
// themselves do.

#include "cairn/any_world.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "support/allocation_faults.hpp"
#include "world/cases.hpp"

namespace cairn::test {
namespace {

using testing::HasSubstr;

BuildControl on_one_thread() {
    BuildControl control;
    control.threads = 1;
    return control;
}

/// So that nothing depends on time: the work is done in calls of `work` alone.
WorldOptions without_worker() {
    WorldOptions options;
    options.worker = false;
    options.inline_microseconds = 0;
    return options;
}

template <class P>
AnyRequest any_request_of(const typename P::Request& request) {
    AnyRequest any{request.start, request.goal};
    if constexpr (requires { request.agent; }) any.agent = request.agent;
    return any;
}

template <class P>
class AnyWorlds : public testing::Test {
protected:
    using Index = typename P::Index;
    using Request = typename P::Request;
    using Query = typename P::Query;
    using Place = typename P::Place;

    static AnyWorld any_world_of(const Index& index,
                                 const WorldOptions& options = without_worker()) {
        return AnyWorld::create(AnyIndex::of<P>(index).value(), options).value();
    }
    static AnyQuery any_query_of(const Query& query = {}) { return AnyQuery::of<P>(query).value(); }
    static AnyEdits any_edits_of(const std::vector<typename P::Edit>& edits) {
        return std::span<const typename P::Edit>(edits);
    }
    static std::vector<Request> requests_on(RandomMaps& random, const Index& index,
                                            std::size_t count) {
        std::vector<Request> requests;
        while (requests.size() < count) requests.push_back(any_request<P>(random, index));
        return requests;
    }
    /// An index with a path for half of its requests or more.
    static Index open_index(RandomMaps& random) {
        while (true) {
            const Index index = first_index<P>(random);
            const auto paths = batch::find_paths<P>(index, requests_on(random, index, 20)).value();
            if (std::ranges::count(paths.status, StatusCode::ok) >= 10) return index;
        }
    }
    static void expect_same(const typename P::Answer& own, const AnyAnswer& any) {
        EXPECT_EQ(any.status(), own.status);
        EXPECT_EQ(any.cost(), own.cost);
        if (any.template as<P>() == nullptr) {
            ADD_FAILURE() << "an answer of another planner";
            return;
        }
        const typename P::Answer& held = *any.template as<P>();
        if constexpr (requires { own.cells; }) {
            EXPECT_EQ(held.cells, own.cells);
        }
        if constexpr (requires { own.polygons; }) {
            EXPECT_EQ(held.polygons, own.polygons);
        }
        if constexpr (requires { own.links; }) {
            EXPECT_EQ(held.links, own.links);
        }
    }
    /// The steps of a path, by the calls for all planners.
    static std::span<const std::uint32_t> steps_at(const AnyPaths& paths, std::size_t i) {
        return kOnMesh<P> ? paths.polygons(i) : paths.cells(i);
    }

    /// Two worlds of one index, in which the same edits are made.
    struct Pair {
        explicit Pair(const Index& index)
            : own(World<P>::create(index, without_worker()).value()),
              any(any_world_of(index)),
              own_searcher(own),
              any_searcher(any) {}

        void edit(const std::vector<typename P::Edit>& edits) {
            const auto number = own.edit(edits);
            const auto any_number = any.edit(any_edits_of(edits));
            ASSERT_TRUE(number && any_number);
            EXPECT_EQ(*any_number, *number);
            EXPECT_EQ(any.edits(), *number);
        }

        World<P> own;
        AnyWorld any;
        WorldSearcher<P> own_searcher;
        AnyWorldSearcher any_searcher;
    };
};

TYPED_TEST_SUITE(AnyWorlds, EditablePlanners);

TYPED_TEST(AnyWorlds, EditAndWorkAsTheWorldOfThePlanner) {
    using P = TypeParam;
    RandomMaps random(1901);
    typename TestFixture::Pair worlds(first_index<P>(random));
    EXPECT_EQ(worlds.any.planner().name, P::kName);
    EXPECT_EQ(worlds.any.edits(), 0U);
    for (int i = 0; i < 5; ++i) {
        worlds.edit(small_edits<P>(random, worlds.own.snapshot().index));
        bool working = true;
        while (working && random.chance(70)) {
            working = worlds.own.work();
            EXPECT_EQ(worlds.any.work(), working);
        }
        EXPECT_EQ(worlds.any.work_status(), worlds.own.work_status());
        const auto snapshot = worlds.any.snapshot();
        ASSERT_TRUE(snapshot);
        EXPECT_EQ(snapshot->edits, worlds.own.snapshot().edits);
        EXPECT_EQ(worlds.any_searcher.snapshot()->edits, snapshot->edits);
        const auto* const index = snapshot->index.template as<P>();
        ASSERT_NE(index, nullptr);
        if constexpr (requires { *index == *index; }) {
            EXPECT_TRUE(*index == worlds.own.snapshot().index);
        }
    }
    typename P::Edit outside;
    if constexpr (kOnMesh<P>) {
        outside.polygon = 1'000'000;
    } else {
        outside.area = {-1, 0, 1, 1};
    }
    EXPECT_EQ(worlds.any.edit(std::span<const typename P::Edit>(&outside, 1)).error().code,
              StatusCode::bad_option);
    EXPECT_EQ(worlds.any.edits(), 5U);
}

TYPED_TEST(AnyWorlds, AnswerAsTheWorldOfThePlanner) {
    using P = TypeParam;
    RandomMaps random(1902);
    std::size_t found = 0;
    for (int maps = 4; maps > 0 && !this->HasFailure(); --maps) {
        typename TestFixture::Pair worlds(this->open_index(random));
        auto& own = worlds.own_searcher;
        auto& any = worlds.any_searcher;
        typename P::Answer answer;
        AnyAnswer any_answer;
        typename P::Paths paths;
        AnyPaths any_paths;
        for (int edits = 0; edits < 4 && !this->HasFailure(); ++edits) {
            worlds.edit(small_edits<P>(random, worlds.own.snapshot().index));
            const auto index = worlds.own.snapshot().index;
            const auto requests = this->requests_on(random, index, 12);
            std::vector<typename P::Place> starts;
            std::vector<typename P::Place> goals;
            for (const auto& request : requests) {
                starts.push_back(request.start);
                if (goals.size() < 7) goals.push_back(request.goal);
            }
            const std::vector<AnyPlace> any_starts(starts.begin(), starts.end());
            const std::vector<AnyPlace> any_goals(goals.begin(), goals.end());

            for (const auto& request : requests) {
                typename P::Query query;
                assign(request, query);
                const AnyQuery any_query = this->any_query_of(query);
                const AnyPlace start = request.start;
                const AnyPlace goal = request.goal;
                const StatusCode status = own.find(query, answer);
                EXPECT_EQ(any.find(any_query, start, goal, any_answer), status);
                this->expect_same(answer, any_answer);
                if (status == StatusCode::ok) ++found;

                any_answer = AnyAnswer();
                const StatusCode begun = own.begin(query, answer);
                EXPECT_EQ(any.begin(any_query, start, goal, any_answer), begun);
                while (begun == StatusCode::ok && own.advance(7)) EXPECT_TRUE(any.advance(7));
                EXPECT_FALSE(any.advance(7));
                this->expect_same(answer, any_answer);

                std::vector<Cost> costs(goals.size());
                std::vector<Cost> any_costs(goals.size());
                EXPECT_EQ(any.costs(any_query, start, any_goals, any_costs),
                          own.costs(query, goals, costs));
                EXPECT_EQ(any_costs, costs);
                std::vector<GoalCost> nearest(3);
                std::vector<GoalCost> any_nearest(3);
                std::size_t count = 9;
                std::size_t any_count = 9;
                EXPECT_EQ(any.find_nearest(any_query, start, any_goals, any_nearest, any_count),
                          own.find_nearest(query, goals, nearest, count));
                EXPECT_EQ(any_count, count);
                EXPECT_EQ(any_nearest, nearest);
                std::size_t one = 9;
                std::size_t any_one = 9;
                EXPECT_EQ(any.find_nearest(any_query, start, any_goals, any_answer, any_one),
                          own.find_nearest(query, goals, answer, one));
                EXPECT_EQ(any_one, one);
                this->expect_same(answer, any_answer);
            }
            const typename P::Query query;
            const AnyQuery any_query = this->any_query_of();
            std::vector<Cost> costs(starts.size() * goals.size());
            std::vector<Cost> any_costs(costs.size());
            EXPECT_EQ(any.costs(any_query, any_starts, any_goals, any_costs),
                      own.costs(query, starts, goals, costs));
            EXPECT_EQ(any_costs, costs);

            std::vector<AnyRequest> any_requests;
            for (const auto& request : requests) any_requests.push_back(any_request_of<P>(request));
            const BuildControl control = on_one_thread();
            ASSERT_TRUE(own.find_paths(requests, paths, query, {}, control).ok());
            ASSERT_TRUE(any.find_paths(any_query, any_requests, any_paths, {}, control).ok());
            ASSERT_NE(any_paths.template as<P>(), nullptr);
            EXPECT_TRUE(*any_paths.template as<P>() == paths);
            ASSERT_EQ(any_paths.size(), requests.size());
            for (std::size_t i = 0; i < requests.size(); ++i) {
                EXPECT_EQ(any_paths.status(i), paths.status[i]);
                EXPECT_EQ(any_paths.cost(i), paths.cost[i]);
                EXPECT_TRUE(std::ranges::equal(this->steps_at(any_paths, i), steps_of(paths)[i]));
                if constexpr (kOnMesh<P>) {
                    EXPECT_TRUE(any_paths.cells(i).empty());
                    EXPECT_EQ(any_paths.waypoints(i).size(), paths.waypoints[i].size());
                } else {
                    EXPECT_TRUE(any_paths.polygons(i).empty());
                    EXPECT_TRUE(any_paths.waypoints(i).empty());
                }
            }
        }
    }
    EXPECT_GT(found, 40U);
}

TYPED_TEST(AnyWorlds, CheckAndReplaceRoutesAsTheWorldOfThePlanner) {
    using P = TypeParam;
    RandomMaps random(1903);
    std::size_t broken = 0;
    std::size_t replaced = 0;
    for (int maps = 6; maps > 0 && !this->HasFailure(); --maps) {
        typename TestFixture::Pair worlds(this->open_index(random));
        const AnyQuery query = this->any_query_of();
        const auto requests = this->requests_on(random, worlds.own.snapshot().index, 20);
        typename P::Paths paths;
        const BuildControl control = on_one_thread();
        ASSERT_TRUE(worlds.own_searcher.find_paths(requests, paths, {}, {}, control).ok());
        std::vector<Route<P>> routes;
        std::vector<AnyRoute> any_routes;
        for (std::size_t i = 0; i < requests.size(); ++i) {
            if (paths.status[i] != StatusCode::ok) continue;
            routes.push_back({requests[i], steps_of(paths)[i], paths.cost[i]});
            any_routes.push_back(
                {any_request_of<P>(requests[i]), steps_of(paths)[i], paths.cost[i]});
        }
        Replanned<P> out;
        AnyReplanned any_out;
        for (int edits = 0; edits < 4; ++edits)
            worlds.edit(small_edits<P>(random, worlds.own.snapshot().index));
        for (std::size_t i = 0; i < routes.size(); ++i) {
            for (const std::uint64_t since : {0U, 2U}) {
                const bool valid = worlds.own_searcher.path_valid(routes[i], since);
                EXPECT_EQ(worlds.any_searcher.path_valid(query, any_routes[i], since), valid);
                broken += valid ? 0 : 1;
            }
        }
        for (const auto what : {ReplanWhat::broken, ReplanWhat::improvable}) {
            ASSERT_TRUE(worlds.own_searcher.replan(routes, 0, out, what, {}, control).ok());
            ASSERT_TRUE(
                worlds.any_searcher.replan(query, any_routes, 0, any_out, what, control).ok());
            EXPECT_EQ(any_out.routes, out.routes);
            ASSERT_NE(any_out.paths.template as<P>(), nullptr);
            EXPECT_TRUE(*any_out.paths.template as<P>() == out.paths);
            replaced += out.routes.size();
        }
    }
    EXPECT_GT(broken, 0U);
    EXPECT_GT(replaced, 0U);
}

// A request without an agent is that of the query's agent.
TEST(AnyWorldOfHaa, TakesAgentsFromRequestsOrElseFromTheQuery) {
    using P = haa::Planner;
    RandomMaps random(1904);
    const auto index = first_index<P>(random);
    const AnyIndex any_index = AnyIndex::of<P>(index).value();
    WorldOptions options;
    options.remembered_areas = 0;
    auto world = AnyWorld::create(any_index, options).value();
    AnyWorldSearcher searcher(world);
    const AnyQuery of_two = any_index.query(std::array{Setting{"size", "2"}}).value();
    const AnyQuery of_one = any_index.query().value();
    std::vector<AnyRequest> open;
    std::vector<AnyRequest> small;
    std::vector<AnyRequest> large;
    for (int i = 0; i < 40; ++i) {
        const auto request = any_request<P>(random, index);
        open.push_back({request.start, request.goal});
        small.push_back({request.start, request.goal, haa::Agent{0, 1}});
        large.push_back({request.start, request.goal, haa::Agent{0, 2}});
    }
    const auto paths_of = [&](const AnyQuery& query, const std::vector<AnyRequest>& requests) {
        AnyPaths paths;
        EXPECT_TRUE(searcher.find_paths(query, requests, paths, {}, on_one_thread()).ok());
        return paths;
    };
    const AnyPaths of_small = paths_of(of_two, small);
    const AnyPaths of_large = paths_of(of_one, large);
    EXPECT_TRUE(*paths_of(of_one, open).as<P>() == *of_small.as<P>());
    EXPECT_TRUE(*paths_of(of_two, open).as<P>() == *of_large.as<P>());
    EXPECT_FALSE(*of_small.as<P>() == *of_large.as<P>());

    // After an edit, each step is checked for the agent: the large one cannot follow the small one.
    const std::vector<grid::TerrainEdit> edit{{{0, 0, 1, 1}, '@'}};
    ASSERT_TRUE(world.edit(edit));
    const auto now = world.snapshot()->index;
    std::size_t narrow = 0;
    for (std::size_t i = 0; i < open.size(); ++i) {
        const AnyRoute route{open[i], of_small.cells(i)};
        const bool small_can = is_legal<P>(*now.as<P>(), {{}, {}, {0, 1}}, route.steps);
        const bool large_can = is_legal<P>(*now.as<P>(), {{}, {}, {0, 2}}, route.steps);
        EXPECT_EQ(searcher.path_valid(of_one, route, 0), small_can);
        EXPECT_EQ(searcher.path_valid(of_two, route, 0), large_can);
        narrow += small_can && !large_can ? 1 : 0;
    }
    EXPECT_GT(narrow, 0U);
}

TYPED_TEST(AnyWorlds, RefuseWhatIsOfAnotherPlannerOrSpace) {
    using P = TypeParam;
    RandomMaps random(1905);
    const auto index = first_index<P>(random);
    auto world = this->any_world_of(index);
    AnyWorldSearcher searcher(world);
    const AnyQuery query = this->any_query_of();
    // A query of another planner of the same space, and a place of the other space.
    const AnyQuery other = [] {
        if constexpr (std::same_as<P, hna::Planner>)
            return AnyQuery::of<mesh::AstarPlanner>({}).value();
        else if constexpr (kOnMesh<P>)
            return AnyQuery::of<hna::Planner>({}).value();
        else if constexpr (std::same_as<P, hpa::Planner>)
            return AnyQuery::of<subgoal::Planner>({}).value();
        else
            return AnyQuery::of<hpa::Planner>({}).value();
    }();
    const auto request = any_request<P>(random, index);
    const AnyPlace place = request.start;
    const AnyPlace elsewhere = kOnMesh<P> ? AnyPlace(grid::Point{}) : AnyPlace(mesh::Place{});

    AnyAnswer answer;
    std::size_t number = 9;
    std::vector<Cost> costs(2);
    std::vector<Cost> pairs(4);
    std::vector<GoalCost> nearest(2);
    AnyPaths paths;
    AnyReplanned out;
    const auto expect_unsupported = [&](const AnyQuery& asked, const AnyPlace& start,
                                        const AnyPlace& goal) {
        constexpr auto kUnsupported = StatusCode::unsupported;
        const std::array starts{place, start};
        const std::array goals{place, goal};
        EXPECT_EQ(searcher.find(asked, start, goal, answer), kUnsupported);
        EXPECT_EQ(answer.status(), kUnsupported);
        EXPECT_EQ(answer.template as<P>(), nullptr);
        EXPECT_EQ(searcher.begin(asked, start, goal, answer), kUnsupported);
        EXPECT_FALSE(searcher.advance());
        EXPECT_EQ(searcher.costs(asked, start, goals, costs), kUnsupported);
        EXPECT_EQ(searcher.costs(asked, starts, goals, pairs), kUnsupported);
        EXPECT_EQ(searcher.find_nearest(asked, start, goals, answer, number), kUnsupported);
        EXPECT_EQ(searcher.find_nearest(asked, start, goals, nearest, number), kUnsupported);
        EXPECT_EQ(number, 0U);
        const std::array requests{AnyRequest{place, place}, AnyRequest{start, goal}};
        EXPECT_EQ(searcher.find_paths(asked, requests, paths).code, kUnsupported);
        const AnyRoute route{requests[1], {}};
        EXPECT_FALSE(searcher.path_valid(asked, route, 0));
        EXPECT_EQ(searcher.replan(asked, {&route, 1}, 0, out).code, kUnsupported);
    };
    expect_unsupported(other, place, place);
    expect_unsupported(query, elsewhere, place);
    expect_unsupported(query, place, elsewhere);

    constexpr std::array cells{grid::TerrainEdit{{0, 0, 1, 1}, '@'}};
    const std::array polygons{mesh::PolygonEdit{0, 0, true}};
    const auto refused = kOnMesh<P> ? world.edit(std::span<const grid::TerrainEdit>(cells))
                                    : world.edit(std::span<const mesh::PolygonEdit>(polygons));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, StatusCode::unsupported);
    EXPECT_THAT(refused.error().message, HasSubstr("takes edits of another kind of map"));
    EXPECT_EQ(world.edits(), 0U);

    // All of it works afterwards.
    typename P::Answer own;
    typename P::Query own_query;
    assign(request, own_query);
    Searcher<P>().find(index, own_query, own);
    searcher.find(this->any_query_of(own_query), request.start, request.goal, answer);
    this->expect_same(own, answer);
}

TYPED_TEST(AnyWorlds, WarmedQueriesAllocateNothing) {
    if (!counts_allocations()) GTEST_SKIP() << "allocations are not counted here";
    RandomMaps random(1906);
    const auto index = this->open_index(random);
    auto world = this->any_world_of(index);
    AnyWorldSearcher searcher(world);
    const AnyQuery query = this->any_query_of();
    const auto requests = this->requests_on(random, index, 10);
    std::vector<AnyPlace> places;
    for (const auto& request : requests) places.emplace_back(request.goal);
    AnyPaths paths;
    std::vector<AnyRequest> any_requests;
    for (const auto& request : requests) any_requests.push_back({request.start, request.goal});
    ASSERT_TRUE(searcher.find_paths(query, any_requests, paths, {}, on_one_thread()).ok());
    AnyAnswer answer;
    std::vector<Cost> costs(places.size());
    std::vector<Cost> pairs(places.size() * places.size());
    std::vector<GoalCost> nearest(4);
    std::size_t number = 0;
    const auto run_queries = [&] {
        for (std::size_t i = 0; i < requests.size(); ++i) {
            const AnyPlace start = requests[i].start;
            searcher.find(query, start, places[i], answer);
            searcher.begin(query, start, places[i], answer);
            while (searcher.advance(9)) {
            }
            searcher.costs(query, start, places, costs);
            searcher.find_nearest(query, start, places, nearest, number);
            searcher.find_nearest(query, start, places, answer, number);
            EXPECT_TRUE(searcher.path_valid(query, {any_requests[i], this->steps_at(paths, i)}, 0));
        }
        searcher.costs(query, places, places, pairs);
    };
    for (int round = 0; round < 4; ++round) run_queries();
    const std::uint64_t before = allocations();
    run_queries();
    EXPECT_EQ(allocations(), before);
}

TYPED_TEST(AnyWorlds, MemoryCountsAllBytesThatSearchersHold) {
    using P = TypeParam;
    RandomMaps random(1907);
    auto world = this->any_world_of(this->open_index(random));
    const AnyQuery query = this->any_query_of();
    const auto requests = this->requests_on(random, *world.snapshot()->index.template as<P>(), 30);
    std::vector<AnyRequest> any_requests;
    std::vector<AnyPlace> places;
    for (const auto& request : requests) {
        any_requests.push_back(any_request_of<P>(request));
        places.emplace_back(request.goal);
    }
    AnyPaths paths;
    ASSERT_TRUE(
        AnyWorldSearcher(world).find_paths(query, any_requests, paths, {}, on_one_thread()).ok());
    std::vector<AnyRoute> routes;
    for (std::size_t i = 0; i < requests.size(); ++i) {
        if (paths.status(i) == StatusCode::ok)
            routes.push_back({any_requests[i], this->steps_at(paths, i), paths.cost(i)});
    }
    for (int i = 0; i < 3; ++i) {
        const auto edits = small_edits<P>(random, *world.snapshot()->index.template as<P>());
        ASSERT_TRUE(world.edit(this->any_edits_of(edits)));
    }
    AnyAnswer answer;
    AnyReplanned out;
    std::vector<Cost> pairs(places.size() * places.size());
    const auto use = [&](AnyWorldSearcher& searcher) {
        searcher.find(query, any_requests[0].start, any_requests[0].goal, answer);
        searcher.costs(query, places, places, pairs);
        EXPECT_TRUE(
            searcher.replan(query, routes, 0, out, ReplanWhat::improvable, on_one_thread()).ok());
    };
    AnyWorldSearcher first(world);
    use(first);
    const std::uint64_t before = allocated_bytes();
    AnyWorldSearcher searcher(world);
    EXPECT_EQ(searcher.memory(), 0U);
    use(searcher);
    const std::uint64_t held = allocated_bytes() - before;
    EXPECT_GT(searcher.memory(), 0U);
    if (counts_allocations()) {
        EXPECT_EQ(searcher.memory(), held);
    }
}

TYPED_TEST(AnyWorlds, SurviveFailedAllocations) {
    using P = TypeParam;
    RandomMaps random(1908);
    const auto index = this->open_index(random);
    const AnyIndex any_index = AnyIndex::of<P>(index).value();
    const auto edits = small_edits<P>(random, index);
    const AnyQuery query = this->any_query_of();
    const auto requests = this->requests_on(random, index, 12);
    std::vector<AnyRequest> any_requests;
    std::vector<AnyPlace> places;
    for (const auto& request : requests) {
        any_requests.push_back({request.start, request.goal});
        places.emplace_back(request.start);
        places.emplace_back(request.goal);
    }
    const BuildControl control = on_one_thread();

    expect_survives(
        "AnyWorld",
        [&]() -> Result<std::uint64_t> {
            auto world = AnyWorld::create(any_index, without_worker());
            if (!world) return tl::unexpected(world.error());
            const auto number = world->edit(this->any_edits_of(edits));
            if (!number) {
                EXPECT_EQ(world->edits(), 0U);
                return number;
            }
            auto snapshot = world->snapshot();
            if (!snapshot) return tl::unexpected(snapshot.error());
            return snapshot->edits;
        },
        [](const Result<std::uint64_t>& number) { return *number; });

    auto world = this->any_world_of(index);
    ASSERT_TRUE(world.edit(this->any_edits_of(edits)));
    AnyWorldSearcher kept(world);
    AnyAnswer answer;
    std::vector<Cost> pairs(places.size() * places.size());
    AnyPaths paths;
    AnyReplanned out;
    std::vector<AnyRoute> routes;
    std::vector<std::vector<std::uint32_t>> steps;
    ASSERT_TRUE(kept.find_paths(query, any_requests, paths, {}, control).ok());
    for (std::size_t i = 0; i < requests.size(); ++i)
        steps.emplace_back(this->steps_at(paths, i).begin(), this->steps_at(paths, i).end());
    for (std::size_t i = 0; i < requests.size(); ++i)
        routes.push_back({any_requests[i], steps[i], paths.cost(i)});
    for (int i = 0; i < 3; ++i) {
        const auto more = small_edits<P>(random, *world.snapshot()->index.template as<P>());
        ASSERT_TRUE(world.edit(this->any_edits_of(more)));
    }
    std::size_t with_path = 0;
    while (with_path < requests.size() &&
           kept.find(query, places[2 * with_path], places[2 * with_path + 1], answer) !=
               StatusCode::ok)
        ++with_path;
    ASSERT_LT(with_path, requests.size());
    for (const bool cold : {true, false}) {
        std::optional<AnyWorldSearcher> fresh;
        const auto searcher = [&]() -> AnyWorldSearcher& {
            if (!cold) return kept;
            fresh.emplace(world);
            return *fresh;
        };
        expect_survives(
            "find",
            [&] {
                return searcher().find(query, places[2 * with_path], places[2 * with_path + 1],
                                       answer);
            },
            [&](StatusCode) { return answer.cost(); });
        expect_survives(
            "slices",
            [&] {
                auto& used = searcher();
                used.begin(query, places[2 * with_path], places[2 * with_path + 1], answer);
                while (used.advance(5)) {
                }
                return answer.status();
            },
            [&](StatusCode) { return answer.cost(); });
        expect_survives(
            "costs of pairs", [&] { return searcher().costs(query, places, places, pairs); },
            [&](StatusCode) {
                std::uint64_t sum = 0;
                for (const Cost cost : pairs) sum = 31 * sum + cost;
                return sum;
            });
        const auto sum_of = [](const AnyPaths& found) {
            std::uint64_t sum = 0;
            for (std::size_t i = 0; i < found.size(); ++i)
                sum = 31 * sum + found.cost(i) + TestFixture::steps_at(found, i).size();
            return sum;
        };
        expect_survives(
            "find_paths",
            [&] {
                if (cold) paths = AnyPaths();
                return searcher().find_paths(query, any_requests, paths, {}, control);
            },
            [&](const Status&) { return sum_of(paths); });
        expect_survives(
            "replan",
            [&] {
                if (cold) out = AnyReplanned();
                return searcher().replan(query, routes, 1, out, ReplanWhat::improvable, control);
            },
            [&](const Status&) { return sum_of(out.paths) + out.routes.size(); });
        expect_survives(
            "path_valid",
            [&] {
                const bool valid = searcher().path_valid(query, routes[with_path], 3);
                const bool expected = kept.path_valid(query, routes[with_path], 3);
                return valid == expected ? StatusCode::ok : StatusCode::out_of_memory;
            },
            [](StatusCode) { return 0; });
    }
}

TEST(AnyWorldOptions, OutOfRangeAreRefused) {
    RandomMaps random(1909);
    const auto index = AnyIndex::of<hpa::Planner>(first_index<hpa::Planner>(random)).value();
    WorldOptions options;
    options.order_edits = 0;
    EXPECT_EQ(AnyWorld::create(index, options).error().code, StatusCode::bad_option);
}

TEST(AnyWorldMoved, WorldsAndSearchersGoOnWhereTheyWere) {
    using P = subgoal::Planner;
    RandomMaps random(1910);
    const auto index = first_index<P>(random);
    auto first = AnyWorld::create(AnyIndex::of<P>(index).value()).value();
    AnyWorldSearcher searcher(first);
    const AnyQuery query = AnyQuery::of<P>({}).value();
    const auto request = any_request<P>(random, index);
    AnyAnswer answer;
    searcher.find(query, request.start, request.goal, answer);
    const Cost cost = answer.cost();
    const std::size_t bytes = searcher.memory();
    AnyWorld second(std::move(first));
    AnyWorldSearcher moved(std::move(searcher));
    EXPECT_EQ(moved.memory(), bytes);
    moved.find(query, request.start, request.goal, answer);
    EXPECT_EQ(answer.cost(), cost);
    first = std::move(second);
    const std::vector<grid::TerrainEdit> whole{
        {{0, 0, index.map().width(), index.map().height()}, '@'}};
    ASSERT_EQ(first.edit(whole).value(), 1U);
    searcher = std::move(moved);
    EXPECT_EQ(searcher.find(query, request.start, request.goal, answer), StatusCode::start_blocked);
}

}  // namespace
}  // namespace cairn::test
