// Portals divided into parts (Scoring::portal_parts): the parts, the shorter paths over them, and
// strings, which may cross the whole portal.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "cairn/mesh/astar.hpp"
#include "cairn/mesh/from_grid.hpp"
#include "cairn/mesh/funnel.hpp"
#include "cairn/mesh/reachability.hpp"
#include "mesh/mesh_data.hpp"
#include "support/mesh_dijkstra.hpp"
#include "support/random_meshes.hpp"
#include "support/scale.hpp"

namespace cairn::mesh {
namespace {

using test::RandomMaps;

// Parts of at most this length; 0 lets the mesh choose it.
MeshOptions parts_of_length(double longest) {
    MeshOptions options;
    options.scoring = Scoring::portal_parts;
    options.longest_part = longest;
    return options;
}

// The midpoints of all portals.
std::vector<Point> midpoints(const Mesh& mesh) {
    std::vector<Point> out;
    for (Link link = 0; link < mesh.num_links(); link += 2) out.push_back(mesh.midpoint(link));
    return out;
}

TEST(PortalParts, HaveTheEndsOfTheWholePortalAndTheirOwnMidpoints) {
    const Mesh mesh = test::drawn_mesh({"aaaaaaaac", "bbbbbbbbd"}, parts_of_length(2.5));
    const std::vector<Point> expected{{7, 0, 1},    {5, 0, 1},    {3, 0, 1},   {1, 0, 1},
                                      {8, 0, 0.5F}, {8, 0, 1.5F}, {8.5F, 0, 1}};
    std::vector<Point> found = midpoints(mesh);
    const auto before = [](const Point& a, const Point& b) {
        return a.x != b.x ? a.x < b.x : a.z < b.z;
    };
    std::vector<Point> sorted = expected;
    std::sort(sorted.begin(), sorted.end(), before);
    std::sort(found.begin(), found.end(), before);
    EXPECT_EQ(found, sorted);
    ASSERT_EQ(mesh.num_portals(), 7U);
    Portal first_part = 0;  // of the portal between a and b
    while (mesh.midpoint(2 * first_part).z != 1 || mesh.midpoint(2 * first_part).x > 8) {
        ++first_part;
    }
    for (std::uint32_t part = 0; part < 4; ++part) {
        const Link link = 2 * (first_part + part);
        EXPECT_EQ(mesh.part(first_part + part), part);
        EXPECT_EQ(mesh.left(link), mesh.left(2 * first_part));
        EXPECT_EQ(mesh.right(link), mesh.right(2 * first_part));
        EXPECT_EQ(mesh.links(mesh.polygon_of(link))[mesh.place(link)], link);
    }
    EXPECT_EQ(mesh.links(0).size(), 5U);
}

// The pairs of links of all polygons.
std::size_t pairs_of_links(const Mesh& mesh) {
    std::size_t sum = 0;
    for (Polygon p = 0; p < mesh.num_polygons(); ++p)
        sum += mesh.links(p).size() * mesh.links(p).size();
    return sum;
}

// Without parts there are 16 pairs. With the long portal in 3 parts there are 40, in 4 parts 58.
TEST(PortalParts, DivideTheLongestPortalByAWholeNumberIfTheMeshChooses) {
    const test::MeshParts source = test::drawn_parts({"aaaaaaaac", "bbbbbbbbd"});
    const Mesh chosen = source.build(parts_of_length(0));
    EXPECT_DOUBLE_EQ(chosen.options().longest_part, 8.0 / 3);
    EXPECT_EQ(pairs_of_links(chosen), 40U);
    EXPECT_EQ(chosen, source.build(chosen.options()));
    EXPECT_FALSE(chosen == source.build(parts_of_length(2)));
    EXPECT_EQ(Mesh::build({}, parts_of_length(0)).value().options().longest_part, 0);
}

// The next whole number gives too many pairs, unless it gives no more parts than are allowed.
TEST(PortalParts, MakeAtMostThreeTimesAsManyPairsIfTheMeshChooses) {
    const auto seeds = test::scaled(200);
    std::uint64_t divided = 0;
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
        RandomMaps random(seed);
        const grid::Map map = random.noise(random.size(40), random.number(0, 20));
        const Mesh whole = mesh_from_grid(map).value();
        const Mesh mesh = mesh_from_grid(map, parts_of_length(0)).value();
        ASSERT_LE(pairs_of_links(mesh), 3 * pairs_of_links(whole));
        std::uint32_t first_parts = 0;
        for (Portal p = 0; p < mesh.num_portals(); ++p) first_parts += mesh.part(p) == 0 ? 1 : 0;
        ASSERT_EQ(first_parts, whole.num_portals());
        const double part = mesh.options().longest_part;
        if (part == 0) continue;
        double longest = 0;
        for (Link link = 0; link < whole.num_links(); link += 2)
            longest = std::max(longest, distance(whole.left(link), whole.right(link)));
        const double number = std::round(longest / part);
        ASSERT_NEAR(longest / part, number, 1e-9);
        divided += number > 1 ? 1 : 0;
        const Mesh shorter = mesh_from_grid(map, parts_of_length(longest / (number + 1))).value();
        ASSERT_TRUE(pairs_of_links(shorter) > 3 * pairs_of_links(whole) || number + 1 > 64) << seed;
    }
    EXPECT_GT(4 * divided, seeds);
}

TEST(PortalParts, AreSixtyFourAtMost) {
    const Mesh mesh = test::drawn_mesh({"aaaaaaaa", "bbbbbbbb"}, parts_of_length(1e-300));
    EXPECT_EQ(mesh.num_portals(), 64U);
    EXPECT_EQ(mesh.part(63), 63U);
}

// A long triangle with a portal to each of 2,000 unit squares in a row below it.
TEST(PortalParts, TooManyAreRefused) {
    std::vector<Point> vertices;
    std::vector<std::uint32_t> first{0};
    std::vector<std::uint32_t> corners;
    constexpr std::uint32_t kCells = 2000;
    for (std::uint32_t x = 0; x <= kCells; ++x) {
        vertices.push_back({static_cast<float>(x), 0, 0});
        vertices.push_back({static_cast<float>(x), 0, 1});
        if (x < kCells) {
            corners.insert(corners.end(), {2 * x, 2 * x + 2, 2 * x + 3, 2 * x + 1});
            first.push_back(static_cast<std::uint32_t>(corners.size()));
        }
    }
    vertices.push_back({0, 0, 2});
    for (std::uint32_t x = 0; x <= kCells; ++x) corners.push_back(2 * x + 1);
    corners.push_back(2 * kCells + 2);
    first.push_back(static_cast<std::uint32_t>(corners.size()));
    MeshSource source;
    source.vertices = vertices;
    source.first_corner = first;
    source.corners = corners;
    ASSERT_TRUE(Mesh::build(source, parts_of_length(0)));
    const auto mesh = Mesh::build(source, parts_of_length(1e-6));
    ASSERT_FALSE(mesh);
    EXPECT_EQ(mesh.error().code, StatusCode::too_large);
    EXPECT_NE(mesh.error().message.find("longer parts"), std::string::npos);
}

TEST(PortalParts, RefusesInvalidLengths) {
    for (const double longest : {-1.0, std::numeric_limits<double>::infinity(),
                                 std::numeric_limits<double>::quiet_NaN()}) {
        const auto mesh = Mesh::build({}, parts_of_length(longest));
        ASSERT_FALSE(mesh);
        EXPECT_EQ(mesh.error().code, StatusCode::bad_option);
    }
    MeshOptions options = parts_of_length(1);
    options.scoring = Scoring::portal_midpoints;
    EXPECT_EQ(Mesh::build({}, options).error().code, StatusCode::bad_option);
}

// A mesh without portals chooses no length. The first change that adds one does, once and for all.
TEST(PortalParts, LengthsAreChosenByTheFirstChangeThatAddsAPortal) {
    const Mesh empty = Mesh::build({}, parts_of_length(0)).value();
    test::MeshParts given = test::drawn_parts({"aaaa", "bbbb"});
    given.portals.clear();
    const Mesh without_portals = empty.changed({{}, given.source()}).value();
    EXPECT_EQ(without_portals.options().longest_part, 0);
    given.portals = {{0, 1, {0, 0, 1}, {4, 0, 1}}};
    const Mesh with_portal = empty.changed({{}, given.source()}).value();
    EXPECT_EQ(with_portal.options().longest_part, 4);
    EXPECT_EQ(with_portal.num_portals(), 1U);
    test::MeshParts added = test::drawn_parts({"aaaaaaaa", "bbbbbbbb"});
    added.portals = {{2, 3, {0, 0, 1}, {8, 0, 1}}};
    const Mesh with_two_portals = with_portal.changed({{}, added.source()}).value();
    EXPECT_EQ(with_two_portals.options().longest_part, 4);
    EXPECT_EQ(with_two_portals.num_portals(), 3U);
    EXPECT_EQ(with_two_portals.part(2), 1U);
}

// The links of the mesh `whole`, whose portals are not divided, for links of the mesh `divided`.
std::vector<Link> whole_links(const Mesh& divided, const Mesh& whole, std::span<const Link> links) {
    std::vector<Portal> portal_of_part;
    Portal portal = kNone;
    for (Portal p = 0; p < divided.num_portals(); ++p)
        portal_of_part.push_back(divided.part(p) == 0 ? ++portal : portal);
    std::vector<Link> out;
    for (const Link link : links) out.push_back(2 * portal_of_part[portal_of(link)] + (link & 1));
    EXPECT_EQ(portal + 1, whole.num_portals());
    return out;
}

TEST(PortalParts, StringsEqualThoseThroughWholePortals) {
    const auto seeds = test::scaled(300);
    Astar astar;
    Path path;
    Funnel funnel;
    std::vector<Waypoint> divided;
    std::vector<Waypoint> whole;
    int paths = 0;
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
        RandomMaps random(seed);
        test::MeshParts source =
            test::mesh_of_kind(static_cast<test::MeshKind>(seed % 5), random, 10);
        if (source.num_polygons() == 0) continue;
        if (random.chance(30)) test::add_connections(source, random);
        const Mesh mesh = source.build(parts_of_length(0.3));
        const Mesh whole_mesh = source.build();
        for (int i = 0; i < 6; ++i) {
            const Place start = test::random_place(mesh, random);
            const Place goal = test::random_place(mesh, random);
            if (astar.find_path(mesh, start, goal, path) != StatusCode::ok) continue;
            const std::vector<Link> links = whole_links(mesh, whole_mesh, path.links);
            for (const Crossings crossings : {Crossings::corners, Crossings::all}) {
                funnel.pull(mesh, start.point, goal.point, path.links, divided, crossings);
                funnel.pull(whole_mesh, start.point, goal.point, links, whole, crossings);
                ASSERT_EQ(divided.size(), whole.size()) << "seed " << seed;
                for (std::size_t k = 0; k < whole.size(); ++k)
                    ASSERT_EQ(divided[k].point, whole[k].point) << "seed " << seed;
            }
            ++paths;
        }
    }
    EXPECT_GE(paths, test::scale() < 1 ? 1 : 1000);
}

