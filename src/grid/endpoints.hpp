#pragma once
// Whether a query's ends are any good, and where else its goal might be.

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

/// Both, for searches on cells: those outside come first.
[[nodiscard]] inline StatusCode check_ends(const Map& map, Point start, Point goal) noexcept {
    if (!map.contains(start)) return StatusCode::start_outside;
    if (!map.contains(goal)) return StatusCode::goal_outside;
    if (!map.passable(map.cell(start))) return StatusCode::start_blocked;
    return check_goal(map, goal);
}

/// For Query::nearest_reachable: moves `goal` to the cell nearest to it that `reaches(cell)` is
/// true of. no_path if there is none, and what `check()` says as soon as that is not ok.
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
