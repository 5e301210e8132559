#include "mesh/surface.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace cairn::mesh {
namespace {

std::span<const std::uint32_t> corners_of(const MeshTopology& t, Polygon p) noexcept {
    return {t.corners.data() + t.first_corner[p], t.first_corner[p + 1] - t.first_corner[p]};
}

}  // namespace

namespace {

// Whether a ray from the point crosses the border of a polygon of any shape an odd number of times.
bool contains_by_crossings(const MeshTopology& t, std::span<const std::uint32_t> corners,
                           const Point& point) {
    bool inside = false;
    const Point* a = &t.vertices[corners.back()];
    for (const std::uint32_t corner : corners) {
        const Point* const b = &t.vertices[corner];
        if ((a->z > point.z) != (b->z > point.z)) {
            const double turn = cross(*b - *a, point - *a);
            inside ^= (b->z > a->z) == (turn > 0);
        }
        a = b;
    }
    return inside;
}

}  // namespace

bool contains(const MeshData& mesh, Polygon polygon, const Point& point) noexcept {
    // Bounds the rounding error of a difference of two products, so that no point on the edge
    // between two polygons is outside both.
    constexpr double kRounding = 0x1p-51;
    const MeshTopology& t = *mesh.topology;
    const auto corners = corners_of(t, polygon);
    if (const Oddity oddity = t.oddity(polygon); oddity != Oddity::none)
        return oddity != Oddity::no_area && contains_by_crossings(t, corners, point);
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
    // The surface is a fan of triangles around the first corner, a. This is the triangle that holds
    // the point, or the last one if rounding puts it in none. Triangles without area are skipped.
    // If the polygon is convex, the first triangle that is not wholly to the right of the point
    // holds it.
    struct {
        Vector b;              // from a to its second corner
        Vector c;              // and to its third
        double area = 0;       // twice its area
        std::size_t last = 0;  // the third corner
    } triangle;
    const bool convex = t.oddity(polygon) == Oddity::none;
    Vector b = t.vertices[corners[1]] - a;
    for (std::size_t i = 2; i < corners.size(); ++i) {
        const Vector c = t.vertices[corners[i]] - a;
        const double area = cross(b, c);
        if (area > 0) {
            triangle = {b, c, area, i};
            const double left = cross(to, c);
            const double right = cross(b, to);
            if (left >= 0 && (convex || (right >= 0 && left + right <= area))) break;
        }
        b = c;
    }
    if (triangle.area == 0) return double{a.y};
    const double rise = cross(to, triangle.c) * triangle.b.y + cross(triangle.b, to) * triangle.c.y;
    // A point that rounding puts beside the triangle is not higher or lower than it.
    const auto [low, high] = std::minmax(
        {a.y, t.vertices[corners[triangle.last - 1]].y, t.vertices[corners[triangle.last]].y});
    return std::clamp(double{a.y} + rise / triangle.area, double{low}, double{high});
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

}  // namespace cairn::mesh
