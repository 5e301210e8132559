#include "navmesh/surface.hpp"

#include <cmath>
#include <limits>
#include <span>

#include "navmesh/segment.hpp"

namespace cairn::navmesh {
namespace {

std::span<const std::uint32_t> corners_of(const MeshTopology& t, Polygon p) noexcept {
    return {t.corners.data() + t.first_corner[p], t.first_corner[p + 1] - t.first_corner[p]};
}

}  // namespace

bool contains(const MeshData& mesh, Polygon polygon, const Point& point) noexcept {
    // What the difference of two rounded products may be off by: so no point between two polygons
    // is in neither.
    constexpr double kRounding = 0x1p-51;
    const MeshTopology& t = *mesh.topology;
    const auto corners = corners_of(t, polygon);
    const Point* a = &t.vertices[corners.back()];
    for (const std::uint32_t corner : corners) {
        const Point* const b = &t.vertices[corner];
        const Vector along = *b - *a;
        const Vector to = point - *a;
        const double left = along.x * to.z;
        const double right = along.z * to.x;
        if (left - right < -kRounding * (std::abs(left) + std::abs(right))) return false;
        a = b;
    }
    return true;
}

double height_inside(const MeshData& mesh, Polygon polygon, const Point& point) noexcept {
    const MeshTopology& t = *mesh.topology;
    const auto corners = corners_of(t, polygon);
    const Point& a = t.vertices[corners[0]];
    const Vector to = point - a;
    // The triangle around the first corner that the point is in, or the last before it is passed.
    double slope = 0;
    for (std::size_t i = 1; i + 1 < corners.size(); ++i) {
        const Vector b = t.vertices[corners[i]] - a;
        const Vector c = t.vertices[corners[i + 1]] - a;
        const double area = cross(b, c);
        if (!(area > 0)) continue;
        const double to_b = cross(to, c) / area;
        const double to_c = cross(b, to) / area;
        slope = to_b * b.y + to_c * c.y;
        if (to_b >= 0) break;
    }
    return double{a.y} + slope;
}

Point nearest_on_border(const MeshData& mesh, Polygon polygon, const Point& point) noexcept {
    const MeshTopology& t = *mesh.topology;
    const auto corners = corners_of(t, polygon);
    double least = std::numeric_limits<double>::infinity();
    Point best;
    const Point* a = &t.vertices[corners.back()];
    for (const std::uint32_t corner : corners) {
        const Point* const b = &t.vertices[corner];
        const Point candidate = nearest_between(*a, *b, point);
        const Vector off = point - candidate;
        const double squared = off.x * off.x + off.z * off.z;
        if (squared < least) {
            least = squared;
            best = candidate;
        }
        a = b;
    }
    return best;
}

}  // namespace cairn::navmesh
