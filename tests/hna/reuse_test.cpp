// A searcher and an answer that are used again: earlier queries change no answer, and repeated
// queries allocate nothing. Queries with several goals, against one query for each goal.

#include <gtest/gtest.h>

#include "hna/verify.hpp"
#include "support/allocation_counter.hpp"
#include "support/scale.hpp"

namespace cairn::hna::test {
namespace {

TEST(HnaReuseTest, AUsedSearcherAnswersAsAFreshOne) {
    Searcher searcher;
    Answer answer;
    std::vector<Index> indexes;
    RandomMaps random(1);
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        indexes.push_back(any_index(random_mesh(seed), random));
        const Index& last = indexes.back();
        indexes.push_back(last.edited(any_edits(last.mesh(), random, 3)).value());
    }
    for (auto i = cairn::test::scaled(4000); i > 0; --i) {
        const auto number = random.number(0, static_cast<int>(indexes.size()) - 1);
        const Index& index = indexes[static_cast<std::size_t>(number)];
        Query query = any_query(index, random);
        if (random.chance(10)) query.limits.max_expanded = 3;
        if (random.chance(10)) query.limits.max_cost = 200'000;
        if (random.chance(10)) {  // a query that is not finished
            searcher.begin(index, query, answer);
            searcher.advance(2);
            continue;
        }
        searcher.find(index, query, answer);
        ASSERT_TRUE(essence(answer) == essence(answer_to(index, query))) << describe(query);
    }
}

TEST(HnaReuseTest, RepeatedQueriesAllocateNothing) {
    if (!cairn::test::counts_allocations()) GTEST_SKIP() << "allocations are not counted here";
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
        RandomMaps random(seed);
        const Index index = any_index(large_mesh(seed), random);
        std::vector<Query> queries(60);
        for (Query& query : queries) query = any_query(index, random);
        Searcher searcher;
        Answer answer;
        const auto allocations_of_a_round = [&] {
            const std::uint64_t before = cairn::test::allocations();
            for (const Query& query : queries) searcher.find(index, query, answer);
            return cairn::test::allocations() - before;
        };
        EXPECT_GT(allocations_of_a_round(), 0U);
        allocations_of_a_round();
        EXPECT_EQ(allocations_of_a_round(), 0U) << "seed " << seed;
    }
}

TEST(HnaReuseTest, AQueryAndItsReverseCostTheSameOnUndirectedMeshes) {
    Searcher searcher;
    Answer there;
    Answer back;
    cairn::test::RandomMeshOptions two_way;
    two_way.one_way = false;
    for (std::uint64_t seed = 0; seed < cairn::test::scaled(200); ++seed) {
        RandomMaps random(seed);
        const Mesh mesh = random_mesh(seed, two_way);
        ASSERT_FALSE(mesh.directed());
        const Index index = any_index(mesh, random);
        for (int pairs = 0; pairs < 20; ++pairs) {
            Query query = any_query(index, random);
            query.nearest_reachable = false;
            searcher.find(index, query, there);
            std::swap(query.start, query.goal);
            searcher.find(index, query, back);
            ASSERT_EQ(there.cost, back.cost) << seed << describe(query);
            ASSERT_EQ(there.status == StatusCode::ok, back.status == StatusCode::ok);
        }
    }
}

