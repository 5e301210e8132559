// A locator that follows changes of its mesh gives the answers of one built from scratch.

#include <gtest/gtest.h>

#include <limits>
#include <numeric>

#include "cairn/mesh/locator.hpp"
#include "mesh/locator_data.hpp"
#include "support/random_meshes.hpp"
#include "support/scale.hpp"
#include "support/tiled_meshes.hpp"

namespace cairn::mesh {
namespace {

using test::MeshParts;
using test::RandomMaps;
using test::TileChange;
using test::TiledMesh;

constexpr double kAnyDistance = std::numeric_limits<double>::infinity();

float any_coordinate(RandomMaps& random) {
    return static_cast<float>(random.number(-50, 650)) / 50;
}

Point any_point(RandomMaps& random) {
    Point p;
    p.x = any_coordinate(random);
    p.y = static_cast<float>(random.number(-2, 2)) / 2;
    p.z = any_coordinate(random);
    return p;
}

// Compares answers at random points with those of a locator built from scratch.
void check_answers(const Mesh& mesh, const Locator& locator, RandomMaps& random) {
    const auto fresh = Locator::create(mesh).value();
    std::vector<std::uint32_t> component(mesh.num_polygons());
    for (std::uint32_t& c : component) c = random.chance(50) ? 1 : 0;
    for (int i = 0; i < 20; ++i) {
        const Point p = any_point(random);
        const double tolerance = random.chance(50) ? kAnyDistance : 0.7;
        ASSERT_EQ(locator.find(mesh, p, tolerance), fresh.find(mesh, p, tolerance));
        ASSERT_EQ(locator.nearest(mesh, p, tolerance), fresh.nearest(mesh, p, tolerance));
        ASSERT_EQ(locator.nearest(mesh, p, tolerance, component, 1),
                  fresh.nearest(mesh, p, tolerance, component, 1));
    }
}

// Every bucket lists polygons that have not been removed, in ascending order.
void check_buckets(const Mesh& mesh, const LocatorData& data) {
    ASSERT_EQ(data.first.back(), data.polygons.size());
    for (std::size_t i = 0; i < data.num_buckets(); ++i) {
        ASSERT_LE(data.first[i], data.first[i + 1]);
        for (std::uint32_t k = data.first[i]; k < data.first[i + 1]; ++k) {
            ASSERT_FALSE(mesh.is_removed(data.polygons[k]));
            if (k > data.first[i]) {
                ASSERT_LT(data.polygons[k - 1], data.polygons[k]);
            }
        }
    }
}

// Most changes of tiles keep the widths of the buckets.
TEST(LocatorChange, AfterEveryTileChangeAnswersEqualThoseOfANewLocator) {
    std::size_t kept_widths = 0;
    for (std::uint64_t seed = 0; seed < test::scaled(100); ++seed) {
        SCOPED_TRACE(seed);
        RandomMaps random(seed);
        TiledMesh tiles(random, random.number(2, 5), random.number(1, 3), 0);
        Mesh mesh = Mesh::build(tiles.all().added.source()).value();
        Locator locator = Locator::create(mesh).value();
        for (int step = 0; step < 12; ++step) {
            const std::vector<std::size_t> taken{
                static_cast<std::size_t>(random.number(0, static_cast<int>(tiles.tiles()) - 1))};
            const bool fill = random.chance(70);
            const TileChange change =
                tiles.change(taken, fill ? taken : std::vector<std::size_t>{}, mesh.num_polygons());
            const Mesh after = mesh.changed(change.change()).value();
            const double width = locator.data().x.width;
            locator = locator.changed(mesh, after).value();
            mesh = after;
            if (locator.data().x.width == width) ++kept_widths;
            ASSERT_NO_FATAL_FAILURE(check_buckets(mesh, locator.data()));
            ASSERT_NO_FATAL_FAILURE(check_answers(mesh, locator, random));
        }
    }
    EXPECT_GT(kept_widths, test::scaled(100) * 6);
}

// A row of `count` squares of side `size` without portals; the first has its low corner at x, z.
MeshParts squares(std::uint32_t count, float x, float z, float size) {
    MeshParts parts;
    for (std::uint32_t i = 0; i < count; ++i) {
        const float left = x + static_cast<float>(i) * size;
        const std::uint32_t first = parts.vertex(left, 0, z);
        parts.vertex(left + size, 0, z);
        parts.vertex(left + size, 0, z + size);
        parts.vertex(left, 0, z + size);
        parts.polygon({first, first + 1, first + 2, first + 3});
    }
    parts.portals_given = true;
    return parts;
}

TEST(LocatorChange, FindsPolygonsAddedOutsideTheBuckets) {
    RandomMaps random(1);
    Mesh mesh = squares(200, 0, 0, 0.05F).build();
    Locator locator = Locator::create(mesh).value();
    for (int i = 0; i < 40; ++i) {
        SCOPED_TRACE(i);
        const MeshParts parts = squares(2, any_coordinate(random), any_coordinate(random), 0.5F);
        const Mesh after = mesh.changed({{}, parts.source()}).value();
        locator = locator.changed(mesh, after).value();
        mesh = after;
        ASSERT_NO_FATAL_FAILURE(check_answers(mesh, locator, random));
    }
    EXPECT_GT(locator.data().built_for, 200U);
}

// Squares that are large against the buckets, which were cut for a thousand small ones.
TEST(LocatorChange, MemoryStaysBounded) {
    RandomMaps random(2);
    Mesh mesh = squares(1000, 0, 0, 0.01F).build();
    Locator locator = Locator::create(mesh).value();
    for (int i = 0; i < 8; ++i) {
        const MeshParts parts = squares(100, -1, -1, 12);
        const Mesh after = mesh.changed({{}, parts.source()}).value();
        locator = locator.changed(mesh, after).value();
        mesh = after;
        EXPECT_LT(locator.bytes(), 120U * mesh.num_polygons());
        ASSERT_NO_FATAL_FAILURE(check_answers(mesh, locator, random));
    }
    std::vector<Polygon> removed(mesh.num_polygons() - 10);
    std::iota(removed.begin(), removed.end(), 0U);
    const Mesh after = mesh.changed({removed, {}}).value();
    locator = locator.changed(mesh, after).value();
    EXPECT_EQ(locator.data().built_for, 10U);
    ASSERT_NO_FATAL_FAILURE(check_answers(after, locator, random));
}

TEST(LocatorChange, AllPolygonsCanBeRemovedAndAddedAgain) {
    RandomMaps random(3);
    const MeshParts parts = squares(8, 0, 0, 1);
    const Mesh mesh = parts.build();
    std::vector<Polygon> removed(8);
    std::iota(removed.begin(), removed.end(), 0U);
    const Mesh empty = mesh.changed({removed, {}}).value();
    const Locator empty_locator = Locator::create(mesh).value().changed(mesh, empty).value();
    EXPECT_EQ(empty_locator.find(empty, {0.5F, 0, 0.5F}), kNone);
    const Mesh refilled = empty.changed({{}, parts.source()}).value();
    const Locator refilled_locator = empty_locator.changed(empty, refilled).value();
    EXPECT_EQ(refilled_locator.find(refilled, {0.5F, 0, 0.5F}), 8U);
    check_answers(refilled, refilled_locator, random);
}

}  // namespace
}  // namespace cairn::mesh
