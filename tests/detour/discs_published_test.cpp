// Paths of discs on published levels, with their storeys and ramps.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "cairn/detour/nav_mesh.hpp"
#include "cairn/detour/tile_set.hpp"
#include "cairn/hna/discs.hpp"
#include "cairn/mesh/locator.hpp"
#include "support/navmesh_files.hpp"
#include "support/random_meshes.hpp"
#include "support/scale.hpp"

namespace cairn::detour {
namespace {

using mesh::DiscWaypoint;
using mesh::Onwards;

class DiscsPublished : public test::NavmeshFiles {};

// The nearest wall to a point of the line, as a share of the radius. The point is on the way from
// one waypoint to the next, so its polygon is looked for around it, near the height of both.
double least_room(const hna::DiscIndex& index, const mesh::Locator& locator,
                  std::span<const DiscWaypoint> line, double radius) {
    const mesh::Clearance& clearance = index.clearance();
    double least = 1;
    for (const DiscWaypoint& waypoint : line) {
        if (clearance.whole().is_connection(waypoint.polygon)) continue;
        const mesh::Place place = clearance.place({waypoint.polygon, waypoint.point});
        least = std::min(least, clearance.clearance(place, radius) / radius);
    }
    for (std::size_t i = 0; i + 1 < line.size(); ++i) {
        const mesh::Point& a = line[i].point;
        const mesh::Point& b = line[i + 1].point;
        if (line[i].onwards != Onwards::straight || std::abs(a.y - b.y) > 1) continue;
        for (int part = 1; part < 8; ++part) {
            const auto share = static_cast<float>(part) / 8;
            const mesh::Point at{a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share,
                                 a.z + (b.z - a.z) * share};
            const mesh::Polygon polygon = locator.find(clearance.whole(), at, 1);
            if (polygon == mesh::kNone) continue;
            const mesh::Place place = clearance.place({polygon, at});
            least = std::min(least, clearance.clearance(place, radius) / radius);
        }
    }
    return least;
}

TEST_F(DiscsPublished, LinesAreFoundAndKeepTheRadius) {
    constexpr std::array kRadii{0.1, 0.3, 0.6, 1.0, 2.0};
    for (const auto& file : files("detour", ".bin")) {
        SCOPED_TRACE(file.filename().string());
        const auto nav_mesh = read_tile_set(file.string()).value();
        const auto converted = convert(*nav_mesh, dtQueryFilter()).value();
        const auto index = hna::DiscIndex::build(converted.mesh, kRadii).value();
        const auto locator = mesh::Locator::create(index.clearance().whole()).value();
        hna::DiscSearcher searcher;
        hna::DiscAnswer answer;
        test::RandomMaps random(7);
        std::size_t paths = 0;
        std::size_t without_line = 0;
        for (const double radius : kRadii) {
            for (std::uint64_t i = 0; i < test::scaled(200); ++i) {
                const hna::DiscQuery query{.start = test::random_place(converted.mesh, random),
                                           .goal = test::random_place(converted.mesh, random),
                                           .radius = radius,
                                           .reach = 0};
                const StatusCode code = index.reachable(query.start, query.goal, radius);
                ASSERT_EQ(searcher.find(index, query, answer), code)
                    << query.start.point.x << ", " << query.start.point.z << " to "
                    << query.goal.point.x << ", " << query.goal.point.z << " radius " << radius;
                if (code != StatusCode::ok) continue;
                ++paths;
                without_line += answer.waypoints.empty() ? 1 : 0;
                ASSERT_GT(least_room(index, locator, answer.waypoints, radius), 0.99)
                    << query.start.point.x << ", " << query.start.point.z << " to "
                    << query.goal.point.x << ", " << query.goal.point.z << " radius " << radius;
            }
        }
        RecordProperty(file.stem().string() + "_paths", std::to_string(paths));
        RecordProperty(file.stem().string() + "_without_line", std::to_string(without_line));
        EXPECT_LE(without_line, paths / 1000);
    }
}

}  // namespace
}  // namespace cairn::detour
