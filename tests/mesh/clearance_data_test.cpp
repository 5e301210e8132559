// Clearances of published flat meshes, against slow and simple ones.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "cairn/formats/polyanya.hpp"
#include "cairn/mesh/clearance.hpp"
#include "cairn/mesh/reachability.hpp"
#include "support/clearance_oracle.hpp"
#include "support/navmesh_files.hpp"
#include "support/random_meshes.hpp"

namespace cairn::mesh {
namespace {

class ClearanceOfPublishedMeshes : public test::NavmeshFiles {
protected:
    [[nodiscard]] Mesh load(const std::string& name) const {
        return formats::load_polyanya((folder_ / "polyanya" / name).string()).value();
    }
};

TEST_F(ClearanceOfPublishedMeshes, IsTheDistanceToTheNearestWall) {
    int asked = 0;
    for (const auto& path : files("polyanya", ".mesh")) {
        SCOPED_TRACE(path);
        const auto mesh = formats::load_polyanya(path.string());
        if (!mesh) continue;  // refused, as one that is bad on purpose
        ++asked;
        const auto clearance = Clearance::build(*mesh).value();
        const auto walls = test::walls_of(*mesh);
        const auto whole = Reachability::build(*mesh).value();
        test::RandomMaps random(5);
        for (int i = 0; i < 50; ++i) {
            const Place from = clearance.place(test::random_place(*mesh, random));
            const Place to = clearance.place(test::random_place(*mesh, random));
            const double expected =
                test::distance(walls, double{from.point.x}, double{from.point.z});
            // Coordinates are up to some thousand.
            ASSERT_NEAR(clearance.clearance(from, 1e9), expected, 1e-3);
            ASSERT_EQ(clearance.reachable(from, to, 0) == StatusCode::ok,
                      whole.reaches(clearance.origin(from.polygon), clearance.origin(to.polygon)));
            const double most = test::most_radius(clearance, from, to, 1000);
            ASSERT_LE(most, expected + 1e-3);
            ASSERT_NEAR(test::most_radius(clearance, to, from, 1000), most, 1e-9);
        }
    }
    EXPECT_GT(asked, 8);
}

TEST_F(ClearanceOfPublishedMeshes, GreatestRadiiAgreeWithAGrid) {
    const Mesh mesh = load("arena.mesh");
    const auto clearance = Clearance::build(mesh).value();
    const test::GridOracle oracle(mesh, test::walls_of(mesh), 0.2);
    const Locator locator = Locator::create(mesh).value();
    test::RandomMaps random(1);
    const auto draw = [&] {
        const int last = static_cast<int>(oracle.points().size()) - 1;
        return oracle.points()[static_cast<std::size_t>(random.number(0, last))];
    };
    const auto place = [&](std::size_t i) {
        const Point p = oracle.point(i);
        return clearance.place({locator.find(mesh, p), p});
    };
    for (int i = 0; i < 300; ++i) {
        const std::size_t a = draw();
        const std::size_t b = draw();
        const double found = test::most_radius(clearance, place(a), place(b), 100);
        ASSERT_TRUE(oracle.agrees(found, oracle.most_radius(a, b)))
            << found << ", over the grid " << oracle.most_radius(a, b);
    }
}

}  // namespace
}  // namespace cairn::mesh
