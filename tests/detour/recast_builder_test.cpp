#include "cairn/detour/recast_builder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "cairn/detour/tile_set.hpp"
#include "support/navmesh_files.hpp"
#include "support/scale.hpp"

namespace cairn::detour {
namespace {

using ::testing::HasSubstr;

/// Adds a level rectangle of two triangles that faces upwards; (x, z) is its least corner.
void add_floor(Triangles& triangles, float x, float z, float width, float depth, float height) {
    const auto first = static_cast<std::uint32_t>(triangles.vertices.size());
    triangles.vertices.insert(triangles.vertices.end(), {{x, height, z},
                                                         {x, height, z + depth},
                                                         {x + width, height, z + depth},
                                                         {x + width, height, z}});
    for (const std::uint32_t corner : {0, 1, 2, 0, 2, 3})
        triangles.corners.push_back(first + corner);
}

/// A square of 40 by 40 on the ground and one of 20 by 20 five above its middle.
Triangles two_storeys() {
    Triangles triangles;
    add_floor(triangles, 0, 0, 40, 40, 0);
    add_floor(triangles, 10, 10, 20, 20, 5);
    return triangles;
}

std::uint32_t polygons_of(const dtNavMesh& nav_mesh) {
    return PolyRefs::create(nav_mesh).value().num_polygons();
}

TEST(RecastBuilder, StoreysLieAboveEachOther) {
    for (const RecastOptions& options : {RecastOptions(), RecastOptions::tiled()}) {
        const auto nav_mesh = build_navmesh(two_storeys(), options);
        ASSERT_TRUE(nav_mesh) << nav_mesh.error().message;
        const auto converted = convert(**nav_mesh, dtQueryFilter());
        ASSERT_TRUE(converted) << converted.error().message;
        const mesh::Mesh& mesh = converted->mesh;
        double upper = 0;
        double lower = 0;
        for (mesh::Polygon p = 0; p < mesh.num_polygons(); ++p) {
            EXPECT_FALSE(mesh.blocked(p));
            double area = 0;
            const auto corners = mesh.corners(p);
            for (std::size_t i = 0; i < corners.size(); ++i) {
                const auto& a = mesh.vertices()[corners[i]];
                const auto& b = mesh.vertices()[corners[(i + 1) % corners.size()]];
                area += (double{a.x} * double{b.z} - double{b.x} * double{a.z}) / 2;
            }
            (mesh.centre(p).y > 2 ? upper : lower) += area;
        }
        // Each side loses the agent's radius of 0.6 and about half a cell of 0.3; simplified
        // outlines differ a little more.
        EXPECT_NEAR(upper, 18.5 * 18.5, 30);
        EXPECT_NEAR(lower, 38.5 * 38.5, 60);
    }
}

TEST(RecastBuilder, TheBytesDoNotDependOnTheThreads) {
    Triangles triangles = two_storeys();
    // Small floors at many places and heights, so that tiles differ.
    for (int i = 0; i < 60; ++i) {
        const auto at = static_cast<float>(i);
        add_floor(triangles, static_cast<float>(i % 10 * 7), at, 3, 9, at / 9);
    }
    std::string bytes;
    for (const int threads : {1, 2, 4, 0}) {
        BuildControl control;
        control.threads = threads;
        const auto nav_mesh = build_navmesh(triangles, RecastOptions::tiled(), control);
        ASSERT_TRUE(nav_mesh);
        if (bytes.empty()) bytes = format_tile_set(**nav_mesh).value();
        EXPECT_EQ(format_tile_set(**nav_mesh).value(), bytes);
    }
}

TEST(RecastBuilder, WhereNobodyCanStandThereAreNoTiles) {
    Triangles small;
    add_floor(small, 0, 0, 1, 1, 0);
    Triangles narrow;
    add_floor(narrow, 0, 0, 0.1F, 9, 0);
    for (const RecastOptions& options : {RecastOptions(), RecastOptions::tiled()}) {
        for (const Triangles& geometry : {Triangles(), small, narrow}) {
            const auto nav_mesh = build_navmesh(geometry, options);
            ASSERT_TRUE(nav_mesh) << nav_mesh.error().message;
            EXPECT_EQ(polygons_of(**nav_mesh), 0U);
            EXPECT_TRUE(parse_tile_set(format_tile_set(**nav_mesh).value(), "none"));
        }
    }
}

TEST(RecastBuilder, RefusesTrianglesThatRecastCannotHold) {
    const auto refusal = [](const Triangles& triangles, const RecastOptions& options) {
        const auto nav_mesh = build_navmesh(triangles, options);
        return nav_mesh ? Status{} : nav_mesh.error();
    };
    Triangles wide;
    add_floor(wide, 0, 0, 1e6F, 1e6F, 0);
    for (const RecastOptions& options : {RecastOptions(), RecastOptions::tiled()}) {
        EXPECT_EQ(refusal(wide, options).code, StatusCode::too_large);
        EXPECT_THAT(refusal(wide, options).message, HasSubstr("at most 2^25 cells"));
    }
    Triangles high = two_storeys();
    add_floor(high, 0, 0, 1, 1, 1e4F);
    EXPECT_THAT(refusal(high, {}).message, HasSubstr("8,190 high"));
    Triangles bad = two_storeys();
    bad.vertices[3].z = std::numeric_limits<float>::quiet_NaN();
    EXPECT_EQ(refusal(bad, {}).code, StatusCode::bad_option);
    bad = two_storeys();
    bad.corners[7] = 8;
    EXPECT_THAT(refusal(bad, {}).message, HasSubstr("triangle 2: there is no vertex 8"));
    bad = two_storeys();
    bad.corners.pop_back();
    EXPECT_THAT(refusal(bad, {}).message, HasSubstr("the last triangle has not three corners"));
}

// Recast numbers the cells of ground with 24 bits, and makes an empty mesh of more.
TEST(RecastBuilder, RefusesMoreGroundThanRecastCanNumber) {
    if (test::scale() < 1) GTEST_SKIP() << "takes 320 MB";
    Triangles floors;
    for (const float y : {0.0F, 10.0F, 20.0F}) add_floor(floors, 0, 0, 2'400, 2'400, y);
    RecastOptions options;
    options.cell_size = options.cell_height = 1;
    const auto refused = build_navmesh(floors, options);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, StatusCode::too_large);
    EXPECT_THAT(refused.error().message, HasSubstr("more cells or polygons than Recast can build"));
}

TEST(RecastBuilder, RefusesBadOptionsByName) {
    const auto refused = [](auto change) {
        RecastOptions options;
        change(options);
        const auto nav_mesh = build_navmesh(two_storeys(), options);
        return nav_mesh ? std::string("built") : nav_mesh.error().message;
    };
    EXPECT_THAT(refused([](auto& o) { o.cell_size = 0; }), HasSubstr("cell_size 0"));
    EXPECT_THAT(refused([](auto& o) { o.cell_height = -1; }), HasSubstr("cell_height"));
    EXPECT_THAT(refused([](auto& o) { o.agent_radius = 100; }), HasSubstr("agent_radius"));
    EXPECT_THAT(refused([](auto& o) { o.agent_slope = 90; }), HasSubstr("agent_slope"));
    EXPECT_THAT(refused([](auto& o) { o.corners = 7; }), HasSubstr("corners 7"));
    EXPECT_THAT(refused([](auto& o) { o.tile_size = 8; }), HasSubstr("tile_size 8"));
    EXPECT_THAT(refused([](auto& o) { o.edge_max_error = std::numeric_limits<float>::infinity(); }),
                HasSubstr("edge_max_error"));
}

TEST(RecastBuilder, ReportsProgressAndCanBeCancelled) {
    for (const RecastOptions& options : {RecastOptions(), RecastOptions::tiled()}) {
        BuildControl control;
        double last = 0;
        control.progress = [&](double done) {
            EXPECT_GE(done, last);
            last = done;
        };
        ASSERT_TRUE(build_navmesh(two_storeys(), options, control));
        EXPECT_EQ(last, 1);
        last = 0;
        CancelFlag cancel;
        cancel.cancel();
        control.cancel = &cancel;
        EXPECT_EQ(build_navmesh(two_storeys(), options, control).error().code,
                  StatusCode::cancelled);
    }
}

/// The defaults, and settings far from them, in one piece and tiled.
std::vector<RecastOptions> some_options() {
    std::vector<RecastOptions> all{RecastOptions(), RecastOptions::tiled()};
    struct Setting {
        float cell_size, edge_max_error, agent_radius;
    };
    for (const auto& [cell_size, edge_max_error, agent_radius] :
         {Setting{0.3F, 2.5F, 0}, {0.2F, 0.8F, 0.6F}, {0.5F, 0.8F, 0}, {0.4F, 2.5F, 0.8F}}) {
        for (const int tile_size : {0, 48}) {
            RecastOptions& options = all.emplace_back();
            options.cell_size = cell_size;
            options.edge_max_error = edge_max_error;
            options.agent_radius = agent_radius;
            options.tile_size = tile_size;
        }
    }
    return all;
}

using PublishedObj = test::NavmeshFiles;

TEST_F(PublishedObj, GiveThePublishedTileSets) {
    const auto path = folder_ / "obj" / "dungeon.obj";
    const auto triangles = read_obj(path);
    ASSERT_TRUE(triangles) << triangles.error().message;
    const auto solo = build_navmesh(*triangles);
    ASSERT_TRUE(solo) << solo.error().message;
    const auto published = read_tile_set(folder_ / "detour" / "dungeon.solo.bin");
    ASSERT_TRUE(published);
    EXPECT_TRUE(format_tile_set(**solo).value() == format_tile_set(**published).value());
    const auto tiled = build_navmesh(*triangles, RecastOptions::tiled());
    ASSERT_TRUE(tiled) << tiled.error().message;
    EXPECT_EQ(polygons_of(**tiled), 129U);  // as dungeon.tiled.bin
}

TEST_F(PublishedObj, GiveMeshesThatConvert) {
    for (const char* name : {"islandctf", "nav_test", "oacmpdm10", "undulating"}) {
        const auto triangles = read_obj(folder_ / "obj" / (std::string(name) + ".obj"));
        ASSERT_TRUE(triangles) << triangles.error().message;
        for (const RecastOptions& options : some_options()) {
            const auto nav_mesh = build_navmesh(*triangles, options);
            ASSERT_TRUE(nav_mesh) << nav_mesh.error().message;
            const auto converted = convert(**nav_mesh, dtQueryFilter());
            ASSERT_TRUE(converted) << name << ": " << converted.error().message;
            EXPECT_GT(converted->mesh.num_polygons(), 50U);
            EXPECT_TRUE(parse_tile_set(format_tile_set(**nav_mesh).value(), name));
        }
    }
}

}  // namespace
}  // namespace cairn::detour
