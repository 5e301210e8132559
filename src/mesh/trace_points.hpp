#pragma once
// Places on meshes in a trace: seen from above.

#include <span>
#include <vector>

#include "cairn/mesh/funnel.hpp"
#include "cairn/mesh/mesh.hpp"
#include "core/trace_recorder.hpp"

namespace cairn::mesh {

[[nodiscard]] inline TracePoint trace_point(const Point& point) noexcept {
    return {point.x, point.z};
}
[[nodiscard]] inline TraceNode trace_node(const Mesh& mesh, Portal portal) noexcept {
    return {portal, trace_point(mesh.midpoint(2 * portal))};
}

/// Records the ends of a query on a mesh, whose polygons must be known.
inline void record_ends(const Mesh& mesh, const Place& start, const Place& goal,
                        TraceRecorder& trace) {
    trace.ends(trace_point(mesh.anchor(start.polygon, start.point)),
               trace_point(mesh.anchor(goal.polygon, goal.point)), mesh.units_per_length(),
               /*cells=*/false);
}

}  // namespace cairn::mesh
