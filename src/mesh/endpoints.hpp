#pragma once
// Checks a query's start and goal.

#include <cmath>

#include "cairn/mesh/mesh.hpp"
#include "cairn/status.hpp"

namespace cairn::mesh {

[[nodiscard]] inline bool finite(const Point& point) noexcept {
    return std::isfinite(point.x) && std::isfinite(point.y) && std::isfinite(point.z);
}

[[nodiscard]] inline bool inside(const Mesh& mesh, const Place& place) noexcept {
    return place.polygon < mesh.num_polygons() && !mesh.is_removed(place.polygon) &&
           finite(place.point);
}

[[nodiscard]] inline bool usable(const Mesh& mesh, const Place& place) noexcept {
    return inside(mesh, place) && !mesh.blocked(place.polygon);
}

/// start_outside, start_blocked or ok.
[[nodiscard]] inline StatusCode check_start(const Mesh& mesh, const Place& start) noexcept {
    if (!inside(mesh, start)) return StatusCode::start_outside;
    return mesh.blocked(start.polygon) ? StatusCode::start_blocked : StatusCode::ok;
}

/// Checks both. Errors of places outside the mesh come first.
[[nodiscard]] inline StatusCode check_endpoints(const Mesh& mesh, const Place& start,
                                                const Place& goal) noexcept {
    if (!inside(mesh, start)) return StatusCode::start_outside;
    if (!inside(mesh, goal)) return StatusCode::goal_outside;
    if (mesh.blocked(start.polygon)) return StatusCode::start_blocked;
    return mesh.blocked(goal.polygon) ? StatusCode::goal_blocked : StatusCode::ok;
}

}  // namespace cairn::mesh
