#pragma once
// The buckets of a locator.

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
    double low = 0;
    double width = 1;
    double per_unit = 1;
    std::int32_t count = 1;

    // The bucket of a coordinate; the outermost one if the coordinate is beyond all. Monotone.
    [[nodiscard]] std::int32_t at(double coordinate) const noexcept {
        const double bucket = (coordinate - low) * per_unit;
        if (!(bucket > 0)) return 0;
        return bucket < count ? static_cast<std::int32_t>(bucket) : count - 1;
    }
    // Whether a coordinate is not beyond the buckets.
    [[nodiscard]] bool covers(double coordinate) const noexcept {
        const double slack = kSlack * width;
        return coordinate >= low - slack && coordinate <= low + width * count + slack;
    }
    // A lower bound of the distance of a coordinate to anything more than `steps` buckets from its
    // own.
    [[nodiscard]] double beyond(double coordinate, std::int32_t steps) const noexcept {
        constexpr double kInfinite = std::numeric_limits<double>::infinity();
        const std::int32_t middle = at(coordinate);
        const auto edge = [this](std::int32_t bucket) { return low + width * bucket; };
        const double below = middle - steps > 0 ? coordinate - edge(middle - steps) : kInfinite;
        const double above =
            middle + steps + 1 < count ? edge(middle + steps + 1) - coordinate : kInfinite;
        return std::min(below, above) - kSlack * width;
    }
    // Polygons are enlarged by this share of a bucket, against rounding errors.
    static constexpr double kSlack = 1e-3;
};

// Every polygon is in all buckets that it has a part of, row by row of equal z. At most kBuckets
// buckets and some kEntries entries a polygon: a mesh of long thin polygons has larger buckets.
struct LocatorData {
    static constexpr double kBuckets = 4;
    static constexpr std::size_t kEntries = 12;

    BucketAxis x;
    BucketAxis z;
    std::vector<std::uint32_t> first{0, 0};  // per bucket, and one more
    std::vector<Polygon> polygons;           // in each bucket in their order
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

// How many polygons have an area: connections and removed polygons have none.
[[nodiscard]] std::size_t num_with_area(const MeshTopology& mesh) noexcept;

// The buckets of all polygons of a mesh.
[[nodiscard]] LocatorData make_buckets(const MeshTopology& mesh);

}  // namespace cairn::mesh
