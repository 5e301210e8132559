// A guard walks its round on a navigation mesh: from a castle over one of two bridges to the field,
// and back. A bridge is raised and lowered again. The guard looks for another way only if that
// breaks its path, or shortens it.

#include <cstdio>
#include <vector>

#include "cairn/grid/terrain_image.hpp"
#include "cairn/hna/hna.hpp"
#include "cairn/mesh/from_grid.hpp"
#include "cairn/world/world.hpp"

using namespace cairn;
using P = hna::Planner;

namespace {

/// The castle in the north, a moat with two bridges, and the field in the south. Bridges are slow.
Result<mesh::Mesh> castle_and_field() {
    grid::TerrainImage image{40, 30, std::vector<std::uint8_t>(40 * 30, '1')};
    for (int y = 13; y < 17; ++y) {
        for (int x = 0; x < image.width; ++x) {
            const bool bridge = x == 5 || x == 6 || x == 30 || x == 31;
            image.set(x, y, bridge ? '2' : 'W');
        }
    }
    grid::MapOptions options;
    options.weights = grid::TerrainWeights::weighted();
    const auto map = grid::make_map(image, options);
    return map ? mesh::mesh_from_grid(*map) : tl::unexpected(map.error());
}

/// The polygon of the bridge nearest to x.
mesh::Polygon bridge_near(const mesh::Mesh& mesh, float x) {
    for (mesh::Polygon p = 0; p < mesh.num_polygons(); ++p) {
        const mesh::Point centre = mesh.centre(p);
        if (centre.z > 13 && centre.z < 17 && centre.x > x - 5 && centre.x < x + 5) return p;
    }
    return mesh::kNone;
}

}  // namespace

int main() {
    const auto mesh = castle_and_field();
    const auto index = mesh ? hna::Index::build(*mesh) : tl::unexpected(mesh.error());
    auto world = index ? World<P>::create(*index) : fail(StatusCode::bad_option);
    if (!world) return 1;
    WorldSearcher<P> searcher(*world);
    const mesh::Polygon west_bridge = bridge_near(*mesh, 6);

    hna::Query query;
    query.start = {mesh::kNone, {10, 0, 5}};
    query.goal = {mesh::kNone, {12, 0, 25}};
    hna::Answer guard;
    if (searcher.find(query, guard) != StatusCode::ok) return 1;
    std::printf("over the west bridge: length %.1f, %zu turns\n", guard.length,
                guard.waypoints.size() - 2);

    // Sets the bridge, and gives the guard another path where that pays.
    Replanned<P> replanned;
    std::vector<mesh::Polygon> path = guard.polygons;
    Cost cost = guard.cost;
    const auto set_bridge = [&](bool raised) {
        const mesh::PolygonEdit edit{west_bridge, mesh->area(west_bridge), raised};
        const auto number = world->edit({&edit, 1});
        const Route<P> route{{query.start, query.goal}, path, cost};
        if (!number ||
            !searcher.replan({&route, 1}, *number - 1, replanned, ReplanWhat::improvable).ok())
            return false;
        const bool turned = !replanned.routes.empty();
        if (turned) {
            const auto polygons = replanned.paths.polygons[0];
            path.assign(polygons.begin(), polygons.end());
            cost = replanned.paths.cost[0];
        }
        std::printf("the bridge is %s: the guard %s, cost %u\n", raised ? "raised" : "lowered",
                    turned ? "takes another way" : "goes on", cost);
        return true;
    };
    const Cost short_way = cost;
    if (!set_bridge(true) || cost <= short_way) return 1;
    if (!set_bridge(false) || cost != short_way) return 1;
    return 0;
}
