#pragma once
// Checks a query's start and goal, and moves a goal to the nearest reachable cell.

#include "cairn/grid/map.hpp"
#include "cairn/grid/nearest.hpp"
#include "cairn/status.hpp"

namespace cairn::grid {

/// start_outside, start_blocked or ok.
[[nodiscard]] inline StatusCode check_start(const Map& map, Point start) noexcept {
    if (!map.contains(start)) return StatusCode::start_outside;
    return map.passable(map.cell(start)) ? StatusCode::ok : StatusCode::start_blocked;
}

/// goal_outside, goal_blocked or ok.
[[nodiscard]] inline StatusCode check_goal(const Map& map, Point goal) noexcept {
    if (!map.contains(goal)) return StatusCode::goal_outside;
    return map.passable(map.cell(goal)) ? StatusCode::ok : StatusCode::goal_blocked;
}

/// Checks both, the start first.
[[nodiscard]] inline StatusCode check_endpoints(const Map& map, Point start, Point goal) noexcept {
    const StatusCode status = check_start(map, start);
    return status == StatusCode::ok ? check_goal(map, goal) : status;
}

/// For Query::nearest_reachable: moves `goal` to the nearest cell for which `reaches(cell)` holds.
/// Returns ok; no_path if there is none; the status of `check()`, called before each cell, as soon
/// as it is not ok.
template <class Reaches, class Check>
[[nodiscard]] StatusCode move_goal_within_reach(const Map& map, Point& goal, Reaches&& reaches,
                                                Check&& check) {
    StatusCode status = StatusCode::ok;
    const auto nearest = nearest_cell_where(map, goal, [&](Cell cell) {
        if (status == StatusCode::ok) status = check();
        return status != StatusCode::ok || reaches(cell);  // accepting ends the search
    });
    if (status != StatusCode::ok) return status;
    if (!nearest) return StatusCode::no_path;
    goal = *nearest;
    return StatusCode::ok;
}

}  // namespace cairn::grid
