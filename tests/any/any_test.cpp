// Planners chosen by name (cairn/any.hpp) answer as the planners themselves do.

#include "cairn/any.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>
#include <type_traits>
#include <vector>

#include "cairn/batch/batch.hpp"
#include "cairn/planners.hpp"
#include "support/allocation_counter.hpp"
#include "support/random_maps.hpp"
#include "support/random_meshes.hpp"
#include "support/scratch_folder.hpp"

namespace cairn {
namespace {

using testing::HasSubstr;

grid::Map some_map(std::uint64_t seed = 3) {
    test::RandomMaps random(seed);
    return random.uniform_map({40, 30});
}

haa::AnnotatedMap some_annotated_map() {
    const grid::Map map = some_map();
    grid::TerrainImage image{map.width(), map.height(), {}};
    for (grid::Cell cell = 0; cell < map.size(); ++cell)
        image.terrain.push_back(map.passable(cell) ? '.' : '@');
    return *haa::AnnotatedMap::create(image, {});
}

template <class P>
typename P::Map map_for() {
    if constexpr (std::same_as<typename P::Map, grid::Map>) {
        return some_map();
    } else if constexpr (std::same_as<typename P::Map, haa::AnnotatedMap>) {
        return some_annotated_map();
    } else {
        return test::random_mesh(5);
    }
}

/// Some twelve starts and goals.
template <class P>
std::vector<typename P::Place> places_for(const typename P::Map& map) {
    std::vector<typename P::Place> places;
    if constexpr (std::same_as<typename P::Place, grid::Point>) {
        for (int i = 0; i < 12; ++i) places.push_back({i * 7 % map.width(), i * 5 % map.height()});
    } else {
        for (mesh::Polygon p = 0; p < map.num_polygons(); p += 1 + map.num_polygons() / 12)
            places.push_back({p, map.centre(p)});
    }
    return places;
}

/// The default query, and queries that differ from it in one member: each engine, each kind of
/// smoothing, and so on.
template <class P>
std::vector<typename P::Query> query_variants() {
    std::vector<typename P::Query> variants(1);
    const auto add = [&](const Field& field, double value) {
        variants.emplace_back();
        field.set(&variants.back(), value);
    };
    for (const Field& field : P::Query::fields()) {
        for (const Choice& choice : field.choices) add(field, choice.value);
        if (field.type == FieldType::flag) add(field, 1 - field.usual());
        if (field.type == FieldType::integer) add(field, std::min(field.most, field.usual() + 1));
    }
    return variants;
}

/// Fails the test unless memory() of a searcher is 0 at first, then the bytes that `use` makes it
/// allocate, and at last stays the same.
template <class S, class Use>
void expect_memory_counted(const Use& use) {
    // A first use, by another searcher, fills answers and whatever else stays allocated.
    S other;
    use(other);
    const std::uint64_t bytes_before = test::allocated_bytes();
    S searcher;
    EXPECT_EQ(searcher.memory(), 0U);
    use(searcher);
    EXPECT_GT(searcher.memory(), 0U);
    const std::uint64_t held = test::allocated_bytes() - bytes_before;
    if (test::counts_allocations()) {
        EXPECT_EQ(searcher.memory(), held);
    }
    for (int i = 0; i < 8; ++i) use(searcher);
    const std::size_t warmed = searcher.memory();
    use(searcher);
    EXPECT_EQ(searcher.memory(), warmed);
}

// The tests of AnyPlanner run for every planner of the library.
template <class P>
class AnyPlanner : public testing::Test {};
template <class List>
struct AsTypes;
template <class... P>
struct AsTypes<PlannerList<P...>> {
    using type = testing::Types<P...>;
};
using Planners = AsTypes<AllPlanners>::type;
TYPED_TEST_SUITE(AnyPlanner, Planners);

TYPED_TEST(AnyPlanner, AnswersAsThePlannerItself) {
    using P = TypeParam;
    const typename P::Map map = map_for<P>();
    const auto own = P::build(map);
    ASSERT_TRUE(own);
    const auto any = AnyIndex::build(P::kName, map);
    ASSERT_TRUE(any) << any.error().message;
    ASSERT_NE(any->template as<P>(), nullptr);
    EXPECT_EQ(any->planner().name, P::kName);
    EXPECT_EQ(any->planner().exact, P::kExact);
    const auto query = any->query();
    ASSERT_TRUE(query);
    const auto places = places_for<P>(map);
    const std::vector<AnyPlace> goals(places.begin(), places.end());
    Searcher<P> searcher;
    typename P::Answer expected;
    AnySearcher any_searcher;
    AnyAnswer answer;
    std::size_t found = 0;
    for (const auto& start : places) {
        typename P::Query own_query;
        own_query.start = start;
        for (const auto& goal : places) {
            own_query.goal = goal;
            const StatusCode status = searcher.find(*own, own_query, expected);
            ASSERT_EQ(any_searcher.find(*any, *query, start, goal, answer), status);
            EXPECT_EQ(answer.status(), status);
            EXPECT_EQ(answer.cost(), expected.cost);
            const AnswerDetails details = answer.details();
            ASSERT_NE(answer.template as<P>(), nullptr);
            if constexpr (requires { expected.cells; }) {
                EXPECT_TRUE(std::ranges::equal(details.cells, expected.cells));
            }
            if constexpr (requires { expected.waypoints; }) {
                EXPECT_EQ(details.waypoints.size(), expected.waypoints.size());
            }
            if (status != StatusCode::ok) continue;
            ++found;
            EXPECT_LE(details.lower_bound, answer.cost());
            EXPECT_FALSE(details.engine.empty());
            // A planner counts either one step or all three.
            EXPECT_EQ(details.effort[2].step.empty(), details.effort[1].step.empty());
        }
        std::vector<Cost> costs(places.size());
        std::vector<Cost> any_costs(places.size());
        EXPECT_EQ(any_searcher.costs(*any, *query, start, goals, any_costs),
                  searcher.costs(*own, own_query, places, costs));
        EXPECT_EQ(any_costs, costs);
        std::size_t nearest = 0;
        std::size_t any_nearest = 0;
        EXPECT_EQ(any_searcher.find_nearest(*any, *query, start, goals, answer, any_nearest),
                  searcher.find_nearest(*own, own_query, places, expected, nearest));
        EXPECT_EQ(any_nearest, nearest);
        std::vector<GoalCost> nearest_goals(3);
        std::vector<GoalCost> any_nearest_goals(3);
        EXPECT_EQ(
            any_searcher.find_nearest(*any, *query, start, goals, any_nearest_goals, any_nearest),
            searcher.find_nearest(*own, own_query, places, nearest_goals, nearest));
        EXPECT_EQ(any_nearest, nearest);
        EXPECT_EQ(any_nearest_goals, nearest_goals);
    }
    EXPECT_GT(found, 20U);
    std::vector<Cost> costs(places.size() * places.size());
    std::vector<Cost> any_costs(costs.size());
    EXPECT_EQ(any_searcher.costs(*any, *query, goals, goals, any_costs),
              searcher.costs(*own, {}, places, places, costs));
    EXPECT_EQ(any_costs, costs);
}

TYPED_TEST(AnyPlanner, AnswersInSlicesAsThePlannerItself) {
    using P = TypeParam;
    const typename P::Map map = map_for<P>();
    typename P::Options options;
    if constexpr (requires { options.mu; }) options.mu = 4;  // many small clusters
    const auto own = P::build(map, options).value();
    const auto any = AnyIndex::of<P>(own).value();
    Searcher<P> searcher;
    typename P::Answer expected;
    AnySearcher any_searcher;
    AnyAnswer answer;
    EXPECT_FALSE(any_searcher.advance());
    int unfinished = 0;
    for (auto query : query_variants<P>()) {
        for (const auto& place : places_for<P>(map)) {
            query.start = places_for<P>(map)[0];
            query.goal = place;
            const auto any_query = AnyQuery::of<P>(query).value();
            const StatusCode status = searcher.begin(own, query, expected);
            ASSERT_EQ(any_searcher.begin(any, any_query, query.start, place, answer), status);
            while (status == StatusCode::ok && searcher.advance(1)) {
                ++unfinished;
                ASSERT_TRUE(any_searcher.advance(1));
            }
            EXPECT_FALSE(any_searcher.advance(1));
            EXPECT_EQ(answer.status(), expected.status);
            EXPECT_EQ(answer.cost(), expected.cost);
        }
    }
    EXPECT_GT(unfinished, 0);
}

TYPED_TEST(AnyPlanner, QueriesTakeLimitsAndBlockedCells) {
    using P = TypeParam;
    const typename P::Map map = map_for<P>();
    const auto own = P::build(map).value();
    const auto any = AnyIndex::of<P>(own).value();
    const auto query = any.query().value();
    const auto places = places_for<P>(map);
    SearchLimits limits;
    limits.max_cost = 1;
    limits.max_expanded = 0;
    limits.partial_path = true;
    const auto limited = query.with_limits(limits).value();
    const std::vector<grid::Cell> blocked{0, 1, 2};
    const auto around = query.with_blocked(blocked);
    constexpr bool kBlocks = requires(typename P::Query q) { q.blocked; };
    ASSERT_EQ(around.has_value(), kBlocks);
    if constexpr (kBlocks) {
        EXPECT_EQ(around->template as<P>()->blocked.data(), blocked.data());
        EXPECT_EQ(around->with_limits(limits)->template as<P>()->blocked.data(), blocked.data());
    } else {
        EXPECT_EQ(around.error().code, StatusCode::unsupported);
    }
    AnySearcher searcher;
    AnyAnswer answer;
    Searcher<P> own_searcher;
    typename P::Answer expected;
    typename P::Query own_query;
    own_query.limits = limits;
    for (const auto& place : places) {
        own_query.start = places[0];
        own_query.goal = place;
        own_searcher.find(own, own_query, expected);
        EXPECT_EQ(searcher.find(any, limited, places[0], place, answer), expected.status);
        EXPECT_EQ(answer.details().lower_bound, expected.lower_bound);
    }
    EXPECT_EQ(query.template as<P>()->limits.max_cost, SearchLimits{}.max_cost);
}

TYPED_TEST(AnyPlanner, AnswersBatchesAsThePlannerItself) {
    using P = TypeParam;
    const typename P::Map map = map_for<P>();
    const auto own = P::build(map).value();
    const auto any = AnyIndex::of<P>(own).value();
    std::vector<typename P::Request> requests;
    std::vector<AnyRequest> any_requests;
    for (const auto& start : places_for<P>(map)) {
        for (const auto& goal : places_for<P>(map)) {
            requests.emplace_back();
            requests.back().start = start;
            requests.back().goal = goal;
            any_requests.push_back({start, goal});
        }
    }
    AnySearcher searcher;
    AnyPaths paths;
    EXPECT_EQ(paths.size(), 0U);
    for (auto query : query_variants<P>()) {
        if constexpr (requires { query.agent; }) query.agent = {};  // that of `requests`
        for (const auto detail : {P::Detail::path, P::Detail::cost}) {
            query.detail = detail;
            const auto any_query = AnyQuery::of<P>(query).value();
            const auto expected = batch::find_paths<P>(own, requests, query).value();
            ASSERT_TRUE(searcher.find_paths(any, any_query, any_requests, paths).ok());
            ASSERT_EQ(paths.size(), requests.size());
            ASSERT_TRUE(*paths.template as<P>() == expected);
            for (std::size_t i = 0; i < requests.size(); ++i) {
                EXPECT_EQ(paths.status(i), expected.status[i]);
                EXPECT_EQ(paths.cost(i), expected.cost[i]);
                if (detail == P::Detail::cost) {
                    EXPECT_TRUE(paths.cells(i).empty());
                    EXPECT_TRUE(paths.polygons(i).empty());
                }
            }
        }
    }
    // Requests of one space: those of the planner's own type are not copied.
    using Alone = std::conditional_t<std::same_as<typename P::Place, grid::Point>, grid::Request,
                                     mesh::Request>;
    std::vector<Alone> alone;
    for (const auto& request : requests) alone.push_back({request.start, request.goal});
    const auto expected = batch::find_paths<P>(own, requests).value();
    ASSERT_TRUE(searcher.find_paths(any, any.query().value(), alone, paths).ok());
    EXPECT_TRUE(*paths.template as<P>() == expected);
    using Other =
        std::conditional_t<std::same_as<Alone, grid::Request>, mesh::Request, grid::Request>;
    EXPECT_EQ(searcher.find_paths(any, any.query().value(), std::vector<Other>(1), paths).code,
              StatusCode::unsupported);
    batch::Options options;
    options.max_bytes = 1;
    const auto query = any.query().value();
    EXPECT_EQ(searcher.find_paths(any, query, any_requests, paths, options).code,
              StatusCode::too_large);
    BuildControl control;
    control.threads = -1;
    EXPECT_EQ(searcher.find_paths(any, query, any_requests, paths, {}, control).code,
              StatusCode::bad_option);
}

TYPED_TEST(AnyPlanner, MemoryCountsAllBytesThatSearchersHold) {
    using P = TypeParam;
    typename P::Options options;
    if constexpr (requires { options.levels; }) options.levels = 2;
    if constexpr (requires { options.mu; }) options.mu = 4;  // many small clusters
    const auto index = P::build(map_for<P>(), options);
    ASSERT_TRUE(index);
    const auto any = AnyIndex::of<P>(*index);
    ASSERT_TRUE(any);
    const auto places = places_for<P>(map_for<P>());
    const std::vector<AnyPlace> goals(places.begin(), places.end());
    std::vector<typename P::Request> requests;
    for (const auto& start : places) {
        for (const auto& goal : places) {
            requests.emplace_back();
            requests.back().start = start;
            requests.back().goal = goal;
        }
    }
    const auto variants = query_variants<P>();
    std::vector<AnyQuery> any_variants;
    for (const auto& query : variants) any_variants.push_back(*AnyQuery::of<P>(query));

    typename P::Answer answer;
    std::vector<Cost> costs(places.size());
    std::size_t nearest = 0;
    expect_memory_counted<Searcher<P>>([&](auto& searcher) {
        for (auto query : variants) {
            for (const auto& request : requests) {
                assign(request, query);
                searcher.find(*index, query, answer);
            }
            searcher.costs(*index, query, places, costs);
            searcher.find_nearest(*index, query, places, answer, nearest);
        }
    });
    BuildControl control;
    control.threads = 1;
    AnyAnswer any_answer;
    AnyPaths any_paths;
    std::vector<AnyRequest> any_requests;
    for (const auto& request : requests) any_requests.push_back({request.start, request.goal});
    std::vector<Cost> pairs(goals.size() * goals.size());
    expect_memory_counted<AnySearcher>([&](auto& searcher) {
        for (const AnyQuery& query : any_variants) {
            for (const AnyPlace& goal : goals)
                searcher.find(*any, query, goals[0], goal, any_answer);
            searcher.costs(*any, query, goals[0], goals, costs);
            searcher.costs(*any, query, goals, goals, pairs);
            EXPECT_TRUE(
                searcher.find_paths(*any, query, any_requests, any_paths, {}, control).ok());
        }
    });
    typename P::Paths paths;
    expect_memory_counted<batch::Searcher<P>>([&](auto& searcher) {
        for (const auto& query : variants) {
            EXPECT_TRUE(searcher.find_paths(*index, requests, paths, query, {}, control).ok());
        }
    });
}

TYPED_TEST(AnyPlanner, EditsAndLabelsAsThePlannerItself) {
    using P = TypeParam;
    const typename P::Map map = map_for<P>();
    const auto any = AnyIndex::build(P::kName, map);
    ASSERT_TRUE(any);
    const auto check = [&](const auto& edits, const AnyEdits& any_edits) {
        const auto edited = any->edited(any_edits);
        ASSERT_TRUE(edited) << edited.error().message;
        const auto expected = any->template as<P>()->edited(edits);
        if constexpr (requires { *expected == *expected; }) {
            EXPECT_TRUE(*edited->template as<P>() == *expected);
        }
        const auto labelled = edited->with_labels();
        ASSERT_TRUE(labelled) << labelled.error().message;
        EXPECT_EQ(labelled->has_labels(), any->has_labels());
    };
    constexpr std::array cells{grid::TerrainEdit{{3, 4, 5, 2}, '@'}};
    const std::array polygons{mesh::PolygonEdit{1, 0, true}};
    const AnyEdits cell_edits = std::span<const grid::TerrainEdit>(cells);
    const AnyEdits polygon_edits = std::span<const mesh::PolygonEdit>(polygons);
    if constexpr (std::same_as<typename P::Place, grid::Point>) {
        check(cells, cell_edits);
        EXPECT_EQ(any->edited(polygon_edits).error().code, StatusCode::unsupported);
    } else {
        check(polygons, polygon_edits);
        EXPECT_EQ(any->edited(cell_edits).error().code, StatusCode::unsupported);
    }
}

TYPED_TEST(AnyPlanner, CostsAsThePlannerItself) {
    using P = TypeParam;
    const auto any = AnyIndex::build(P::kName, map_for<P>());
    ASSERT_TRUE(any);
    grid::TerrainWeights weights = grid::TerrainWeights::movingai();
    for (std::uint8_t& weight : weights.weight) weight = weight == 0 ? 0 : 3;
    std::vector<haa::Capability> list = haa::AnnotationOptions().capabilities;
    list[0].weight.fill(3);
    const std::span<const haa::Capability> capabilities = list;
    const auto check = [&](const auto& costs) {
        const auto changed = any->with_costs(costs);
        if constexpr (requires { any->template as<P>()->with_costs(costs); }) {
            ASSERT_TRUE(changed) << changed.error().message;
            EXPECT_TRUE(*changed->template as<P>() == *any->template as<P>()->with_costs(costs));
        } else if constexpr (requires { any->template as<P>()->with_weights(costs); }) {
            ASSERT_TRUE(changed) << changed.error().message;
            EXPECT_EQ(changed->template as<P>()->options().weights, costs);
        } else {
            EXPECT_EQ(changed.error().code, StatusCode::unsupported);
        }
    };
    check(weights);
    check(capabilities);
}

TEST(Any, CostsWithOtherObstaclesAreRefused) {
    grid::TerrainWeights weights;
    weights.weight.fill(1);
    for (const char* const name : {"hpa", "astar"}) {
        const auto index = AnyIndex::build(name, some_map()).value();
        EXPECT_EQ(index.with_costs(weights).error().code, StatusCode::bad_option);
    }
}

TYPED_TEST(AnyPlanner, IsSavedAndLoadedIfItHasAnIndex) {
    using P = TypeParam;
    const test::ScratchFolder folder;
    const std::string file = (folder.path() / "index").string();
    const AnyMap map = map_for<P>();
    const auto any = AnyIndex::build(P::kName, map);
    ASSERT_TRUE(any);
    if (!any->planner().has_index) {
        EXPECT_EQ(any->save(file).code, StatusCode::unsupported);
        return;
    }
    ASSERT_EQ(any->save(file), Status{});
    // Files of HAA* and HNA* hold the map; the others are loaded with it.
    const bool holds_map = P::kName == "haa" || P::kName == "hna";
    const auto without_map = AnyIndex::load(file);
    EXPECT_EQ(without_map.has_value(), holds_map);
    const auto loaded = holds_map ? without_map : AnyIndex::load(file, &map);
    ASSERT_TRUE(loaded) << loaded.error().message;
    EXPECT_EQ(loaded->planner().name, P::kName);
    EXPECT_GT(loaded->memory(), 0U);
    if constexpr (IndexedPlanner<P>) {
        EXPECT_TRUE(*loaded->template as<P>() == *any->template as<P>());
    }
}

TEST(Any, OptionsAndQueriesAreSettings) {
    const AnyMap map = some_map();
    const auto index = AnyIndex::build(
        "hpa", map, std::array{Setting{"cluster_size", "5"}, Setting{"labels", "false"}});
    ASSERT_TRUE(index);
    EXPECT_EQ(index->as<hpa::Planner>()->options().cluster_size, 5);
    EXPECT_FALSE(index->has_labels());
    const auto query = index->query(std::array{Setting{"smoothing", "none"}});
    ASSERT_TRUE(query);
    EXPECT_EQ(query->as<hpa::Planner>()->smoothing, hpa::Smoothing::none);
    EXPECT_EQ(query->as<haa::Planner>(), nullptr);
    EXPECT_THAT(index->query(std::array{Setting{"colour", "red"}}).error().message,
                HasSubstr("there is no option 'colour'"));
    EXPECT_EQ(AnyIndex::build("hpa", map, std::array{Setting{"levels", "9"}}).error().message,
              "levels 9: must be 1 to 8");
    EXPECT_EQ(AnyIndex::build("astar", map, std::array{Setting{"levels", "2"}}).error().code,
              StatusCode::bad_option);
}

TEST(Any, AutoIsThePlannerThatSuitsTheMap) {
    const auto planner_of = [](const AnyMap& map) {
        const auto index = AnyIndex::build("auto", map);
        EXPECT_TRUE(index) << index.error().message;
        EXPECT_EQ(suitable_planner(map), &index->planner());
        return std::string(index->planner().name);
    };
    const grid::Map map = some_map();
    EXPECT_EQ(planner_of(map), "subgoal");
    const std::vector<std::uint8_t> terrain(100, 1);
    grid::MapOptions options;
    options.weights = grid::TerrainWeights::literal();
    options.rules.neighbourhood = grid::Neighbourhood::four;
    EXPECT_EQ(planner_of(grid::Map::create(10, 10, terrain, options).value()), "hpa");
    options.rules = {grid::Neighbourhood::eight, grid::CornerRule::both_blocked};
    EXPECT_EQ(planner_of(grid::Map::create(10, 10, terrain, options).value()), "hpa");
    options.rules = {};
    EXPECT_EQ(planner_of(grid::Map::create(10, 10, terrain, options).value()), "subgoal");
    options.costs = {1, 2};
    EXPECT_EQ(planner_of(grid::Map::create(10, 10, terrain, options).value()), "hpa");
    options.costs = {};
    std::vector<std::uint8_t> heavy = terrain;
    heavy[7] = 3;
    EXPECT_EQ(planner_of(grid::Map::create(10, 10, heavy, options).value()), "hpa");
    EXPECT_EQ(planner_of(haa::AnnotatedMap::create({10, 10, heavy}).value()), "haa");
    EXPECT_EQ(planner_of(test::random_mesh(5)), "hna");
    EXPECT_EQ(suitable_planner(grid::TerrainImage{10, 10, heavy}), nullptr);
    EXPECT_EQ(AnyIndex::build("auto", grid::TerrainImage{10, 10, heavy}).error().code,
              StatusCode::unsupported);
    // Settings are those of the planner that is chosen.
    EXPECT_TRUE(AnyIndex::build("auto", map, std::array{Setting{"prune", "false"}}));
    EXPECT_EQ(AnyIndex::build("auto", map, std::array{Setting{"cluster_size", "5"}}).error().code,
              StatusCode::bad_option);
}

TEST(Any, MapsQueriesAndPlacesOfAnotherPlannerAreRefused) {
    const AnyMap map = some_map();
    EXPECT_THAT(AnyIndex::build("hna", map).error().message, HasSubstr("there are hpa, subgoal"));
    EXPECT_THAT(AnyIndex::build("haa", map).error().message, HasSubstr("another kind of map"));
    const auto index = AnyIndex::build("hpa", map);
    const auto other = AnyIndex::build("subgoal", map);
    ASSERT_TRUE(index && other);
    AnySearcher searcher;
    AnyAnswer answer;
    const auto query = index->query();
    const grid::Point at{0, 0};
    EXPECT_EQ(searcher.find(*other, *query, at, at, answer), StatusCode::unsupported);
    EXPECT_EQ(answer.status(), StatusCode::unsupported);
    EXPECT_EQ(searcher.find(*index, *query, at, mesh::Place{}, answer), StatusCode::unsupported);
    EXPECT_EQ(answer.status(), StatusCode::unsupported);
    EXPECT_EQ(answer.cost(), kInfinity);
    EXPECT_TRUE(answer.details().cells.empty());
    EXPECT_EQ(answer.as<hpa::Planner>(), nullptr);
    EXPECT_EQ(searcher.find(*index, *query, mesh::Place{}, at, answer), StatusCode::unsupported);

    const std::vector<AnyPlace> own(2, AnyPlace(at));
    const std::vector<AnyPlace> one_of_a_mesh{at, mesh::Place{}};
    std::vector<Cost> costs(2);
    std::vector<Cost> pairs(4);
    std::vector<GoalCost> nearest_goals(1);
    std::size_t nearest = 0;
    AnyPaths paths;
    const auto expect_unsupported = [&](const AnyIndex& on, const AnyPlace& start,
                                        const std::vector<AnyPlace>& goals) {
        const std::array starts{AnyPlace(at), start};
        EXPECT_EQ(searcher.costs(on, *query, start, goals, costs), StatusCode::unsupported);
        EXPECT_EQ(searcher.costs(on, *query, starts, goals, pairs), StatusCode::unsupported);
        EXPECT_EQ(searcher.find_nearest(on, *query, start, goals, answer, nearest),
                  StatusCode::unsupported);
        EXPECT_EQ(searcher.find_nearest(on, *query, start, goals, nearest_goals, nearest),
                  StatusCode::unsupported);
        EXPECT_EQ(nearest, 0U);
        const std::array requests{AnyRequest{at, at}, AnyRequest{start, goals[1]}};
        const Status refused = searcher.find_paths(on, *query, requests, paths);
        EXPECT_EQ(refused.code, StatusCode::unsupported);
        EXPECT_THAT(refused.message, HasSubstr("another"));
    };
    expect_unsupported(*other, at, own);
    expect_unsupported(*index, mesh::Place{}, own);
    expect_unsupported(*index, at, one_of_a_mesh);
}

// Also by one that is refused before the planner sees it.
TEST(Any, AnotherCallAbandonsAQueryInSlices) {
    const auto index = AnyIndex::build("astar", some_map()).value();
    const auto query = index.query().value();
    const grid::Point start{7, 5};
    const grid::Point goal{35, 25};
    AnySearcher searcher;
    AnyAnswer answer;
    ASSERT_EQ(searcher.begin(index, query, start, goal, answer), StatusCode::ok);
    ASSERT_TRUE(searcher.advance(3));
    ASSERT_EQ(searcher.find(index, query, start, mesh::Place{}, answer), StatusCode::unsupported);
    EXPECT_FALSE(searcher.advance(3));
    EXPECT_EQ(answer.status(), StatusCode::unsupported);
    ASSERT_EQ(searcher.begin(index, query, start, goal, answer), StatusCode::ok);
    while (searcher.advance(3)) {
    }
    EXPECT_EQ(answer.status(), StatusCode::ok);
}

TEST(Any, EditsAndMapsOfAnotherSpaceAreRefused) {
    const AnyMap map = some_map();
    const AnyMap mesh = test::random_mesh(5);
    const std::vector<grid::TerrainEdit> cells{{{0, 0, 1, 1}, '@'}};
    const std::vector<mesh::PolygonEdit> polygons{{0, 0, true}};
    const auto index = AnyIndex::build("hpa", map).value();
    EXPECT_THAT(index.edited(polygons).error().message,
                HasSubstr("the planner hpa takes edits of another kind of map"));
    EXPECT_EQ(AnyIndex::build("hna", mesh)->edited(cells).error().code, StatusCode::unsupported);
    const test::ScratchFolder folder;
    const std::string file = (folder.path() / "index").string();
    ASSERT_TRUE(index.save(file).ok());
    EXPECT_THAT(AnyIndex::load(file, &mesh).error().message,
                HasSubstr("an index of the planner hpa, which takes another kind of map"));
    EXPECT_THAT(AnyIndex::load(file).error().message, HasSubstr("so the map must be given"));
    EXPECT_EQ(AnyIndex::load(folder.path() / "none", &map).error().code, StatusCode::io_error);
}

TEST(Any, PlannersWithoutAnIndexHoldNoMemory) {
    const auto astar = AnyIndex::build("astar", some_map()).value();
    EXPECT_EQ(astar.memory(), 0U);
    EXPECT_FALSE(astar.has_labels());
    const auto same = astar.with_labels();
    ASSERT_TRUE(same);
    EXPECT_EQ(same->as<grid::AstarPlanner>(), astar.as<grid::AstarPlanner>());
}

TEST(Any, MapsOfMeshesNameTheirPlanners) {
    EXPECT_THAT(AnyIndex::build("jps", test::random_mesh(5)).error().message, HasSubstr("meshes"));
}

TEST(Any, OneSearcherServesAllPlannersInTurns) {
    const AnyMap map = some_map();
    AnySearcher searcher;
    AnyAnswer answer;
    std::set<Cost> costs;
    for (int round = 0; round < 2; ++round) {
        for (const char* name : {"subgoal", "astar", "jps"}) {
            const auto index = AnyIndex::build(name, map);
            ASSERT_TRUE(index);
            ASSERT_EQ(searcher.find(*index, *index->query(), grid::Point{7, 5}, grid::Point{35, 25},
                                    answer),
                      StatusCode::ok);
            costs.insert(answer.cost());
        }
    }
    EXPECT_EQ(costs.size(), 1U);
}

TEST(Any, WarmedQueriesAllocateNothing) {
    if (!test::counts_allocations()) GTEST_SKIP() << "allocations are not counted here";
    const auto index = AnyIndex::build("subgoal", some_map());
    const auto query = index->query();
    AnySearcher searcher;
    AnyAnswer answer;
    const auto run_queries = [&] {
        for (int i = 0; i < 20; ++i) {
            searcher.find(*index, *query, grid::Point{i, i}, grid::Point{39 - i, 29 - i}, answer);
        }
    };
    for (int round = 0; round < 4; ++round) run_queries();
    const std::uint64_t before = test::allocations();
    run_queries();
    EXPECT_EQ(test::allocations(), before);
}

TEST(Any, PlannersAreListed) {
    EXPECT_EQ(planners().size(), 7U);
    EXPECT_EQ(planners().front().name, "hpa");
    EXPECT_EQ(find_planner("hna", Space::grid), nullptr);
    ASSERT_NE(find_planner("hna", Space::mesh), nullptr);
    EXPECT_TRUE(find_planner("hna", Space::mesh)->exact);
    EXPECT_NE(find_planner("astar", Space::grid), find_planner("astar", Space::mesh));
}

}  // namespace
}  // namespace cairn
