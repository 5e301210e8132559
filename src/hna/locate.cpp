#include "hna/locate.hpp"

#include <limits>

#include "mesh/endpoints.hpp"
#include "mesh/nearest_polygon.hpp"

namespace cairn::hna {

using mesh::kNone;
using mesh::Place;
using mesh::Polygon;

bool locate_place(const Snapshot& snapshot, double reach, Place& place) {
    const mesh::Mesh& mesh = snapshot.overlay.base.mesh;
    if (place.polygon != kNone) return mesh::inside(mesh, place);
    place.polygon = snapshot.locator.find(mesh, place.point, reach);
    if (place.polygon != kNone) return true;
    const auto nearest = snapshot.locator.nearest(mesh, place.point, reach);
    if (nearest) place = nearest->place;
    return nearest.has_value();
}

StatusCode locate_start(const Snapshot& snapshot, double reach, Place& start) {
    if (!locate_place(snapshot, reach, start)) return StatusCode::start_outside;
    const bool blocked = snapshot.overlay.base.mesh.blocked(start.polygon);
    return blocked ? StatusCode::start_blocked : StatusCode::ok;
}

StatusCode locate_goal(const Snapshot& snapshot, double reach, Polygon start, Place& goal) {
    if (!locate_place(snapshot, reach, goal)) return StatusCode::goal_outside;
    if (snapshot.overlay.base.mesh.blocked(goal.polygon)) return StatusCode::goal_blocked;
    return snapshot.reachability.reaches(start, goal.polygon) ? StatusCode::ok
                                                              : StatusCode::no_path;
}

bool move_to_reachable(const Snapshot& snapshot, Polygon start, Place& goal) {
    const mesh::Reachability& reachability = snapshot.reachability;
    const std::uint32_t component = reachability.component(start);
    if (component == kNone) return false;
    const mesh::LocatorData& buckets = snapshot.locator.data();
    const auto nearest = mesh::nearest_polygon(
        buckets, mesh::buckets_of(buckets, reachability.box(component)), snapshot.mesh(),
        goal.point, std::numeric_limits<double>::infinity(),
        [&](Polygon polygon) { return reachability.reaches(start, polygon); });
    if (nearest) goal = nearest->place;
    return nearest.has_value();
}

}  // namespace cairn::hna
