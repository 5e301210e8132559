#pragma once
// The nearest of the polygons that a caller accepts.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

#include "navmesh/ends.hpp"
#include "navmesh/locator_data.hpp"
#include "navmesh/surface.hpp"

namespace cairn::navmesh {

/// How far a polygon is from a point, and its point nearest to it, as Locator::nearest says.
[[nodiscard]] inline Nearest nearest_point(const MeshData& mesh, Polygon polygon,
                                           const Point& point) noexcept {
    if (contains(mesh, polygon, point)) {
        const double y = height_inside(mesh, polygon, point);
        const Point above{point.x, static_cast<float>(y), point.z};
        return {{polygon, above}, std::abs(y - double{point.y})};
    }
    const Point border = nearest_on_border(mesh, polygon, point);
    return {{polygon, border}, distance(point, border)};
}

/// Calls visit(bucket) for the buckets that are `ring` steps, in one direction or both, from the
/// one around a point.
template <class Visit>
void visit_ring(const LocatorData& buckets, const Point& point, std::int32_t ring, Visit&& visit) {
    const std::int32_t column = buckets.x.at(double{point.x});
    const std::int32_t row = buckets.z.at(double{point.z});
    const std::int32_t first = std::max(column - ring, 0);
    const std::int32_t last = std::min(column + ring, buckets.x.count - 1);
    for (std::int32_t r = std::max(row - ring, 0); r <= std::min(row + ring, buckets.z.count - 1);
         ++r) {
        if (r == row - ring || r == row + ring) {
            for (std::int32_t c = first; c <= last; ++c) visit(buckets.bucket(c, r));
        } else {
            if (column - ring >= 0) visit(buckets.bucket(column - ring, r));
            if (column + ring < buckets.x.count) visit(buckets.bucket(column + ring, r));
        }
    }
}

/// Locator::nearest among the polygons for which `accept(polygon)` is true, blocked ones included.
template <class Accept>
[[nodiscard]] std::optional<Nearest> nearest_polygon(const LocatorData& buckets,
                                                     const MeshData& mesh, const Point& point,
                                                     double radius, Accept&& accept) {
    if (!finite(point) || !(radius >= 0)) return std::nullopt;
    Nearest best{{}, radius};
    double least = 0;
    for (std::int32_t ring = 0; least <= best.distance && !std::isinf(least); ++ring) {
        visit_ring(buckets, point, ring, [&](std::span<const Polygon> polygons) {
            for (const Polygon polygon : polygons) {
                if (polygon == best.place.polygon || !accept(polygon)) continue;
                const Nearest found = nearest_point(mesh, polygon, point);
                const bool nearer = found.distance < best.distance ||
                                    (found.distance == best.distance &&  // kNone is the largest
                                     polygon < best.place.polygon);
                if (nearer) best = found;
            }
        });
        least = std::min(buckets.x.beyond(double{point.x}, ring),
                         buckets.z.beyond(double{point.z}, ring));
    }
    if (best.place.polygon == kNone) return std::nullopt;
    return best;
}

}  // namespace cairn::navmesh
