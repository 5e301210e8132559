// One mesh for every radius, against meshes that Recast builds for one radius, and on the published
// tile sets.

#include "cairn/mesh/clearance.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "cairn/detour/recast_builder.hpp"
#include "cairn/detour/tile_set.hpp"
#include "cairn/mesh/locator.hpp"
#include "cairn/mesh/reachability.hpp"
#include "support/clearance_oracle.hpp"
#include "support/navmesh_files.hpp"
#include "support/random_meshes.hpp"

namespace cairn::detour {
namespace {

using mesh::Clearance;
using mesh::Mesh;
using mesh::Place;
using mesh::Polygon;

/// The mesh that Recast builds for a radius, with small cells and little simplified.
Mesh recast_mesh(const Triangles& triangles, float cell, float radius) {
    RecastOptions options;
    options.cell_size = cell;
    options.cell_height = cell / 1.5F;
    options.region_min_size = 2;
    options.edge_max_error = 0.8F;
    options.agent_radius = radius;
    const auto nav_mesh = build_navmesh(triangles, options);
    return convert(**nav_mesh, dtQueryFilter())->mesh;
}

struct Agreement {
    int asked = 0;
    int agreed = 0;
};

/// Asks Recast's mesh for a radius, and a mesh for radius 0 about discs of this radius, whether
/// random pairs of its polygon centres are joined. The answers may differ where the greatest radius
/// of a disc is about the erosion, for two reasons. Borders are simplified by up to 0.8 cells. And
/// Recast (rcErodeWalkableArea) counts the cells at a wall as distance 0 and keeps those at a
/// distance of n cells or more: so a corridor of 2 n cells is lost to a radius of n cells, though
/// such a disc just fits.
Agreement agreement(const std::filesystem::path& file, float cell, float radius) {
    const Triangles triangles = read_obj(file).value();
    const auto clearance = Clearance::build(recast_mesh(triangles, cell, 0)).value();
    const auto locator = mesh::Locator::create(clearance.whole()).value();
    const Mesh eroded = recast_mesh(triangles, cell, radius);
    const auto reachability = mesh::Reachability::build(eroded).value();
    const double cells = std::ceil(double{radius} / double{cell});
    const double erosion = cells * double{cell};
    test::RandomMaps random(7);
    Agreement result;
    for (int i = 0; i < 2000; ++i) {
        const int last = static_cast<int>(eroded.num_polygons()) - 1;
        const auto a = static_cast<Polygon>(random.number(0, last));
        const auto b = static_cast<Polygon>(random.number(0, last));
        const auto from = locator.nearest(clearance.whole(), eroded.centre(a), 1);
        const auto to = locator.nearest(clearance.whole(), eroded.centre(b), 1);
        if (!from || !to) continue;
        const Place start = clearance.place(from->place);
        const Place goal = clearance.place(to->place);
        // Centres of eroded polygons may lie a little less than the erosion from simplified walls.
        const double asked_radius = erosion - 0.5 * double{cell};
        const StatusCode code = clearance.reachable(start, goal, asked_radius);
        if (code != StatusCode::ok && code != StatusCode::no_path) continue;
        ++result.asked;
        if ((code == StatusCode::ok) == reachability.reaches(a, b)) {
            ++result.agreed;
            continue;
        }
        const double most = test::most_radius(clearance, start, goal, 4 * erosion);
        EXPECT_NEAR(most, erosion + 0.25 * double{cell}, 1.3 * double{cell}) << a << " to " << b;
    }
    return result;
}

using ClearanceOfGeometry = test::NavmeshFiles;

TEST_F(ClearanceOfGeometry, AgreesWithMeshesThatRecastBuildsForTheRadius) {
    struct Case {
        const char* name;
        float cell;
        float radius;
        double least;  // share of pairs that agree
    };
    // In the dungeon one door of four cells of 0.3 leads to many polygons. It is 1.27 wide, and
    // lost to Recast at a radius of two cells: discs up to 0.636 pass in all but one of the pairs
    // that differ.
    for (const Case& c : {Case{"dungeon", 0.3F, 0.6F, 0.95},
                          {"dungeon", 0.2F, 1.0F, 0.98},
                          {"nav_test", 0.3F, 0.6F, 0.98},
                          {"nav_test", 0.2F, 1.0F, 0.98},
                          {"undulating", 0.3F, 0.6F, 0.98},
                          {"islandctf", 0.3F, 0.6F, 0.98}}) {
        SCOPED_TRACE(std::string(c.name) + " at " + std::to_string(c.radius));
        const auto [asked, agreed] =
            agreement(folder_ / "obj" / (std::string(c.name) + ".obj"), c.cell, c.radius);
        EXPECT_GT(asked, 1000);
        EXPECT_GE(agreed, c.least * asked);
    }
}

using ClearanceOfTileSets = test::NavmeshFiles;

TEST_F(ClearanceOfTileSets, AgreesWithReachabilityForEveryRadius) {
    for (const auto& path : files("detour", ".bin")) {
        SCOPED_TRACE(path);
        const auto nav_mesh = read_tile_set(path);
        ASSERT_TRUE(nav_mesh) << nav_mesh.error().message;
        const Mesh mesh = convert(**nav_mesh, dtQueryFilter())->mesh;
        const auto clearance = Clearance::build(mesh).value();
        EXPECT_EQ(clearance.mesh().num_odd(), mesh.num_odd());
        EXPECT_GT(clearance.gates().size(), 0U);
        const auto whole = mesh::Reachability::build(mesh).value();
        test::RandomMaps random(3);
        std::vector<Place> places;
        for (int i = 0; i < 60; ++i)
            places.push_back(clearance.place(test::random_place(mesh, random)));
        std::size_t before = places.size() * places.size();
        for (const double radius : {0.0, 0.1, 0.5, 1.0, 2.0}) {
            const Mesh narrowed = clearance.mesh().with_radius(radius).value();
            const auto reachability = mesh::Reachability::build(narrowed).value();
            std::size_t reached = 0;
            for (const Place& from : places) {
                const double room = clearance.clearance(from, 10);
                for (const Place& to : places) {
                    const StatusCode code = clearance.reachable(from, to, radius);
                    reached += code == StatusCode::ok ? 1 : 0;
                    ASSERT_EQ(code == StatusCode::ok,
                              clearance.reachable(to, from, radius) == StatusCode::ok);
                    if (radius == 0) {
                        ASSERT_EQ(code == StatusCode::ok,
                                  whole.reaches(clearance.origin(from.polygon),
                                                clearance.origin(to.polygon)));
                    } else {
                        ASSERT_EQ(code == StatusCode::start_blocked, room < radius);
                    }
                    if (code == StatusCode::ok || code == StatusCode::no_path) {
                        ASSERT_EQ(code == StatusCode::ok,
                                  reachability.reaches(from.polygon, to.polygon));
                    }
                }
            }
            EXPECT_LE(reached, before);
            before = reached;
        }
    }
}

}  // namespace
}  // namespace cairn::detour
