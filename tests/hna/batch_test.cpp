// Batches of requests on meshes, against single queries. The tests of batches on grids are in
// support/planner_batches.hpp.

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "cairn/batch/batch.hpp"
#include "cairn/hna/hna.hpp"
#include "cairn/mesh/astar.hpp"
#include "cairn/mesh/planner.hpp"
#include "hna/verify.hpp"
#include "support/allocation_counter.hpp"
#include "support/scale.hpp"

namespace cairn::hna::test {
namespace {

struct Case {
    Index index;
    Query model;  ///< the query of every request, except its start and goal
    std::vector<mesh::Request> requests;
};

/// Up to 120 requests and some copies of the first, with at most five goals; or, in some cases,
/// with at most five starts. The last goal lies far outside the mesh.
Case any_case(std::uint64_t seed) {
    RandomMaps random(seed);
    const Index index = any_index(random_mesh(seed), random);
    Case out{index, any_query(index, random), {}};
    std::vector<Place> goals;
    goals.reserve(5);
    for (int i = 0; i < 4; ++i) goals.push_back(any_query(index, random).goal);
    goals.push_back({mesh::kNone, {1e9F, 0, 0}});
    const int count = random.number(0, 120);
    for (int i = 0; i < count; ++i) {
        const auto goal = static_cast<std::size_t>(random.number(0, 4));
        const Place start = any_query(index, random).start;
        out.requests.push_back({start, goals[goal]});
        if (random.chance(10)) out.requests.push_back(out.requests.front());
    }
    if (random.chance(30)) {
        for (mesh::Request& request : out.requests) std::swap(request.start, request.goal);
    }
    return out;
}

mesh::Paths answers_of(const Case& c, int threads) {
    BuildControl control;
    control.threads = threads;
    auto paths = batch::find_paths<hna::Planner>(c.index, c.requests, c.model, {}, control);
    EXPECT_TRUE(paths.has_value()) << paths.error().message;
    return paths ? *std::move(paths) : mesh::Paths{};
}

TEST(HnaBatch, EqualsSingleQueries) {
    std::size_t found = 0;
    for (std::uint64_t seed = 0; seed < cairn::test::scaled(100); ++seed) {
        const Case c = any_case(seed);
        const mesh::Paths paths = answers_of(c, 1);
        ASSERT_EQ(paths.status.size(), c.requests.size());
        for (std::size_t i = 0; i < c.requests.size(); ++i) {
            Query query = c.model;
            query.start = c.requests[i].start;
            query.goal = c.requests[i].goal;
            const Answer single = answer_to(c.index, query);
            ASSERT_EQ(paths.status[i], single.status) << seed << ", request " << i;
            ASSERT_EQ(paths.cost[i], single.cost) << seed << ", request " << i;
            ASSERT_TRUE(std::ranges::equal(paths.polygons[i], single.polygons)) << seed;
            ASSERT_TRUE(std::ranges::equal(paths.waypoints[i], single.waypoints)) << seed;
            found += single.polygons.size() > 1 ? 1 : 0;
        }
    }
    EXPECT_GT(found, 0U);
}

TEST(HnaBatch, OfAstarOverPolygonsEqualsSingleSearches) {
    std::size_t found = 0;
    for (std::uint64_t seed = 0; seed < cairn::test::scaled(50); ++seed) {
        const Case c = any_case(seed);
        const Mesh& mesh = c.index.mesh();
        const auto paths = batch::find_paths<mesh::AstarPlanner>(mesh, c.requests);
        ASSERT_TRUE(paths.has_value()) << paths.error().message;
        mesh::Astar astar;
        mesh::Path path;
        mesh::Funnel funnel;
        std::vector<Polygon> polygons;
        std::vector<mesh::Waypoint> waypoints;
        for (std::size_t i = 0; i < c.requests.size(); ++i) {
            const StatusCode status =
                astar.find_path(mesh, c.requests[i].start, c.requests[i].goal, path);
            ASSERT_EQ(paths->status[i], status) << seed << ", request " << i;
            ASSERT_EQ(paths->cost[i], path.cost) << seed << ", request " << i;
            if (status != StatusCode::ok) {
                ASSERT_TRUE(paths->polygons[i].empty());
                continue;
            }
            mesh::polygons(mesh, c.requests[i].start.polygon, path.links, polygons);
            ASSERT_TRUE(std::ranges::equal(paths->polygons[i], polygons)) << seed;
            funnel.pull(mesh, c.requests[i].start.point, c.requests[i].goal.point, path.links,
                        waypoints);
            ASSERT_TRUE(std::ranges::equal(paths->waypoints[i], waypoints)) << seed;
            ++found;
        }
    }
    EXPECT_GT(found, 0U);
}

// A searcher reuses parts of a path when the next query has the same goal or the same start. That
// must not change an answer.
TEST(HnaBatch, PathsThatShareAnEndEqualThoseOfSingleQueries) {
    std::size_t long_label_paths = 0;
    Searcher searcher;  // for all indexes, also after an edit
    Answer answer;
    for (std::uint64_t seed = 0; seed < cairn::test::scaled(40); ++seed) {
        RandomMaps random(seed);
        Index index = build(large_mesh(seed), {});
        std::vector<Query> models;  // their goals, and perhaps their starts, are used repeatedly
        models.reserve(3);
        for (int i = 0; i < 3; ++i) models.push_back(any_query(index, random));
        for (int i = 0; i < 150; ++i) {
            if (i == 100) {
                index = index.edited(any_edits(index.mesh(), random, 3)).value();
                index = index.with_labels().value();
            }
            Query query = any_query(index, random);
            query.engine = Engine::automatic;
            query.detail = i % 7 == 0 ? Detail::abstract_path : Detail::corridor;
            // 30 queries in a row share, by seed: the goal, both ends, or the start.
            const Query& shared = models[static_cast<std::size_t>(i / 30 % 3)];
            query.goal = shared.goal;
            if (seed % 3 == 1) query.start = shared.start;
            if (seed % 3 == 2) std::swap(query.start, query.goal);
            searcher.find(index, query, answer);
            ASSERT_TRUE(essence(answer) == essence(answer_to(index, query)))
                << seed << ", " << i << describe(query);
            if (answer.engine == Engine::cut_labels && answer.links.size() > 10) ++long_label_paths;
        }
    }
    EXPECT_GT(long_label_paths, 0U);
}

TEST(HnaBatch, OfAUsedSearcherEqualsThatOfAFreshOne) {
    batch::Searcher<hna::Planner> hna_searcher;
    batch::Searcher<mesh::AstarPlanner> astar_searcher;
    mesh::Paths paths;
    for (std::uint64_t seed = 0; seed < cairn::test::scaled(60); ++seed) {
        const Case c = any_case(seed);
        ASSERT_TRUE(hna_searcher.find_paths(c.index, c.requests, paths, c.model).ok());
        EXPECT_TRUE(paths == answers_of(c, 1)) << seed;
        ASSERT_TRUE(astar_searcher.find_paths(c.index.mesh(), c.requests, paths).ok());
        const auto fresh = batch::find_paths<mesh::AstarPlanner>(c.index.mesh(), c.requests);
        ASSERT_TRUE(fresh.has_value());
        EXPECT_TRUE(paths == *fresh) << seed;
    }
}

TEST(HnaBatch, OfAUsedSearcherAllocatesPerBatchAndNotPerRequest) {
    if (!cairn::test::counts_allocations()) GTEST_SKIP() << "allocations are not counted";
    Case c = any_case(3);
    const std::size_t distinct = c.requests.size();
    ASSERT_GT(distinct, 0U);
    while (c.requests.size() < 2000)
        c.requests.push_back(mesh::Request(c.requests[c.requests.size() % distinct]));
    BuildControl control;
    control.threads = 1;
    batch::Searcher<hna::Planner> searcher;
    mesh::Paths paths;
    std::uint64_t allocated = 0;  // by the last batch
    for (int round = 0; round < 2; ++round) {
        const std::uint64_t before = cairn::test::allocations();
        ASSERT_TRUE(searcher.find_paths(c.index, c.requests, paths, c.model, {}, control).ok());
        allocated = cairn::test::allocations() - before;
    }
    EXPECT_LT(allocated, 100U);
}

TEST(HnaBatch, PlacesOutsideTheMeshAreAnsweredAsOutside) {
    constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
    constexpr float kInf = std::numeric_limits<float>::infinity();
    constexpr float kMax = std::numeric_limits<float>::max();
    Case c = any_case(5);
    c.requests.clear();
    for (const float x : {kNan, kInf, -kInf}) {
        for (const float z : {kNan, kInf, kMax, -kMax})
            c.requests.push_back({{mesh::kNone, {x, 0, z}}, {mesh::kNone, {z, 0, x}}});
    }
    const std::size_t outside = c.requests.size();
    for (int inside = 0; inside < 2; ++inside) {  // requests on the mesh: none, then one
        const mesh::Paths paths = answers_of(c, 2);
        ASSERT_EQ(paths.status.size(), c.requests.size());
        for (std::size_t i = 0; i < outside; ++i)
            EXPECT_EQ(paths.status[i], StatusCode::start_outside);
        c.requests.push_back({{0, c.index.mesh().centre(0)}, {0, c.index.mesh().centre(0)}});
    }
}

TEST(HnaBatch, LeavesRequestsOverItsBudgetUnanswered) {
    const Case c = any_case(7);
    batch::Options options;
    options.max_spent = c.requests.size() / 2;
    const auto paths =
        batch::find_paths<mesh::AstarPlanner>(c.index.mesh(), c.requests, {}, options);
    const auto all = batch::find_paths<mesh::AstarPlanner>(c.index.mesh(), c.requests);
    ASSERT_TRUE(paths.has_value() && all.has_value());
    std::size_t answered = 0;
    for (std::size_t i = 0; i < c.requests.size(); ++i) {
        if (paths->status[i] == StatusCode::budget_exhausted) {
            EXPECT_TRUE(paths->polygons[i].empty());
            continue;
        }
        ++answered;
        EXPECT_EQ(paths->cost[i], all->cost[i]);
        EXPECT_TRUE(std::ranges::equal(paths->polygons[i], all->polygons[i]));
    }
    EXPECT_GT(answered, 0U);
    EXPECT_LT(answered, c.requests.size());
}

TEST(HnaBatchThreads, ChangeNoAnswer) {
    for (std::uint64_t seed = 0; seed < cairn::test::scaled(30); ++seed) {
        const Case c = any_case(seed);
        const mesh::Paths paths = answers_of(c, 1);
        for (const int threads : {0, 2, 5}) EXPECT_TRUE(answers_of(c, threads) == paths) << seed;
    }
}

}  // namespace
}  // namespace cairn::hna::test
