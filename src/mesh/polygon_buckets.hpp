#pragma once
// Which buckets of a locator a polygon has a part of.

#include <cstddef>
#include <limits>
#include <vector>

#include "mesh/locator_data.hpp"

namespace cairn::mesh {

struct Interval {
    double low = std::numeric_limits<double>::infinity();
    double high = -std::numeric_limits<double>::infinity();

    void add(double value) noexcept {
        low = std::min(low, value);
        high = std::max(high, value);
    }
};

// By rows, from one column to another. The outermost buckets reach as far as polygons do.
class PolygonBuckets {
public:
    PolygonBuckets(const MeshTopology& mesh, const BucketAxis& x, const BucketAxis& z)
        : mesh_(mesh), x_(x), z_(z), columns_(static_cast<std::size_t>(z.count)) {}

    // Calls use(first, last) for each row with the buckets from first up to, not including, last.
    template <class Use>
    void visit(Polygon polygon, Use&& use) {
        if (mesh_.num_corners(polygon) < 3) return;
        Interval rows;
        const std::uint32_t begin = mesh_.first_corner[polygon];
        const std::uint32_t end = mesh_.first_corner[polygon + 1];
        Point a = corner(end - 1);
        for (std::uint32_t i = begin; i < end; ++i) {
            const Point b = corner(i);
            add_edge(a, b);
            rows.add(double{b.z});
            a = b;
        }
        const double slack = BucketAxis::kSlack * x_.width;
        const auto width = static_cast<std::size_t>(x_.count);
        for (std::int32_t row = row_of(rows.low, -1); row <= row_of(rows.high, 1); ++row) {
            Interval& columns = columns_[static_cast<std::size_t>(row)];
            const std::size_t base = static_cast<std::size_t>(row) * width;
            const auto first = static_cast<std::size_t>(x_.at(columns.low - slack));
            const auto last = static_cast<std::size_t>(x_.at(columns.high + slack));
            if (columns.low <= columns.high) use(base + first, base + last + 1);
            columns = {};
        }
    }

private:
    // Extends the columns of each row that an edge crosses.
    void add_edge(const Point& a, const Point& b) {
        constexpr double kInfinite = std::numeric_limits<double>::infinity();
        const bool falling = a.z > b.z;
        const Vector low = (falling ? b : a) - Point{};
        const Vector high = (falling ? a : b) - Point{};
        const double slope = high.z > low.z ? (high.x - low.x) / (high.z - low.z) : 0;
        const double slack = BucketAxis::kSlack * z_.width;
        for (std::int32_t row = row_of(low.z, -1); row <= row_of(high.z, 1); ++row) {
            const double bottom = row == 0 ? -kInfinite : z_.low + z_.width * row - slack;
            const double top =
                row + 1 == z_.count ? kInfinite : z_.low + z_.width * (row + 1) + slack;
            Interval& columns = columns_[static_cast<std::size_t>(row)];
            columns.add(bottom > low.z ? low.x + (bottom - low.z) * slope : low.x);
            columns.add(top < high.z ? low.x + (top - low.z) * slope : high.x);
        }
    }

    [[nodiscard]] std::int32_t row_of(double z, int slacks) const noexcept {
        return z_.at(z + slacks * BucketAxis::kSlack * z_.width);
    }
    [[nodiscard]] Point corner(std::uint32_t i) const noexcept {
        return mesh_.vertices[mesh_.corners[i]];
    }

    const MeshTopology& mesh_;
    const BucketAxis& x_;
    const BucketAxis& z_;
    std::vector<Interval> columns_;  // by row, empty between polygons
};

}  // namespace cairn::mesh
