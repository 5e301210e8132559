#pragma once
// Finds the nearest of the polygons that a caller accepts, by rings of buckets around a point.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>

#include "cairn/mesh/reachability.hpp"
#include "mesh/endpoints.hpp"
#include "mesh/locator_data.hpp"
#include "mesh/surface.hpp"

namespace cairn::mesh {

/// The nearest place in a polygon and its distance, as Locator::nearest defines them.
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

/// A rectangle of buckets, with its last column and row.
struct BucketRange {
    std::int32_t first_column = 0;
    std::int32_t last_column = 0;
    std::int32_t first_row = 0;
    std::int32_t last_row = 0;

    /// The first and the last of the rings around a bucket that hold a bucket of this range. Ring r
    /// holds the buckets that are r columns or rows away, and no farther.
    [[nodiscard]] std::int32_t first_ring(std::int32_t column, std::int32_t row) const noexcept {
        return std::max(
            {first_column - column, column - last_column, first_row - row, row - last_row, 0});
    }
    [[nodiscard]] std::int32_t last_ring(std::int32_t column, std::int32_t row) const noexcept {
        return std::max(
            {column - first_column, last_column - column, row - first_row, last_row - row});
    }
};

[[nodiscard]] inline BucketRange all_buckets(const LocatorData& buckets) noexcept {
    return {0, buckets.x.count - 1, 0, buckets.z.count - 1};
}

/// The buckets of all polygons that lie in a box.
[[nodiscard]] inline BucketRange buckets_of(const LocatorData& buckets, const Box& box) noexcept {
    const auto at = [](const BucketAxis& axis, float coordinate, int slacks) {
        return axis.at(double{coordinate} + slacks * BucketAxis::kSlack * axis.width);
    };
    return {at(buckets.x, box.low_x, -1), at(buckets.x, box.high_x, 1),
            at(buckets.z, box.low_z, -1), at(buckets.z, box.high_z, 1)};
}

/// Calls visit(bucket) for the buckets of a range in ring `ring` around the bucket of a point.
template <class Visit>
void visit_ring(const LocatorData& buckets, const BucketRange& range, const Point& point,
                std::int32_t ring, Visit&& visit) {
    const std::int32_t column = buckets.x.at(double{point.x});
    const std::int32_t row = buckets.z.at(double{point.z});
    const std::int32_t first = std::max(column - ring, range.first_column);
    const std::int32_t last = std::min(column + ring, range.last_column);
    for (std::int32_t r = std::max(row - ring, range.first_row);
         r <= std::min(row + ring, range.last_row); ++r) {
        if (r == row - ring || r == row + ring) {
            for (std::int32_t c = first; c <= last; ++c) visit(c, r);
        } else {
            if (column - ring >= range.first_column) visit(column - ring, r);
            if (column + ring <= range.last_column) visit(column + ring, r);
        }
    }
}

/// Locator::nearest among the polygons for which accept(polygon) is true, even if they are blocked.
/// All of them must be in the buckets of `range`.
template <class Accept>
[[nodiscard]] std::optional<Nearest> nearest_polygon(const LocatorData& buckets,
                                                     const BucketRange& range, const MeshData& mesh,
                                                     const Point& point, double radius,
                                                     Accept&& accept) {
    if (!finite(point) || !(radius >= 0)) return std::nullopt;
    Nearest best{{}, radius};
    // The square of the distance up to which a polygon can be nearer, and more than rounding
    // errors.
    const auto squared_reach = [&] { return best.distance * best.distance * (1 + 1e-9); };
    double reach = squared_reach();
    const std::int32_t column = buckets.x.at(double{point.x});
    const std::int32_t row = buckets.z.at(double{point.z});
    // A lower bound of the distance to polygons in none of the rings up to this one.
    const auto beyond = [&](std::int32_t ring) {
        return std::min(buckets.x.beyond(double{point.x}, ring),
                        buckets.z.beyond(double{point.z}, ring));
    };
    const std::int32_t last = range.last_ring(column, row);
    std::int32_t ring = range.first_ring(column, row);
    for (double least = ring == 0 ? 0 : beyond(ring - 1); ring <= last && least <= best.distance;
         ++ring) {
        visit_ring(buckets, range, point, ring, [&](std::int32_t c, std::int32_t r) {
            const double dx = buckets.x.gap(double{point.x}, c);
            const double dz = buckets.z.gap(double{point.z}, r);
            const double aside = dx * dx + dz * dz;
            if (aside > reach) return;
            for (const Polygon polygon : buckets.bucket(c, r)) {
                if (polygon == best.place.polygon || !accept(polygon)) continue;
                // Polygons of other storeys mostly end here.
                const double dy = buckets.heights[polygon].gap(double{point.y});
                if (aside + dy * dy > reach) continue;
                const Nearest found = nearest_point(mesh, polygon, point);
                // Ties: the lowest number. At first it is kNone, the largest.
                const bool nearer =
                    found.distance < best.distance ||
                    (found.distance == best.distance && polygon < best.place.polygon);
                if (!nearer) continue;
                best = found;
                reach = squared_reach();
            }
        });
        least = beyond(ring);
    }
    if (best.place.polygon == kNone) return std::nullopt;
    return best;
}

}  // namespace cairn::mesh