// The oracle labels both sides of a portal; the search has one label for both.
TEST(PortalParts, SearchesAreExact) {
    const auto seeds = test::scaled(300);
    Astar astar;
    Path path;
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
        test::RandomMeshOptions options;
        options.mesh = parts_of_length(seed % 3 == 0 ? 0 : 0.4);
        options.longest = 8;
        const Mesh mesh = test::random_mesh(seed, options);
        if (mesh.options().scoring != Scoring::portal_parts) continue;
        RandomMaps random(seed);
        for (int i = 0; i < 8; ++i) {
            const Place start = test::random_place(mesh, random);
            const Place goal = test::random_place(mesh, random);
            if (astar.find_path(mesh, start, goal, path) != StatusCode::ok) continue;
            ASSERT_EQ(test::check_corridor(mesh, start, goal, path.links, path.cost), "")
                << "seed " << seed;
        }
    }
}

// From a costly polygon to a cheap one, along the border, and back through the same portal.
TEST(PortalParts, APathThatTurnsBackCrossesTheMiddlesOfParts) {
    test::MeshParts source = test::drawn_parts({"aaaaaaaa", "bbbbbbbb"});
    source.areas = {1, 0};
    MeshOptions options = parts_of_length(1);
    options.area_costs[1] = 10;
    const Mesh mesh = source.build(options);
    const Place start{0, {0.5F, 0, 0.75F}};
    const Place goal{0, {7.5F, 0, 0.75F}};
    std::vector<Link> links;
    for (const float x : {0.5F, 7.5F}) {
        for (const Link link : mesh.links(x < 1 ? 0 : 1)) {
            if (mesh.midpoint(link).x == x) links.push_back(link);
        }
    }
    ASSERT_EQ(links.size(), 2U);
    std::vector<Waypoint> out;
    Funnel().pull(mesh, start.point, goal.point, links, out);
    const std::vector<Waypoint> expected{{start.point, kNone},
                                         {{0.5F, 0, 1}, links[0]},
                                         {{7.5F, 0, 1}, links[1]},
                                         {goal.point, kNone}};
    EXPECT_EQ(out, expected);
}

