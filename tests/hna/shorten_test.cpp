// Query::shorten: corridors move to where their strings are shorter, and stay corridors.

#include <gtest/gtest.h>

#include "cairn/mesh/from_grid.hpp"
#include "cairn/mesh/path.hpp"
#include "hna/verify.hpp"
#include "support/allocation_counter.hpp"
#include "support/scale.hpp"

namespace cairn::hna::test {
namespace {

/// The length of an answer's string, each part times the area cost of its polygon. The answer must
/// have the crossings where areas change.
double weighted_length(const Mesh& mesh, const Answer& answer) {
    double sum = 0;
    Polygon polygon = answer.start.polygon;
    for (std::size_t i = 1; i < answer.waypoints.size(); ++i) {
        const mesh::Link link = answer.waypoints[i - 1].link;
        if (link != mesh::kNone) polygon = mesh.polygon_of(mesh::twin(link));
        const mesh::Waypoint part[] = {answer.waypoints[i - 1], answer.waypoints[i]};
        sum += mesh::length(part) * double{mesh.options().area_costs[mesh.area(polygon)]};
    }
    return sum;
}

class HnaShorten : public testing::Test {
protected:
    /// Compares an answer of each mode with the one that is not shortened.
    void compare(const Index& index, Query query) {
        const Mesh& mesh = index.mesh();
        const MeshDijkstra oracle(mesh);
        query.crossings = mesh::Crossings::areas;
        for (const SearchMode& mode : search_modes(index)) {
            query.engine = mode.engine;
            query.connect = mode.connect;
            query.search_level = mode.level;
            query.shorten = false;
            searcher_.find(index, query, plain_);
            query.shorten = true;
            searcher_.find(index, query, shortened_);
            ASSERT_EQ(shortened_.status, plain_.status) << describe(query);
            ASSERT_EQ(shortened_.lower_bound, plain_.lower_bound);
            if (plain_.status != StatusCode::ok) continue;
            ASSERT_GE(shortened_.cost, plain_.cost) << describe(query);
            ASSERT_EQ(shortened_.cost,
                      oracle.cost_of(shortened_.start, shortened_.goal, shortened_.links))
                << describe(query);
            std::vector<Polygon> polygons;
            mesh::polygons(mesh, shortened_.start.polygon, shortened_.links, polygons);
            ASSERT_EQ(shortened_.polygons, polygons);
            ASSERT_EQ(shortened_.waypoints.front().point, shortened_.start.point);
            ASSERT_EQ(shortened_.waypoints.back().point, shortened_.goal.point);
            const double plain = weighted_length(mesh, plain_);
            const double shortened = weighted_length(mesh, shortened_);
            ASSERT_LE(shortened, plain * (1 + 1e-6)) << describe(query);
            plain_sum_ += plain;
            shortened_sum_ += shortened;
            if (shortened_.links != plain_.links) {
                ++moved_;
                bound_cost(index, query);
            }
            ASSERT_EQ(answer_to(index, query).links, shortened_.links);
            check_string(index, query);
        }
    }

    /// An answer's string is that of its corridor. Without other crossings it comes from the search
    /// for a shorter one.
    void check_string(const Index& index, Query query) {
        query.crossings = mesh::Crossings::corners;
        const Answer found = answer_to(index, query);
        std::vector<mesh::Waypoint> string;
        mesh::Funnel().pull(index.mesh(), found.start.point, found.goal.point, found.links, string);
        ASSERT_EQ(found.waypoints, string) << describe(query);
        ASSERT_EQ(found.length, mesh::length(string));
    }

    /// With the least cost as the limit, a corridor that would cost more does not move.
    void bound_cost(const Index& index, Query query) {
        query.limits.max_cost = plain_.cost;
        const Answer bounded = answer_to(index, query);
        ASSERT_EQ(bounded.status, StatusCode::ok);
        ASSERT_EQ(bounded.cost, plain_.cost);
        check_string(index, query);
        if (shortened_.cost > plain_.cost) {
            ASSERT_EQ(bounded.links, plain_.links);
        }
    }

