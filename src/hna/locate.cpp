#include "hna/locate.hpp"

#include "navmesh/ends.hpp"
#include "navmesh/nearest_polygon.hpp"

namespace cairn::hna {

using navmesh::kNone;
using navmesh::Place;
using navmesh::Polygon;

bool locate_place(const Snapshot& snapshot, double reach, Place& place) {
    const navmesh::Mesh& mesh = snapshot.overlay.base.mesh;
    if (place.polygon != kNone) return navmesh::inside(mesh, place);
    place.polygon = snapshot.locator.find(mesh, place.point, reach);
    if (place.polygon != kNone) return true;
    const auto nearest = snapshot.locator.nearest(mesh, place.point, reach);
    if (nearest) place = nearest->place;
    return nearest.has_value();
}

bool move_within_reach(const Snapshot& snapshot, Polygon start, Place& goal) {
    const navmesh::MeshData& mesh = snapshot.mesh();
    const auto reached = [&](Polygon polygon) {
        return snapshot.reachability.reaches(start, polygon);
    };
    const auto nearest = navmesh::nearest_polygon(snapshot.locator.data(), mesh, goal.point,
                                                  std::numeric_limits<double>::infinity(), reached);
    if (nearest) goal = nearest->place;
    return nearest.has_value();
}

}  // namespace cairn::hna
