#pragma once
// Places of cells in a trace.

#include <span>
#include <vector>

#include "cairn/grid/map.hpp"
#include "cairn/grid/path.hpp"
#include "core/trace_recorder.hpp"

namespace cairn::grid {

[[nodiscard]] inline TracePoint trace_point(Point p) noexcept {
    return {static_cast<double>(p.x), static_cast<double>(p.y)};
}
[[nodiscard]] inline TraceNode trace_node(const Map& map, Cell cell) noexcept {
    return {cell, trace_point(map.point(cell))};
}

/// Records the ends of a query on a grid.
inline void record_ends(const Map& map, Point start, Point goal, TraceRecorder& trace) {
    trace.ends(trace_point(start), trace_point(goal), map.options().costs.straight,
               /*cells=*/true);
}

/// Ends the trace of A* or JPS: the goal is its own last node.
inline void finish(const Map& map, const Path& path, Point goal, TraceRecorder& trace) {
    const bool found = path.status == StatusCode::ok;
    if (found) trace.met(0, map.cell(goal), path.cost);
    trace.finish(found, path.cost);
}

/// The places of a path on a map of this width.
inline void list_path(int width, std::span<const Cell> cells, std::vector<TracePoint>& path) {
    for (const Cell cell : cells) path.push_back(trace_point(point_of(width, cell)));
}

}  // namespace cairn::grid
