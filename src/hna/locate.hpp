#pragma once
// The locate step: finds the polygons in which a query's start and goal lie.

#include "hna/snapshot.hpp"

namespace cairn::hna {

/// Finds the polygon of a place that has none: the nearest one above or below its point, or else
/// beside it, at most `reach` away. A point beside the polygon moves onto it. A place that has a
/// polygon is only checked. False if there is no polygon, or if the point is not finite.
[[nodiscard]] bool locate_place(const Snapshot& snapshot, double reach, mesh::Place& place);

/// Locates a start: ok, start_outside or start_blocked.
[[nodiscard]] StatusCode locate_start(const Snapshot& snapshot, double reach, mesh::Place& start);
/// Locates a goal, given the start's polygon: ok, goal_outside, goal_blocked or no_path.
[[nodiscard]] StatusCode locate_goal(const Snapshot& snapshot, double reach, mesh::Polygon start,
                                     mesh::Place& goal);

/// Moves a goal to the nearest point, at any distance, to which a path leads from polygon `start`.
/// False if the goal's point is not finite.
[[nodiscard]] bool move_to_reachable(const Snapshot& snapshot, mesh::Polygon start,
                                     mesh::Place& goal);

}  // namespace cairn::hna
