// The polygon that contains a point, and the nearest one, agree with a search of all polygons.

#include "cairn/mesh/locator.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "support/allocation_counter.hpp"
#include "support/random_meshes.hpp"
#include "support/scale.hpp"

namespace cairn::mesh {
namespace {

using test::MeshParts;
using test::RandomMaps;

constexpr double kInfinite = std::numeric_limits<double>::infinity();

Point corner(const Mesh& mesh, Polygon p, std::size_t i) {
    const auto corners = mesh.corners(p);
    return mesh.vertices()[corners[i % corners.size()]];
}

// Whether a polygon contains p, seen from above. Exact: the product of two differences of the
// floats of these meshes fits a long double.
bool contains(const Mesh& mesh, Polygon polygon, const Point& p) {
    for (std::size_t i = 0; i < mesh.corners(polygon).size(); ++i) {
        const Point a = corner(mesh, polygon, i);
        const Point b = corner(mesh, polygon, i + 1);
        using Real = long double;
        const Real area = (Real{b.x} - Real{a.x}) * (Real{p.z} - Real{a.z}) -
                          (Real{b.z} - Real{a.z}) * (Real{p.x} - Real{a.x});
        if (area < 0) return false;
    }
    return !mesh.is_connection(polygon);
}

double height_difference(const Mesh& mesh, Polygon polygon, const Point& p) {
    return std::abs(double{height(mesh, polygon, p)} - double{p.y});
}

double distance_between(const Point& a, const Point& b) {
    return std::hypot(double{a.x} - double{b.x}, double{a.y} - double{b.y},
                      double{a.z} - double{b.z});
}

// The distance in space to the point of the border that is nearest seen from above.
double distance_to_border(const Mesh& mesh, Polygon polygon, const Point& p) {
    double nearest = kInfinite;   // seen from above
    double distance = kInfinite;  // to the same point, in space
    for (std::size_t i = 0; i < mesh.corners(polygon).size(); ++i) {
        const Point a = corner(mesh, polygon, i);
        const Point b = corner(mesh, polygon, i + 1);
        const double x = double{b.x} - double{a.x};
        const double y = double{b.y} - double{a.y};
        const double z = double{b.z} - double{a.z};
        const double share = std::clamp(
            ((double{p.x} - double{a.x}) * x + (double{p.z} - double{a.z}) * z) / (x * x + z * z),
            0.0, 1.0);
        const double dx = double{a.x} + share * x - double{p.x};
        const double dy = double{a.y} + share * y - double{p.y};
        const double dz = double{a.z} + share * z - double{p.z};
        if (std::hypot(dx, dz) >= nearest - 1e-9) continue;
        nearest = std::hypot(dx, dz);
        distance = std::hypot(dx, dy, dz);
    }
    return distance;
}

// A point on the mesh (often a corner), above or below it, or outside.
Point random_point(const Mesh& mesh, RandomMaps& random) {
    Point p = test::random_place(mesh, random).point;
    const auto shift = [&random](float by) {
        return by * static_cast<float>(random.number(-8, 8)) / 8;
    };
    if (random.chance(50)) p.y += shift(4);
    if (random.chance(30)) {
        p.x += shift(random.chance(20) ? 100 : 2);
        p.z += shift(random.chance(20) ? 100 : 2);
    }
    return p;
}

TEST(Locator, FindsThePolygonThatContainsAPoint) {
    for (std::uint64_t seed = 0; seed < test::scaled(400); ++seed) {
        SCOPED_TRACE(seed);
        RandomMaps random(seed);
        const Mesh mesh = test::random_mesh(seed);
        const auto locator = Locator::create(mesh).value();
        for (int i = 0; i < 40; ++i) {
            const Point p = random_point(mesh, random);
            // Heights are hundredths, so no height difference is close to 1.3717.
            const double tolerance = random.chance(50) ? kInfinite : 1.3717;
            Polygon expected = kNone;
            double least = kInfinite;
            for (Polygon q = 0; q < mesh.num_polygons(); ++q) {
                if (!contains(mesh, q, p) || height_difference(mesh, q, p) > tolerance + 1e-5)
                    continue;
                if (expected != kNone && height_difference(mesh, q, p) >= least) continue;
                expected = q;
                least = height_difference(mesh, q, p);
            }
            const Polygon found = locator.find(mesh, p, tolerance);
            if (found == expected) continue;
            ASSERT_NE(found, kNone);
            ASSERT_NE(expected, kNone);
            ASSERT_TRUE(contains(mesh, found, p));
            ASSERT_NEAR(height_difference(mesh, found, p), least, 1e-5);
        }
    }
}

TEST(Locator, FindsTheNearestPolygon) {
    for (std::uint64_t seed = 0; seed < test::scaled(400); ++seed) {
        SCOPED_TRACE(seed);
        RandomMaps random(seed);
        const Mesh mesh = test::random_mesh(seed);
        const auto locator = Locator::create(mesh).value();
        std::vector<std::uint32_t> component(mesh.num_polygons());
        for (std::uint32_t& number : component)
            number = static_cast<std::uint32_t>(random.number(0, 1));
        for (int i = 0; i < 40; ++i) {
            const Point p = random_point(mesh, random);
            const double radius = random.chance(50) ? kInfinite : 0.93;
            const bool any_component = random.chance(50);
            double least = kInfinite;
            for (Polygon q = 0; q < mesh.num_polygons(); ++q) {
                if (mesh.blocked(q) || mesh.is_connection(q)) continue;
                if (!any_component && component[q] != 1) continue;
                least = std::min(least, contains(mesh, q, p) ? height_difference(mesh, q, p)
                                                             : distance_to_border(mesh, q, p));
            }
            const auto found = any_component ? locator.nearest(mesh, p, radius)
                                             : locator.nearest(mesh, p, radius, component, 1);
            ASSERT_EQ(found.has_value(), least < kInfinite && least <= radius);
            if (!found) continue;
            ASSERT_NEAR(found->distance, least, 1e-4);
            ASSERT_NEAR(distance_between(found->place.point, p), found->distance, 1e-4);
            ASSERT_FALSE(mesh.blocked(found->place.polygon));
        }
    }
}

TEST(Locator, OnABorderFindsThePolygonOfLowestNumber) {
    const Mesh mesh = test::drawn_mesh({"ab", "cd"});
    const auto locator = Locator::create(mesh).value();
    EXPECT_EQ(locator.find(mesh, {1, 0, 1}), 0U);
    EXPECT_EQ(locator.find(mesh, {1, 0, 1.5F}), 2U);
    EXPECT_EQ(locator.find(mesh, {2, 0, 2}), 3U);
    EXPECT_EQ(locator.find(mesh, {2.001F, 0, 2}), kNone);
    EXPECT_EQ(locator.nearest(mesh, {3, 0, 1})->place, (Place{1, {2, 0, 1}}));
    EXPECT_EQ(locator.nearest(mesh, {3, 0, 1}, 1)->distance, 1);
    EXPECT_FALSE(locator.nearest(mesh, {3, 0, 1}, 0.5));
}

TEST(Locator, HeightsAreThoseOfTheSurface) {
    MeshParts parts;
    parts.vertex(0, 0, 0);
    parts.vertex(4, 4, 0);
    parts.vertex(4, 4, 4);
    parts.vertex(0, 2, 4);
    parts.polygon({0, 1, 2, 3});
    const Mesh mesh = parts.build();
    EXPECT_EQ(height(mesh, 0, {0, 9, 0}), 0);
    EXPECT_EQ(height(mesh, 0, {4, 9, 4}), 4);
    EXPECT_EQ(height(mesh, 0, {0, 9, 4}), 2);
    EXPECT_EQ(height(mesh, 0, {2, 9, 2}), 2);
    EXPECT_EQ(height(mesh, 0, {3, 9, 1}), 3);
    EXPECT_EQ(height(mesh, 0, {1, 9, 3}), 2);
    EXPECT_EQ(height(mesh, 0, {0, 9, 2}), 1);
    EXPECT_EQ(height(mesh, 0, {-5, 9, 2}), 1);
    EXPECT_EQ(height(mesh, 0, {9, 9, 9}), 4);
}

TEST(Locator, BlockedPolygonsAreFoundButNeverNearest) {
    const Mesh drawn = test::drawn_mesh({"ab"});
    const auto locator = Locator::create(drawn).value();
    const std::vector<PolygonEdit> edits{{0, 0, true}};
    const Mesh mesh = drawn.edited(edits).value();
    EXPECT_EQ(locator.find(mesh, {0.5F, 0, 0.5F}), 0U);
    EXPECT_EQ(locator.nearest(mesh, {0.5F, 0, 0.5F})->place, (Place{1, {1, 0, 0.5F}}));
}

TEST(Locator, FindsNothingNearPointsThatAreNotFinite) {
    const Mesh mesh = test::drawn_mesh({"ab"});
    const auto locator = Locator::create(mesh).value();
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const float infinite = std::numeric_limits<float>::infinity();
    for (const float bad : {nan, infinite, -infinite}) {
        for (const Point& p : {Point{bad, 0, 0}, Point{0, bad, 0}, Point{0, 0, bad}}) {
            EXPECT_EQ(locator.find(mesh, p), kNone);
            EXPECT_FALSE(locator.nearest(mesh, p));
        }
    }
    EXPECT_FALSE(locator.nearest(mesh, {}, -1));
    EXPECT_FALSE(locator.nearest(mesh, {}, std::nan("")));
    const float far = std::numeric_limits<float>::max();
    EXPECT_EQ(locator.find(mesh, {far, far, -far}), kNone);
    EXPECT_TRUE(locator.nearest(mesh, {far, far, -far}));
    EXPECT_EQ(locator.nearest(mesh, {1e6F, 1, -1e6F})->place.polygon, 1U);
    EXPECT_FALSE(locator.nearest(mesh, {far, far, -far}, 1e6));
}

TEST(Locator, FindsNothingOnAMeshWithoutPolygons) {
    EXPECT_EQ(Locator().find(Mesh(), {}), kNone);
    EXPECT_FALSE(Locator::create(Mesh()).value().nearest(Mesh(), {}));
}

// Thin slanting quads side by side. Each is as long as all together are wide, so it would lie in a
// large share of narrow buckets.
Mesh thin_mesh(std::uint32_t count) {
    MeshParts parts;
    const auto length = static_cast<float>(count);
    for (std::uint32_t i = 0; i <= count; ++i) {
        parts.vertex(static_cast<float>(i), 0, 0);
        parts.vertex(static_cast<float>(i) + length, 0, length);
    }
    for (std::uint32_t i = 0; i < count; ++i)
        parts.polygon({2 * i, 2 * i + 1, 2 * i + 3, 2 * i + 2});
    return parts.build();
}

TEST(Locator, MemoryIsBoundedForLongThinPolygons) {
    const Mesh mesh = thin_mesh(3000);
    const auto locator = Locator::create(mesh).value();
    EXPECT_LT(locator.bytes(), 80U * mesh.num_polygons());
    EXPECT_EQ(locator.find(mesh, {100.5F, 0, 0.25F}), 100U);
    EXPECT_EQ(locator.find(mesh, {3000.5F, 0, 2000.25F}), 1000U);
}

// Two columns of triangles, 9e6 apart.
TEST(Locator, FindsPolygonsFarApart) {
    MeshParts parts;
    for (int i = 0; i < 1000; ++i) {
        const float x = i % 2 == 0 ? static_cast<float>(i) / 100 : 9e6F;
        const auto z = static_cast<float>(i);
        const std::uint32_t first = parts.vertex(x, 0, z);
        parts.vertex(x + 1, 0, z);
        parts.vertex(x, 0, z + 1);
        parts.polygon({first, first + 1, first + 2});
    }
    parts.portals_given = true;
    const Mesh mesh = parts.build();
    const auto locator = Locator::create(mesh).value();
    EXPECT_LT(locator.bytes(), 80U * mesh.num_polygons());
    for (Polygon p = 0; p < mesh.num_polygons(); ++p)
        EXPECT_EQ(locator.find(mesh, mesh.centre(p)), p);
    EXPECT_EQ(locator.nearest(mesh, {-1e7F, 0, 0})->place.polygon, 0U);
}

TEST(Locator, AllocatesNothing) {
    if (!test::counts_allocations()) GTEST_SKIP() << "allocations are not counted here";
    const Mesh mesh = test::drawn_mesh({"ab"});
    const auto locator = Locator::create(mesh).value();
    const std::uint64_t before = test::allocations();
    EXPECT_EQ(locator.find(mesh, {0.5F, 0, 0.5F}), 0U);
    EXPECT_TRUE(locator.nearest(mesh, {5, 0, 0.5F}));
    EXPECT_EQ(test::allocations(), before);
}

}  // namespace
}  // namespace cairn::mesh