    Searcher searcher_;
    Answer plain_;
    Answer shortened_;
    double plain_sum_ = 0;
    double shortened_sum_ = 0;
    int moved_ = 0;
};

TEST_F(HnaShorten, StringsAreNeverLongerThanThoseOfTheCheapestCorridors) {
    const auto seeds = cairn::test::scaled(300);
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
        RandomMaps random(seed);
        const Mesh mesh = large_mesh(seed);
        const Index index = build(mesh, any_options(mesh, random));
        for (int i = 0; i < 8; ++i) {
            compare(index, random_query(mesh, random));
            ASSERT_FALSE(HasFatalFailure()) << "seed " << seed;
        }
    }
    EXPECT_GT(moved_, 0);
    EXPECT_LT(shortened_sum_, plain_sum_);
}

// Rectangles of free cells have long portals: their middles say little about strings.
TEST_F(HnaShorten, StringsOnMergedGridsBecomeSomePercentShorter) {
    const auto seeds = cairn::test::scaled(30);
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
        RandomMaps random(seed);
        const auto map = random.noise({40, 40}, random.number(3, 20));
        const Index index = build(mesh::mesh_from_grid(map).value());
        for (int i = 0; i < 15; ++i) {
            compare(index, random_query(index.mesh(), random));
            ASSERT_FALSE(HasFatalFailure()) << "seed " << seed;
        }
    }
    EXPECT_LT(shortened_sum_, .98 * plain_sum_);
}

// Four quads around a corner. The two below are deep, so the cheapest corridor leads over the one
// at the top right, but the straight line passes below the corner.
TEST_F(HnaShorten, MovesOverACornerInsideTheMesh) {
    const std::vector<mesh::Point> vertices{{0, 0, 0},  {10, 0, 0},  {20, 0, 0},
                                            {0, 0, 10}, {10, 0, 10}, {20, 0, 10},
                                            {0, 0, 14}, {10, 0, 14}, {20, 0, 14}};
    const std::vector<std::uint32_t> corners{0, 1, 4, 3, 1, 2, 5, 4, 3, 4, 7, 6, 4, 5, 8, 7};
    const std::vector<std::uint32_t> first{0, 4, 8, 12, 16};
    mesh::MeshSource source;
    source.vertices = vertices;
    source.corners = corners;
    source.first_corner = first;
    const Index index = build(Mesh::build(source).value());
    Query query = query_of({2, {9, 0, 10.2F}}, {1, {11, 0, 9.2F}}, Engine::automatic);
    searcher_.find(index, query, plain_);
    EXPECT_EQ(plain_.polygons, (std::vector<Polygon>{2, 3, 1}));
    EXPECT_EQ(plain_.waypoints.size(), 3U);
    query.shorten = true;
    searcher_.find(index, query, shortened_);
    EXPECT_EQ(shortened_.polygons, (std::vector<Polygon>{2, 0, 1}));
    EXPECT_EQ(shortened_.waypoints.size(), 2U);
}

TEST_F(HnaShorten, AllocatesNothingOnceWarm) {
    if (!cairn::test::counts_allocations()) GTEST_SKIP() << "allocations are not counted here";
    RandomMaps random(1);
    const Index index = build(mesh::mesh_from_grid(random.noise({40, 40}, 15)).value());
    std::vector<Query> queries;
    for (int i = 0; i < 50; ++i) {
        queries.push_back(random_query(index.mesh(), random));
        queries.back().shorten = true;
    }
    const auto round = [&] {
        const std::uint64_t before = cairn::test::allocations();
        for (const Query& query : queries) searcher_.find(index, query, shortened_);
        return cairn::test::allocations() - before;
    };
    EXPECT_GT(round(), 0U);
    round();
    EXPECT_EQ(round(), 0U);
}

}  // namespace
}  // namespace cairn::hna::test
