// Starts and goals of every kind: equal, isolated, blocked, outside, on portals and on corners.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "hna/verify.hpp"

namespace cairn::hna::test {
namespace {

using cairn::test::drawn_mesh;
using mesh::kNone;
using mesh::Point;

/// Calls `check(index, engine)` for eight indexes of the mesh, with every engine that each has.
template <class Check>
void for_all_engines(const Mesh& mesh, Check&& check) {
    for (int variant = 0; variant < 8; ++variant) {
        Options options;
        options.mu = variant % 2 == 0 ? 2 : 8;
        options.levels = variant / 2 % 2 == 0 ? 1 : 3;
        options.pccp = variant < 4 ? Pccp::portals : Pccp::none;
        const Index index = build(mesh, options);
        for (const SearchMode& mode : search_modes(index)) check(index, mode.engine);
    }
}

Mesh with_blocked(const Mesh& mesh, Polygon polygon) {
    const mesh::PolygonEdit edit{polygon, mesh.area(polygon), true};
    return mesh.edited({&edit, 1}).value();
}

Place at(Polygon polygon, float x, float z) { return {polygon, {x, 0, z}}; }

TEST(HnaEndpointsTest, InOnePolygonThePathIsAStraightLine) {
    for_all_engines(drawn_mesh({"aa"}), [](const Index& index, Engine engine) {
        Answer answer = answer_to(index, query_of(at(0, 0.25F, 0.5F), at(0, 1.75F, 0.5F), engine));
        EXPECT_EQ(answer.status, StatusCode::ok);
        EXPECT_EQ(answer.cost, std::ceil(1.5 * index.mesh().units_per_length()));
        EXPECT_EQ(answer.polygons, std::vector<Polygon>{0});
        EXPECT_TRUE(answer.links.empty() && answer.abstract_nodes.empty());
        EXPECT_EQ(answer.waypoints.size(), 2U);
        EXPECT_EQ(answer.length, 1.5);
        answer = answer_to(index, query_of(at(0, 1, 0), at(0, 1, 0), engine));
        EXPECT_EQ(answer.status, StatusCode::ok);
        EXPECT_EQ(answer.cost, 0U);
    });
}

TEST(HnaEndpointsTest, EveryPlaceIsOutsideAnEmptyMesh) {
    const Index index = build(Mesh());
    EXPECT_EQ(answer_to(index, query_of(at(0, 0, 0), at(0, 0, 0))).status,
              StatusCode::start_outside);
    EXPECT_EQ(answer_to(index, query_of(at(kNone, 0, 0), at(kNone, 0, 0))).status,
              StatusCode::start_outside);
    EXPECT_EQ(index.clusters(1), 0U);
    EXPECT_EQ(index.reachable(0, 0), StatusCode::start_outside);
}

// Polygons a, b and c are 0, 1 and 2; b is blocked, and nothing joins c to the others. 3 and 9 do
// not exist. The start is judged first, then the goal, then the path.
TEST(HnaEndpointsTest, TheFirstFaultGivesTheStatus) {
    for_all_engines(with_blocked(drawn_mesh({"ab.c"}), 1), [](const Index& index, Engine engine) {
        const auto status = [&](Polygon start, Polygon goal) {
            const auto place = [&](Polygon p) {
                return p < 3 ? Place{p, index.mesh().centre(p)} : at(p, 0.5F, 0.5F);
            };
            return answer_to(index, query_of(place(start), place(goal), engine)).status;
        };
        EXPECT_EQ(status(3, 9), StatusCode::start_outside);
        EXPECT_EQ(status(9, 0), StatusCode::start_outside);
        EXPECT_EQ(status(1, 9), StatusCode::start_blocked);
        EXPECT_EQ(status(1, 1), StatusCode::start_blocked);
        EXPECT_EQ(status(0, 9), StatusCode::goal_outside);
        EXPECT_EQ(status(0, 1), StatusCode::goal_blocked);
        EXPECT_EQ(status(0, 2), StatusCode::no_path);
        EXPECT_EQ(status(0, 0), StatusCode::ok);
        EXPECT_EQ(status(2, 2), StatusCode::ok);
    });
}

TEST(HnaEndpointsTest, CoordinatesThatAreNotFiniteOrFarAwayAreOutside) {
    constexpr float kInf = std::numeric_limits<float>::infinity();
    constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
    constexpr float kFar = std::numeric_limits<float>::max();
    const Point inside{0.5F, 0, 0.5F};  // in polygon 0
    for_all_engines(drawn_mesh({"ab.", "cde"}), [&](const Index& index, Engine engine) {
        for (const float not_finite : {kInf, -kInf, kNan}) {
            for (const Point& point :
                 {Point{not_finite, 0, 0}, Point{0, not_finite, 0}, Point{0, 0, not_finite}}) {
                for (const Polygon polygon : {Polygon{0}, kNone}) {
                    Query query = query_of({polygon, point}, {0, inside}, engine);
                    EXPECT_EQ(answer_to(index, query).status, StatusCode::start_outside);
                    query = query_of({0, inside}, {polygon, point}, engine);
                    EXPECT_EQ(answer_to(index, query).status, StatusCode::goal_outside);
                    query.nearest_reachable = true;
                    EXPECT_EQ(answer_to(index, query).status, StatusCode::goal_outside);
                }
            }
        }
        for (const Point& point : {Point{kFar, 0, 0}, Point{0, -kFar, 0}, Point{1, 1, kFar}}) {
            Query query = query_of({kNone, point}, {0, inside}, engine);
            EXPECT_EQ(answer_to(index, query).status, StatusCode::start_outside);
            query = query_of({0, inside}, {kNone, point}, engine);
            EXPECT_EQ(answer_to(index, query).status, StatusCode::goal_outside);
            query.nearest_reachable = true;
            const Answer answer = answer_to(index, query);
            EXPECT_EQ(answer.status, StatusCode::ok);
            EXPECT_TRUE(answer.goal_moved);
        }
    });
}

// A place may name a polygon and have its point anywhere else. The path then costs as much as the
// distance says, but never so much that costs overflow.
TEST(HnaEndpointsTest, PointsFarFromTheirPolygonsDoNotOverflow) {
    for_all_engines(drawn_mesh({"abcdef"}), [](const Index& index, Engine engine) {
        for (const float x : {1e9F, 1e30F, -std::numeric_limits<float>::max()}) {
            const Query query = query_of(at(0, x, 0), at(5, -x, 0), engine);
            const Answer answer = answer_to(index, query);
            ASSERT_EQ(answer.status, StatusCode::ok);
            EXPECT_GE(answer.cost, 2 * (Cost{1} << 28));  // 2^28 for each end
            EXPECT_LT(answer.cost, kInfinity);
            EXPECT_EQ(answer.links.size(), 5U);
        }
    });
}

// Polygon i (8) touches no other polygon.
TEST(HnaEndpointsTest, AnIslandReachesOnlyItself) {
    const Mesh mesh = drawn_mesh({"abc",  //
                                  "d.e",  //
                                  "fgh",  //
                                  "...",  //
                                  ".i."});
    for_all_engines(mesh, [](const Index& index, Engine engine) {
        const Place island{8, index.mesh().centre(8)};
        for (Polygon p = 0; p < 8; ++p) {
            const Place place{p, index.mesh().centre(p)};
            EXPECT_EQ(answer_to(index, query_of(place, island, engine)).status,
                      StatusCode::no_path);
            EXPECT_EQ(answer_to(index, query_of(island, place, engine)).status,
                      StatusCode::no_path);
            EXPECT_EQ(index.reachable(p, 8), StatusCode::no_path);
            EXPECT_EQ(index.reachable(8, p), StatusCode::no_path);
        }
        EXPECT_EQ(answer_to(index, query_of(island, island, engine)).cost, 0U);
        EXPECT_EQ(index.reachable(8, 8), StatusCode::ok);
        EXPECT_EQ(index.reachable(8, 9), StatusCode::goal_outside);
    });
}

// Starts on every corner of every polygon, goals on the middle of a portal: the polygon that the
// place names counts, although others share the point.
TEST(HnaEndpointsTest, PlacesOnPortalsAndCornersHaveTheLeastCost) {
    const Mesh mesh = drawn_mesh({"abcd", "efgh", "ijkl", "mnop"});
    const MeshDijkstra oracle(mesh);
    Searcher searcher;
    Answer answer;
    for (const int levels : {1, 2, 3}) {
        Options options;
        options.mu = 3;
        options.levels = levels;
        const Index index = build(mesh, options);
        for (Polygon from = 0; from < 16; ++from) {
            for (const std::uint32_t corner : mesh.corners(from)) {
                const Place start{from, mesh.vertices()[corner]};
                for (Polygon to = 0; to < 16; ++to) {
                    const Place goal{to, mesh.links(to).empty() ? mesh.centre(to)
                                                                : mesh.midpoint(mesh.links(to)[0])};
                    const Query query = query_of(start, goal);
                    ASSERT_EQ(
                        fault_of_any_mode(index, query, oracle.cost(start, goal), searcher, answer),
                        "");
                }
            }
        }
    }
}

TEST(HnaEndpointsTest, ReachableNeedsNoSearch) {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        const Mesh mesh = random_mesh(seed);
        RandomMaps random(seed);
        const Index index = any_index(mesh, random);
        const MeshDijkstra oracle(mesh);
        for (int i = 0; i < 40; ++i) {
            Query query = random_query(mesh, random);
            query.detail = Detail::reachable;
            query.limits.max_cost = 0;
            query.limits.max_expanded = 0;
            const Answer answer = answer_to(index, query);
            const bool found = oracle.cost(query.start, query.goal) < kInfinity;
            EXPECT_EQ(answer.status == StatusCode::ok, found);
            EXPECT_EQ((index.reachable(query.start.polygon, query.goal.polygon) == StatusCode::ok),
                      found);
            EXPECT_EQ(answer.cost, kInfinity);
            EXPECT_EQ(answer.statistics.search.expanded, 0U);
        }
    }
}

}  // namespace
}  // namespace cairn::hna::test
