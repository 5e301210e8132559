#pragma once
// Points of segments.

#include "mesh/mesh_data.hpp"

namespace cairn::mesh {

/// The point at a share of the segment from a to b: a for shares up to 0, b for shares from 1.
[[nodiscard]] inline Point between(const Point& a, const Point& b, double share) noexcept {
    if (!(share > 0)) return a;
    if (share >= 1) return b;
    const auto mix = [share](float p, float q) {
        return static_cast<float>(double{p} + (double{q} - double{p}) * share);
    };
    return {mix(a.x, b.x), mix(a.y, b.y), mix(a.z, b.z)};
}

/// The share of the segment from a to b at which it is nearest to p, seen from above.
[[nodiscard]] inline Point nearest_between(const Point& a, const Point& b,
                                           const Point& p) noexcept {
    const Vector along = b - a;
    const Vector to = p - a;
    const double squared = along.x * along.x + along.z * along.z;
    return squared > 0 ? between(a, b, (to.x * along.x + to.z * along.z) / squared) : a;
}

}  // namespace cairn::mesh
