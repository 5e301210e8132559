// Where discs can stand and pass: one scene for each rule.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "cairn/mesh/clearance.hpp"
#include "cairn/mesh/from_grid.hpp"
#include "cairn/mesh/locator.hpp"
#include "support/ascii_map.hpp"
#include "support/mesh_scene.hpp"

namespace cairn::mesh {
namespace {

using test::MeshScene;

constexpr double kEverything = std::numeric_limits<double>::infinity();

/// A mesh and its clearance, asked by points.
class Discs {
public:
    explicit Discs(const Mesh& mesh, const ClearanceOptions& options = {})
        : clearance_(Clearance::build(mesh, options).value()),
          locator_(Locator::create(mesh).value()) {}

    [[nodiscard]] const Clearance& clearance() const { return clearance_; }
    [[nodiscard]] Place at(float x, float z, float y = 0) const {
        const Point point{x, y, z};
        return clearance_.place({locator_.find(clearance_.whole(), point, 1), point});
    }
    [[nodiscard]] double room(const Place& place) const {
        return clearance_.clearance(place, kEverything);
    }
    [[nodiscard]] StatusCode reach(const Place& from, const Place& to, double radius) const {
        return clearance_.reachable(from, to, radius);
    }
    /// Expects that the greatest radius from one place to another is `radius`, but for 1e-3.
    void expect_most(const Place& from, const Place& to, double radius) const {
        EXPECT_EQ(reach(from, to, radius - 1e-3), StatusCode::ok);
        EXPECT_NE(reach(from, to, radius + 1e-3), StatusCode::ok);
    }

private:
    Clearance clearance_;
    Locator locator_;
};

Discs on_map(std::initializer_list<std::string_view> rows) {
    return Discs(mesh_from_grid(test::ascii_map(rows)).value());
}

TEST(ClearanceScenes, ADoorwayLetsHalfItsWidthThrough) {
    const Discs discs = on_map({
        "...@...",
        ".......",
        "...@...",
    });
    const Place from = discs.at(1.5F, 1.5F);
    const Place to = discs.at(5.5F, 1.5F);
    EXPECT_EQ(discs.reach(from, to, 0.5), StatusCode::ok);
    EXPECT_EQ(discs.reach(from, to, 0.51), StatusCode::no_path);
    EXPECT_EQ(discs.reach(from, discs.at(1.5F, 1), 0.51), StatusCode::ok) << "in one room";
    EXPECT_EQ(discs.reach(discs.at(3.5F, 1.5F), to, 0.51), StatusCode::start_blocked);
    EXPECT_EQ(discs.reach(from, discs.at(3.5F, 1.5F), 0.51), StatusCode::goal_blocked);
    EXPECT_DOUBLE_EQ(discs.room(from), 1.5);
    EXPECT_EQ(discs.clearance().gates().front().width, 1);
}

TEST(ClearanceScenes, ADiscTooNearToWallsIsMovedAway) {
    const Discs discs = on_map({
        "...@...",
        ".......",
        "...@...",
    });
    const Clearance& clearance = discs.clearance();
    const auto moved = [&](float x, float z, double radius, double reach) {
        const Place place = discs.at(x, z);
        return clearance.make_room({clearance.origin(place.polygon), place.point}, radius, reach);
    };
    // From a wall, from a corner of the room, and from a place exactly on a wall.
    for (const Point from : {Point{1, 0, 0.2F}, Point{0.1F, 0, 0.1F}, Point{1.5F, 0, 0}}) {
        const auto place = moved(from.x, from.z, 0.5, 1);
        ASSERT_TRUE(place) << from.x << ' ' << from.z;
        EXPECT_NEAR(place->point.x, std::max(from.x, 0.5F), 1e-2F);
        EXPECT_NEAR(place->point.z, 0.5F, 1e-2F);
        EXPECT_EQ(place->point.y, 0);
    }
    EXPECT_FALSE(moved(1, 0.2F, 0.5, 0.25)) << "farther than the reach";
    EXPECT_EQ(moved(1, 1, 0.5, 0)->point, (Point{1, 0, 1})) << "it can stand there";
    EXPECT_FALSE(moved(3.5F, 1.4F, 0.6, 5)) << "in a gap that is too narrow";
    constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();
    EXPECT_FALSE(moved(1, 1, kNoNumber, 1));
    EXPECT_FALSE(moved(1, 1, 1, kNoNumber));
    EXPECT_FALSE(moved(1, 1, kEverything, 1));
    EXPECT_FALSE(moved(1, 1, -1, 1));
}

TEST(ClearanceScenes, APillarInAPolygonBesideCounts) {
    const Discs discs = on_map({
        ".......",
        ".......",
        ".....@.",
        ".......",
        ".......",
    });
    // From the pillar's corner (5, 2), over the portal between two polygons.
    EXPECT_NEAR(discs.room(discs.at(4, 1)), 1, 1e-9);
    EXPECT_NEAR(discs.room(discs.at(3.5F, 1.6F)), std::hypot(1.5, 0.4), 1e-6);
    discs.expect_most(discs.at(2.5F, 2.5F), discs.at(6.5F, 2.5F), 0.5);
}

TEST(ClearanceScenes, AWallBehindAWallDoesNotCount) {
    // The lower room stands 0.1 below the thin wall between the rooms, which are far from being
    // neighbours on the surface.
    const Mesh mesh = MeshScene()
                          .polygon({{0, 0}, {4, 0}, {4, 4}, {0, 4}})
                          .polygon({{0, 4.1F}, {4, 4.1F}, {4, 4.3F}, {0, 4.3F}})
                          .polygon({{4, 0}, {5, 0}, {5, 4.3F}, {4, 4.3F}})
                          .portal(0, 2, {4, 0}, {4, 4})
                          .portal(1, 2, {4, 4.1F}, {4, 4.3F})
                          .build()
                          .value();
    const Discs discs(mesh);
    EXPECT_NEAR(discs.room(discs.at(2, 3)), 1, 1e-6);
    EXPECT_NEAR(discs.room(discs.at(2, 4.2F)), 0.1, 1e-6);
    // Seen through the opening, the wall ends at (4, 4): its other side is as far.
    EXPECT_NEAR(discs.room(discs.at(4.5F, 4.05F)), 0.25, 1e-6);
    discs.expect_most(discs.at(2, 2), discs.at(2, 4.2F), 0.1);
}

TEST(ClearanceScenes, StoreysDoNotCountForEachOther) {
    // A room of 4 by 4, and a strip above its middle.
    const Mesh mesh = MeshScene()
                          .polygon({{0, 0}, {4, 0}, {4, 4}, {0, 4}})
                          .polygon({{0, 1.5F}, {4, 1.5F}, {4, 2.5F}, {0, 2.5F}}, 5)
                          .build()
                          .value();
    const Discs discs(mesh);
    EXPECT_NEAR(discs.room(discs.at(2, 2)), 2, 1e-9);
    EXPECT_NEAR(discs.room(discs.at(2, 2, 5)), 0.5, 1e-9);
    discs.expect_most(discs.at(1, 1), discs.at(3, 3), 1);
    EXPECT_EQ(discs.reach(discs.at(2, 2), discs.at(2, 2, 5), 0), StatusCode::no_path);
}

TEST(ClearanceScenes, ASpiralRampWindsAroundAPillar) {
    // Three turns of eight sectors between the radii 1 and 3.
    constexpr int kSectors = 24;
    MeshScene scene;
    test::MeshParts& parts = scene.parts();
    for (int i = 0; i <= kSectors; ++i) {
        const double angle = 2 * std::numbers::pi * i / 8;
        for (const double radius : {1.0, 3.0})
            (void)parts.vertex(static_cast<float>(radius * std::cos(angle)),
                               static_cast<float>(i) / 2,
                               static_cast<float>(radius * std::sin(angle)));
    }
    for (std::uint32_t i = 0; i < kSectors; ++i) {
        parts.polygon({2 * i, 2 * i + 1, 2 * i + 3, 2 * i + 2});
        if (i > 0)
            parts.portals.push_back({i - 1, i, parts.vertices[2 * i], parts.vertices[2 * i + 1]});
    }
    const Discs discs(scene.build().value());
    // The walls are the sides of octagons.
    const double side = std::cos(std::numbers::pi / 8);
    const auto on_sector = [&](std::uint32_t i) {
        const double angle = 2 * std::numbers::pi * (i + 0.5) / 8;
        return discs.clearance().place({i,
                                        {static_cast<float>(2 * side * std::cos(angle)), 0,
                                         static_cast<float>(2 * side * std::sin(angle))}});
    };
    discs.expect_most(on_sector(2), on_sector(21), side);
    EXPECT_EQ(discs.reach(on_sector(2), on_sector(10), 0.8), StatusCode::ok) << "one turn above";
    EXPECT_LT(discs.room(on_sector(0)), 0.8) << "near the lower end";
    EXPECT_EQ(discs.clearance().mesh().num_odd(), 0U);
}

TEST(ClearanceScenes, ADiscCanStandWhereItCannotLeave) {
    const Discs discs = on_map({
        "....@@...",
        ".........",
        "....@@...",
        "....@@...",
    });
    const Place left = discs.at(2, 2);
    const Place right = discs.at(7.5F, 2);
    EXPECT_EQ(discs.reach(left, left, 1.4), StatusCode::ok);
    EXPECT_EQ(discs.reach(right, right, 1.4), StatusCode::ok);
    EXPECT_EQ(discs.reach(left, right, 1.4), StatusCode::no_path);
    EXPECT_EQ(discs.reach(right, left, 0.5), StatusCode::ok);
}

TEST(ClearanceScenes, APolygonWithoutAreaIsNoWall) {
    const Mesh mesh = MeshScene()
                          .polygon({{0, 0}, {1, 0}, {1, 1}, {0, 1}})
                          .polygon({{1, 0}, {2, 0}, {2, 1}, {1, 1}})
                          .polygon({{1, 0}, {1, 0.5F}, {1, 1}})
                          .portal(0, 2, {1, 0}, {1, 1})
                          .portal(2, 1, {1, 0}, {1, 1})
                          .build(OddPolygons::accept)
                          .value();
    ASSERT_EQ(mesh.oddity(2), Oddity::no_area);
    const Discs discs(mesh);
    EXPECT_NEAR(discs.room(discs.at(0.9F, 0.5F)), 0.5, 1e-6);
    discs.expect_most(discs.at(0.5F, 0.5F), discs.at(1.5F, 0.5F), 0.5);
}

TEST(ClearanceScenes, PolygonsThatAreNotConvexAreWalls) {
    // A chevron between two rooms.
    const Mesh mesh = MeshScene()
                          .polygon({{0, 0}, {2, 0}, {0.5F, 0.5F}, {0, 2}})
                          .polygon({{0, -2}, {2, -2}, {2, 0}, {0, 0}})
                          .polygon({{-2, 0}, {0, 0}, {0, 2}, {-2, 2}})
                          .portal(0, 1, {0, 0}, {2, 0})
                          .portal(0, 2, {0, 0}, {0, 2})
                          .build(OddPolygons::accept)
                          .value();
    ASSERT_EQ(mesh.oddity(0), Oddity::not_convex);
    const Discs discs(mesh);
    const Place from = discs.at(1, -1);
    const Place to = discs.at(-1, 1);
    EXPECT_EQ(discs.reach(from, to, 0), StatusCode::ok) << "points pass";
    EXPECT_EQ(discs.reach(from, to, 0.01), StatusCode::no_path);
    EXPECT_NEAR(discs.room(discs.at(1, -0.2F)), 0.2, 1e-6);
    EXPECT_EQ(discs.room(discs.at(0.2F, 0.2F)), 0);
    EXPECT_EQ(discs.reach(discs.at(0.2F, 0.2F), from, 0.01), StatusCode::start_blocked);
}

TEST(ClearanceScenes, PortalsAtTileBordersWithRoundedEndsLeaveNoWalls) {
    // One polygon on the left, three on the right. The ends of the portals are rounded to 1/255 of
    // the edge, as in Detour's links, half of which is the error.
    constexpr float kError = 4.0F / 510;
    const Mesh mesh = MeshScene()
                          .polygon({{0, 0}, {2, 0}, {2, 4}, {0, 4}})
                          .polygon({{2, 0}, {4, 0}, {4, 1.3F}, {2, 1.3F}})
                          .polygon({{2, 1.3F}, {4, 1.3F}, {4, 2.7F}, {2, 2.7F}})
                          .polygon({{2, 2.7F}, {4, 2.7F}, {4, 4}, {2, 4}})
                          .portal(0, 1, {2, 0}, {2, 1.3F - kError})
                          .portal(0, 2, {2, 1.3F + kError}, {2, 2.7F - kError})
                          .portal(0, 3, {2, 2.7F + kError}, {2, 4})
                          .portal(1, 2, {2, 1.3F}, {4, 1.3F})
                          .portal(2, 3, {2, 2.7F}, {4, 2.7F})
                          .build()
                          .value();
    const Discs discs(mesh);
    EXPECT_NEAR(discs.room(discs.at(1.9F, 1.3F)), 1.3, 1e-6);
    EXPECT_NEAR(discs.room(discs.at(2.1F, 2.7F)), 1.3, 1e-6);
    discs.expect_most(discs.at(2, 2), discs.at(2.05F, 2.05F), 1.95);
    EXPECT_EQ(discs.clearance().gates().size(), 0U);
}

TEST(ClearanceScenes, OneWayPortalsLeadOneWay) {
    MeshScene scene;
    scene.polygon({{0, 0}, {2, 0}, {2, 2}, {0, 2}})
        .polygon({{2, 0}, {4, 0}, {4, 2}, {2, 2}})
        .polygon({{4, 0.5F}, {6, 0.5F}, {6, 1.5F}, {4, 1.5F}})
        .portal(0, 1, {2, 0}, {2, 2})
        .portal(1, 2, {4, 0.5F}, {4, 1.5F});
    for (PortalSource& portal : scene.parts().portals) portal.back = false;
    const Discs discs(scene.build().value());
    const Place a = discs.at(1, 1);
    const Place b = discs.at(3, 1);
    const Place c = discs.at(5, 1);
    EXPECT_EQ(discs.room(a), 1) << "a portal is no wall";
    EXPECT_EQ(discs.reach(a, b, 0.9), StatusCode::ok);
    EXPECT_EQ(discs.reach(b, a, 0.9), StatusCode::no_path);
    EXPECT_EQ(discs.reach(a, c, 0.5), StatusCode::ok) << "over both";
    EXPECT_EQ(discs.reach(c, a, 0), StatusCode::no_path);
}

TEST(ClearanceScenes, ConnectionsAreAsWideAsTheRoomAtBothEnds) {
    MeshScene scene;
    scene.polygon({{0, 0}, {4, 0}, {4, 4}, {0, 4}})
        .polygon({{10, 0}, {14, 0}, {14, 4}, {10, 4}})
        .parts()
        .connections = {{0, 1, {2, 0, 3}, {12, 0, 3.5F}, 0, false}};
    const Discs discs(scene.build().value());
    EXPECT_EQ(discs.clearance().mesh().num_polygons(), 3U);
    EXPECT_EQ(discs.clearance().origin(2), 2U);
    const Place from = discs.at(2, 2);
    const Place to = discs.at(12, 2);
    discs.expect_most(from, to, 0.5);
    EXPECT_EQ(discs.reach(to, from, 0), StatusCode::no_path);
    EXPECT_EQ(discs.reach(discs.clearance().place({2, {}}), to, 0), StatusCode::ok);
    EXPECT_EQ(discs.reach(discs.clearance().place({2, {}}), to, 0.1), StatusCode::start_blocked);
}

TEST(ClearanceScenes, BlockedPolygonsAndClosedAreasAreWalls) {
    const Mesh open = test::drawn_mesh({
        "aabbcc",
        "aabbcc",
    });
    Discs discs(open);
    EXPECT_EQ(discs.room(discs.at(1.5F, 1)), 1);
    discs = Discs(open.edited(std::array{PolygonEdit{1, 0, true}}).value());
    EXPECT_EQ(discs.room(discs.at(1.5F, 1)), 0.5);
    EXPECT_EQ(discs.room(discs.at(2.5F, 1)), 0);
    EXPECT_EQ(discs.reach(discs.at(1, 1), discs.at(5, 1), 0), StatusCode::no_path);
    EXPECT_EQ(discs.reach(discs.at(1, 1), discs.at(3, 1), 0), StatusCode::goal_blocked);
    EXPECT_TRUE(discs.clearance().mesh().blocked(discs.at(3, 1).polygon));

    std::array<float, kAreas> costs = MeshOptions::all_ones();
    costs[7] = -1;
    discs = Discs(open.with_area_costs(costs, std::array{PolygonEdit{1, 7, false}}).value());
    EXPECT_EQ(discs.room(discs.at(1.5F, 1)), 0.5);
    EXPECT_EQ(discs.reach(discs.at(1, 1), discs.at(5, 1), 0), StatusCode::no_path);
}

TEST(ClearanceScenes, RemovedPolygonsHaveNoPieces) {
    const Mesh mesh = test::drawn_mesh({
        "aabbcc",
        "aabbcc",
    });
    const std::array<Polygon, 1> removed{1};
    const Discs discs(mesh.changed({removed, {}}).value());
    EXPECT_EQ(discs.clearance().mesh().num_polygons(), 2U);
    EXPECT_TRUE(discs.clearance().pieces(1).empty());
    EXPECT_EQ(discs.clearance().origin(1), 2U);
    EXPECT_EQ(discs.room(discs.at(1.5F, 1)), 0.5);
    EXPECT_EQ(discs.reach(discs.at(1, 1), discs.at(5, 1), 0), StatusCode::no_path);
}

TEST(ClearanceScenes, BehindVeryManyPolygonsIsAWall) {
    // A room of 40 by 40, in strips of 1/64.
    MeshScene scene;
    constexpr std::uint32_t kStrips = 40 * 64;
    const auto at = [](std::uint32_t i) { return static_cast<float>(i) / 64; };
    for (std::uint32_t i = 0; i < kStrips; ++i) {
        scene.polygon({{at(i), 0}, {at(i + 1), 0}, {at(i + 1), 40}, {at(i), 40}});
        if (i > 0) scene.portal(i - 1, i, {at(i), 0}, {at(i), 40});
    }
    const Discs discs(scene.build().value());
    EXPECT_NEAR(discs.room(discs.at(20, 20)), 16, 0.1) << "1,024 strips away";
    EXPECT_NEAR(discs.room(discs.at(20, 5)), 5, 1e-6);
    EXPECT_EQ(discs.clearance().gates().size(), 0U);
}

TEST(ClearanceScenes, WhereVeryManyPolygonsMeetIsAWall) {
    const auto fan = [](int triangles) {
        MeshScene scene;
        const auto at = [&](int i) {
            const double angle = 2 * std::numbers::pi * i / triangles;
            return std::array{static_cast<float>(std::cos(angle)),
                              static_cast<float>(std::sin(angle))};
        };
        for (int i = 0; i < triangles; ++i) {
            scene.polygon({{0, 0}, at(i), at((i + 1) % triangles)});
            const auto p = static_cast<Polygon>(i);
            scene.portal(p == 0 ? static_cast<Polygon>(triangles - 1) : p - 1, p, {0, 0}, at(i));
        }
        return Discs(scene.build().value());
    };
    for (const int triangles : {3, 10, 64, 65, 100}) {
        SCOPED_TRACE(triangles);
        const Discs discs = fan(triangles);
        const double side = std::cos(std::numbers::pi / triangles);
        EXPECT_NEAR(discs.room({0, {}}), triangles <= 64 ? side : 0, 1e-6);
        EXPECT_NEAR(discs.room(discs.at(0.01F, 0.001F)), side, 0.011);
    }
}

TEST(ClearanceScenes, MeshesWithoutNarrowPlacesAreNotCut) {
    const Discs none{Mesh()};
    EXPECT_EQ(none.clearance().gates().size(), 0U);
    EXPECT_EQ(none.clearance().mesh().num_polygons(), 0U);
    EXPECT_EQ(Clearance().reachable({0, {}}, {0, {}}, 0), StatusCode::start_outside);
    const Discs room = on_map({"..", ".."});
    EXPECT_EQ(room.clearance().gates().size(), 0U);
    EXPECT_TRUE(room.clearance().mesh() == room.clearance().whole()) << "nothing was cut";
}

TEST(ClearanceScenes, BadArgumentsAreRefused) {
    const Mesh mesh = test::drawn_mesh({"ab"});
    for (const double most : {-1.0, kEverything, std::nan("")}) {
        const auto refused = Clearance::build(mesh, {most});
        ASSERT_FALSE(refused) << most;
        EXPECT_EQ(refused.error().code, StatusCode::bad_option);
        EXPECT_NE(refused.error().message.find("most_radius"), std::string::npos);
    }
    BuildControl control;
    control.threads = -1;
    EXPECT_EQ(Clearance::build(mesh, {}, control).error().code, StatusCode::bad_option);
    control.threads = 0;
    CancelFlag cancel;
    cancel.cancel();
    control.cancel = &cancel;
    EXPECT_EQ(Clearance::build(mesh, {}, control).error().code, StatusCode::cancelled);

    const Discs discs(mesh, {0.25});
    const Place a = discs.at(0.5F, 0.5F);
    for (const double radius : {-0.1, 0.26, kEverything, std::nan("")})
        EXPECT_EQ(discs.reach(a, a, radius), StatusCode::bad_option) << radius;
    EXPECT_EQ(discs.reach(a, a, 0.25), StatusCode::ok);
    EXPECT_EQ(discs.reach({99, {}}, a, 0.1), StatusCode::start_outside);
    EXPECT_EQ(discs.reach(a, {kNone, {}}, 0.1), StatusCode::goal_outside);
    const Point nowhere{std::nanf(""), 0, 0};
    EXPECT_EQ(discs.reach({a.polygon, nowhere}, a, 0.1), StatusCode::start_blocked);
    EXPECT_EQ(Discs(mesh).reach(a, a, kEverything), StatusCode::start_blocked);
}

}  // namespace
}  // namespace cairn::mesh