// The total length of strings on meshes from grid maps with parts of at most `longest`. The places
// are the same for every `longest`.
double total_length(double longest) {
    double sum = 0;
    Astar astar;
    Path path;
    Funnel funnel;
    std::vector<Waypoint> out;
    const auto seeds = test::scaled(40);
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
        RandomMaps random(seed);
        const grid::Map map = random.noise({48, 48}, random.number(5, 20));
        const Mesh mesh = mesh_from_grid(map, parts_of_length(longest)).value();
        const Reachability reach = Reachability::build(mesh).value();
        for (int i = 0; i < 20; ++i) {
            const Place start = test::random_place(mesh, random);
            const Place goal = test::random_place(mesh, random);
            if (!reach.reaches(start.polygon, goal.polygon)) continue;
            EXPECT_EQ(astar.find_path(mesh, start, goal, path), StatusCode::ok);
            funnel.pull(mesh, start.point, goal.point, path.links, out);
            sum += length(out);
        }
    }
    return sum;
}

TEST(PortalParts, SmallerPartsMakePathsShorter) {
    const double undivided = total_length(1e6);
    double previous = undivided;
    for (const double longest : {4.0, 2.0, 1.0, 0.5}) {
        const double total = total_length(longest);
        EXPECT_LT(total, previous * 1.0005) << longest;
        previous = total;
    }
    EXPECT_LT(previous, 0.98 * undivided);
}

}  // namespace
}  // namespace cairn::mesh
