// Portals with widths: which agents may cross them, and what edits and changes make of them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

#include "cairn/mesh/reachability.hpp"
#include "support/random_meshes.hpp"
#include "support/scale.hpp"
#include "support/tiled_meshes.hpp"

namespace cairn::mesh {
namespace {

using test::MeshParts;
using test::RandomMaps;

constexpr float kAllAgents = std::numeric_limits<float>::infinity();

/// Rooms a to d in a row; portal i has the width i + 1, and the last one no limit.
MeshParts rooms() {
    MeshParts parts = test::drawn_parts({"aabbccdd", "aabbccdd"});
    parts.portals[0].width = 1;
    parts.portals[1].width = 2;
    return parts;
}

TEST(PortalWidths, LetAgentsOfHalfTheWidthThrough) {
    const Mesh mesh = rooms().build();
    EXPECT_EQ(mesh.width(0), 1);
    EXPECT_EQ(mesh.width(1), 2);
    EXPECT_EQ(mesh.width(2), kAllAgents);
    struct Case {
        double radius;
        std::array<bool, 3> open;
    };
    for (const Case& c : {Case{0, {true, true, true}}, Case{0.5, {true, true, true}},
                          Case{0.51, {false, true, true}}, Case{1, {false, true, true}},
                          Case{1.01, {false, false, true}}, Case{1e7, {false, false, true}}}) {
        const Mesh narrowed = mesh.with_radius(c.radius).value();
        EXPECT_EQ(narrowed.options().radius, c.radius);
        for (Portal portal = 0; portal < 3; ++portal) {
            EXPECT_EQ(narrowed.open(2 * portal), c.open[portal]) << c.radius << ": " << portal;
            EXPECT_EQ(narrowed.open(2 * portal + 1), c.open[portal]);
        }
        MeshOptions options;
        options.radius = c.radius;
        EXPECT_TRUE(narrowed == rooms().build(options));
        EXPECT_EQ(narrowed.fingerprint() == mesh.fingerprint(), c.radius == 0);
        EXPECT_TRUE(narrowed.with_radius(0).value() == mesh);
    }
}

TEST(PortalWidths, AndRadiiOutOfRangeAreRefused) {
    for (const double radius : {-0.1, 1.1e7, std::nan(""), double{kAllAgents}}) {
        EXPECT_EQ(rooms().build().with_radius(radius).error().code, StatusCode::bad_option);
        MeshOptions options;
        options.radius = radius;
        const auto refused = Mesh::build(rooms().source(), options);
        ASSERT_FALSE(refused);
        EXPECT_THAT(refused.error().message, ::testing::HasSubstr("radius"));
    }
    for (const float width : {-1.0F, std::nanf("")}) {
        MeshParts parts = rooms();
        parts.portals[1].width = width;
        const auto refused = Mesh::build(parts.source());
        ASSERT_FALSE(refused) << width;
        EXPECT_EQ(refused.error().code, StatusCode::corrupt_file);
        EXPECT_THAT(refused.error().message, ::testing::HasSubstr("portal 1"));
    }
}

TEST(PortalWidths, MakeMeshesDiffer) {
    MeshParts parts = rooms();
    const Mesh mesh = parts.build();
    parts.portals[1].width = 3;
    EXPECT_FALSE(mesh == parts.build());
    parts.portals[0].width = parts.portals[1].width = kAllAgents;
    const Mesh unlimited = parts.build();
    EXPECT_FALSE(mesh == unlimited);
    EXPECT_TRUE(unlimited == test::drawn_mesh({"aabbccdd", "aabbccdd"}));
    EXPECT_GE(mesh.bytes(), unlimited.bytes());
}

TEST(PortalWidths, BelongToAllPartsOfAPortal) {
    MeshOptions options;
    options.scoring = Scoring::portal_parts;
    options.longest_part = 0.5;
    options.radius = 0.75;
    const Mesh mesh = rooms().build(options);
    ASSERT_EQ(mesh.num_portals(), 12U);
    for (Portal portal = 0; portal < 12; ++portal) {
        EXPECT_EQ(mesh.width(portal), portal < 4 ? 1 : portal < 8 ? 2 : kAllAgents);
        EXPECT_EQ(mesh.open(2 * portal), portal >= 4);
    }
}

TEST(PortalWidths, StayInEditsAndUnderOtherAreaCosts) {
    for (std::uint64_t seed = 0; seed < test::scaled(100); ++seed) {
        SCOPED_TRACE(seed);
        RandomMaps random(seed);
        const double radius = random.number(1, 40) / 100.0;
        const Mesh wide = test::mesh_with_widths(seed, 0);
        const Mesh mesh = wide.with_radius(radius).value();
        std::vector<PolygonEdit> edits;
        for (Polygon p = 0; p < mesh.num_polygons(); p += 3)
            edits.push_back({p, static_cast<std::uint8_t>(random.number(0, 2)), random.chance(30)});
        const Mesh edited = mesh.edited(edits).value();
        ASSERT_EQ(edited.options().radius, radius);
        ASSERT_TRUE(edited == wide.edited(edits).value().with_radius(radius).value());
        auto costs = mesh.options().area_costs;
        costs[1] = 7;
        const Mesh costly = mesh.with_area_costs(costs, edits).value();
        ASSERT_TRUE(costly ==
                    wide.with_area_costs(costs, edits).value().with_radius(radius).value());
        for (Link link = 0; link < mesh.num_links(); ++link) {
            ASSERT_EQ(costly.width(portal_of(link)), wide.width(portal_of(link)));
            const bool narrow = double{wide.width(portal_of(link))} < 2 * radius;
            ASSERT_EQ(mesh.open(link), wide.open(link) && !narrow);
        }
    }
}

TEST(PortalWidths, StayAndComeInChanges) {
    MeshOptions options;
    options.radius = 0.75;
    const Mesh mesh = rooms().build(options);
    // Room b is removed and comes back, with a wide portal on the left and a narrow one on the
    // right.
    MeshParts added;
    for (const float z : {0.0F, 2.0F}) {
        for (const float x : {2.0F, 4.0F}) added.vertex(x, 0, z);
    }
    added.polygon({0, 1, 3, 2});
    added.portals = {
        {.first = 4, .second = 0, .begin = {2, 0, 0}, .end = {2, 0, 2}, .width = 1.5F},
        {.first = 4, .second = 2, .begin = {4, 0, 0}, .end = {4, 0, 2}, .width = 1.4F}};
    const std::array<Polygon, 1> removed{1};
    const Mesh changed = mesh.changed({removed, added.source()}).value();
    EXPECT_EQ(changed.options().radius, 0.75);
    EXPECT_EQ(changed.width(2), kAllAgents);
    EXPECT_EQ(changed.width(3), 1.5F);
    EXPECT_EQ(changed.width(4), 1.4F);
    const Reachability reach = Reachability::build(changed).value();
    EXPECT_TRUE(reach.reaches(0, 4));
    EXPECT_FALSE(reach.reaches(4, 2));
    EXPECT_TRUE(reach.reaches(2, 3));
    // A change may also bring the first limited width.
    MeshParts plain = rooms();
    plain.portals[0].width = plain.portals[1].width = kAllAgents;
    EXPECT_TRUE(plain.build(options).changed({removed, added.source()}).value() == changed);
}

TEST(PortalWidths, StayInChangesOfTiles) {
    for (std::uint64_t seed = 0; seed < test::scaled(50); ++seed) {
        SCOPED_TRACE(seed);
        RandomMaps random(seed);
        test::TiledMesh tiles(random, 3, 2);
        MeshParts parts = tiles.all().added;
        for (PortalSource& portal : parts.portals)
            portal.width = random.chance(50) ? kAllAgents : 0.4F;
        MeshOptions options;
        options.radius = 0.25;
        Mesh mesh = parts.build(options);
        for (int step = 0; step < 4; ++step) {
            const std::vector<std::size_t> tile{static_cast<std::size_t>(random.number(0, 8))};
            const auto change = tiles.change(tile, tile, mesh.num_polygons());
            const Mesh next = mesh.changed(change.change()).value();
            ASSERT_TRUE(next.with_radius(0).value() ==
                        mesh.with_radius(0).value().changed(change.change()).value());
            for (Link link = 0; link < next.num_links(); ++link) {
                if (next.polygon_of(link) == kNone) continue;
                const bool old = link < mesh.num_links();
                ASSERT_EQ(next.width(portal_of(link)),
                          old ? mesh.width(portal_of(link)) : kAllAgents);
                if (double{next.width(portal_of(link))} < 0.5) {
                    ASSERT_FALSE(next.open(link));
                }
            }
            mesh = next;
        }
    }
}

}  // namespace
}  // namespace cairn::mesh
