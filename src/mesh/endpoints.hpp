#pragma once
// Checks of a query's start and goal, which name their polygons.

#include <cmath>

#include "cairn/mesh/mesh.hpp"
#include "cairn/status.hpp"

namespace cairn::mesh {

[[nodiscard]] inline bool finite(const Point& point) noexcept {
    return std::isfinite(point.x) && std::isfinite(point.y) && std::isfinite(point.z);
}

/// Whether a place's polygon exists and its point is finite. The point may lie off the polygon.
[[nodiscard]] inline bool inside(const Mesh& mesh, const Place& place) noexcept {
    return place.polygon < mesh.num_polygons() && !mesh.is_removed(place.polygon) &&
           finite(place.point);
}

/// The same, and the polygon is not blocked.
[[nodiscard]] inline bool usable(const Mesh& mesh, const Place& place) noexcept {
    return inside(mesh, place) && !mesh.blocked(place.polygon);
}

/// ok, start_outside or start_blocked.
[[nodiscard]] inline StatusCode check_start(const Mesh& mesh, const Place& start) noexcept {
    if (!inside(mesh, start)) return StatusCode::start_outside;
    return mesh.blocked(start.polygon) ? StatusCode::start_blocked : StatusCode::ok;
}

/// ok, or what is wrong with the start or, if nothing is, with the goal.
[[nodiscard]] inline StatusCode check_endpoints(const Mesh& mesh, const Place& start,
                                                const Place& goal) noexcept {
    const StatusCode status = check_start(mesh, start);
    if (status != StatusCode::ok) return status;
    if (!inside(mesh, goal)) return StatusCode::goal_outside;
    return mesh.blocked(goal.polygon) ? StatusCode::goal_blocked : StatusCode::ok;
}

}  // namespace cairn::mesh
