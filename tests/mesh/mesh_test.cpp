// Meshes: costs, links, edits, fingerprints, connections, units and bounds.

#include "cairn/mesh/mesh.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

#include "mesh/mesh_data.hpp"
#include "support/hash.hpp"
#include "support/mesh_dijkstra.hpp"
#include "support/random_meshes.hpp"
#include "support/scale.hpp"

namespace cairn::mesh {
namespace {

using test::MeshDijkstra;

// Seen from above: positive if p, a, b turn in the order of a polygon's corners.
double turn(const Point& p, const Point& a, const Point& b) {
    return (double{a.x} - double{p.x}) * (double{b.z} - double{p.z}) -
           (double{a.z} - double{p.z}) * (double{b.x} - double{p.x});
}

// All costs inside polygons equal those computed from their definition.
void expect_costs_as_defined(const Mesh& mesh, test::RandomMaps& random) {
    const MeshDijkstra defined(mesh);
    for (Polygon p = 0; p < mesh.num_polygons(); ++p) {
        if (mesh.blocked(p)) continue;
        const auto links = mesh.links(p);
        const Place a = test::random_place(mesh, p, random);
        const Place b = test::random_place(mesh, p, random);
        const Point anchor = mesh.anchor(p, a.point);
        ASSERT_EQ(mesh.direct_cost(p, anchor, mesh.anchor(p, b.point)), defined.direct(a, b));
        for (std::uint32_t i = 0; i < links.size(); ++i) {
            ASSERT_EQ(mesh.polygon_of(links[i]), p);
            ASSERT_EQ(mesh.place(links[i]), i);
            ASSERT_EQ(mesh.end_cost(p, anchor, i), defined.end(a, links[i]));
            for (std::uint32_t j = 0; j < links.size(); ++j)
                ASSERT_EQ(mesh.inside_cost(p, i, j), defined.inside(links[i], links[j]));
        }
    }
}

TEST(MeshTest, CostsAreAsDefined) {
    for (std::uint64_t seed = 0; seed < test::scaled(500); ++seed) {
        SCOPED_TRACE(seed);
        test::RandomMaps random(seed);
        expect_costs_as_defined(test::random_mesh(seed), random);
    }
}

TEST(MeshTest, LeftAndRightOfALinkAreSeenFromItsPolygon) {
    for (std::uint64_t seed = 0; seed < test::scaled(500); ++seed) {
        SCOPED_TRACE(seed);
        const Mesh mesh = test::random_mesh(seed);
        for (Link link = 0; link < mesh.num_links(); ++link) {
            const Point centre = mesh.centre(mesh.polygon_of(link));
            ASSERT_GE(turn(centre, mesh.right(link), mesh.left(link)), -1e-6) << link;
            ASSERT_EQ(mesh.left(link), mesh.right(twin(link)));
        }
    }
}

// Two meshes are equal by == and in the values of their accessors.
void expect_same(const Mesh& a, const Mesh& b) {
    ASSERT_EQ(a, b);
    ASSERT_EQ(a.fingerprint(), b.fingerprint());
    ASSERT_EQ(a.num_links(), b.num_links());
    for (Link link = 0; link < a.num_links(); ++link) {
        ASSERT_EQ(a.open(link), b.open(link));
        ASSERT_EQ(a.bound(link, {1, 2, 3}), b.bound(link, {1, 2, 3}));
    }
    for (Polygon p = 0; p < a.num_polygons(); ++p) {
        ASSERT_EQ(a.blocked(p), b.blocked(p));
        ASSERT_EQ(a.area(p), b.area(p));
        for (std::uint32_t i = 0; i < a.links(p).size(); ++i) {
            ASSERT_EQ(a.inside_cost(p, 0, i), b.inside_cost(p, 0, i));
            ASSERT_EQ(a.end_cost(p, {1, 2, 3}, i), b.end_cost(p, {1, 2, 3}, i));
        }
    }
}

TEST(MeshTest, AnEditedMeshEqualsOneBuiltFromScratch) {
    for (std::uint64_t seed = 0; seed < test::scaled(300); ++seed) {
        SCOPED_TRACE(seed);
        test::RandomMaps random(seed);
        MeshOptions options;
        options.area_costs[1] = 2.5F;
        options.area_costs[2] = 0.5F;
        options.area_costs[3] = std::numeric_limits<float>::infinity();
        if (random.chance(30)) options.scoring = Scoring::polygon_centres;
        test::MeshParts parts = test::mesh_of_kind(test::MeshKind::lattice, random);
        test::add_areas(parts, random);
        Mesh mesh = parts.build(options);
        const Mesh before = mesh;
        for (int round = 0; round < 3; ++round) {
            std::vector<PolygonEdit> edits(static_cast<std::size_t>(random.number(0, 5)));
            for (PolygonEdit& edit : edits) {
                edit.polygon = static_cast<Polygon>(
                    random.number(0, static_cast<int>(parts.num_polygons()) - 1));
                edit.area = static_cast<std::uint8_t>(random.number(0, 3));
                edit.blocked = random.chance(30);
                parts.areas[edit.polygon] = edit.area;
                std::erase(parts.blocked, edit.polygon);
                if (edit.blocked) parts.blocked.push_back(edit.polygon);
            }
            mesh = mesh.edited(edits).value();
            expect_same(mesh, parts.build(options));
            expect_costs_as_defined(mesh, random);
        }
        EXPECT_EQ(mesh == before, mesh.fingerprint() == before.fingerprint());
    }
}

TEST(MeshTest, AMeshWithOtherAreaCostsEqualsOneBuiltFromScratch) {
    for (std::uint64_t seed = 0; seed < test::scaled(200); ++seed) {
        SCOPED_TRACE(seed);
        test::RandomMaps random(seed);
        MeshOptions options;
        options.scoring = static_cast<Scoring>(seed % 3);
        test::MeshParts parts = test::mesh_of_kind(test::MeshKind::lattice, random);
        test::add_areas(parts, random);
        const Mesh mesh = parts.build(options);
        const Mesh same = mesh;
        const PolygonEdit edit{0, 2, true};
        parts.areas[0] = edit.area;
        parts.blocked = {0};
        options.area_costs[0] = static_cast<float>(random.number(1, 1000));
        options.area_costs[1] = 0.25F;
        options.area_costs[2] = std::numeric_limits<float>::infinity();
        const Mesh other = mesh.with_area_costs(options.area_costs, {&edit, 1}).value();
        expect_same(other, parts.build(options));
        expect_costs_as_defined(other, random);
        EXPECT_EQ(other.units_per_length(), parts.build(options).units_per_length());
        EXPECT_EQ(other.data().topology, mesh.data().topology) << "it is shared";
        EXPECT_EQ(mesh, same);
    }
    const Mesh mesh = test::drawn_mesh({"ab"});
    auto costs = MeshOptions::all_ones();
    const PolygonEdit unknown{2, 0, true};
    EXPECT_EQ(mesh.with_area_costs(costs, {&unknown, 1}).error().code, StatusCode::bad_option);
    costs[63] = 1001;
    EXPECT_EQ(mesh.with_area_costs(costs).error().code, StatusCode::bad_option);
}

TEST(MeshTest, RefusesEditsOfUnknownPolygonsAndAreas) {
    const Mesh mesh = test::drawn_mesh({"ab"});
    const PolygonEdit unknown_polygon{2, 0, true};
    const PolygonEdit unknown_area{1, 64, false};
    for (const PolygonEdit& edit : {unknown_polygon, unknown_area}) {
        const Result<Mesh> edited = mesh.edited({&edit, 1});
        ASSERT_FALSE(edited);
        EXPECT_EQ(edited.error().code, StatusCode::bad_option);
    }
    EXPECT_EQ(mesh.edited({&unknown_area, 1}).error().message,
              "an edit of polygon 1 to area 64: polygons are below 2, areas below 64");
    EXPECT_EQ(mesh.edited({}).value(), mesh);
}

TEST(MeshTest, EqualityAndFingerprintsDependOnEveryPart) {
    test::MeshParts parts = test::drawn_parts({"aab", "ccb"});
    const Mesh mesh = parts.build();
    EXPECT_EQ(mesh, parts.build());
    EXPECT_EQ(mesh.fingerprint(), parts.build().fingerprint());
    const auto differs = [&](const Mesh& other) {
        return other != mesh && other.fingerprint() != mesh.fingerprint();
    };
    MeshOptions options;
    options.area_costs[0] = 2;
    EXPECT_TRUE(differs(parts.build(options)));
    options = {};
    options.scoring = Scoring::polygon_centres;
    EXPECT_TRUE(differs(parts.build(options)));
    options = {};
    options.units_per_length = 1000;
    EXPECT_TRUE(differs(parts.build(options)));
    test::MeshParts other = parts;
    other.vertices[0].y = 0.5F;
    EXPECT_TRUE(differs(other.build()));
    other = parts;
    other.areas = {0, 1, 0};
    EXPECT_TRUE(differs(other.build()));
    other = parts;
    other.blocked = {2};
    EXPECT_TRUE(differs(other.build()));
    other = parts;
    other.portals[0].back = false;
    EXPECT_TRUE(differs(other.build()));
    other = parts;
    other.portals.pop_back();
    EXPECT_TRUE(differs(other.build()));
    other = parts;
    other.connections = {{0, 1, {0.5F, 0, 0.5F}, {2.5F, 0, 0.5F}}};
    EXPECT_TRUE(differs(other.build()));
}

TEST(MeshTest, AMeshMayHaveNoPolygons) {
    const Mesh none;
    EXPECT_EQ(none.num_polygons(), 0U);
    EXPECT_EQ(none.num_links(), 0U);
    EXPECT_TRUE(none.vertices().empty());
    EXPECT_EQ(Mesh::build({}).value(), none);
    EXPECT_EQ(Mesh::build({}).value().fingerprint(), none.fingerprint());
    EXPECT_GT(none.bytes(), 0U);
}

TEST(MeshTest, OrdersTheCornersOfAllPolygonsInTheSameDirection) {
    test::MeshParts parts;
    for (const auto& [x, z] : {std::array{0.0F, 0.0F}, {1.0F, 0.0F}, {1.0F, 1.0F}, {0.0F, 1.0F}})
        parts.vertex(x, 0, z);
    parts.polygon({0, 3, 2, 1});
    const Mesh mesh = parts.build();
    const std::vector<std::uint32_t> corners(mesh.corners(0).begin(), mesh.corners(0).end());
    EXPECT_EQ(corners, (std::vector<std::uint32_t>{0, 1, 2, 3}));
    EXPECT_EQ(mesh.centre(0), (Point{0.5F, 0, 0.5F}));
}

// Squares a, b and c in a row, and a one-way connection from c back to a.
TEST(MeshTest, AConnectionIsAPolygonWithTwoLinks) {
    test::MeshParts parts = test::drawn_parts({"abc"});
    parts.connections = {{2, 0, {2.5F, 0, 0.5F}, {0.5F, 0, 0.5F}, 4, false}};
    const Mesh mesh = parts.build();
    ASSERT_EQ(mesh.num_polygons(), 4U);
    EXPECT_TRUE(mesh.is_connection(3));
    EXPECT_FALSE(mesh.is_connection(2));
    EXPECT_TRUE(mesh.directed());
    EXPECT_EQ(mesh.area(3), 4);
    ASSERT_EQ(mesh.links(3).size(), 2U);
    const Link begin = mesh.links(3)[0];
    const Link end = mesh.links(3)[1];
    EXPECT_EQ(mesh.polygon_of(twin(begin)), 2U);
    EXPECT_EQ(mesh.polygon_of(twin(end)), 0U);
    EXPECT_TRUE(mesh.open(twin(begin)) && mesh.open(end));
    EXPECT_FALSE(mesh.open(begin) || mesh.open(twin(end)));
    EXPECT_EQ(mesh.midpoint(begin), (Point{2.5F, 0, 0.5F}));
    EXPECT_EQ(mesh.inside_cost(3, 0, 1), static_cast<Cost>(2 * mesh.units_per_length()));
    EXPECT_EQ(mesh.links(2).back(), twin(begin));
}

TEST(MeshTest, UnitsAreTheFinestThatFit) {
    EXPECT_EQ(test::drawn_mesh({"ab"}).units_per_length(), 65536);
    test::MeshParts parts = test::drawn_parts({"abc"});
    for (Point& p : parts.vertices) p = {p.x * 1e6F, p.y, p.z * 1e6F};
    for (PortalSource& portal : parts.portals) {
        portal.begin = {portal.begin.x * 1e6F, 0, portal.begin.z * 1e6F};
        portal.end = {portal.end.x * 1e6F, 0, portal.end.z * 1e6F};
    }
    EXPECT_EQ(parts.build().units_per_length(), 64);  // sqrt 10 * 1e6 * 64 < 2^28
    MeshOptions options;
    options.area_costs[9] = 1000;
    EXPECT_EQ(parts.build(options).units_per_length(), 1.0 / 16);
}

// An upper bound of the length of a path: the sum over all portals of the longest line from the
// portal inside its polygons.
double path_length_bound(const Mesh& mesh) {
    const auto centres = mesh.options().scoring == Scoring::polygon_centres;
    const auto length = [](const Point& a, const Point& b) {
        return std::sqrt(std::pow(double{a.x} - double{b.x}, 2) +
                         std::pow(double{a.y} - double{b.y}, 2) +
                         std::pow(double{a.z} - double{b.z}, 2));
    };
    // Half the line between the centres of the polygons at a link.
    const auto half = [&](Link link) {
        return length(mesh.centre(mesh.polygon_of(link)),
                      mesh.centre(mesh.polygon_of(twin(link)))) /
               2;
    };
    double sum = 0;
    for (Link link = 0; link < mesh.num_links(); link += 2) {
        double longest = 0;
        for (const Link from : {link, twin(link)}) {
            for (const Link to : mesh.links(mesh.polygon_of(from))) {
                const double line = centres ? half(from) + half(to)
                                            : length(mesh.midpoint(from), mesh.midpoint(to));
                longest = std::max(longest, line);
            }
        }
        sum += longest;
    }
    return sum;
}

TEST(MeshTest, AutomaticUnitsKeepPathsBelowInfinityAndAreNotTooCoarse) {
    for (std::uint64_t seed = 0; seed < test::scaled(200); ++seed) {
        SCOPED_TRACE(seed);
        test::RandomMaps random(seed);
        test::MeshParts parts =
            test::mesh_of_kind(static_cast<test::MeshKind>(random.number(0, 4)), random);
        const auto scale = static_cast<float>(random.number(1, 1'000'000));
        for (Point& p : parts.vertices) p = {p.x * scale, p.y * scale, p.z * scale};
        MeshOptions options;
        options.area_costs[5] = static_cast<float>(random.number(1, 1000));
        if (random.chance(30)) options.scoring = Scoring::polygon_centres;
        const Mesh mesh = parts.build(options);
        const double units = mesh.units_per_length();
        const double path = path_length_bound(mesh) * double{options.area_costs[5]};
        ASSERT_LT(path * units, 0x1p30);
        // Units twice as fine would come near a limit: 2^30 for paths, 2^28 for the diagonal.
        const double diagonal = 10 * double{scale} * double{options.area_costs[5]};
        const bool finest = units == 65536 || std::max(path, 4 * diagonal) * units * 2.01 > 0x1p28;
        ASSERT_TRUE(finest) << units;
    }
}

// Costs of places far off the mesh are cut off at 2^28, so that no sum of costs overflows.
TEST(MeshTest, CostsOfPlacesFarOffTheMeshAreCutOff) {
    const Mesh mesh = test::drawn_mesh({"ab"});
    constexpr float kFar = std::numeric_limits<float>::max();
    for (const float y :
         {kFar, std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
        const Point far{0, y, 0};
        EXPECT_EQ(mesh.end_cost(0, far, 0), Cost{1} << 28);
        EXPECT_EQ(mesh.direct_cost(0, far, {}), Cost{1} << 28);
        EXPECT_EQ(mesh.bound(0, far), Cost{1} << 28);
    }
}

// No step of a search makes the bound drop by more than it costs.
TEST(MeshTest, BoundsAreConsistent) {
    for (std::uint64_t seed = 0; seed < test::scaled(300); ++seed) {
        SCOPED_TRACE(seed);
        const Mesh mesh = test::random_mesh(seed);
        test::RandomMaps random(seed);
        const Place goal = test::random_place(mesh, random);
        const Point anchor = mesh.anchor(goal.polygon, goal.point);
        for (Link link = 0; link < mesh.num_links(); ++link) {
            const Polygon p = mesh.polygon_of(link);
            if (mesh.blocked(p)) continue;
            const auto links = mesh.links(p);
            for (std::uint32_t i = 0; i < links.size(); ++i) {
                if (links[i] == link || !mesh.open(links[i])) continue;
                ASSERT_LE(mesh.bound(link, anchor), mesh.inside_cost(p, mesh.place(link), i) +
                                                        mesh.bound(twin(links[i]), anchor));
            }
            if (p != goal.polygon) continue;
            ASSERT_LE(mesh.bound(link, anchor), mesh.end_cost(p, anchor, mesh.place(link)));
        }
    }
}

TEST(MeshTest, GoldenCostsAreTheSameEverywhere) {
    test::Hash hash;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        const Mesh mesh = test::random_mesh(seed);
        test::RandomMaps random(seed);
        const Place place = test::random_place(mesh, random);
        const Point anchor = mesh.anchor(place.polygon, place.point);
        hash.add(mesh.fingerprint());
        for (Link link = 0; link < mesh.num_links(); ++link) {
            hash.add(mesh.inside_cost(mesh.polygon_of(link), 0, mesh.place(link)));
            hash.add(mesh.bound(link, anchor));
        }
        for (std::uint32_t i = 0; i < mesh.links(place.polygon).size(); ++i)
            hash.add(mesh.end_cost(place.polygon, anchor, i));
    }
    EXPECT_EQ(hash.text(), "d12575cf9237c151");
}

}  // namespace
}  // namespace cairn::mesh
