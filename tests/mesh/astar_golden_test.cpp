// Located places, A* paths and pulled strings on seeded meshes as hashes: the same for every
// compiler, optimisation level and machine. If an intended change alters them, put the hash that
// the failure prints here.

#include <gtest/gtest.h>

#include <bit>

#include "cairn/mesh/astar.hpp"
#include "cairn/mesh/funnel.hpp"
#include "cairn/mesh/locator.hpp"
#include "support/hash.hpp"
#include "support/random_meshes.hpp"

namespace cairn::mesh {
namespace {

using test::Hash;
using test::RandomMaps;

constexpr std::uint64_t kMeshes = 200;

void add(Hash& hash, const Point& p) {
    for (const float coordinate : {p.x, p.y, p.z})
        hash.add(std::bit_cast<std::uint32_t>(coordinate));
}

TEST(NavmeshGolden, PlacesAreTheSameEverywhere) {
    Hash hash;
    for (std::uint64_t seed = 0; seed < kMeshes; ++seed) {
        RandomMaps random(seed);
        const Mesh mesh = test::random_mesh(seed);
        const auto locator = Locator::create(mesh).value();
        for (int i = 0; i < 20; ++i) {
            Point p = test::random_place(mesh, random).point;
            hash.add(locator.find(mesh, p));
            p.x += static_cast<float>(random.number(-9, 9)) / 4;
            p.y += static_cast<float>(random.number(-9, 9)) / 4;
            hash.add(locator.find(mesh, p, 1));
            const auto nearest = locator.nearest(mesh, p, 5);
            if (!nearest) continue;
            hash.add(nearest->place.polygon);
            add(hash, nearest->place.point);
            hash.add(std::bit_cast<std::uint64_t>(nearest->distance));
        }
    }
    EXPECT_EQ(hash.text(), "e5dafb64982522c7");
}

TEST(NavmeshGolden, PathsAndStringsAreTheSameEverywhere) {
    Hash costs;
    Hash links;
    Hash strings;
    Astar search;
    Path path;
    Funnel funnel;
    std::vector<Waypoint> waypoints;
    for (std::uint64_t seed = 0; seed < kMeshes; ++seed) {
        RandomMaps random(seed);
        const Mesh mesh = test::random_mesh(seed);
        for (int i = 0; i < 10; ++i) {
            const Place start = test::random_place(mesh, random);
            const Place goal = test::random_place(mesh, random);
            search.find_path(mesh, start, goal, path);
            costs.add(path.cost);
            for (const Link link : path.links) links.add(link);
            if (path.status != StatusCode::ok) continue;
            funnel.pull(mesh, start.point, goal.point, path.links, waypoints, Crossings::all);
            for (const Waypoint& waypoint : waypoints) add(strings, waypoint.point);
        }
    }
    EXPECT_EQ(costs.text(), "bab7fbb52534f1ab");
    EXPECT_EQ(links.text(), "2208ef12674ddff5");
    EXPECT_EQ(strings.text(), "a3b4f7c6210ff92f");
}

}  // namespace
}  // namespace cairn::mesh
