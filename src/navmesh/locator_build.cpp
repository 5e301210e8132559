#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "cairn/navmesh/locator.hpp"
#include "navmesh/locator_data.hpp"

namespace cairn::navmesh {
namespace {

struct Interval {
    double low = std::numeric_limits<double>::infinity();
    double high = -std::numeric_limits<double>::infinity();

    void add(double value) noexcept {
        low = std::min(low, value);
        high = std::max(high, value);
    }
};

BucketAxis make_axis(const Interval& extent, double buckets) {
    BucketAxis axis;
    axis.low = extent.low;
    axis.count = static_cast<std::int32_t>(std::floor(std::max(buckets, 1.0)));
    axis.width = (extent.high - extent.low) / axis.count;
    axis.per_unit = axis.count / (extent.high - extent.low);
    return axis;
}

// Finds the buckets that each polygon has a part of: by rows, from one column to another.
class BucketFill {
public:
    explicit BucketFill(const MeshTopology& mesh)
        : mesh_(mesh), polygons_(mesh.num_polygons() - mesh.connections - mesh.gone) {
        for (Polygon p = 0; p < mesh.num_polygons(); ++p) {
            if (!has_area(p)) continue;
            for (std::uint32_t i = mesh.first_corner[p]; i < mesh.first_corner[p + 1]; ++i) {
                x_.add(double{corner(i).x});
                z_.add(double{corner(i).z});
            }
        }
    }

    [[nodiscard]] LocatorData build() {
        if (polygons_ == 0) return {};
        for (double buckets = LocatorData::kBuckets * static_cast<double>(polygons_);;
             buckets /= 4) {
            cut(buckets);
            if (count()) break;
        }
        fill();
        return std::move(data_);
    }

private:
    void cut(double buckets) {
        const double aspect = (x_.high - x_.low) / (z_.high - z_.low);
        data_.x = make_axis(x_, std::min(std::sqrt(buckets * aspect), buckets));
        data_.z = make_axis(z_, buckets / data_.x.count);
        columns_.assign(static_cast<std::size_t>(data_.z.count), {});
    }

    // False if there would be too many entries.
    bool count() {
        const std::size_t buckets =
            static_cast<std::size_t>(data_.x.count) * static_cast<std::size_t>(data_.z.count);
        data_.first.assign(buckets + 1, 0);
        const std::size_t most = LocatorData::kEntries * polygons_;
        std::size_t entries = 0;
        for (Polygon p = 0; p < mesh_.num_polygons(); ++p) {
            visit(p, [&](std::size_t first, std::size_t last) {
                entries += last - first;
                if (buckets > 1 && entries > most) return;
                for (std::size_t i = first; i < last; ++i) ++data_.first[i];
            });
            if (buckets > 1 && entries > most) return false;
        }
        for (std::size_t i = 1; i <= buckets; ++i) data_.first[i] += data_.first[i - 1];
        return true;
    }

    // `first` holds where each bucket ends; afterwards, where it begins.
    void fill() {
        data_.polygons.resize(data_.first.back());
        for (Polygon p = mesh_.num_polygons(); p-- > 0;) {
            visit(p, [&](std::size_t first, std::size_t last) {
                for (std::size_t i = first; i < last; ++i) data_.polygons[--data_.first[i]] = p;
            });
        }
    }

    // Calls visit(first, last) for each row with the buckets from first up to, not including, last.
    template <class Visit>
    void visit(Polygon polygon, Visit&& visit) {
        if (!has_area(polygon)) return;
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
        const double slack = BucketAxis::kSlack * data_.x.width;
        const auto width = static_cast<std::size_t>(data_.x.count);
        for (std::int32_t row = row_of(rows.low, -1); row <= row_of(rows.high, 1); ++row) {
            Interval& columns = columns_[static_cast<std::size_t>(row)];
            const std::size_t base = static_cast<std::size_t>(row) * width;
            const auto first = static_cast<std::size_t>(data_.x.at(columns.low - slack));
            const auto last = static_cast<std::size_t>(data_.x.at(columns.high + slack));
            if (columns.low <= columns.high) visit(base + first, base + last + 1);
            columns = {};
        }
    }

    // Widens the columns of each row that an edge comes through.
    void add_edge(const Point& a, const Point& b) {
        const bool falling = a.z > b.z;
        const Vector low = (falling ? b : a) - Point{};
        const Vector high = (falling ? a : b) - Point{};
        const double slope = high.z > low.z ? (high.x - low.x) / (high.z - low.z) : 0;
        const double slack = BucketAxis::kSlack * data_.z.width;
        for (std::int32_t row = row_of(low.z, -1); row <= row_of(high.z, 1); ++row) {
            const double bottom = data_.z.low + data_.z.width * row - slack;
            const double top = data_.z.low + data_.z.width * (row + 1) + slack;
            Interval& columns = columns_[static_cast<std::size_t>(row)];
            columns.add(bottom > low.z ? low.x + (bottom - low.z) * slope : low.x);
            columns.add(top < high.z ? low.x + (top - low.z) * slope : high.x);
        }
    }

    [[nodiscard]] bool has_area(Polygon polygon) const noexcept {
        return mesh_.num_corners(polygon) > 2;
    }
    [[nodiscard]] std::int32_t row_of(double z, int slacks) const noexcept {
        return data_.z.at(z + slacks * BucketAxis::kSlack * data_.z.width);
    }
    [[nodiscard]] Point corner(std::uint32_t i) const noexcept {
        return mesh_.vertices[mesh_.corners[i]];
    }

    const MeshTopology& mesh_;
    std::size_t polygons_;  // that have an area
    Interval x_;
    Interval z_;
    LocatorData data_;
    std::vector<Interval> columns_;  // by row, empty between polygons
};

}  // namespace

Locator::Locator(const Mesh& mesh)
    : data_(std::make_shared<const LocatorData>(BucketFill(*mesh.data().topology).build())) {}

}  // namespace cairn::navmesh
