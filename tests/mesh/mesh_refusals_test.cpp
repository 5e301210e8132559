// Meshes that Mesh::build refuses, with its error messages.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "support/random_meshes.hpp"

namespace cairn::mesh {
namespace {

using test::MeshParts;

constexpr float kNotANumber = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

// A polygon with these corners (x, z) at height 0.
MeshParts outline(std::initializer_list<std::array<float, 2>> points) {
    MeshParts parts;
    for (const auto& [x, z] : points) {
        parts.corners.push_back(parts.vertex(x, 0, z));
    }
    parts.first_corner.push_back(static_cast<std::uint32_t>(points.size()));
    return parts;
}

// Two unit squares side by side: vertices 0 to 2 at z = 0, 3 to 5 at z = 1.
MeshParts squares() {
    MeshParts parts;
    for (const float z : {0.0F, 1.0F}) {
        for (const float x : {0.0F, 1.0F, 2.0F}) parts.vertex(x, 0, z);
    }
    parts.polygon({0, 1, 4, 3});
    parts.polygon({1, 2, 5, 4});
    return parts;
}

// The two squares with a given portal between them.
MeshParts with_portal(const Point& begin, const Point& end) {
    MeshParts parts = squares();
    parts.portals = {{0, 1, begin, end}};
    return parts;
}

void expect_refused(const MeshParts& parts, StatusCode code, const std::string& message,
                    const MeshOptions& options = {}) {
    const Result<Mesh> mesh = Mesh::build(parts.source(), options);
    ASSERT_FALSE(mesh) << "expected: " << message;
    EXPECT_EQ(mesh.error().code, code);
    EXPECT_EQ(mesh.error().message, message);
}

void expect_corrupt(const MeshParts& parts, const std::string& message) {
    expect_refused(parts, StatusCode::corrupt_file, message);
}

TEST(MeshRefusalsTest, ArraysThatDoNotFit) {
    MeshParts parts = squares();
    parts.first_corner = {0, 4, 9};
    expect_corrupt(parts, "the polygons' corners are numbers 0 to 9 of 8");
    parts.first_corner = {1, 4, 8};
    expect_corrupt(parts, "the polygons' corners are numbers 1 to 8 of 8");
    parts.first_corner = {0, 5, 4, 8};
    expect_corrupt(parts, "polygon 1: its corners end before they begin");
    parts.first_corner = {0, 9, 8};
    expect_corrupt(parts, "polygon 0: its corners end before they begin");
    parts.first_corner.clear();
    expect_corrupt(parts, "corners without polygons");
    parts = squares();
    parts.corners[5] = 6;
    expect_corrupt(parts, "polygon 1: there is no vertex 6");
    parts = squares();
    parts.areas = {0};
    expect_corrupt(parts, "1 areas for 2 polygons");
    parts.areas = {0, 64};
    expect_corrupt(parts, "polygon 1: its area is not 0 to 63");
}

TEST(MeshRefusalsTest, CoordinatesThatAreNotFiniteOrTooLarge) {
    for (const float bad : {kNotANumber, kInf, -kInf, 1.1e7F, -1.1e7F}) {
        MeshParts parts = squares();
        parts.vertices[2].y = bad;
        expect_corrupt(parts, "vertex 2: it is not finite or lies beyond 1e7");
        parts = with_portal({1, bad, 0}, {1, 0, 1});
        expect_corrupt(parts, "portal 0: it is not finite or lies beyond 1e7");
        parts = squares();
        parts.connections = {{0, 1, {0.5F, 0, 0.5F}, {1.5F, 0, bad}}};
        expect_corrupt(parts, "connection 0: it is not finite or lies beyond 1e7");
    }
}

TEST(MeshRefusalsTest, PolygonsWithoutAreaOrNotConvex) {
    expect_corrupt(outline({{0, 0}, {1, 0}}), "polygon 0: fewer than three corners");
    MeshParts parts = outline({{0, 0}, {1, 0}, {1, 1}, {0, 1}});
    parts.corners[3] = 0;
    expect_corrupt(parts, "polygon 0: it has a corner twice");
    expect_corrupt(outline({{0, 0}, {1, 0}, {2, 0}}), "polygon 0: it has no area seen from above");
    expect_corrupt(outline({{0, 0}, {1e-5F, 0}, {0, 1e-5F}}),
                   "polygon 0: it has no area seen from above");
    expect_corrupt(outline({{0, 0}, {1, 0}, {1, 0}, {0, 1}}),
                   "polygon 0: two corners are the same point seen from above");
    expect_corrupt(outline({{0, 0}, {2, 0}, {0.5F, 0.5F}, {0, 2}}),
                   "polygon 0: it is not convex at its corner 2");
    expect_corrupt(outline({{0, 0}, {2, 0}, {1, 0}, {1, 1}}),
                   "polygon 0: it is not convex at its corner 1");
}

TEST(MeshRefusalsTest, PolygonsThatRunAroundThemselves) {
    MeshParts star;
    for (int i = 0; i < 5; ++i) {
        const double angle = i * 4 * std::acos(-1) / 5;
        star.corners.push_back(star.vertex(static_cast<float>(std::cos(angle)), 0,
                                           static_cast<float>(std::sin(angle))));
    }
    star.first_corner.push_back(5);
    expect_corrupt(star, "polygon 0: it runs around itself more than once");
    expect_corrupt(outline({{0, 0},
                            {2, 0},
                            {2, 2},
                            {0, 2},
                            {0.1F, 0.1F},
                            {1.9F, 0.1F},
                            {1.9F, 1.9F},
                            {0.1F, 1.9F}}),
                   "polygon 0: it runs around itself more than once");
    // A bow tie with unequal halves: they turn in opposite directions.
    expect_corrupt(outline({{0, 0}, {3, 2}, {3, 0}, {0, 1}}),
                   "polygon 0: it is not convex at its corner 0");
}

TEST(MeshRefusalsTest, EdgesOfThreePolygonsAndFolds) {
    MeshParts parts = squares();
    parts.vertex(2, 0, 2);
    parts.polygon({1, 4, 6});
    expect_corrupt(parts,
                   "the edge between vertices 1 and 4 is of more than two polygons: give portals "
                   "instead");
    parts = squares();
    parts.vertex(3, 1, 0.5F);
    parts.first_corner.pop_back();
    parts.corners.resize(4);
    parts.vertex(-1, 0, 0.5F);
    parts.polygon({1, 4, 7});
    expect_corrupt(parts,
                   "the edge between vertices 1 and 4 has both its polygons on the same side: a "
                   "fold");
}

// A rectangle, and two squares on its edge from 3 to 2, which has no corner at vertex 4:
//
//     7 6 5
//     3 4 2
//     0   1
TEST(MeshRefusalsTest, TJunctionsUnlessPortalsAreGiven) {
    MeshParts parts;
    for (const auto& [x, z] : {std::array{0.0F, 0.0F},
                               {2.0F, 0.0F},
                               {2.0F, 1.0F},
                               {0.0F, 1.0F},
                               {1.0F, 1.0F},
                               {2.0F, 2.0F},
                               {1.0F, 2.0F},
                               {0.0F, 2.0F}}) {
        parts.vertex(x, 0, z);
    }
    parts.polygon({0, 1, 2, 3});
    parts.polygon({3, 4, 6, 7});
    parts.polygon({4, 2, 5, 6});
    expect_corrupt(parts,
                   "polygon 0: vertex 4, a corner of polygon 2, lies inside its edge between "
                   "vertices 2 and 3: give it that corner too, or give portals");
    MeshParts given = parts;
    given.portals = {{0, 1, {0, 0, 1}, {1, 0, 1}}, {0, 2, {1, 0, 1}, {2, 0, 1}}};
    EXPECT_EQ(given.build().num_portals(), 2U);
    MeshParts storeys = parts;
    for (std::size_t v = 4; v < 8; ++v) storeys.vertices[v].y = 3;
    storeys.corners[4] = storeys.vertex(0, 3, 1);
    storeys.corners[9] = storeys.vertex(2, 3, 1);
    EXPECT_EQ(storeys.build().num_portals(), 1U);
    MeshParts fitting = parts;
    fitting.first_corner = {0, 5, 9, 13};
    fitting.corners.insert(fitting.corners.begin() + 3, 4);
    EXPECT_EQ(fitting.build().num_portals(), 3U);
    // A polygon that touches the edge only with a corner loses no portal.
    MeshParts corner = outline({{0, 0}, {2, 0}, {2, 1}, {0, 1}});
    corner.polygon({corner.vertex(1, 0, 1), corner.vertex(2, 0, 2), corner.vertex(0, 0, 2)});
    EXPECT_EQ(corner.build().num_portals(), 0U);
}

TEST(MeshRefusalsTest, GivenPortalsOffTheirPolygons) {
    MeshParts parts = with_portal({1, 0, 0}, {1, 0, 1});
    parts.portals[0].second = 2;
    expect_corrupt(parts, "portal 0: it is of a polygon that does not exist");
    parts.portals[0].second = 0;
    expect_corrupt(parts, "portal 0: it joins a polygon to itself");
    expect_corrupt(with_portal({0.5F, 0, 0}, {0.5F, 0, 1}),
                   "portal 0: it does not lie on the border of polygon 0");
    expect_corrupt(with_portal({0, 0, 0}, {0, 0, 1}),
                   "portal 0: it does not lie on the border of polygon 1");
    expect_corrupt(with_portal({1, 0, 0}, {1, 0, 1.1F}),
                   "portal 0: it does not lie on the border of polygon 0");
    EXPECT_TRUE(Mesh::build(with_portal({1.005F, 7, 0.2F}, {1, 0, 0.4F}).source()));
    parts = outline({{0, 0}, {1, 0}, {1, 1}, {0, 1}});
    parts.polygon({0, 1, 2, 3});
    parts.portals = {{0, 1, {1, 0, 0}, {1, 0, 1}}};
    expect_corrupt(parts, "portal 0: both its polygons lie on the same side of it");
}

TEST(MeshRefusalsTest, ConnectionsThatEndOutsideTheirPolygons) {
    MeshParts parts = squares();
    parts.connections = {{0, 2, {0.5F, 0, 0.5F}, {1.5F, 0, 0.5F}}};
    expect_corrupt(parts, "connection 0: it is of a polygon that does not exist");
    parts.connections[0].to = 1;
    EXPECT_EQ(parts.build().num_polygons(), 3U);
    parts.connections[0].area = 64;
    expect_corrupt(parts, "connection 0: its area is not 0 to 63");
    parts.connections[0].area = 0;
    parts.connections[0].begin.x = -0.1F;
    expect_corrupt(parts, "connection 0: it begins outside its first polygon");
    parts.connections[0].begin.x = 0;
    parts.connections[0].end.z = 1.1F;
    expect_corrupt(parts, "connection 0: it ends outside its second polygon");
}

TEST(MeshRefusalsTest, PortalsOffTheirConnection) {
    MeshParts parts = squares();
    parts.connections = {{kNone, kNone, {0.5F, 0, 0.5F}, {1.5F, 0, 0.5F}}};
    parts.portals = {{0, 2, {0.5F, 0, 0.5F}, {0.5F, 0, 0.5F}}};
    EXPECT_EQ(parts.build().links(2).size(), 1U);
    parts.portals[0].first = 1;
    expect_corrupt(parts, "portal 0: it lies outside polygon 1, which it joins to a connection");
    parts.portals = {{0, 2, {0.9F, 0, 0.5F}, {0.9F, 0, 0.5F}}};
    expect_corrupt(parts, "portal 0: it lies at no end of its connection");
    parts.connections.push_back(parts.connections[0]);
    parts.portals[0].first = 3;
    expect_corrupt(parts, "portal 0: it joins two connections");
}

// Edges of many thin triangles cross at one point. As many other triangles have a corner there,
// with edges that rise along the first ones, so each corner must be compared with each edge.
TEST(MeshRefusalsTest, TooManyEdgesUponEachOther) {
    MeshParts parts;
    constexpr int kMany = 6000;
    for (int i = 0; i < kMany; ++i) {
        const double angle = i * std::acos(-1) / kMany;
        const auto x = static_cast<float>(1000 * std::cos(angle));
        const auto z = static_cast<float>(1000 * std::sin(angle));
        parts.polygon({parts.vertex(x, 0, z), parts.vertex(-x, 0, -z), parts.vertex(-z, -900, x)});
        parts.polygon({parts.vertex(0, 0, 0), parts.vertex(x, 900, z), parts.vertex(-z, 900, x)});
    }
    expect_refused(parts, StatusCode::too_large, "too many borders lie upon each other");
}

TEST(MeshRefusalsTest, CostsAndUnitsOutOfRange) {
    const MeshParts parts = test::drawn_parts({"abc"});
    MeshOptions options;
    for (const float bad : {0.0F, 0.0009F, 1001.0F}) {
        options.area_costs[7] = bad;
        const Result<Mesh> mesh = Mesh::build(parts.source(), options);
        ASSERT_FALSE(mesh);
        EXPECT_EQ(mesh.error().code, StatusCode::bad_option);
        EXPECT_TRUE(mesh.error().message.starts_with("the cost of area 7 is ")) << bad;
    }
    options.area_costs[7] = kNotANumber;
    EXPECT_FALSE(Mesh::build(parts.source(), options));
    options.area_costs[7] = kInf;
    EXPECT_TRUE(Mesh::build(parts.source(), options));
    options.area_costs[7] = -1;
    EXPECT_TRUE(Mesh::build(parts.source(), options));
    options = {};
    options.units_per_length = -1;
    expect_refused(parts, StatusCode::bad_option,
                   "units_per_length is -1: give a finite number, 0 for automatic", options);
    options.units_per_length = std::numeric_limits<double>::quiet_NaN();
    EXPECT_FALSE(Mesh::build(parts.source(), options));
    options.units_per_length = 4;
    expect_refused(parts, StatusCode::bad_option,
                   "units_per_length is 4: so coarse that the middle distance between portals is "
                   "4 units, below 8",
                   options);
    options.units_per_length = 8;
    EXPECT_TRUE(Mesh::build(parts.source(), options));
    options.units_per_length = 1e9;
    expect_refused(parts, StatusCode::too_large,
                   "with 1000000000 units to a length a path could overflow a cost; 0 chooses "
                   "what fits",
                   options);
}

TEST(MeshRefusalsTest, PolygonsOfTooManyCornersOrLinks) {
    MeshParts parts;
    for (int i = 0; i < 20'000; ++i) {
        const double angle = i * std::acos(-1) / 10'000;
        parts.corners.push_back(parts.vertex(static_cast<float>(1e6 * std::cos(angle)), 0,
                                             static_cast<float>(1e6 * std::sin(angle))));
    }
    parts.first_corner.push_back(20'000);
    expect_refused(parts, StatusCode::too_large, "polygon 0: 20000 corners, more than 16384");
    parts = with_portal({1, 0, 0}, {1, 0, 1});
    parts.portals.resize(30'000, parts.portals[0]);
    expect_refused(parts, StatusCode::too_large,
                   "polygon 0: with its 30000 links polygons have more than 268435456 pairs of "
                   "links; divide it");
}

// The spans are longer than their arrays. A span that is too long is refused before it is read.
TEST(MeshRefusalsTest, ArraysThatAreTooLong) {
    const MeshParts parts = squares();
    const std::size_t most = std::size_t{1} << 26;
    const auto expect_too_large = [](const MeshSource& source, const std::string& message) {
        const Result<Mesh> mesh = Mesh::build(source);
        ASSERT_FALSE(mesh);
        EXPECT_EQ(mesh.error().code, StatusCode::too_large);
        EXPECT_EQ(mesh.error().message, message);
    };
    MeshSource source = parts.source();
    source.first_corner = {source.first_corner.data(), most + 2};
    expect_too_large(source, "67108865 polygons: a mesh has at most 67108864");
    source = parts.source();
    source.corners = {source.corners.data(), most + 1};
    expect_too_large(source, "67108865 corners: a mesh has at most 67108864");
    const PortalSource portal;
    source = parts.source();
    source.portals = {&portal, most + 1};
    expect_too_large(source, "67108865 portals: a mesh has at most 67108864");
    source = parts.source();
    source.vertices = {source.vertices.data(), 4 * most + 1};
    expect_too_large(source, "268435457 vertices: a mesh has at most 268435456");
}

}  // namespace
}  // namespace cairn::mesh