/// `costs` and `find_nearest` against queries for one goal each. Among the goals are an unknown
/// polygon, a point far outside, and a point that has to be located.
void check_several_goals(const Index& index, RandomMaps& random, Searcher& searcher) {
    const Mesh& mesh = index.mesh();
    const Place start = cairn::test::random_place(mesh, random);
    std::vector<Place> goals;
    for (int i = 0; i < 12; ++i) goals.push_back(cairn::test::random_place(mesh, random));
    goals.push_back({mesh.num_polygons(), {}});
    goals.push_back({mesh::kNone, {1e6F, 0, 0}});
    goals.push_back({mesh::kNone, cairn::test::random_place(mesh, random).point});
    if (random.chance(30)) goals.push_back(start);

    std::vector<Cost> costs(goals.size());
    const StatusCode costs_status = searcher.costs(index, {.start = start}, goals, costs);
    Query query = any_query(index, random);
    query.start = start;
    query.detail = Detail::path;
    Answer answer;
    std::size_t nearest = 99;  // no goal
    const StatusCode nearest_status = searcher.find_nearest(index, query, goals, answer, nearest);
    if (mesh.blocked(start.polygon)) {
        ASSERT_EQ(costs_status, StatusCode::start_blocked);
        ASSERT_EQ(nearest_status, StatusCode::start_blocked);
        return;
    }
    ASSERT_EQ(costs_status, StatusCode::ok);
    const MeshDijkstra oracle(mesh);
    std::size_t best = 0;
    for (std::size_t i = 0; i < goals.size(); ++i) {
        Query single = query;
        single.goal = goals[i];
        single.detail = Detail::cost;
        single.nearest_reachable = false;
        ASSERT_EQ(costs[i], answer_to(index, single).cost) << describe(single);
        if (goals[i].polygon < mesh.num_polygons()) {
            ASSERT_EQ(costs[i], oracle.cost(start, goals[i]));
        }
        if (costs[i] < costs[best]) best = i;
    }
    if (costs[best] == kInfinity) {
        ASSERT_EQ(nearest_status, StatusCode::no_path);
        return;
    }
    ASSERT_EQ(nearest_status, StatusCode::ok);
    ASSERT_EQ(nearest, best);
    query.goal = goals[best];
    ASSERT_EQ(fault_of(index, query, answer, costs[best]), "") << describe(query);
}

TEST(HnaReuseTest, CostsAndNearestAgreeWithSingleQueries) {
    Searcher searcher;
    for (std::uint64_t seed = 0; seed < cairn::test::scaled(150); ++seed) {
        RandomMaps random(seed);
        const Index index = any_index(random_mesh(seed), random);
        check_several_goals(index, random, searcher);
        if (HasFatalFailure()) FAIL() << "seed " << seed;
    }
}

TEST(HnaReuseTest, CostsReportWhyAGoalHasNoCost) {
    const Index index = build(cairn::test::drawn_mesh({"abcdefgh"}), {.mu = 2, .labels = false});
    const Place start{0, {0.5F, 0, 0.5F}};
    const std::vector<Place> goals{start, {7, {7.5F, 0, 0.5F}}};
    std::vector<Cost> costs(2);
    Searcher searcher;
    Query query = query_of(start, {});
    query.engine = Engine::cut_labels;
    EXPECT_EQ(searcher.costs(index, query, goals, costs), StatusCode::unsupported);
    EXPECT_EQ(costs[1], kInfinity);
    query.engine = Engine::automatic;
    query.limits.max_expanded = 0;
    costs[1] = 0;
    EXPECT_EQ(searcher.costs(index, query, goals, costs), StatusCode::budget_exhausted);
    EXPECT_EQ(costs[1], kInfinity);
}

TEST(HnaReuseTest, QueriesWithSeveralGoalsReportTheirFaults) {
    const Index index = build(cairn::test::drawn_mesh({"abc"}), {.mu = 2});
    const Place start{0, {0.5F, 0, 0.5F}};
    const std::vector<Place> goals{{1, {1.5F, 0, 0.5F}}, {2, {2.5F, 0, 0.5F}}};
    std::vector<Cost> costs(1);
    Searcher searcher;
    EXPECT_EQ(searcher.costs(index, {.start = start}, goals, costs), StatusCode::unsupported);
    costs.resize(2);
    EXPECT_EQ(searcher.costs(index, {.start = {9, {}}}, goals, costs), StatusCode::start_outside);
    EXPECT_EQ(searcher.costs(index, {.start = start}, goals, costs), StatusCode::ok);
    EXPECT_LT(costs[0], costs[1]);
    Answer answer;
    std::size_t nearest = 0;
    EXPECT_EQ(searcher.find_nearest(index, query_of(start, {}), {}, answer, nearest),
              StatusCode::no_path);
    Query query = query_of(start, {});
    query.limits.max_cost = costs[0] - 1;
    EXPECT_EQ(searcher.find_nearest(index, query, goals, answer, nearest),
              StatusCode::over_cost_limit);
    query.limits.max_cost = costs[0];
    EXPECT_EQ(searcher.find_nearest(index, query, goals, answer, nearest), StatusCode::ok);
    EXPECT_EQ(nearest, 0U);
}

}  // namespace
}  // namespace cairn::hna::test
