#pragma once
// The buckets of a locator: a grid over the mesh, seen from above, with the polygons in each cell.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "cairn/mesh/locator.hpp"
#include "mesh/mesh_data.hpp"

namespace cairn::mesh {

// One axis, cut into buckets of equal width.
struct BucketAxis {
    double low = 0;          // where the first bucket begins
    double width = 1;        // of a bucket
    double per_unit = 1;     // buckets per unit of length
    std::int32_t count = 1;  // buckets

    // The bucket of a coordinate; the outermost one if the coordinate is beyond all. Monotone.
    [[nodiscard]] std::int32_t at(double coordinate) const noexcept {
        const double bucket = (coordinate - low) * per_unit;
        if (!(bucket > 0)) return 0;
        return bucket < count ? static_cast<std::int32_t>(bucket) : count - 1;
    }
    // Whether a coordinate lies within the buckets.
    [[nodiscard]] bool covers(double coordinate) const noexcept {
        const double slack = kSlack * width;
        return coordinate >= low - slack && coordinate <= low + width * count + slack;
    }
    // A lower bound of the distance from a coordinate to anything that lies only in buckets more
    // than `steps` from its own.
    [[nodiscard]] double beyond(double coordinate, std::int32_t steps) const noexcept {
        constexpr double kInfinite = std::numeric_limits<double>::infinity();
        const std::int32_t middle = at(coordinate);
        const auto edge = [this](std::int32_t bucket) { return low + width * bucket; };
        const double below = middle - steps > 0 ? coordinate - edge(middle - steps) : kInfinite;
        const double above =
            middle + steps + 1 < count ? edge(middle + steps + 1) - coordinate : kInfinite;
        return std::min(below, above) - kSlack * width;
    }
    // A lower bound of the distance from a coordinate to what lies in a bucket. The outermost
    // buckets also hold what is beyond them.
    [[nodiscard]] double gap(double coordinate, std::int32_t bucket) const noexcept {
        const double slack = kSlack * width;
        const double below = bucket == 0 ? 0 : low + width * bucket - slack - coordinate;
        const double above =
            bucket == count - 1 ? 0 : coordinate - (low + width * (bucket + 1)) - slack;
        return std::max({below, above, 0.0});
    }
    // Polygons are enlarged by this share of a bucket, against rounding errors.
    static constexpr double kSlack = 1e-3;
};

// The lowest and the highest corner of a polygon.
struct Heights {
    float low = 0;
    float high = 0;

    // How far a height is above or below all of the polygon.
    [[nodiscard]] double gap(double y) const noexcept {
        return std::max({double{low} - y, y - double{high}, 0.0});
    }
};

// Every polygon is in all buckets that hold a part of it. Buckets are ordered by rows of equal z,
// then by x. There are at most kBuckets buckets and kEntries entries per polygon, so a mesh of long
// thin polygons gets larger buckets.
struct LocatorData {
    static constexpr double kBuckets = 4;
    static constexpr std::size_t kEntries = 12;

    BucketAxis x;
    BucketAxis z;
    std::vector<std::uint32_t> first{0, 0};  // per bucket, and one more
    std::vector<Polygon> polygons;           // bucket by bucket, ascending in each
    std::vector<Heights> heights;            // per polygon; 0 of those without an area
    std::size_t built_for = 0;               // polygons with an area when the axes were cut
    std::size_t beyond = 0;                  // polygons added since that are partly beyond the axes

    [[nodiscard]] std::size_t num_buckets() const noexcept { return first.size() - 1; }
    [[nodiscard]] std::span<const Polygon> bucket(std::int32_t column,
                                                  std::int32_t row) const noexcept {
        const auto i = static_cast<std::size_t>(row) * static_cast<std::size_t>(x.count) +
                       static_cast<std::size_t>(column);
        return {polygons.data() + first[i], first[i + 1] - first[i]};
    }
};

// The number of polygons with an area: all but connections and removed polygons.
[[nodiscard]] std::size_t num_with_area(const MeshTopology& mesh) noexcept;

// The buckets of all polygons of a mesh.
[[nodiscard]] LocatorData make_buckets(const MeshTopology& mesh);

}  // namespace cairn::mesh
