#pragma once
// The locate step: from points to polygons.

#include "hna/snapshot.hpp"

namespace cairn::hna {

/// Finds the polygon of a place that has none, at most `reach` away; a point beside the polygon
/// moves onto it. A place that has a polygon stays as it is. False if there is no such polygon, or
/// the point is not finite or far off the mesh.
[[nodiscard]] bool locate_place(const Snapshot& snapshot, double reach, mesh::Place& place);

/// Locates a start: ok, start_outside or start_blocked.
[[nodiscard]] StatusCode locate_start(const Snapshot& snapshot, double reach, mesh::Place& start);
/// Locates a goal, given the start's polygon: ok, goal_outside, goal_blocked or no_path.
[[nodiscard]] StatusCode locate_goal(const Snapshot& snapshot, double reach, mesh::Polygon start,
                                     mesh::Place& goal);

/// Moves a goal to the nearest point to which a path leads from polygon `start`. False if its point
/// is not finite.
[[nodiscard]] bool move_within_reach(const Snapshot& snapshot, mesh::Polygon start,
                                     mesh::Place& goal);

}  // namespace cairn::hna
